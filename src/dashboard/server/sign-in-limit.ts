import type { AppError } from '../../platform/errors.ts'
import { HttpError } from './problem.ts'
import { RateLimit } from './rate-limit.ts'

const PER_MINUTE = 5
/** Wrong tries from anywhere that cost nobody a pause. */
const FREE = 10
const LONGEST_MS = 60_000
/** After this long without a try the pauses are forgotten. */
const FORGET_MS = 15 * 60_000

/**
 * Tries to sign in: five a minute per peer, and after ten wrong ones from anywhere a pause for all that doubles up to a
 * minute, so that many addresses win nothing. Whoever is signed in, or sits at the machine, is not held up.
 */
export class SignInLimit {
  readonly #now: () => number
  readonly #peers: RateLimit
  #wrong = 0
  #lastAt = 0
  #openAt = 0

  constructor({ now }: { now: () => number }) {
    this.#now = now
    this.#peers = new RateLimit({ now, capacity: PER_MINUTE, perSecond: PER_MINUTE / 60 })
  }

  /** Counts a try before it is judged. Throws AppError `rate-limited` with `Retry-After`. */
  take(peer: string): void {
    const now = this.#now()
    if (now - this.#lastAt > FORGET_MS) this.succeeded()
    const wait = this.#openAt - now
    // More than the longest pause: the clock was set back.
    if (wait > 0 && wait <= LONGEST_MS) throw tooMany(Math.ceil(wait / 1000))
    this.#takeOne(peer)
    this.#wrong++
    this.#lastAt = now
    if (this.#wrong > FREE) this.#openAt = now + Math.min(LONGEST_MS, 1000 * 2 ** (this.#wrong - FREE - 1))
  }

  /** The try was a good one. */
  succeeded(): void {
    this.#wrong = 0
    this.#openAt = 0
  }

  #takeOne(peer: string): void {
    try {
      this.#peers.take(peer, 1)
    } catch (error) {
      if (error instanceof HttpError) throw tooMany(Number(error.headers['Retry-After']))
      throw error
    }
  }
}

function tooMany(seconds: number): AppError {
  return new HttpError('rate-limited', `Too many tries: wait ${seconds} s, then try again.`, {
    'Retry-After': String(seconds)
  })
}
