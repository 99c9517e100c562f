import { oneLine } from './prose.ts'

const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
/** The day of a forecast is the one of the west of North America, or nearly so. */
const WEST_MS = 8 * 3_600_000
const EVENING_HOUR = 17
const FIRST = /^(?:REST OF )?(?:TODAY|TONIGHT|OVERNIGHT|THIS (?:MORNING|AFTERNOON|EVENING)|LATE TONIGHT)$/

const NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

/** The day of the week of a time (epoch milliseconds), as a bulletin about North America names it. */
export function dayOf(time: number): string {
  return NAMES[new Date(time - WEST_MS).getUTCDay()] ?? ''
}

interface Period {
  name: string
  text: string
}

/**
 * The period of a marine forecast in which the hazard begins (epoch milliseconds; null for what is there already); '' when none fits, null for
 * what is no such forecast.
 */
export function periodOf(description: string, begins: number | null): string | null {
  const periods = [...description.matchAll(/^\.([A-Z][A-Z ]{2,30})\.{3}(\S[^\n]*(?:\n(?![.\n])[^\n]*)*)/gm)].map(
    ([, name = '', text = '']): Period => ({ name, text })
  )
  const [first] = periods
  if (first === undefined || !FIRST.test(first.name)) return null
  return oneLine((begins === null ? first : periodAt(periods, begins))?.text ?? '')
}

function periodAt(periods: readonly Period[], begins: number): Period | undefined {
  const local = new Date(begins - WEST_MS)
  const day = local.getUTCDay()
  const isNight = local.getUTCHours() >= EVENING_HOUR
  const ofDay = periods.filter(({ name }) => daysIn(name).includes(day))
  const fitting = ofDay.find(({ name }) => /\bNIGHT\b/.test(name) === isNight) ?? ofDay[0]
  // The day of the forecast itself has no name in it.
  return (
    fitting ?? periods.find(({ name }) => /TONIGHT|OVERNIGHT/.test(name) === isNight && FIRST.test(name)) ?? periods[0]
  )
}

/** `WED THROUGH FRI` → 3, 4, 5. */
function daysIn(name: string): number[] {
  const named = [...name.matchAll(/\b(?:SUN|MON|TUE|WED|THU|FRI|SAT)/g)].map(([day]) => DAYS.indexOf(day))
  const [from, to] = named
  if (from === undefined || to === undefined || !name.includes('THROUGH')) return named
  return Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, at) => (from + at) % 7)
}
