const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const KEPT_MINUTES = 61

/** Airtime spent from `at` on. */
export interface AirtimeEntry {
  at: number
  ms: number
}

/**
 * The airtime of the last 60 minutes in buckets of one minute, as the firmware counts it. A bucket counts until the whole of its
 * minute is an hour old, so the sum is never less than the truth. Entries up to an hour ahead of `now` count too: the clock was set back.
 */
export class AirtimeHour {
  readonly #byMinute = new Map<number, number>()

  constructor(entries: Iterable<AirtimeEntry> = []) {
    for (const { at, ms } of entries) this.add(at, ms)
  }

  /** Books `ms` of airtime at `at`, rounded up to whole milliseconds. Throws RangeError unless both are finite and `ms` is not negative. */
  add(at: number, ms: number): void {
    if (!Number.isFinite(at) || !(ms >= 0 && ms < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`not an airtime: ${ms} ms at ${at}`)
    }
    const minute = Math.floor(at / MINUTE_MS)
    this.#byMinute.set(minute, (this.#byMinute.get(minute) ?? 0) + Math.ceil(ms))
    for (const other of this.#byMinute.keys()) if (other < minute - KEPT_MINUTES) this.#byMinute.delete(other)
  }

  usedMs(now: number): number {
    return this.entries(now).reduce((sum, { ms }) => sum + ms, 0)
  }

  /** The airtime that counts at `now`, oldest first, one entry per minute: what a restart needs to go on counting. */
  entries(now: number): AirtimeEntry[] {
    return [...this.#byMinute]
      .map(([minute, ms]) => ({ at: minute * MINUTE_MS, ms }))
      .filter(({ at }) => expiryOf(at) > now && at < now + HOUR_MS)
      .sort((a, b) => a.at - b.at)
  }

  /** The first time from `now` on at which `ms` more stays within `budgetMs`, if nothing else is sent; null when it never does. */
  fitsAt(now: number, ms: number, budgetMs: number): number | null {
    const entries = this.entries(now)
    let used = entries.reduce((sum, entry) => sum + entry.ms, 0)
    if (used + ms <= budgetMs) return now
    for (const entry of entries) {
      used -= entry.ms
      if (used + ms <= budgetMs) return expiryOf(entry.at)
    }
    return null
  }
}

function expiryOf(minuteStart: number): number {
  return minuteStart + MINUTE_MS + HOUR_MS
}
