import { FIRST_TIME_MS } from '../../platform/clock/clock-set.ts'

/** The style in which a station writes times. */
export interface TimeStyle {
  timezone: string
  time_format: '12h' | '24h'
}

interface LocalTime {
  /** Days of the local calendar since 1970-01-01. */
  day: number
  hour: number
  minute: string
  weekday: string
  date: string
  year: string
}

const DAY_MS = 86_400_000
/** From here on a date without its year would be read as one of this year. */
const FAR_DAYS = 300
const RFC_3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i

/**
 * Epoch milliseconds of an RFC 3339 time, or null for anything else. A time without an offset is refused: it would be
 * read in the zone of the machine.
 */
export function parseInstant(value: unknown): number | null {
  if (typeof value !== 'string' || !RFC_3339.test(value)) return null
  const ms = Date.parse(value)
  return Number.isNaN(ms) ? null : ms
}

/** `parseInstant`, and null for what a clock showed before anybody set it: such an hour must not be read as a real one. */
export function parseMoment(value: unknown): number | null {
  const ms = parseInstant(value)
  return ms !== null && ms >= FIRST_TIME_MS ? ms : null
}

// One formatter per zone: making one takes longer than composing a text.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone)
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit'
    })
    formatters.set(zone, formatter)
  }
  return formatter
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A text says the same few instants in many forms, and asking for one takes longer than writing it. */
const told = new Map<string, LocalTime>()
const MOST_TOLD = 500

function localTime(ms: number, zone: string): LocalTime {
  const key = `${ms} ${zone}`
  const known = told.get(key)
  if (known !== undefined) return known
  if (told.size >= MOST_TOLD) told.clear()
  const time = askedTime(ms, zone)
  told.set(key, time)
  return time
}

function askedTime(ms: number, zone: string): LocalTime {
  const part: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(ms)) part[type] = value
  const month = part.month ?? ''
  const dayOfMonth = part.day ?? ''
  return {
    day: Date.UTC(Number(part.year), MONTHS.indexOf(month), Number(dayOfMonth)) / DAY_MS,
    hour: Number(part.hour),
    minute: part.minute ?? '00',
    weekday: part.weekday ?? '',
    date: `${month} ${dayOfMonth}`,
    year: part.year ?? ''
  }
}

function clock({ hour, minute }: LocalTime, style: TimeStyle, short: boolean): string {
  if (style.time_format === '12h' && hour === 12 && minute === '00') return 'noon'
  if (style.time_format === '24h') return `${String(hour).padStart(2, '0')}:${minute}`
  const minutes = short && minute === '00' ? '' : `:${minute}`
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes}${hour < 12 ? 'a' : 'p'}`
}

/** Minutes since midnight in this zone, 0…1439. */
export function minuteOfDay(ms: number, zone: string): number {
  const { hour, minute } = localTime(ms, zone)
  return hour * 60 + Number(minute)
}

/** The time of day alone, local to the station: `6:45p` or `18:45`. */
export function clockText(ms: number, style: TimeStyle): string {
  return clock(localTime(ms, style.timezone), style, false)
}

/**
 * An instant as people of the station say it, never relative (packets arrive late): `6:45p` today, `Sat 7a` within six
 * days, else `Jul 12 7a`, next year
 * `Jul 12 2027`. `12a` is midnight, and midnight is the end of the day it is named with: `Fri midnight`, this one
 * `midnight`. Throws RangeError for a zone that does not exist, which the configuration refuses.
 */
export function instantText(ms: number, style: TimeStyle, nowMs: number): string {
  const at = localTime(ms, style.timezone)
  if (style.time_format === '12h' && at.hour === 0 && at.minute === '00') return midnightText(ms, style, nowMs)
  const days = Math.abs(at.day - localTime(nowMs, style.timezone).day)
  if (days === 0) return clock(at, style, false)
  if (days > FAR_DAYS) return `${at.date} ${at.year}`
  return `${days <= 6 ? at.weekday : at.date} ${clock(at, style, true)}`
}

function midnightText(ms: number, style: TimeStyle, nowMs: number): string {
  const before = localTime(ms - 1, style.timezone)
  const days = Math.abs(before.day - localTime(nowMs, style.timezone).day)
  if (days === 0) return 'midnight'
  return `${days <= 6 ? before.weekday : before.date} midnight`
}

/** `til 6:45p`, `til further notice`, or empty when nothing is known of the end. */
export function untilText(endMs: number | null, untilFurtherNotice: boolean, style: TimeStyle, nowMs: number): string {
  if (endMs !== null) return `til ${instantText(endMs, style, nowMs)}`
  return untilFurtherNotice ? 'til further notice' : ''
}
