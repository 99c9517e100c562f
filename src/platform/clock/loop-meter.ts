import type { Clock } from './clock.ts'

/** The pause between two looks, and the delay that counts as late. Milliseconds. */
const EVERY_MS = 25
const LATE_MS = 20
const SHOWN_MS = 60_000

interface Stall {
  at: number
  ms: number
  /** The worker at the time it was noticed: the step was most likely theirs. */
  during: readonly string[]
}

export interface LoopMeterOptions {
  clock: Clock
  /** Milliseconds of a clock that only goes forward. */
  steady?: () => number
  /** Hears of each stall when it is over. */
  onStall?: (ms: number) => void
  /** Names whoever is at work at this moment; asked at a stall only. */
  atWork?: () => readonly string[]
}

/**
 * The time for which this process did not get to its sockets and timers: one long step of its own, or a machine that
 * gave it no turn. The one place that knows; whoever waits for others discounts it (contract §6: no radio is silent
 * while we did not listen).
 */
export class LoopMeter {
  readonly #o: LoopMeterOptions
  readonly #steady: () => number
  #cancel: () => void = () => undefined
  #due = Number.POSITIVE_INFINITY
  #lost = 0
  #stalls: Stall[] = []
  #longest = 0

  constructor(options: LoopMeterOptions) {
    this.#o = options
    this.#steady = options.steady ?? (() => performance.now())
  }

  start(): void {
    this.#due = this.#steady() + EVERY_MS
    this.#cancel = this.#o.clock.after(EVERY_MS, () => {
      const late = this.#steady() - this.#due
      if (late > LATE_MS) this.#note(late)
      this.start()
    })
  }

  stop(): void {
    this.#cancel()
    this.#due = Number.POSITIVE_INFINITY
  }

  /** All that was lost since the start, with what a stall that is not over yet has cost so far. Milliseconds. */
  lostMs(): number {
    const late = this.#steady() - this.#due
    return this.#lost + (late > LATE_MS ? late : 0)
  }

  /** The longest stall that ended in the last minute, in milliseconds; 0 without one. */
  worst(): { ms: number; during: readonly string[] } {
    this.#forget()
    const [worst] = this.#stalls
    return { ms: Math.round(worst?.ms ?? 0), during: worst?.during ?? [] }
  }

  /** The longest stall since this was asked last. Milliseconds. */
  takeLongestMs(): number {
    const longest = this.#longest
    this.#longest = 0
    return Math.round(longest)
  }

  #note(ms: number): void {
    this.#lost += ms
    this.#forget()
    // A longer one makes those before it of no account: few are kept.
    const during = this.#o.atWork?.() ?? []
    this.#stalls = [...this.#stalls.filter((stall) => stall.ms > ms), { at: this.#steady(), ms, during }]
    this.#longest = Math.max(this.#longest, ms)
    this.#o.onStall?.(ms)
  }

  #forget(): void {
    const since = this.#steady() - SHOWN_MS
    this.#stalls = this.#stalls.filter(({ at }) => at >= since)
  }
}

/** Less is no reason to listen any longer. Milliseconds. */
const WORTH_MS = 50

/**
 * A clock for whoever waits for an answer: the time in which we ourselves stood still does not count as waiting. It is waited
 * once more, at most as long as was asked, so that the sockets are read before anybody is declared silent.
 */
export function patientClock(clock: Clock, meter: Pick<LoopMeter, 'lostMs'>): Clock {
  return {
    now: () => clock.now(),
    after: (ms, task) => {
      const before = meter.lostMs()
      let cancel = clock.after(ms, () => {
        const lost = Math.min(ms, meter.lostMs() - before)
        if (lost < WORTH_MS) task()
        else cancel = clock.after(lost, task)
      })
      return () => cancel()
    }
  }
}
