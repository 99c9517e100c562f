import { because } from '../../model/reason.ts'
import { refusedAt } from '../../platform/errors.ts'

const DAY_MS = 86_400_000
const HALF_DAY_MS = DAY_MS / 2
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
/** Years of four digits have a day before and one after: what is asked for lies among them. */
const [FIRST_DAY, LAST_DAY] = [Date.parse('1970-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z')]

/** One day of the station's calendar. Epoch milliseconds. */
export interface DayBounds {
  /** `2027-07-01` */
  day: string
  from: number
  /** The first moment of the next one: days with a change of the clock have 23 or 25 hours. */
  until: number
  before: string
  after: string
}

/**
 * The day of that name in the zone, or the one of `now` when none is named.
 * @throws AppError `invalid` of `/day` for what is no day: another day in its place would be taken for the one that was asked for.
 */
export function dayBounds(asked: string, now: number, zone: string): DayBounds {
  if (asked !== '' && !isDay(asked)) throw refusedAt('/day', 'date', because('day_is_written'))
  const day = asked === '' ? dayOf(now, zone) : asked
  const noon = Date.parse(`${day}T12:00:00Z`)
  const [before, after] = [-1, 1].map((by) => new Date(noon + by * DAY_MS).toISOString().slice(0, 10)) as [
    string,
    string
  ]
  return { day, from: beginOf(day, zone), until: beginOf(after, zone), before, after }
}

/** True for the name of a day that there is: `2027-02-28`, not `2027-02-30`. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return isInCalendar(time) && new Date(time).toISOString().startsWith(text)
}

/** True for a moment whose day, the one before and the one after have names. */
export function isInCalendar(at: number): boolean {
  return at >= FIRST_DAY && at <= LAST_DAY
}

/** The day of that moment there: `2027-07-01`. */
export function dayOf(at: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at
  )
}

function beginOf(day: string, zone: string): number {
  return momentOf(Date.parse(`${day}T00:00:00Z`), zone)
}

/**
 * The moment at which the clocks of the zone show what `shown` is in UTC, epoch milliseconds; of a time that they show twice the first, and of one
 * that they leap over the moment of the leap: where it is midnight, the day begins with it.
 */
export function momentOf(shown: number, zone: string): number {
  const guess = shown - offsetAt(shown, zone)
  const mended = shown - offsetAt(guess, zone)
  const earlier = shown - offsetAt(Math.min(guess, mended) - HALF_DAY_MS, zone)
  const fits = [earlier, mended, guess].filter((at) => at + offsetAt(at, zone) === shown)
  return fits.length > 0 ? Math.min(...fits) : leapBefore(Math.max(guess, mended), zone)
}

/** The clocks have leapt in the half day before: the first second after that, found by halving. */
function leapBefore(at: number, zone: string): number {
  let [before, after] = [at - HALF_DAY_MS, at]
  const offset = offsetAt(after, zone)
  while (after - before > 1000) {
    const middle = Math.round((before + after) / 2000) * 1000
    if (offsetAt(middle, zone) === offset) after = middle
    else before = middle
  }
  return after
}

/** How far the clocks of the zone are ahead of UTC at that moment. Milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' }
  }).formatToParts(at)
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(at / 1000) * 1000
}

/**
 * Writes moments of a span as briefly as they stay one of it: `06:00:00` within one day, with the day in a longer span, and with the offset where the
 * clocks change: an hour may come twice.
 */
export function spanTimes(zone: string, { from, until }: { from: number; until: number }): (at: number) => string {
  const isOneDay = dayOf(from, zone) === dayOf(until - 1, zone)
  const changes = offsetAt(from, zone) !== offsetAt(until - 1, zone)
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hour: '2-digit', minute: '2-digit', second: '2-digit' },
    ...(isOneDay ? {} : { year: 'numeric', month: '2-digit', day: '2-digit' }),
    ...(changes ? { timeZoneName: 'longOffset' } : {})
  })
  return (at) => format.format(at)
}

/** Writes moments by the clock of the zone: `2027-07-01 06:00:00`. */
export function localTimes(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return (at) => format.format(at)
}
