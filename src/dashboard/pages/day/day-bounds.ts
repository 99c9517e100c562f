const DAY_MS = 86_400_000
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

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

/** The day of that name in the zone, or the one of `now` when the name says none. */
export function dayBounds(asked: string, now: number, zone: string): DayBounds {
  const day = isDay(asked) ? asked : dayOf(now, zone)
  const noon = Date.parse(`${day}T12:00:00Z`)
  const [before, after] = [-1, 1].map((by) => new Date(noon + by * DAY_MS).toISOString().slice(0, 10)) as [
    string,
    string
  ]
  return { day, from: beginOf(day, zone), until: beginOf(after, zone), before, after }
}

function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The day of that moment there: `2027-07-01`. */
export function dayOf(at: number, zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    at
  )
}

/** Midnight there: a guess by the offset of a moment near it, mended once where the clock changes between both. */
function beginOf(day: string, zone: string): number {
  const asUtc = Date.parse(`${day}T00:00:00Z`)
  const guess = asUtc - offsetAt(asUtc, zone)
  return asUtc - offsetAt(guess, zone)
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
