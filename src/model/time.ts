const RFC3339 =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
const LONG_MONTHS = /^(?:0[13578]|1[02])$/

/** Epoch milliseconds of an RFC 3339 date-time, or null when it is not one. A leap second counts as the second before. */
export function parseTime(text: string): number | null {
  const match = RFC3339.exec(text.trim())
  if (match === null) return null
  const [, year = '', month = '', day = '', clock, second, fraction = '', zone = ''] = match
  // The 29th to the 31st are not in every month.
  if (day > '28' && Number(day) > daysIn(Number(year), month)) return null
  const seconds = `${second === '60' ? '59' : second}${fraction.slice(0, 4)}`
  const ms = Date.parse(`${year}-${month}-${day}T${clock}:${seconds}${zone.toUpperCase()}`)
  // Four-digit years only: an offset may push the first and the last hours of the calendar out of them.
  return isTime(ms) ? ms : null
}

/** True for epoch milliseconds that RFC 3339 can write: the years 0 to 9999. */
export function isTime(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS
}

function daysIn(year: number, month: string): number {
  if (month !== '02') return LONG_MONTHS.test(month) ? 31 : 30
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** `2026-07-01T12:00:00.000Z`: always this width, so that texts sort like times. */
export function formatTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** The time as text, or null past the years that RFC 3339 can write: an end that is a day after the last one. */
export function formatTimeOrNull(ms: number): string | null {
  return isTime(ms) ? formatTime(ms) : null
}

/** The time as RFC 3339 in UTC, or null for anything that is not an RFC 3339 time. Feeds leave times out or garble them. */
export function utcOrNull(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const ms = parseTime(value)
  return ms === null ? null : formatTime(ms)
}
