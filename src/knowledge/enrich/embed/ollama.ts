import { member } from '../../keys/answer-status.ts'
import type { EmbeddingProtocol } from './remote.ts'

/** `POST /api/embed` of Ollama. A text that is too long for the model is cut by the server. */
export const ollamaEmbeddings: EmbeddingProtocol = {
  provider: 'ollama',
  path: '/api/embed',
  body: (texts, model) => ({ model, input: texts, truncate: true }),
  vectors: (document) => {
    const embeddings = member(document, 'embeddings')
    return Array.isArray(embeddings) ? embeddings : undefined
  }
}
