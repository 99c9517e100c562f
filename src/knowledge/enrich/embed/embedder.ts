import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'

/** Vectors of one model can be compared with each other: it is stored with every vector. */
export interface EmbeddingModel {
  /** `hash`, `static`, `openai`, `ollama`, `tei`. */
  provider: string
  model: string
  dims: number
}

/** Turns texts into vectors. */
export interface Embedder {
  readonly provider: string
  /** Of a server that names its model itself: empty until it has answered for the first time. */
  readonly model: string
  /** Null until the provider has answered for the first time. */
  readonly dims: number | null
  /** Cosine below which two texts have nothing in common; absent when nobody can say. */
  readonly floor?: number
  /**
   * One vector of length 1 per text, in order; the caller need not cut into batches.
   * @throws AppError `unavailable`, `rate-limited` or `unauthenticated` (most often a ProviderError, with `retryAt`): the
   * provider is down, over its limit, or wants another key or model; the message says which. The texts are not at fault.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
}

/** The model whose vectors `embedder` makes; asks a remote provider that has not answered yet. @throws AppError as `embed` does. */
export async function knownModel(embedder: Embedder, signal: AbortSignal): Promise<EmbeddingModel> {
  if (embedder.dims === null) await embedder.embed(['water'], signal)
  return modelOf(embedder)
}

/** The model of what `embed` has just returned. @throws AppError `unavailable` before the first answer of a remote provider. */
export function modelOf({ provider, model, dims }: Pick<Embedder, 'provider' | 'model' | 'dims'>): EmbeddingModel {
  if (dims === null) throw new AppError('unavailable', because('embedding_unanswered', { provider }))
  return { provider, model, dims }
}
