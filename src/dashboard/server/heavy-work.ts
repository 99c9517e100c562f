import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { HttpError } from './problem.ts'

/** One go of work that can wait. Radios, events and pages come between two of them: contract §6, *Warnings before work*. */
const SLICE_MS = 10
const AT_ONCE = 2
/** A rest that ends so much later than it was to, did so because others have work to do. Milliseconds. */
const LATE_MS = 10
/** Then it rests on, so that they have the processor; but a slice has its turn now and then, however busy they are. Milliseconds. */
const LONGEST_REST_MS = 300
/** The time after which somebody who was turned away may come again. Seconds. */
const RETRY_SECONDS = 3

/** Called between two small steps of heavy work: returns when it may go on. */
export type Pace = () => Promise<void>

export interface HeavyWorkOptions {
  /** Milliseconds of a clock that only goes forward. */
  steady?: () => number
  /** Calls after at least so long, when whoever else has something to do has done it. */
  later?: (ms: number, go: () => void) => void
}

/** Whoever asks for heavy work. */
export interface HeavyCaller {
  left: () => boolean
  /** True for whoever may only read. */
  isGuest: boolean
  /** The name under which the address is counted; null for this machine and trusted proxies, behind which many may stand. */
  from: string | null
}

/**
 * The one queue for whatever anybody may ask for that costs more than a page: previews, back-tests, explanations of large
 * shapes. At most two at once for the whole station, one of each guest, and one of the operator where guests hold both; cut into slices that take turns, resting between
 * them as long as they worked, and longer while others are late; it ends when its client has left.
 */
export class HeavyWork {
  readonly #steady: () => number
  readonly #later: (ms: number, go: () => void) => void
  readonly #line: (() => void)[] = []
  /** Guests whose work is under way: one phone that asks for everything leaves the other place to the others. */
  readonly #guests = new Set<string>()
  #running = 0
  /** Of these, whatever the operator asked for. */
  #ownRunning = 0
  #begun: number

  constructor({
    steady = () => performance.now(),
    later = (ms, go) => void setTimeout(go, ms)
  }: HeavyWorkOptions = {}) {
    this.#steady = steady
    this.#later = later
    this.#begun = steady()
  }

  /** The number under way. */
  get running(): number {
    return this.#running
  }

  /** @throws HttpError `unavailable` with `Retry-After` while there is no place, and when the client has left. */
  async run<T>({ left, isGuest, from }: HeavyCaller, work: (pace: Pace) => Promise<T>): Promise<T> {
    const guest = isGuest ? from : null
    if (guest !== null && this.#guests.has(guest)) throw turnedAway('first_one_under_way')
    if (this.#running >= AT_ONCE && (isGuest || this.#ownRunning > 0)) throw turnedAway('others_try_things')
    const own = isGuest ? 0 : 1
    this.#running++
    this.#ownRunning += own
    if (guest !== null) this.#guests.add(guest)
    try {
      await this.#turn()
      return await work(async () => {
        if (this.#steady() - this.#begun >= SLICE_MS) await this.#turn()
        if (left()) throw new AppError('unavailable', because('client_has_left'))
      })
    } finally {
      this.#running--
      this.#ownRunning -= own
      if (guest !== null) this.#guests.delete(guest)
    }
  }

  /** The next slice of this one: whoever waited longer goes first. */
  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#line.push(resolve)
      if (this.#line.length === 1) this.#rest()
    })
  }

  #rest(): void {
    const worked = Math.max(0, this.#steady() - this.#begun)
    this.#pause(Math.min(worked, 5 * SLICE_MS), LONGEST_REST_MS)
  }

  #pause(ms: number, most: number): void {
    const due = this.#steady() + ms
    this.#later(ms, () => {
      const late = this.#steady() - due
      const left = most - ms - late
      if (late > LATE_MS && left > 0) this.#pause(Math.min(3 * late, left), left)
      else this.#next()
    })
  }

  #next(): void {
    this.#begun = this.#steady()
    this.#line.shift()?.()
    if (this.#line.length > 0) this.#rest()
  }
}

function turnedAway(why: 'others_try_things' | 'first_one_under_way'): HttpError {
  return new HttpError('unavailable', because(why, { seconds: RETRY_SECONDS }), {
    'Retry-After': String(RETRY_SECONDS)
  })
}
