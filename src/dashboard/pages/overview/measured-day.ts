import { paced, readersTurn, Slices } from '../../../platform/clock/slices.ts'
import type { MetricsHistory } from '../../../platform/metrics/history.ts'
import { type Measured, POINT_EVERY_MS, type Point } from '../../../platform/metrics/point.ts'

const HOUR_MS = 3_600_000
export const BIN_MS = HOUR_MS / 4
export const BINS = 96
const BINS_AN_HOUR = HOUR_MS / BIN_MS
/** So much is added up in one go. Milliseconds. */
const PART_MS = 2
const KINDS = ['radios', 'airtime', 'feeds'] as const

/** A quarter of an hour of one radio or source. `points`: how many tell whether it was there, `down`: in how many of these it was not. */
export interface Bin {
  points: number
  down: number
  /** The most that was on the air in one hour, of what may be: 0…1 and more. Null: not measured. */
  air: number | null
  airSeconds: number
  /** Events that a source handed on. */
  events: number
}

/** One radio or source over the day: its bins, the oldest first. Null: nothing was measured then, so that nobody knows. */
export interface MeasuredThing {
  bins: readonly (Bin | null)[]
  /** So often it was away, and for how long all in all, milliseconds: as far as it was measured. */
  outages: number
  downMs: number
}

export interface MeasuredDay {
  /** Where the first bin begins. Epoch milliseconds. */
  from: number
  radios: ReadonlyMap<string, MeasuredThing>
  feeds: ReadonlyMap<string, MeasuredThing>
  /** Share of the day in which anything was measured, 0…1. */
  known: number
}

/** The bins of one thing by their number since 1970, and its last counter. */
interface Series {
  bins: Map<number, Bin>
  counted: number | null
}

/**
 * The last 24 hours of radios and sources out of the history of measurements. Only what is new is read: a day of forty sources costs a
 * board a tenth of a second, and the page is drawn after each event.
 */
export class DayOfMeasurements {
  readonly #series = { radios: new Map<string, Series>(), feeds: new Map<string, Series>() }
  #readTo = Number.NEGATIVE_INFINITY
  #reading: Promise<MeasuredDay> | null = null
  #day: MeasuredDay | null = null

  /** The same object until there is a new point or a new quarter of an hour; null without a history. */
  async of(history: MetricsHistory | null, now: number): Promise<MeasuredDay | null> {
    if (history === null) return null
    this.#reading ??= this.#read(history, now).finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(history: MetricsHistory, now: number): Promise<MeasuredDay> {
    // A quarter that has only begun has no point yet, and is not unknown for that.
    const from = (Math.floor((now - POINT_EVERY_MS) / BIN_MS) + 1 - BINS) * BIN_MS
    // A clock that was set back measures the same moments again.
    if (this.#readTo > now) this.#forget()
    if (this.#day !== null && this.#day.from === from && now < this.#readTo + POINT_EVERY_MS) return this.#day
    const since = Math.max(from - 1, this.#readTo)
    let newest = this.#readTo
    const slices = new Slices(readersTurn, PART_MS)
    for (const kind of KINDS) {
      const span = { hours: (now - since) / HOUR_MS, now }
      for (const point of await paced(history.readSteps(kind, span), readersTurn)) {
        if (point.at <= this.#readTo) continue
        this.#take(kind, point)
        newest = Math.max(newest, point.at)
        await slices.pause()
      }
    }
    const isSame = newest === this.#readTo && this.#day?.from === from
    this.#readTo = newest
    if (this.#day === null || !isSame) this.#day = this.#dayFrom(from)
    return this.#day
  }

  #forget(): void {
    this.#series.radios.clear()
    this.#series.feeds.clear()
    this.#readTo = Number.NEGATIVE_INFINITY
    this.#day = null
  }

  #take(kind: (typeof KINDS)[number], { at, data }: Point): void {
    const all = kind === 'feeds' ? this.#series.feeds : this.#series.radios
    for (const [key, values] of Object.entries(data)) {
      if (typeof values !== 'object' || values === null) continue
      const series = all.get(key) ?? { bins: new Map<number, Bin>(), counted: null }
      all.set(key, series)
      add(series, at, values)
    }
  }

  #dayFrom(from: number): MeasuredDay {
    const first = from / BIN_MS
    const things = (all: Map<string, Series>): Map<string, MeasuredThing> => {
      for (const [key, { bins }] of all) {
        for (const number of bins.keys()) if (number < first) bins.delete(number)
        if (bins.size === 0) all.delete(key)
      }
      return new Map([...all].map(([key, series]) => [key, thingOf(series, first)]))
    }
    const [radios, feeds] = [things(this.#series.radios), things(this.#series.feeds)]
    const all = [...radios.values(), ...feeds.values()]
    const known = Array.from({ length: BINS }, (_, n) => all.some(({ bins }) => bins[n] !== null))
    return { from, radios, feeds, known: known.filter(Boolean).length / BINS }
  }
}

function add(series: Series, at: number, values: Exclude<Measured[string], number | null>): void {
  const number = Math.floor(at / BIN_MS)
  const bin = series.bins.get(number) ?? { points: 0, down: 0, air: null, airSeconds: 0, events: 0 }
  series.bins.set(number, bin)
  const { ready, up, used_seconds: used, budget_seconds: budget, events } = values
  const isThere = ready ?? up ?? null
  if (isThere !== null) {
    bin.points++
    if (isThere === 0) bin.down++
  }
  if (typeof used === 'number' && typeof budget === 'number' && budget > 0) {
    bin.air = Math.max(bin.air ?? 0, used / budget)
    bin.airSeconds = Math.max(bin.airSeconds, used)
  }
  if (typeof events !== 'number') return
  // The counter begins anew with the program: what it holds then was handed on since.
  if (series.counted !== null) bin.events += events >= series.counted ? events - series.counted : events
  series.counted = events
}

function thingOf({ bins }: Series, first: number): MeasuredThing {
  const all = Array.from({ length: BINS }, (_, n) => bins.get(first + n) ?? null)
  const isDown = (bin: Bin | null | undefined): boolean => bin != null && bin.down > 0
  const known = all.filter((bin) => bin !== null)
  return {
    bins: all,
    outages: known.filter((bin, n) => isDown(bin) && !isDown(known[n - 1])).length,
    downMs: known.reduce((sum, { down }) => sum + down * POINT_EVERY_MS, 0)
  }
}

/** Events of each hour, the oldest first. Null: it did not answer in all of that hour, or nobody measured, so that nobody knows. */
export function eventsByHour({ bins }: MeasuredThing): (number | null)[] {
  return Array.from({ length: BINS / BINS_AN_HOUR }, (_, hour) => {
    const known = bins
      .slice(hour * BINS_AN_HOUR, (hour + 1) * BINS_AN_HOUR)
      .filter((bin) => bin !== null && bin.points > bin.down)
    return known.length === 0 ? null : known.reduce((sum, bin) => sum + (bin?.events ?? 0), 0)
  })
}
