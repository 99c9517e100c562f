import type { WEEKDAYS } from './settings.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * The next moment after `now` at which one of these times of day (`HH:MM`) comes on one of these days (none: every day)
 * in the time zone; null when there is none within eight days. Epoch milliseconds. A time that a change of the clock
 * leaves out is not found on that day.
 */
export function nextRun(
  { at, days }: { at: readonly string[]; days: readonly (typeof WEEKDAYS)[number][] },
  timezone: string,
  now: number
): number | null {
  const local = localClock(timezone)
  const found = at.flatMap((time) => {
    const [hour = 0, minute = 0] = time.split(':').map(Number)
    const candidates = Array.from({ length: 9 }, (_, day) => onDay(now + (day - 1) * DAY_MS, hour * 60 + minute, local))
    return candidates.filter((ms) => {
      if (ms === null || ms <= now) return false
      return days.length === 0 || days.some((day) => day === local(ms).day)
    })
  })
  const moments = found.filter((ms) => ms !== null)
  return moments.length === 0 ? null : Math.min(...moments)
}

type LocalClock = (ms: number) => { minute: number; day: string }

function localClock(timezone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'))
    return { minute, day: (parts.get('weekday') ?? '').toLowerCase() }
  }
}

/** The moment of this minute of the day on the local day of `ms`; set right once more where the clock changes that day. */
function onDay(ms: number, minute: number, local: LocalClock): number | null {
  let at = Math.floor(ms / MINUTE_MS) * MINUTE_MS
  for (let turn = 0; turn < 2; turn++) at += (minute - local(at).minute) * MINUTE_MS
  return local(at).minute === minute ? at : null
}
