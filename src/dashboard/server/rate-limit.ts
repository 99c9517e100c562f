import { because } from '../../model/reason.ts'
import { HttpError } from './problem.ts'

interface Bucket {
  tokens: number
  at: number
}

const MAX_PEERS = 1000

/** One token bucket per peer, for requests that store nothing but cost time. `perSecond` tokens flow in, up to `capacity`. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>()
  readonly #now: () => number
  readonly #capacity: number
  readonly #perSecond: number

  constructor(options: { now: () => number; capacity: number; perSecond: number }) {
    this.#now = options.now
    this.#capacity = options.capacity
    this.#perSecond = options.perSecond
  }

  /** Takes `cost` tokens. Throws AppError `rate-limited` with `Retry-After` when there are not enough. */
  take(peer: string, cost: number): void {
    const missing = this.#takeOrMiss(peer, cost)
    if (missing === 0) return
    const wait = Math.max(1, Math.ceil(missing / this.#perSecond))
    throw new HttpError('rate-limited', because('too_many_requests', { seconds: wait }), {
      'Retry-After': String(wait)
    })
  }

  /** Takes `cost` tokens; false when there are not enough. */
  gives(peer: string, cost: number): boolean {
    return this.#takeOrMiss(peer, cost) === 0
  }

  /** The tokens that are missing: then none is taken. */
  #takeOrMiss(peer: string, cost: number): number {
    const tokens = this.#tokensOf(peer)
    // Last in, last out: the peers that ask are those that stay remembered.
    this.#buckets.delete(peer)
    this.#buckets.set(peer, { tokens: tokens >= cost ? tokens - cost : tokens, at: this.#now() })
    this.#forgetOldest()
    return Math.max(0, cost - tokens)
  }

  #tokensOf(peer: string): number {
    const bucket = this.#buckets.get(peer)
    if (bucket === undefined) return this.#capacity
    const gained = (Math.max(0, this.#now() - bucket.at) / 1000) * this.#perSecond
    return Math.min(this.#capacity, bucket.tokens + gained)
  }

  #forgetOldest(): void {
    if (this.#buckets.size <= MAX_PEERS) return
    for (const oldest of this.#buckets.keys()) {
      this.#buckets.delete(oldest)
      return
    }
  }
}
