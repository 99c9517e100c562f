import { drain } from '../../platform/clock/slices.ts'
import { type Address, addressLine, addressOf } from './address.ts'
import { cityVariants } from './city-names.ts'
import { type ParsedAddress, parseAddress, type Reading } from './parse.ts'
import { plainText, postalStreet } from './postal-text.ts'
import { STATES } from './states.ts'
import { mayBecome } from './street-key.ts'
import { streetVariants } from './street-variants.ts'
import { DIRECTION_OF } from './street-words.ts'
import { type AddressTable, rangeOf, type Where } from './table.ts'

/** A completion of an unfinished question. `text` is a question that the lookup answers. */
export interface Suggestion {
  text: string
  kind: 'address' | 'street' | 'city' | 'zip'
}

export const MOST_SUGGESTIONS = 10
/** Less than this is the beginning of everything. */
const FEWEST_LETTERS = 2
/** Streets looked at whether they have the number. */
const MOST_STREETS = 60
/** Addresses of one number and street, wherever they are. */
const MOST_ROWS = 400
const MOST_CITIES_EACH = 3
/** Of an unfinished text the likeliest ones: others find what somebody has not typed yet. */
const MOST_READINGS = 10

/** All at once: for whoever has the processor alone. */
export function suggestAddresses(table: AddressTable, typed: string): Suggestion[] {
  return drain(suggestSteps(table, typed))
}

/** At most ten ways an unfinished question may go on: prefix ranges over postal codes, cities and streets, in small steps. */
export function* suggestSteps(table: AddressTable, typed: string): Generator<void, Suggestion[]> {
  const text = plainText(typed).replace(/\s+/g, ' ').trimStart()
  const letters = text.replaceAll(/[ ,]/g, '')
  if (letters.length < FEWEST_LETTERS) return []
  const parsed = parseAddress(text)
  const found = new Map<string, Suggestion>()
  const sources = [zips(table, letters), finished(table, parsed), streets(table, text), cities(table, text)]
  for (const source of sources) {
    for (const some of source) {
      for (const suggestion of some) if (!found.has(suggestion.text)) found.set(suggestion.text, suggestion)
      if (found.size >= MOST_SUGGESTIONS) return [...found.values()].slice(0, MOST_SUGGESTIONS)
      yield
    }
  }
  return [...found.values()]
}

function cityLine({ city, state, zipcode }: Address, withZip: boolean): string {
  return [city, `${state}${withZip ? ` ${zipcode}` : ''}`.trim()].filter((part) => part !== '').join(', ')
}

function firstRow(table: AddressTable, where: Where): Address | null {
  const [row] = table.rows(table.ids(where, 1))
  return row === undefined ? null : addressOf(row)
}

/** `837…`: postal codes. */
function* zips(table: AddressTable, letters: string): Generator<Suggestion[]> {
  if (!/^(?:\d{2,5}|[A-Z]\d[A-Z\d]{0,4})$/.test(letters)) return
  const codes = table.distinct('zipcode', {}, { ...rangeOf(letters), limit: MOST_SUGGESTIONS })
  yield codes.flatMap((zipcode): Suggestion[] => {
    const row = firstRow(table, { zipcode })
    return row === null ? [] : [{ text: cityLine(row, true), kind: 'zip' }]
  })
}

/** Number and street are finished; the city is not: `123 MAIN ST BO…`. */
function* finished(table: AddressTable, { readings, zip }: ParsedAddress): Generator<Suggestion[]> {
  for (const reading of readings.slice(0, MOST_READINGS)) {
    const { number, street, typed } = reading
    if (number === '' || street === '' || (reading.city === '' && reading.state === '' && zip === '')) continue
    const ids = streetVariants(typed).flatMap((name) => table.ids({ street: name, number }, MOST_ROWS))
    yield table
      .rows(ids.slice(0, MOST_ROWS))
      .map((row) => addressOf(row))
      .filter((address) => mayBe(address, reading, zip))
      .slice(0, MOST_SUGGESTIONS)
      .map((address) => ({ text: addressLine(address), kind: 'address' }))
  }
}

function mayBe(address: Address, { city, state }: Reading, zip: string): boolean {
  if (zip !== '' && address.zipcode !== zip.replace(' ', '') && address.zipcode !== zip) return false
  const begins = (name: string): boolean => cityVariants(name).some((variant) => address.city.startsWith(variant))
  // `SALT LA` is not in Louisiana.
  if (state !== '' && begins(`${city} ${state}`.trim())) return true
  return (state === '' || address.state === state) && (city === '' || begins(city))
}

/** The name of the street is still being typed: `123 N MA…`, `MAIN STRE…`. */
function* streets(table: AddressTable, text: string): Generator<Suggestion[]> {
  if (text.includes(',')) return
  const [, number = '', name = ''] = /^(?:(\d+[A-Z]?(?:-\d+)?) )?(.*)$/.exec(text) ?? []
  const words = name.split(' ').filter((word) => word !== '')
  const last = words.at(-1) ?? ''
  if (last === '' || name.length < FEWEST_LETTERS - (number === '' ? 0 : 1)) return
  const whole = postalStreet(words)
  yield []
  const names = new Set([
    ...beginnings(words).flatMap((prefix) => streetNames(table, prefix, number)),
    // `MAIN STRE`: the file says `MAIN ST`.
    ...(words.length < 2
      ? []
      : beginnings(words.slice(0, -1)).flatMap((prefix) => streetNames(table, `${prefix} `, number))
    ).filter((street) => mayBecome(last, street.split(' ')[words.length - 1] ?? ''))
  ])
  const ordered = [...names].sort((a, b) => Number(b === whole) - Number(a === whole))
  for (const street of ordered.slice(0, MOST_STREETS)) yield streetSuggestions(table, street, number)
}

/** `NORTH MA` and `N MA`: directions in front stand short in the file, unless they are the name. */
function beginnings(words: readonly string[]): string[] {
  const [first = '', ...rest] = words
  const short = DIRECTION_OF.get(first)
  const typed = words.join(' ')
  return short === undefined || rest.length === 0 ? [typed] : [...new Set([[short, ...rest].join(' '), typed])]
}

function streetNames(table: AddressTable, prefix: string, number: string): string[] {
  const limit = number === '' ? MOST_SUGGESTIONS : MOST_STREETS
  const range = { ...rangeOf(prefix), limit }
  if (number !== '' && table.canAsk('number', 'street') && !table.canAsk('street'))
    return table.distinct('street', { number }, range)
  return table.distinct('street', {}, range)
}

function streetSuggestions(table: AddressTable, street: string, number: string): Suggestion[] {
  if (number !== '')
    return table
      .rows(table.ids({ street, number }, MOST_CITIES_EACH))
      .map((row) => ({ text: addressLine(addressOf(row)), kind: 'address' }))
  const row = firstRow(table, { street })
  return row === null ? [] : [{ text: `${street}, ${cityLine(row, false)}`, kind: 'street' }]
}

/** Cities that begin so, in every state. */
function* cities(table: AddressTable, text: string): Generator<Suggestion[]> {
  const [name = '', region = ''] = text.split(',').map((part) => part.trim())
  if (/\d/.test(name) || name.length < FEWEST_LETTERS) return
  const prefixes = cityVariants(name)
  for (const state of STATES.filter((one) => one.startsWith(region.slice(0, 2))))
    yield prefixes
      .flatMap((prefix) => table.distinct('city', { state }, { ...rangeOf(prefix), limit: MOST_CITIES_EACH }))
      .map((city): Suggestion => ({ text: `${city}, ${state}`, kind: 'city' }))
}
