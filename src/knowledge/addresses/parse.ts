import { type Layout, layoutsOf } from './layouts.ts'
import { type Box, boxOf, MAX_CITY_WORDS, type Token, takeUnit } from './parse-number.ts'
import { statesAnywhere, takeCountry, takeState, takeZip, zipsAnywhere } from './parse-place.ts'
import { plainText, postalStreet } from './postal-text.ts'
import { type Country, countryOf } from './states.ts'

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
  /** `83702` or `V5K 0A1`; empty = not given. */
  zip: string
}

/** A question as somebody typed it, taken apart. Readings stand in the order of their likelihood. */
export interface ParsedAddress {
  readings: Reading[]
  /** The code of the likeliest reading; empty = not given. */
  zip: string
  plus4: string
  country: Country | null
  /** A comma, a state or a postal code tells that a place was named, not a street alone. */
  placeNamed: boolean
}

/** More words than any address has: what follows is not looked at. */
const MAX_WORDS = 16
/** A bound on what the file is asked for one question. */
const MOST_READINGS = 60

/**
 * Reads an address as people type it: city in front or behind, any order of commas, multi-word cities, a bare ZIP, units,
 * directions and suffixes in full or short (USPS Publication 28). Never throws: nonsense has readings that find nothing.
 */
export function parseAddress(text: string): ParsedAddress {
  const parsed = parse(text.replace(APOSTROPHE, ''))
  if (!/[A-Za-z]['’][A-Za-z]/.test(text)) return parsed
  // The post writes `COEUR D ALENE`, but `LANSE`: both are tried.
  const apart = parse(text.replace(APOSTROPHE, ' ')).readings
  return { ...parsed, readings: [...apart, ...parsed.readings].slice(0, 2 * MOST_READINGS) }
}

const APOSTROPHE = /['’]/g

/** The words that are left once code and state are taken off; number, street and city are told apart later. */
interface Region {
  groups: string[][]
  zip: string
  state: string
}

function parse(text: string): ParsedAddress {
  const groups = groupsOf(text)
  const parts = groups.length
  const country = takeCountry(groups)
  const { zip, plus4 } = takeZip(groups)
  const { state, without } = takeState(groups, zip !== '')
  const regions: Region[] = [
    { groups, zip, state },
    ...(without === null ? [] : [{ groups: without, zip, state: '' }]),
    // `LA CENTER WA 511 STATION CT` ends with no state.
    ...(state === '' || without !== null ? statesAnywhere(without ?? groups).map((found) => ({ ...found, zip })) : [])
  ]
  // A code within the words is one only if the file has it.
  const inside = zip === '' ? regions.flatMap((region) => codesWithin(region)) : []
  const readings = uniqueReadings([...regions, ...inside])
  const ofZip = zip === '' ? null : /\d{5}/.test(zip) ? ('US' as const) : ('CA' as const)
  const known = ofZip ?? country ?? (without === null ? countryOf(state) : null)
  const placeNamed = parts > 1 || zip !== '' || (state !== '' && without === null)
  return { readings: [...readings, ...unitBeforeNumber(readings, known)], zip, plus4, country: known, placeNamed }
}

function codesWithin({ groups, state }: Region): Region[] {
  return zipsAnywhere(groups).flatMap((found) => {
    const states = state === '' ? statesAnywhere(found.groups) : []
    return [...states.map((one) => ({ ...one, zip: found.zip })), { ...found, state }]
  })
}

function readingsOf({ groups, zip, state }: Region): Reading[] {
  const tokens = groups.flatMap((group, at): Token[] => group.map((word) => ({ word, group: at })))
  const box = boxOf(tokens.map(({ word }) => word))
  const { rest, unit } = takeUnit(tokens)
  const readings = layoutsOf(rest).map((layout) => readingOf(layout, { unit, state, zip }))
  const usual =
    readings.length === 0 ? [readingOf({ number: '', street: [], city: [] }, { unit, state, zip })] : readings
  return box === null ? usual : [...boxReadings(box, { state, zip }), ...usual]
}

function readingOf({ number, street, city }: Layout, more: Pick<Reading, 'unit' | 'state' | 'zip'>): Reading {
  return { number, street: postalStreet(street), typed: street.join(' '), city: city.join(' '), ...more }
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
function boxReadings({ street, number, rest }: Box, more: Pick<Reading, 'state' | 'zip'>): Reading[] {
  const city = rest.slice(-MAX_CITY_WORDS).join(' ')
  const whole = number === '' ? street : street === 'PO BOX' ? `${street} ${number}` : `${street} BOX ${number}`
  return [
    { number, street, typed: street, unit: '', city, ...more },
    { number: '', street: whole, typed: whole, unit: '', city, ...more }
  ]
}

/** `US-20` is `US 20`, `SH-55` is `SH 55`. */
const ROAD_NUMBER = /\b(US|SR|SH|CR|FM|NF|HWY|RTE|I|[A-Z]{2})-(\d{1,4}[A-Z]?)(?=[ ,]|$)/g

/** Words in capitals without accents, in groups as the commas make them. */
function groupsOf(text: string): string[][] {
  let left = MAX_WORDS
  return plainText(text)
    .replace(ROAD_NUMBER, '$1 $2')
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

function uniqueReadings(regions: readonly Region[]): Reading[] {
  const seen = new Set<string>()
  const readings: Reading[] = []
  for (const reading of regions.flatMap((region) => readingsOf(region))) {
    const { number, street, city, state, zip } = reading
    const key = [number, street, city, state, zip].join('|')
    if (!seen.has(key)) readings.push(reading)
    seen.add(key)
  }
  return readings.slice(0, MOST_READINGS)
}
