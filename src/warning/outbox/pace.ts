import { isAtLeast } from '../../model/severity.ts'
import type { Network } from '../radios/radio.ts'
import type { Delivery } from './delivery.ts'

/** Contract §6, and the windows of the firmware behind it (MT 2 s per link, MC queue drain). */
export const MIN_GAP_MS = { mt: 3000, mc: 2000 } as const
/** `routine` and `priority` leave the channel free at least this many times their own time-on-air. */
export const POLITE_GAP = 4

/** The pause after the last text of one radio before the next may go. Contract §6. */
export class Pace {
  readonly #gapMs: number
  #lastAt = Number.NEGATIVE_INFINITY
  #lastAirtimeMs = 0
  /** From hand-over until it had left. */
  #lastTookMs = 0

  constructor(network: Network) {
    this.#gapMs = MIN_GAP_MS[network]
  }

  /** A node counts its pause from the last text it got, whichever process that came from. */
  resume(at: number): void {
    this.#lastAt = at
  }

  left(at: number, { tookMs, airtimeMs }: { tookMs: number; airtimeMs: number }): void {
    this.#lastAt = at
    this.#lastTookMs = tookMs
    this.#lastAirtimeMs = airtimeMs
  }

  /**
   * The time that a message of this severity has to wait yet; that of an `immediate` one depends on its own length too
   * (`leastWait`).
   */
  wait({ severity }: Pick<Delivery, 'severity'>, now: number): number {
    if (severity === 'immediate') return this.leastWait(this.#gapMs, now)
    const polite = isAtLeast(severity, 'critical') ? 0 : POLITE_GAP * this.#lastAirtimeMs
    return this.#after(Math.max(this.#gapMs, polite), now)
  }

  /**
   * The least pause after the last text: the minimum from hand-over to hand-over, which is what the firmware counts, and from end to end.
   * So what lives depend on does not pay for a slow preset twice. `airtimeMs` is the time-on-air of the text to come.
   */
  leastWait(airtimeMs: number, now: number): number {
    return this.#after(this.#gapMs - Math.min(this.#lastTookMs, airtimeMs), now)
  }

  /** The least time that whatever comes next has to wait, before anything is asked of what waits. */
  soonest(now: number): number {
    return this.leastWait(Number.POSITIVE_INFINITY, now)
  }

  #after(gapMs: number, now: number): number {
    const gap = Math.ceil(gapMs)
    const wait = this.#lastAt + gap - now
    // More than the whole gap ahead: the clock was set back meanwhile.
    return wait <= 0 || wait > gap ? 0 : wait
  }
}
