import { LONE_UNIT_OF, SUFFIX_OF, UNIT_OF } from './street-words.ts'

/** `12`, `12A`, `12-A`, `12-14`, `N6W23001` (Wisconsin grid); `12 1/2` is put together below. */
const NUMBER = /^(?:\d+-?[A-Z]?(?:-\d+[A-Z]?)?|[NSEW]\d+[NSEW]\d+)$/
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

/** A word, and the part between commas that it stands in. */
export interface Token {
  word: string
  group: number
}

/** A unit wherever it stands, and the words without it. A street may be called `Floor` or `Lot`: a unit stands behind a name. */
export function takeUnit(tokens: readonly Token[]): { rest: Token[]; unit: string } {
  const word = (at: number): string => tokens[at]?.word ?? ''
  const named = (at: number): string => `${UNIT_OF.get(word(at))} ${word(at + 1)}`
  // `APT 4, 123 MAIN ST`.
  if (UNIT_OF.has(word(0)) && isUnitValue(word(1)) && NUMBER.test(word(2)))
    return { rest: tokens.slice(2), unit: named(0) }
  const behind = NUMBER.test(word(0)) ? 1 : 0
  const at = tokens.findIndex((_, index) => index > behind && UNIT_OF.has(word(index)) && isUnitValue(word(index + 1)))
  if (at > 0) return { rest: [...tokens.slice(0, at), ...tokens.slice(at + 2)], unit: named(at) }
  // `REAR`, `PH`: parts of a building that need no number, behind the suffix of the street.
  const lone = tokens.findIndex(
    (token, index) => index > behind + 1 && LONE_UNIT_OF.has(token.word) && SUFFIX_OF.has(word(index - 1))
  )
  if (lone < 0) return { rest: [...tokens], unit: '' }
  return { rest: [...tokens.slice(0, lone), ...tokens.slice(lone + 1)], unit: LONE_UNIT_OF.get(word(lone)) ?? '' }
}

function isUnitValue(word: string): boolean {
  return /\d/.test(word) || /^[A-Z]$/.test(word)
}

/** The place of the house number; -1 when nothing looks like one, or nothing else is there. */
export function numberAt(tokens: readonly Token[]): number {
  return tokens.length > 1 ? tokens.findIndex(({ word }) => NUMBER.test(word)) : -1
}

export function lastNumber(tokens: readonly Token[]): number {
  return tokens.findLastIndex(({ word }) => NUMBER.test(word))
}

/** The house number that begins there, `12` or `12 1/2`, and how many words it takes. */
export function wholeNumber(tokens: readonly Token[], at: number): { number: string; words: number } {
  const number = (tokens[at]?.word ?? '').replace(/^(\d+)-(?=[A-Z]$)/, '$1')
  const more = tokens[at + 1]?.word ?? ''
  return /^\d\/\d$/.test(more) ? { number: `${number} ${more}`, words: 2 } : { number, words: 1 }
}
