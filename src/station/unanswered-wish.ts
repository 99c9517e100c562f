import { utimes } from 'node:fs/promises'
import type { Clock } from '../platform/clock/clock.ts'

/** Looks are five seconds apart: after 10, 20 and 40 s, then each minute. */
const [FIRST, MINUTE] = [new Set([2, 4, 8]), 12]

/**
 * Shows root a wish once more that nobody has answered. While a service runs that systemd starts for a changed file it does not look at the
 * file, and afterwards it does not see that it changed (PathChanged= of systemd.path(5)): a wish of that time would lie there for ever.
 */
export class UnansweredWish {
  readonly #file: string
  readonly #clock: Pick<Clock, 'now'>
  #looks = 0

  constructor(file: string, clock: Pick<Clock, 'now'>) {
    this.#file = file
    this.#clock = clock
  }

  /** To be called at each look. Rejects as the disk does. */
  async look(isWaiting: boolean): Promise<void> {
    this.#looks = isWaiting ? this.#looks + 1 : 0
    if (!FIRST.has(this.#looks) && (this.#looks === 0 || this.#looks % MINUTE !== 0)) return
    const now = this.#clock.now() / 1000
    await utimes(this.#file, now, now)
  }
}
