import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import { type Embedder, modelOf } from '../enrich/embed/embedder.ts'
import { headOf, type Ranked } from './fusion.ts'
import type { ModelCount, VectorStore } from './ports.ts'

export interface VectorSideParts {
  vectors: VectorStore
  /** Of the configuration of now. */
  embedder: () => Embedder
  clock: Clock
  /** Somebody waits for the answer: how long for the question's vector. Milliseconds. */
  embedMs?: number
}

/** The reason why a question is answered by words alone, in a sentence. */
export interface Unready {
  /** `store`: the vectors themselves cannot be asked. */
  code: 'vectors' | 'provider' | 'store'
  reason: Reason
}

/** The passages near the question; or why nobody can say. */
export type Nearest = { hits: Ranked[]; weight: number } | Unready

/** Further ones are near by chance. */
const NEAREST = 50
const PER_DOCUMENT = 3
/** Vectors of another model that are left over, as a share of all, up to which nothing is said. */
const LEFT_OVER = 0.05
const EMBED_MS = 4000
/** A provider that did not answer is left alone for so long: every question would wait for it. */
const PAUSE_MS = 30_000

/**
 * The weight of a rank in this list beside one in the list of words, measured on the labelled questions
 * (docs/decisions/0010): hashed letters know no more than words do, a model of meaning does.
 */
const weightOf = (provider: string): number => (isSemantic(provider) ? 1 : 0.1)

/** True when vectors of this provider know of meaning. */
export function isSemantic(provider: string): boolean {
  return provider !== 'hash'
}

/** The half of the search that needs an embedding provider; it fails with a reason, never with an error. */
export class VectorSide {
  readonly #o: VectorSideParts
  #pausedUntil = 0
  #why: Unready | null = null
  #paused: Embedder | null = null

  constructor(parts: VectorSideParts) {
    this.#o = parts
  }

  /** `found`: items that have words of the question. The others must be nearer than chance. */
  async nearest(
    question: string,
    { filter, found }: { filter: ReadonlySet<number> | null; found: ReadonlySet<number> }
  ): Promise<Nearest> {
    const why = await this.unready()
    if (why !== null) return why
    const embedder = this.#o.embedder()
    try {
      const vector = await this.#embed(embedder, question)
      const model = modelOf(embedder)
      const models = await this.#o.vectors.models()
      const missing = reasonAgainst(embedder, models)
      if (missing !== null) return missing
      const query = { model, k: NEAREST * PER_DOCUMENT, ...(filter === null ? {} : { filter }) }
      const hits = await this.#o.vectors.search(vector, query)
      const least = leastCosine(embedder, models)
      const near = hits.filter(({ itemId, score }) => found.has(itemId) || score >= least)
      const head = headOf(near, { documents: NEAREST, perDocument: PER_DOCUMENT })
      return { hits: head, weight: weightOf(embedder.provider) }
    } catch (error) {
      return this.#failed(embedder, error)
    }
  }

  /**
   * The reason why a question would be answered by words alone, as far as that is known without asking anybody outside;
   * null: it would not.
   */
  async unready(): Promise<Unready | null> {
    const embedder = this.#o.embedder()
    if (this.#paused === embedder && this.#o.clock.now() < this.#pausedUntil) return this.#why
    try {
      return reasonAgainst(embedder, await this.#o.vectors.models())
    } catch (error) {
      return { code: 'store', reason: because('vector_store_unreadable', { said: reasonOf(error) }) }
    }
  }

  async #embed(embedder: Embedder, question: string): Promise<Float32Array> {
    const stop = new AbortController()
    const ms = this.#o.embedMs ?? EMBED_MS
    const cancel = this.#o.clock.after(ms, () => stop.abort())
    try {
      const [vector = new Float32Array(0)] = await embedder.embed([question], stop.signal)
      return vector
    } catch (error) {
      if (stop.signal.aborted)
        throw new AppError('timeout', because('no_answer_within', { seconds: ms / 1000 }), { cause: error })
      throw error
    } finally {
      cancel()
    }
  }

  #failed(embedder: Embedder, error: unknown): Unready {
    this.#paused = embedder
    this.#pausedUntil = this.#o.clock.now() + PAUSE_MS
    const { provider } = embedder
    const why: Unready = isSemantic(provider)
      ? {
          code: 'provider',
          reason: because('embedding_or_store_silent', { provider, said: reasonOf(error) })
        }
      : { code: 'store', reason: because('vector_store_silent', { said: reasonOf(error) }) }
    this.#why = why
    return why
  }
}

/**
 * Below this a passage is near by chance. The nearest of `n` directions that have nothing to do with the question has a cosine
 * of about √(2 ln n / dims): the larger the library, the nearer.
 */
function leastCosine({ floor, provider, dims }: Embedder, models: readonly ModelCount[]): number {
  if (floor === undefined || dims === null) return -1
  const n = models.find((model) => model.provider === provider)?.vectors ?? 0
  return Math.max(floor, Math.sqrt((2 * Math.log(Math.max(1, n))) / dims))
}

function reasonAgainst(embedder: Embedder, models: readonly ModelCount[]): Unready | null {
  const { provider, model, dims } = embedder
  const total = models.reduce((sum, { vectors }) => sum + vectors, 0)
  if (total === 0) return { code: 'vectors', reason: because('no_vectors_yet') }
  // A server that names its model itself, and has not been asked yet: the question will show.
  if (dims === null && model === '') return null
  const own = models
    .filter((one) => one.provider === provider && one.model === model && (dims === null || one.dims === dims))
    .reduce((sum, { vectors }) => sum + vectors, 0)
  if (total - own <= total * LEFT_OVER) return null
  const name = model === '' ? provider : `${provider} ${model}`
  return { code: 'vectors', reason: because('vectors_made_anew', { model: name, own, total }) }
}
