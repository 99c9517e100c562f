import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import { FIELDS, type RawAddress } from './raw-address.ts'

/** Header names, small letters and digits alone, best first. Netsyms, OpenAddresses, National Address Database (both revisions). */
const NAMES: Readonly<Record<keyof RawAddress, readonly string[]>> = {
  zipcode: ['zipcode', 'zip', 'postcode', 'postalcode', 'zip5'],
  number: ['number', 'addnofull', 'housenumber', 'streetnumber', 'addnumber', 'addrnumber'],
  street: ['street', 'stnamfull', 'streetname', 'addrstreet'],
  street2: ['street2', 'unit', 'subaddress', 'apartment', 'suite', 'building'],
  city: ['city', 'postcity', 'incmuni', 'municipality', 'placename', 'uninccomm', 'censusplc', 'nbrhdcomm'],
  state: ['state', 'region', 'province', 'st'],
  plus4: ['plus4', 'zip4'],
  country: ['country', 'countrycode'],
  latitude: ['latitude', 'lat', 'y'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'x'],
  source: ['source', 'addauth', 'nadsource']
}
/** A street in parts (National Address Database), in the order they are spoken. */
const STREET_PARTS: readonly (readonly string[])[] = [
  ['stpremod', 'stnpremod'],
  ['stpredir', 'stnpredir'],
  ['stpretyp', 'stnpretyp'],
  ['stpresep', 'stnpresep'],
  ['stname', 'streetname'],
  ['stpostyp', 'stnpostyp'],
  ['stposdir', 'stnposdir'],
  ['stposmod', 'stnposmod']
]
const NUMBER_PARTS: readonly (readonly string[])[] = [['addnumpre'], ['addnumber'], ['addnumsuf']]
/** Fillers that the National Address Database writes where nothing is known. */
const NOTHING = /^(?:not stated|unknown|unincorporated|n\/a|null|none)$/i

/** Reads one line of a CSV file. */
export type ReadLine = (line: readonly string[]) => RawAddress

/** Makes the reader for the lines below this header. @throws AppError `bad-input` naming the columns that are missing. */
export function readerFor(header: readonly string[]): ReadLine {
  const at = new Map(header.map((name, index) => [name.toLowerCase().replace(/[^a-z0-9]/g, ''), index]))
  const find = (names: readonly string[]): number[] => names.flatMap((name) => at.get(name) ?? [])
  const columns = FIELDS.map((field): [keyof RawAddress, number[]] => [field, find(NAMES[field])])
  const streetParts = parts(find, STREET_PARTS)
  const numberParts = parts(find, NUMBER_PARTS)
  const given = new Map(columns)
  // `StreetName` alone is the street, and with parts beside it one of them.
  const fromParts = streetParts.length > 1
  if (!fromParts && given.get('street')?.length === 0) throw missing('street')
  if (given.get('number')?.length === 0 && numberParts.length === 0) throw missing('number')
  if (given.get('city')?.length === 0 && given.get('zipcode')?.length === 0) throw missing('city or zipcode')
  const whole = at.has('street') || at.has('stnamfull')
  return (line) => {
    const raw = Object.fromEntries(columns.map(([field, list]) => [field, first(line, list)])) as RawAddress
    if (fromParts && (!whole || raw.street === '')) raw.street = joined(line, streetParts)
    if (numberParts.length > 1 && !at.has('addnofull') && !at.has('number')) raw.number = joined(line, numberParts)
    return raw
  }
}

function parts(find: (names: readonly string[]) => number[], names: readonly (readonly string[])[]): number[] {
  return names.flatMap((list) => find(list).slice(0, 1))
}

function first(line: readonly string[], columns: readonly number[]): string {
  for (const column of columns) {
    const text = (line[column] ?? '').trim()
    if (text !== '' && !NOTHING.test(text)) return text
  }
  return ''
}

function joined(line: readonly string[], columns: readonly number[]): string {
  return columns
    .map((column) => first(line, [column]))
    .filter((text) => text !== '')
    .join(' ')
}

function missing(what: string): AppError {
  return new AppError('bad-input', because('addresses_no_column', { what }))
}
