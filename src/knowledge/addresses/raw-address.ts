import { plainText, postalStreet } from './postal-text.ts'
import { type Country, countryOf, stateAtEnd } from './states.ts'
import { UNIT_OF } from './street-words.ts'

/** The columns of the address table; every value as a file wrote it, empty = none. */
export const FIELDS = [
  'zipcode',
  'number',
  'street',
  'street2',
  'city',
  'state',
  'plus4',
  'country',
  'latitude',
  'longitude',
  'source'
] as const
export type RawAddress = Record<(typeof FIELDS)[number], string>

/** A row as the table has it, in the order of `FIELDS`. */
export type AddressRow = [...text: (string | number | null)[]]

export interface RowRules {
  /** Only these; empty = all. Rows that name none get the only one. */
  states: readonly string[]
  /** Only this one, by its two letters; rows that name none are taken to lie there. */
  country: string | null
}

/** Makes a row as the post writes it, or says why it cannot be one. */
export function cleanAddress(raw: RawAddress, { states, country }: RowRules): AddressRow | string {
  const number = numberOf(raw.number)
  if (number === '') return 'no house number'
  const street = postalStreet(tidy(raw.street).split(' '))
  if (street === '') return 'no street'
  const abroad = otherCountry(tidy(raw.country) === '' ? (country ?? '') : raw.country)
  return abroad === null
    ? american(raw, { number, street }, { states, country })
    : foreign(raw, { number, street, lies: abroad }, { states, country })
}

/** In the two countries whose addresses have a state or a province. */
function american(
  raw: RawAddress,
  { number, street }: { number: string; street: string },
  { states, country }: RowRules
): AddressRow | string {
  const { zipcode, plus4 } = zipOf(raw.zipcode, raw.plus4)
  const city = tidy(raw.city)
  if (city === '' && zipcode === '') return 'neither city nor postal code'
  const state = stateOf(raw.state) ?? (tidy(raw.state) === '' ? (states.length === 1 ? (states[0] ?? '') : '') : null)
  if (state === null) return 'an unknown state'
  if (states.length > 0 && !states.includes(state)) return 'another state'
  const lies = countryOf(state) ?? countryNamed(raw.country) ?? countryOfZip(zipcode) ?? country ?? 'US'
  if (country !== null && lies !== country) return 'another country'
  const { latitude, longitude } = coordinates(raw)
  const unit = unitOf(raw.street2)
  return [zipcode, number, street, unit, city, state, plus4, lies, latitude, longitude, tidySource(raw.source)]
}

/** Elsewhere a region is no part of the address, and the postal code stays as it is written. */
function foreign(
  raw: RawAddress,
  { number, street, lies }: { number: string; street: string; lies: string },
  { states, country }: RowRules
): AddressRow | string {
  const zipcode = tidy(raw.zipcode)
  const city = tidy(raw.city)
  if (city === '' && zipcode === '') return 'neither city nor postal code'
  if (states.length > 0) return 'another state'
  if (country !== null && country !== lies) return 'another country'
  const { latitude, longitude } = coordinates(raw)
  return [zipcode, number, street, unitOf(raw.street2), city, '', '', lies, latitude, longitude, tidySource(raw.source)]
}

/** `00125` → `125`, `9000 A` → `9000A`. */
function numberOf(text: string): string {
  return tidy(text)
    .replace(/^0+(?=\d)/, '')
    .replace(/^(\d+) ([A-Z])$/, '$1$2')
}

/** `D'ALENE` is `D ALENE` to the post, `O'CONNOR` is `OCONNOR`. */
function tidy(text: string): string {
  const words = plainText(text.replace(/\b([DL])['’](?=[AEIOUHY])/gi, '$1 ').replace(/['’]/g, ''))
  return words.replace(/,/g, ' ').replace(/\s+/g, ' ').trim()
}

function tidySource(text: string): string | null {
  const clipped = text.trim().slice(0, 40)
  return clipped === '' ? null : clipped
}

function stateOf(text: string): string | null {
  const words = tidy(text).split(' ')
  const found = stateAtEnd(words)
  return found !== null && found.length === words.length ? found.state : null
}

/** Spreadsheets drop the zeros a postal code begins with: `2134` is `02134`. Canadian codes are kept without the blank. */
function zipOf(text: string, given: string): { zipcode: string; plus4: string } {
  const plain = tidy(text).replace(/ /g, '')
  const us = /^(\d{3,5})(?:-?(\d{4}))?(?:-|\.0)?$/.exec(plain)
  const nine = /^\d{9}$/.test(plain)
  if (nine) return { zipcode: plain.slice(0, 5), plus4: plain.slice(5) }
  if (us !== null) return { zipcode: (us[1] ?? '').padStart(5, '0'), plus4: us[2] ?? plus4Of(given) }
  const canadian = /^[A-Z]\d[A-Z]-?\d[A-Z]\d$/.test(plain)
  return { zipcode: canadian ? plain.replace('-', '') : '', plus4: '' }
}

function plus4Of(text: string): string {
  return /^\d{4}$/.test(text.trim()) ? text.trim() : ''
}

function countryOfZip(zipcode: string): Country | null {
  if (zipcode === '') return null
  return /^\d/.test(zipcode) ? 'US' : 'CA'
}

const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  Object.entries({ US: 'US', USA: 'US', 'UNITED STATES': 'US', CA: 'CA', CAN: 'CA', CANADA: 'CA' } as const)
)

/** The code of a country that has neither states nor ZIP codes: `DE`. Null = one of the two that do, or not said. */
function otherCountry(text: string): string | null {
  const code = tidy(text)
  return /^[A-Z]{2}$/.test(code) && !COUNTRIES.has(code) ? code : null
}

function countryNamed(text: string): Country | null {
  return COUNTRIES.get(tidy(text)) ?? null
}

/** `4` → `# 4`, `Apartment 4` → `APT 4`. */
function unitOf(text: string): string {
  const words = tidy(text)
    .split(' ')
    .filter((word) => word !== '')
  const [first = '', ...rest] = words
  const kind = UNIT_OF.get(first)
  if (kind !== undefined && rest.length > 0) return [kind, ...rest].join(' ')
  return /^\d+[A-Z]?$|^[A-Z]$/.test(words.join(' ')) ? `# ${first}` : words.join(' ')
}

/** Both or none; nowhere (0, 0) is none. Degrees, six decimals: a tenth of a metre. */
function coordinates(raw: RawAddress): { latitude: number | null; longitude: number | null } {
  const latitude = degrees(raw.latitude, 90)
  const longitude = degrees(raw.longitude, 180)
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0))
    return { latitude: null, longitude: null }
  return { latitude, longitude }
}

function degrees(text: string, most: number): number | null {
  const plain = text.trim()
  if (plain === '') return null
  const value = Number(plain)
  return Number.isFinite(value) && Math.abs(value) <= most ? Math.round(value * 1e6) / 1e6 : null
}
