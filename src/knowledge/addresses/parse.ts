import { type Box, boxOf, MAX_CITY_WORDS, takeNumber } from './parse-number.ts'
import { takeCountry, takeState, takeZip } from './parse-place.ts'
import { plainText, postalStreet } from './postal-text.ts'
import { type Country, countryOf } from './states.ts'
import { DIRECTION_OF, SUFFIX_OF } from './street-words.ts'

/** One way to read what somebody typed: where the street ends and the city begins is a guess until the file decides. */
export interface Reading {
  /** House number as the file writes it; empty = not given. */
  number: string
  /** As the post abbreviates it: `N MAIN ST`; empty = not given. */
  street: string
  /** The same as it was typed, in capitals. */
  typed: string
  /** `APT 4`; empty = not given. */
  unit: string
  city: string
  /** `ID`; empty = not given. */
  state: string
}

/** A question as somebody typed it, taken apart. Readings are tried in this order. */
export interface ParsedAddress {
  readings: Reading[]
  /** `83702` or `V5K 0A1`; empty = not given. */
  zip: string
  plus4: string
  country: Country | null
}

/** More words than any address has: what follows is not looked at. */
const MAX_WORDS = 16

/**
 * Reads an address as people type it: any order of commas, multi-word cities, a bare ZIP, units, directions and suffixes in
 * full or short (USPS Publication 28). Never throws: nonsense has readings that find nothing.
 */
export function parseAddress(text: string): ParsedAddress {
  const parsed = parse(text.replace(APOSTROPHE, ''))
  if (!/[A-Za-z]['’][A-Za-z]/.test(text)) return parsed
  // The post writes `COEUR D ALENE`, but `LANSE`: both are tried.
  return { ...parsed, readings: [...parse(text.replace(APOSTROPHE, ' ')).readings, ...parsed.readings] }
}

const APOSTROPHE = /['’]/g

function parse(text: string): ParsedAddress {
  const groups = groupsOf(text)
  const country = takeCountry(groups)
  const { zip, plus4 } = takeZip(groups)
  const { state, without } = takeState(groups, zip !== '')
  const ambiguous = without === null ? [] : readingsOf(without, '')
  const readings = [...readingsOf(groups, state), ...ambiguous]
  const ofZip = zip === '' ? null : /\d{5}/.test(zip) ? ('US' as const) : ('CA' as const)
  const known = ofZip ?? country ?? (without === null ? countryOf(state) : null)
  return { readings: [...readings, ...unitBeforeNumber(readings, known)], zip, plus4, country: known }
}

function readingsOf(groups: readonly string[][], state: string): Reading[] {
  const flat = groups.flat()
  const box = boxOf(flat)
  const { number, rest, unit } = takeNumber(flat)
  // A comma says where the street ends.
  const lengths = groups.map((group) => group.length)
  const split = withoutCounty(splits(rest, flat.length - rest.length - unit.words, lengths), groups)
  const common = { number, unit: unit.text, state }
  return box === null ? uniqueReadings(split, common) : [...boxReadings(box, state), ...uniqueReadings(split, common)]
}

/** Maps write a county or a borough behind the city: `BOISE, ADA COUNTY`. The first part alone is tried too, last. */
function withoutCounty(split: [string[], string[]][], groups: readonly string[][]): [string[], string[]][] {
  const last = groups.at(-1)?.length ?? 0
  const shorter = split.flatMap(([street, city]): [string[], string[]][] =>
    groups.length > 2 && city.length > last ? [[street, city.slice(0, -last)]] : []
  )
  return [...split, ...shorter]
}

/** In Canada the unit may stand before the number: `4-123 MAIN ST`. */
function unitBeforeNumber(readings: readonly Reading[], country: Country | null): Reading[] {
  if (country !== 'CA') return []
  return readings.flatMap((reading) => {
    const [, unit, number] = /^(\d+[A-Z]?)-(\d+[A-Z]?)$/.exec(reading.number) ?? []
    return unit === undefined || number === undefined ? [] : [{ ...reading, number, unit: `UNIT ${unit}` }]
  })
}

/** Files write the box as the number of a street, or as a part of its name. */
function boxReadings({ street, number, rest }: Box, state: string): Reading[] {
  const city = rest.slice(-MAX_CITY_WORDS).join(' ')
  const whole = number === '' ? street : street === 'PO BOX' ? `${street} ${number}` : `${street} BOX ${number}`
  return [
    { number, street, typed: street, unit: '', city, state },
    { number: '', street: whole, typed: whole, unit: '', city, state }
  ]
}

/** Words in capitals without accents, in groups as the commas make them. */
function groupsOf(text: string): string[][] {
  let left = MAX_WORDS
  return plainText(text)
    .split(',')
    .map((group) =>
      group
        .split(/\s+/)
        .filter((word) => word !== '')
        .slice(0, left)
    )
    .filter((group) => {
      left = Math.max(0, left - group.length)
      return group.length > 0
    })
}

/**
 * The ends that the street may have, best first: at a comma, behind a suffix (the last first, so that `PARK AVE` is not
 * cut), anywhere. `skipped` words stood before the rest.
 */
function splits(rest: readonly string[], skipped: number, lengths: readonly number[]): [string[], string[]][] {
  const cut = (at: number): [string[], string[]] => [rest.slice(0, at), rest.slice(at)]
  const commas: number[] = []
  let at = -skipped
  for (const length of lengths.slice(0, -1)) {
    at += length
    if (at > 0 && at < rest.length) commas.push(at)
  }
  if (lengths.length > 1 && commas.length > 0) return [...commas.map(cut), cut(rest.length)]
  const all = rest.map((_, index) => index + 1)
  const behindSuffix = all.filter((end) => end > 1 && isStreetEnd(rest, end)).reverse()
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

function uniqueReadings(
  split: readonly [string[], string[]][],
  common: Pick<Reading, 'number' | 'unit' | 'state'>
): Reading[] {
  const seen = new Set<string>()
  const readings: Reading[] = []
  for (const [street, city] of split) {
    const reading = { ...common, street: postalStreet(street), typed: street.join(' '), city: city.join(' ') }
    const key = `${reading.street}|${reading.city}`
    if (!seen.has(key)) readings.push(reading)
    seen.add(key)
  }
  return readings.length === 0 ? [{ ...common, street: '', typed: '', city: '' }] : readings
}
