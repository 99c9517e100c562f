import { isIPv6 } from 'node:net'
import { because } from '../../model/reason.ts'
import type { AppError } from '../../platform/errors.ts'
import { HttpError } from './problem.ts'
import { RateLimit } from './rate-limit.ts'

const PER_MINUTE = 5
/** Wrong tries that cost no pause: of one address, and of all together. */
const FREE = 10
const LONGEST_MS = 60_000
/** After this long without a try the pauses are forgotten. */
const FORGET_MS = 15 * 60_000
/**
 * First tries of addresses that never tried before, while the others wait: nobody gets through faster by making addresses up. Of
 * IPv4 and of IPv6 each: one phone has as many of those as it likes.
 */
const FRESH_PER_MINUTE = 20
const MAX_PEERS = 1000

/** Wrong tries in a row, and the end of the pause that they cost. */
class Wrong {
  count = 0
  #lastAt = 0
  #openAt = 0

  /** Milliseconds to wait; 0 when a try is judged at once. */
  wait(now: number): number {
    if (now - this.#lastAt > FORGET_MS) this.count = 0
    const wait = this.count === 0 ? 0 : this.#openAt - now
    // More than the longest pause: the clock was set back.
    return wait > 0 && wait <= LONGEST_MS ? wait : 0
  }

  add(now: number): void {
    this.count++
    this.#lastAt = now
    const over = this.count - FREE
    this.#openAt = over > 0 ? now + Math.min(LONGEST_MS, 1000 * 2 ** (over - 1)) : now
  }
}

/**
 * Tries to sign in: five a minute of one address, and after ten wrong ones in a row a pause of that address that doubles up to a
 * minute. The same pause counts for all addresses together, so that many win nothing; but a guest who guesses must not lock the operator
 * out, so it holds up neither an address that somebody has signed in from nor the first try of one that never guessed wrong.
 */
export class SignInLimit {
  readonly #now: () => number
  readonly #rate: RateLimit
  readonly #fresh: RateLimit
  readonly #peers = new Map<string, Wrong>()
  #account = new Wrong()

  constructor({ now }: { now: () => number }) {
    this.#now = now
    this.#rate = new RateLimit({ now, capacity: PER_MINUTE, perSecond: PER_MINUTE / 60 })
    this.#fresh = new RateLimit({ now, capacity: FRESH_PER_MINUTE, perSecond: FRESH_PER_MINUTE / 60 })
  }

  /**
   * Counts a try before it is judged. `known`: somebody has signed in from this address before.
   * @throws AppError `rate-limited` with `Retry-After`.
   */
  take(peer: string, { known = false }: { known?: boolean } = {}): void {
    const now = this.#now()
    const before = this.#peers.get(peer)
    const own = before?.wait(now) ?? 0
    if (own > 0) throw tooMany(own)
    const common = this.#account.wait(now)
    if (common > 0 && !known) {
      if (before !== undefined && before.count > 0) throw tooMany(common)
      orTooMany(() => this.#fresh.take(isIPv6(peer) ? 'IPv6' : 'IPv4', 1))
    }
    orTooMany(() => this.#rate.take(peer, 1))
    this.#remember(peer, before ?? new Wrong()).add(now)
    this.#account.add(now)
  }

  /** The try was a good one. */
  succeeded(peer: string): void {
    this.#peers.delete(peer)
    this.#account = new Wrong()
  }

  /** Last in, last out: those that try are those that stay remembered. */
  #remember(peer: string, wrong: Wrong): Wrong {
    this.#peers.delete(peer)
    this.#peers.set(peer, wrong)
    if (this.#peers.size > MAX_PEERS) {
      const [oldest = ''] = this.#peers.keys()
      this.#peers.delete(oldest)
    }
    return wrong
  }
}

function orTooMany(take: () => void): void {
  try {
    take()
  } catch (error) {
    if (error instanceof HttpError) throw tooMany(Number(error.headers['Retry-After']) * 1000)
    throw error
  }
}

function tooMany(ms: number): AppError {
  const seconds = Math.ceil(ms / 1000)
  return new HttpError('rate-limited', because('too_many_tries', { seconds }), {
    'Retry-After': String(seconds)
  })
}
