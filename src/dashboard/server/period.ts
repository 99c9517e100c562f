import { because } from '../../model/reason.ts'
import { parseTime } from '../../model/time.ts'
import { refusedAt } from '../../platform/errors.ts'
import { dayBounds, isDay, isInCalendar, momentOf } from './day-bounds.ts'

/** A log of more is asked for in two. */
export const MOST_DAYS = 7
/** A week in which the clocks are put back is longer. Milliseconds. */
const LONGEST_MS = MOST_DAYS * 86_400_000 + 2 * 3_600_000
const LOCAL = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/

/** A span of time of which a log is kept. Epoch milliseconds. */
export interface Period {
  from: number
  /** The first moment that is no part of it. */
  until: number
  /** The day that it is; null of any other span. */
  day: { name: string; before: string; after: string } | null
}

/**
 * The span that a question means: `day`; or `from` and `to`, each a day (`to` to its end), a time by the clock of the station or RFC 3339. With
 * `from` alone to the end of its day, with none of them today.
 * @throws AppError `invalid` of the parameter that cannot be read, and for more than `MOST_DAYS`.
 */
export function periodOf(
  asked: { day: string; from: string; to: string },
  { now, zone }: { now: number; zone: string }
): Period {
  const { day, from, to } = asked
  if (from === '' && to === '') {
    const bounds = dayBounds(day, now, zone)
    return { ...bounds, day: { name: bounds.day, before: bounds.before, after: bounds.after } }
  }
  if (day !== '') throw refusedAt('/day', 'choice', because('period_or_day'))
  const begin = from === '' ? spanOf('/to', to, zone).from : spanOf('/from', from, zone).from
  const end = to === '' ? endOfDayOf(from, begin, zone) : spanOf('/to', to, zone).until
  if (end <= begin) throw refusedAt('/to', 'range', because('period_ends_before'))
  if (end - begin > LONGEST_MS) throw refusedAt('/to', 'range', because('period_too_long', { days: MOST_DAYS }))
  return { from: begin, until: end, day: null }
}

function endOfDayOf(from: string, begin: number, zone: string): number {
  return isDay(from) ? dayBounds(from, begin, zone).until : dayBounds('', begin, zone).until
}

/** A day is all of it, a time that moment. */
function spanOf(pointer: '/from' | '/to', text: string, zone: string): { from: number; until: number } {
  if (isDay(text)) return dayBounds(text, 0, zone)
  const [, day = '', hours = '', minutes = '', seconds = '00'] = LOCAL.exec(text) ?? []
  const at = isDay(day) ? momentOf(Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`), zone) : parseTime(text)
  if (at === null || !isInCalendar(at)) throw refusedAt(pointer, 'date', because('period_is_written'))
  return { from: at, until: at }
}
