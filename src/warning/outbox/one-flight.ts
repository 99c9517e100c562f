import type { Clock } from '../../platform/clock/clock.ts'
import { settledWithin } from '../../platform/clock/within.ts'

/** The wall clock may be set meanwhile: nothing is waited for longer without another look. */
const LONGEST_MS = 60_000
/** After work that threw. */
const AFTER_ERROR_MS = 5000

/** The turn of a queue: one message at a time, and a timer for the next look at what waits. */
export class OneFlight {
  readonly #clock: Clock
  readonly #wake: () => void
  #flying: Promise<void> | null = null
  #cancelTimer: (() => void) | null = null

  constructor(clock: Clock, wake: () => void) {
    this.#clock = clock
    this.#wake = wake
  }

  get busy(): boolean {
    return this.#flying !== null
  }

  /** It wakes by itself. */
  get isTimed(): boolean {
    return this.#cancelTimer !== null
  }

  /** Nothing else begins before `work` is done; then the queue is woken. */
  begin(work: Promise<void>, onError: (error: unknown) => void): void {
    this.calm()
    this.#flying = work.then(
      () => {
        this.#flying = null
        this.#wake()
      },
      (error: unknown) => {
        this.#flying = null
        onError(error)
        this.wakeIn(AFTER_ERROR_MS)
      }
    )
  }

  /** Wakes the queue after `ms` instead of whenever it was to wake before. */
  wakeIn(ms: number = AFTER_ERROR_MS): void {
    this.calm()
    this.#cancelTimer = this.#clock.after(Math.ceil(Math.max(1, Math.min(ms, LONGEST_MS))), () => {
      this.#cancelTimer = null
      this.#wake()
    })
  }

  /** No timer is set any more. */
  calm(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  /** Waits for what is under way, `ms` at the longest, and wakes nobody any more. */
  async close(ms: number): Promise<void> {
    this.calm()
    if (this.#flying !== null) await settledWithin(this.#flying, ms, this.#clock)
    this.calm()
  }
}
