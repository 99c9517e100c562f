import { LONE_UNIT_OF, SUFFIX_OF, UNIT_OF } from './street-words.ts'

/** `12`, `12A`, `12-14`, `N6W23001` (Wisconsin grid), `12 1/2` is put together before. */
const NUMBER = /^(?:\d+[A-Z]?(?:-\d+[A-Z]?)?|\d+ \d\/\d|[NSEW]\d+[NSEW]\d+)$/
/** No city has a longer name. */
export const MAX_CITY_WORDS = 4

export interface Box {
  street: string
  number: string
  rest: string[]
}

/** `PO BOX 12`, `RR 2 BOX 15`, `HC 1 BOX 9` (Publication 28, §24, 25, 28). */
export function boxOf(words: readonly string[]): Box | null {
  const text = words.join(' ')
  const post = /^(?:P ?O ?|POST OFFICE )BOX #? ?([\dA-Z-]+)(?: |$)/.exec(text)
  if (post !== null) return { street: 'PO BOX', number: post[1] ?? '', rest: after(text, post[0]) }
  const route = /^(?:(RR|RURAL ROUTE|RFD|HC|HIGHWAY CONTRACT)) #? ?(\d+[A-Z]?)(?: BOX #? ?([\dA-Z-]+))?(?: |$)/.exec(
    text
  )
  if (route === null) return null
  const kind = /^H/.test(route[1] ?? '') ? 'HC' : 'RR'
  return { street: `${kind} ${route[2]}`, number: route[3] ?? '', rest: after(text, route[0]) }
}

function after(text: string, start: string): string[] {
  return text
    .slice(start.length)
    .split(' ')
    .filter((word) => word !== '')
}

export interface Unit {
  text: string
  words: number
}

/** The house number at the beginning, and a unit wherever it stands. */
export function takeNumber(words: readonly string[]): { number: string; rest: string[]; unit: Unit } {
  let rest = [...words]
  let number = ''
  if (UNIT_OF.has(rest[0] ?? '') && isUnitValue(rest[1]) && NUMBER.test(rest[2] ?? '')) {
    // `APT 4, 123 MAIN ST`: these words stand before the number, as far as commas are counted.
    const text = `${UNIT_OF.get(rest[0] ?? '')} ${rest[1]}`
    return { number: rest[2] ?? '', rest: rest.slice(3), unit: { text, words: 0 } }
  }
  const [first = '', second = ''] = rest
  if (NUMBER.test(first) && rest.length > 1) {
    const half = /^\d\/\d$/.test(second)
    number = half ? `${first} ${second}` : first
    rest = rest.slice(half ? 2 : 1)
  }
  const at = rest.findIndex((word, index) => index > 0 && UNIT_OF.has(word) && isUnitValue(rest[index + 1]))
  // A street may be called `Floor` or `Lot`: a unit stands behind the name of the street.
  if (at < 1) return takeLoneUnit(number, rest)
  const text = `${UNIT_OF.get(rest[at] ?? '')} ${rest[at + 1]}`
  return { number, rest: [...rest.slice(0, at), ...rest.slice(at + 2)], unit: { text, words: 2 } }
}

/** `REAR`, `PH`: parts of a building that need no number, behind the suffix of the street. */
function takeLoneUnit(number: string, rest: string[]): { number: string; rest: string[]; unit: Unit } {
  const at = rest.findIndex(
    (word, index) => LONE_UNIT_OF.has(word) && index > 1 && SUFFIX_OF.has(rest[index - 1] ?? '')
  )
  if (at < 0) return { number, rest, unit: { text: '', words: 0 } }
  const text = LONE_UNIT_OF.get(rest[at] ?? '') ?? ''
  return { number, rest: [...rest.slice(0, at), ...rest.slice(at + 1)], unit: { text, words: 1 } }
}

function isUnitValue(word: string | undefined): boolean {
  return word !== undefined && (/\d/.test(word) || /^[A-Z]$/.test(word))
}
