import type { Clock } from '../../platform/clock/clock.ts'
import type { LinkSource } from './link/link.ts'

const LOOK_EVERY_MS = 1000
/** A device file can be there some time before it may be opened and the firmware behind it has started. */
const FRESH_MS = 15_000

export interface ReopenerOptions {
  source: LinkSource
  clock: Clock
  /** The wait before retry `attempt` (0 is the first), in milliseconds. */
  delay: (attempt: number) => number
}

interface Watch {
  retry: () => void
  round: number
  due: number
  absent: boolean
}

/**
 * Decides when a lost link is tried again: after a growing wait; for a device whose file can be watched, within a second of its
 * coming back, and every second while it is new.
 */
export class Reopener {
  readonly #o: ReopenerOptions
  #failures = 0
  #wasReady = false
  #appearedAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null
  #round = 0

  constructor(options: ReopenerOptions) {
    this.#o = options
  }

  /** The link came up. */
  connected(): void {
    this.#wasReady = true
  }

  /** The link that came up was a good one: waiting starts anew. */
  forget(): void {
    this.#failures = 0
  }

  schedule(retry: () => void): void {
    this.stop()
    const round = ++this.#round
    const { clock, source } = this.#o
    const wait = this.#o.delay(this.#failures++)
    if (source.present === undefined) {
      this.#cancel = clock.after(wait, retry)
      return
    }
    const soon = this.#wasReady || clock.now() - this.#appearedAt < FRESH_MS
    this.#wasReady = false
    this.#watch({ retry, round, due: clock.now() + (soon ? LOOK_EVERY_MS : wait), absent: false })
  }

  stop(): void {
    this.#round++
    this.#cancel?.()
    this.#cancel = null
  }

  #watch(watch: Watch): void {
    const { clock } = this.#o
    const wait = Math.max(0, Math.min(LOOK_EVERY_MS, watch.absent ? LOOK_EVERY_MS : watch.due - clock.now()))
    this.#cancel = clock.after(wait, () => {
      const looked = this.#o.source.present?.() ?? Promise.resolve(true)
      // A failure to look leads to a try to open: that failure says what is wrong.
      void looked.catch(() => true).then((present) => this.#looked(watch, present))
    })
  }

  #looked(watch: Watch, present: boolean): void {
    if (watch.round !== this.#round) return
    const now = this.#o.clock.now()
    if (!present) this.#watch({ ...watch, absent: true })
    else if (!watch.absent && now < watch.due) this.#watch(watch)
    else {
      if (watch.absent) this.#appearedAt = now
      this.#cancel = null
      watch.retry()
    }
  }
}
