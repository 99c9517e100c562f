import { lastNumber, MAX_CITY_WORDS, numberAt, type Token, wholeNumber } from './parse-number.ts'
import { DIRECTION_OF, SUFFIX_OF } from './street-words.ts'

/** One order in which the words may stand: which are the number, the street and the city. */
export interface Layout {
  number: string
  street: string[]
  city: string[]
}

/**
 * The orders that people write in, likeliest first: `132 8TH ST BOISE`, `BOISE 132 8TH ST`, `8TH ST 132 BOISE` (as Europe
 * does), and without a number both ways: `8TH ST BOISE`, `BOISE 8TH ST`. What is wrong finds nothing in the file.
 */
export function layoutsOf(tokens: readonly Token[]): Layout[] {
  const at = numberAt(tokens)
  if (at < 0) return bothWays(tokens, '')
  const last = lastNumber(tokens)
  // `STRASSE DES 17 JUNI 5`: the last one is the house.
  const later = at > 0 && last > at ? numberedAt(tokens, last) : []
  return [...numberedAt(tokens, at), ...later, ...(at > 0 ? bothWays(tokens, '') : [])]
}

function numberedAt(tokens: readonly Token[], at: number): Layout[] {
  const { number, words } = wholeNumber(tokens, at)
  const before = tokens.slice(0, at)
  const behind = tokens.slice(at + words)
  if (at === 0) return [...streetThenCity(behind, number), ...lettered(behind, number)]
  return [...cityThenHouse(before, behind, number), ...houseBehindStreet(before, behind, number)]
}

/** Without a house: `BOISE HIGHWAY 20` is a road, and its number belongs to its name. */
function bothWays(tokens: readonly Token[], number: string): Layout[] {
  return [...streetThenCity(tokens, number), ...cityThenStreet(tokens, number)]
}

/** `132 B MAIN ST`: the letter may belong to the number. */
function lettered(behind: readonly Token[], number: string): Layout[] {
  const [letter, ...rest] = behind
  if (letter === undefined || !/^[A-DF-M]$/.test(letter.word) || rest.length === 0 || !/^\d+$/.test(number)) return []
  return streetThenCity(rest, `${number}${letter.word}`)
}

function cityThenHouse(before: readonly Token[], behind: readonly Token[], number: string): Layout[] {
  if (behind.length === 0) return []
  const cities = [before, groupsOf(before)[0] ?? []]
  const streets = [behind, groupsOf(behind)[0] ?? []]
  return cities.flatMap((city) => streets.map((street) => layout(number, street, city)))
}

function houseBehindStreet(before: readonly Token[], behind: readonly Token[], number: string): Layout[] {
  const [city = []] = groupsOf(behind)
  const there = [layout(number, before, behind), layout(number, before, city)]
  return behind.length === 0 ? [...bothWays(before, number)] : there
}

/** `BOISE, 8TH ST`; without a comma the city ends anywhere. */
function cityThenStreet(tokens: readonly Token[], number: string): Layout[] {
  const [first = [], second = [], ...more] = groupsOf(tokens)
  if (second.length > 0) {
    const behind = layout(number, tokens.slice(first.length), first)
    return more.length === 0 ? [behind] : [behind, layout(number, second, first)]
  }
  const most = Math.min(MAX_CITY_WORDS, tokens.length - 1)
  return Array.from({ length: Math.max(0, most) }, (_, at) =>
    layout(number, tokens.slice(at + 1), tokens.slice(0, at + 1))
  )
}

function layout(number: string, street: readonly Token[], city: readonly Token[]): Layout {
  const words = (tokens: readonly Token[]): string[] => tokens.map(({ word }) => word)
  return { number, street: words(street), city: words(city) }
}

/** The words between commas. */
function groupsOf(tokens: readonly Token[]): Token[][] {
  const groups = new Map<number, Token[]>()
  for (const token of tokens) groups.set(token.group, [...(groups.get(token.group) ?? []), token])
  return [...groups.values()]
}

/**
 * The ends that the street may have, best first: at a comma, behind a suffix (the last first, so that `PARK AVE` is not
 * cut), anywhere. Maps write a county behind the city: `BOISE, ADA COUNTY`. The first part alone is tried too, last.
 */
function streetThenCity(rest: readonly Token[], number: string): Layout[] {
  const cut = (at: number): Layout => layout(number, rest.slice(0, at), rest.slice(at))
  const groups = groupsOf(rest)
  if (groups.length > 1) {
    const last = groups.at(-1)?.length ?? 0
    const commas = rest.flatMap((token, at) => (at > 0 && token.group !== rest[at - 1]?.group ? [at] : []))
    const county = commas
      .filter((at) => rest.length - at > last)
      .map((at) => layout(number, rest.slice(0, at), rest.slice(at, -last)))
    return [...commas.map(cut), cut(rest.length), ...county]
  }
  const words = rest.map(({ word }) => word)
  const all = words.map((_, index) => index + 1)
  const behindSuffix = all.filter((end) => end > 1 && isStreetEnd(words, end)).reverse()
  const others = all.filter((end) => !behindSuffix.includes(end)).reverse()
  return [...behindSuffix, ...others]
    .filter((end) => rest.length - end <= MAX_CITY_WORDS)
    .map(cut)
    .concat(rest.length <= MAX_CITY_WORDS ? [cut(0)] : [])
}

/** Behind `ST`, or behind a direction that follows it: `MAIN ST N`. */
function isStreetEnd(words: readonly string[], end: number): boolean {
  const last = words[end - 1] ?? ''
  if (SUFFIX_OF.has(last)) return !DIRECTION_OF.has(words[end] ?? '')
  return DIRECTION_OF.has(last) && SUFFIX_OF.has(words[end - 2] ?? '')
}
