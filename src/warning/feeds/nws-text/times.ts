/** Times of text products: day, hour and minute without month or year, and local time lines. All answers are epoch milliseconds. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Hours behind UTC (NWS Instruction 10-1701): zones of the United States and its territories. */
const ZONES = new Map([
  ['UTC', 0],
  ['GMT', 0],
  ['Z', 0],
  ['AST', 4],
  ['ADT', 3],
  ['EST', 5],
  ['EDT', 4],
  ['CST', 6],
  ['CDT', 5],
  ['MST', 7],
  ['MDT', 6],
  ['PST', 8],
  ['PDT', 7],
  ['AKST', 9],
  ['AKDT', 8],
  ['HST', 10],
  ['HDT', 9],
  ['SST', 11],
  ['CHST', -10]
])
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/**
 * The time a `DDHHMM` in UTC means: the one nearest to `near` among the months around it. Null when there is no such day
 * or hour. A time is found again as long as it is within 13 days of `near`, over any month and year.
 */
export function nearestDay(text: string, near: number): number | null {
  const [, day, hour, minute] = (/^(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []).map(Number)
  if (day === undefined || hour === undefined || minute === undefined || hour > 23 || minute > 59) return null
  const from = new Date(near)
  const candidates = [-1, 0, 1].flatMap((months) => {
    const ms = Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, day, hour, minute)
    return new Date(ms).getUTCDate() === day ? [ms] : []
  })
  return nearest(candidates, near)
}

/** The time an `HHMM` in UTC means: the one nearest to `near`, never more than half a day away. */
export function nearestHour(text: string, near: number): number | null {
  const [, hour, minute] = (/^(\d\d)(\d\d)$/.exec(text) ?? []).map(Number)
  if (hour === undefined || minute === undefined || hour > 23 || minute > 59) return null
  const midnight = Math.floor(near / DAY_MS) * DAY_MS
  return nearest(
    [-1, 0, 1].map((days) => midnight + days * DAY_MS + hour * HOUR_MS + minute * MINUTE_MS),
    near
  )
}

function nearest(candidates: readonly number[], near: number): number | null {
  let best: number | null = null
  for (const candidate of candidates)
    if (best === null || Math.abs(candidate - near) < Math.abs(best - near)) best = candidate
  return best
}

const TIME_LINE =
  /^\s*(\d{1,4}|NOON|MIDNIGHT)\s+(?:(AM|PM)\s+)?([A-Z]{1,4})\s+(?:SUN|MON|TUE|WED|THU|FRI|SAT)[A-Z]*\s+([A-Z]{3})[A-Z]*\s+(\d{1,2})\s+(\d{4})\b/i

/** The time of a line such as `617 AM EST Mon Dec 16 2019` or `1858 UTC THU MAR 4 2021`, or null. */
export function parseTimeLine(line: string): number | null {
  const [, clock = '', half, zone = '', month = '', day, year] = TIME_LINE.exec(line) ?? []
  const behind = ZONES.get(zone.toUpperCase())
  const monthIndex = MONTHS.indexOf(month.toUpperCase())
  const minutes = minutesOf(clock.toUpperCase(), half?.toUpperCase())
  if (behind === undefined || monthIndex < 0 || minutes === null) return null
  const local = Date.UTC(Number(year), monthIndex, Number(day))
  if (new Date(local).getUTCDate() !== Number(day)) return null
  return local + minutes * MINUTE_MS + behind * HOUR_MS
}

function minutesOf(clock: string, half: string | undefined): number | null {
  if (clock === 'NOON') return 12 * 60
  if (clock === 'MIDNIGHT') return 0
  const number = Number(clock)
  const [hour, minute] =
    clock.length <= 2 && half !== undefined ? [number, 0] : [Math.floor(number / 100), number % 100]
  if (minute > 59 || hour > (half === undefined ? 23 : 12)) return null
  const hour24 = half === undefined ? hour : (hour % 12) + (half === 'PM' ? 12 : 0)
  return hour24 * 60 + minute
}

/** Heading and time line are of the same hour, or one of them is garbled. */
const SAME_ISSUE_MS = 12 * HOUR_MS

/**
 * The time a product was sent: by its own time line and its heading, the later of the two when they fit together, else
 * the time line; without one the heading, nearest to the time of arrival; else the time of arrival.
 */
export function sentTime(parts: { heading: string; timeLine: number | null; receivedAt: number }): number {
  const { heading, timeLine, receivedAt } = parts
  const byHeading = nearestDay(heading, timeLine ?? receivedAt)
  if (timeLine === null) return byHeading ?? receivedAt
  if (byHeading === null || Math.abs(byHeading - timeLine) > SAME_ISSUE_MS) return timeLine
  return Math.max(byHeading, timeLine)
}
