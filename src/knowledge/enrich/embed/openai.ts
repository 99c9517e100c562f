import { member } from '../../keys/answer-status.ts'
import type { EmbeddingProtocol } from './remote.ts'

/** `POST /embeddings` as OpenAI defined it, which most servers speak. Each vector says which text it belongs to. */
export const openAiEmbeddings: EmbeddingProtocol = {
  provider: 'openai',
  path: '/embeddings',
  body: (texts, model) => ({ model, input: texts, encoding_format: 'float' }),
  vectors: (document) => {
    const data = member(document, 'data')
    if (!Array.isArray(data)) return undefined
    const placed: unknown[] = []
    for (const [at, entry] of data.entries()) {
      const index = member(entry, 'index') ?? at
      if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= data.length) return undefined
      placed[index] = member(entry, 'embedding')
    }
    return Array.from(placed)
  }
}
