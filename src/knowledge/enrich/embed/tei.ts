import type { EmbeddingProtocol } from './remote.ts'

/** `POST /embed` of text-embeddings-inference, which serves one model and names it at `/info`. */
export const teiEmbeddings: EmbeddingProtocol = {
  provider: 'tei',
  path: '/embed',
  body: (texts) => ({ inputs: texts, normalize: true, truncate: true }),
  vectors: (document) => (Array.isArray(document) ? document : undefined),
  model: { path: '/info', member: 'model_id' }
}
