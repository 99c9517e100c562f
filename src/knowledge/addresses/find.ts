import { type Address, addressOf, type Found, houseNumber, type Match } from './address.ts'
import { cityVariants, zipVariants } from './city-names.ts'
import { type ParsedAddress, parseAddress, type Reading } from './parse.ts'
import { Places } from './places.ts'
import type { Country } from './states.ts'
import { streetVariants } from './street-key.ts'
import { similarStreets } from './streets.ts'
import type { AddressTable, Where } from './table.ts'

export interface Question {
  text: string
  country: Country | null
  /** 1…50. */
  limit: number
}

/** An address that was found, and what it is ranked by: lower is better. */
interface Hit {
  id: number
  match: Match
  far: number
  reading: Reading
}

/** House numbers read of one street. */
const MOST_NUMBERS = 3000
/** Rows looked at for one address: all units of a building. */
const MOST_UNITS = 60
/** Streets with a typing error that are followed up. */
const MOST_SIMILAR = 4
/** After this no further step begins but the last: whatever the disk, the station's own work waits no longer. Milliseconds. */
const PATIENCE_MS = 150

interface Search {
  table: AddressTable
  parsed: ParsedAddress
  places: Places
  /** By zip, then by city. */
  placesOf: (reading: Reading) => Where[]
  /** The streets of a place that are the one typed, as the file writes them. */
  streetsOf: (place: Where, reading: Reading) => string[]
  limit: number
}

type Step = (search: Search, reading: Reading) => Hit[]

/**
 * Finds addresses, best first: the very address; else the nearest numbers of the street; else streets written almost so; else
 * something of the postal code, or of the city. Every step goes through an index and reads a bounded number of rows.
 */
export function findAddresses(table: AddressTable, { text, country, limit }: Question): Found[] {
  const parsed = parseAddress(text)
  const wanted = country ?? parsed.country
  if (country !== null && parsed.country !== null && parsed.country !== country) return []
  const search = searchFor(table, { parsed, country: wanted, limit })
  return shown(table, { hits: findHits(search, swappedZip(parsed, search)), parsed, country: wanted, limit })
}

function searchFor(
  table: AddressTable,
  { parsed, country, limit }: { parsed: ParsedAddress; country: Country | null; limit: number }
): Search {
  const places = new Places(table, { zip: parsed.zip, country })
  return {
    table,
    parsed,
    places,
    limit,
    placesOf: (reading) => [...places.zips(), ...places.cities(reading)],
    streetsOf: streetsThere(table)
  }
}

/** Asked once for each place and street: several steps want to know. */
function streetsThere(table: AddressTable): Search['streetsOf'] {
  const known = new Map<string, string[]>()
  return (place, { typed }) => {
    const key = `${place.zipcode}|${place.state}|${place.city}|${typed}`
    const found = known.get(key)
    if (found !== undefined) return found
    const variants = streetVariants(typed)
    const there = table.existing('street', variants, place) ?? variants
    known.set(key, there)
    return there
  }
}

/** `83702 Boise` begins like a house number: what finds nothing as such is read again as a postal code. */
function swappedZip(parsed: ParsedAddress, search: Search): Search | null {
  const number = parsed.readings[0]?.number ?? ''
  if (parsed.zip !== '' || !/^\d{5}$/.test(number)) return null
  const readings = parsed.readings.map((reading) => ({ ...reading, number: '' }))
  return searchFor(search.table, { parsed: { ...parsed, zip: number, readings }, country: 'US', limit: search.limit })
}

function findHits(search: Search, otherwise: Search | null): Hit[] {
  const began = performance.now()
  const { readings } = search.parsed
  const numbered = readings.some(({ number }) => number !== '')
  // A postal code that the file has says more than a name that it has not.
  const lost = search.places.zips().length === 0
  const mistyped: Search = { ...search, placesOf: (reading) => (lost ? search.places.similarCities(reading) : []) }
  const steps: [Step, Search][] = [
    ...(numbered ? [exact, near] : [onStreet, wholePlace]).map((step): [Step, Search] => [step, search]),
    [similar, search],
    [anywhere, search],
    ...(otherwise === null ? [] : [[wholePlace, otherwise] as [Step, Search]]),
    ...[numbered ? exact : onStreet, similar, ...(numbered ? [] : [wholePlace])].map((step): [Step, Search] => [
      step,
      mistyped
    ]),
    [fallback, search]
  ]
  for (const [step, of] of steps) {
    // The last one costs an index entry: a slow disk must not turn a city that is there into nothing.
    if (step !== fallback && performance.now() - began > PATIENCE_MS) continue
    const hits = of.parsed.readings.flatMap((reading) => step(of, reading))
    if (hits.length > 0) return hits
  }
  return []
}

/** Number and street in the place. */
function exact({ table, placesOf, streetsOf }: Search, reading: Reading): Hit[] {
  const { number, street } = reading
  if (number === '' || street === '') return []
  return placesOf(reading).flatMap((place) =>
    streetsOf(place, reading).flatMap((name) =>
      table
        .ids({ ...place, street: name, number }, MOST_UNITS)
        .map((id): Hit => ({ id, match: 'exact', far: 0, reading }))
    )
  )
}

/** The nearest numbers of the street. */
function near(search: Search, reading: Reading): Hit[] {
  if (reading.number === '' || reading.street === '') return []
  return search
    .placesOf(reading)
    .flatMap((place) =>
      search.streetsOf(place, reading).flatMap((street) => neighbours(search, { ...place, street }, reading))
    )
}

function neighbours({ table, limit }: Search, where: Where, reading: Reading): Hit[] {
  const wanted = houseNumber(reading.number) ?? 0
  return table
    .numbers(where, MOST_NUMBERS)
    .map(({ id, number }): Hit => {
      const far = Math.abs((houseNumber(number) ?? Number.MAX_SAFE_INTEGER) - wanted)
      return { id, match: 'near', far, reading }
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
}

/** Without a number: the street from its lowest number on. */
function onStreet({ table, placesOf, streetsOf, limit }: Search, reading: Reading): Hit[] {
  if (reading.number !== '' || reading.street === '') return []
  return placesOf(reading).flatMap((place) =>
    streetsOf(place, reading).flatMap((street) => numbersOf(table, { ...place, street }, { reading, limit }))
  )
}

function numbersOf(table: AddressTable, where: Where, { reading, limit }: { reading: Reading; limit: number }): Hit[] {
  return table
    .numbers(where, MOST_NUMBERS)
    .map(
      ({ id, number }): Hit => ({ id, match: 'street', far: houseNumber(number) ?? Number.MAX_SAFE_INTEGER, reading })
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
}

/** Streets written almost so: with the number where it is there, else with its neighbours. */
function similar(search: Search, reading: Reading): Hit[] {
  const { table, placesOf, limit } = search
  if (reading.street === '') return []
  return placesOf(reading).flatMap((place) => {
    const streets = similarStreets(table, place, reading.street).slice(0, MOST_SIMILAR)
    const hits = streets.flatMap(({ street, far }) =>
      reading.number === ''
        ? numbersOf(table, { ...place, street }, { reading, limit }).map((hit) => ranked(hit, far, hit.far))
        : table
            .ids({ ...place, street, number: reading.number }, MOST_UNITS)
            .map((id): Hit => ({ id, match: 'similar', far: far * STREET, reading }))
    )
    if (hits.length > 0) return hits
    return streets.flatMap(({ street, far }) =>
      neighbours(search, { ...place, street }, reading).map((hit) => ranked(hit, far, hit.far))
    )
  })
}

/** More than any difference between house numbers. */
const STREET = 1e10

function ranked(hit: Hit, street: number, number: number): Hit {
  return { ...hit, match: 'similar', far: street * STREET + Math.min(number, STREET / 10) }
}

/** A street, and no place that the file knows: wherever it is, in the state when one was given. */
function anywhere({ table, limit, parsed }: Search, reading: Reading): Hit[] {
  const { number, street, typed, state, city } = reading
  if (street === '' || city !== '' || parsed.zip !== '') return []
  const place: Where = state === '' ? {} : { state }
  return streetVariants(typed).flatMap((name): Hit[] => {
    if (number === '')
      return table.ids({ ...place, street: name }, limit).map((id) => ({ id, match: 'street', far: 0, reading }))
    return table
      .ids({ ...place, street: name, number }, MOST_UNITS)
      .map((id) => ({ id, match: 'exact', far: 0, reading }))
  })
}

/** A postal code or a city and nothing else. */
function wholePlace(search: Search, reading: Reading): Hit[] {
  return reading.street === '' ? somewhere(search, reading) : []
}

/** The street is not there: something of the postal code, or of the city. */
function fallback(search: Search, reading: Reading): Hit[] {
  return somewhere(search, reading)
}

function somewhere({ table, places, placesOf, limit }: Search, reading: Reading): Hit[] {
  const [zip] = places.zips()
  // With a postal code, a name before it is its city, or a street that `similar` looks for.
  if (zip !== undefined && reading.city !== '' && !sameState(table, zip, placesOf(reading))) return []
  const wheres = zip === undefined ? placesOf(reading) : [zip]
  const match = zip === undefined ? 'city' : 'zip'
  return wheres.flatMap((where) => table.ids(where, limit).map((id): Hit => ({ id, match, far: 0, reading })))
}

function sameState(table: AddressTable, zip: Where, cities: readonly Where[]): boolean {
  const [row] = table.rows(table.ids(zip, 1))
  return row !== undefined && cities.some(({ state }) => state === row['state'])
}

/** Fetches the best hits and orders them by how much of what was asked they have. */
function shown(
  table: AddressTable,
  {
    hits,
    parsed,
    country,
    limit
  }: { hits: readonly Hit[]; parsed: ParsedAddress; country: Country | null; limit: number }
): Found[] {
  const nearest = hits.toSorted((a, b) => a.far - b.far).slice(0, MOST_UNITS * MOST_SIMILAR)
  const seen = new Set<number>()
  const found = nearest.flatMap((hit) => {
    if (seen.has(hit.id)) return []
    seen.add(hit.id)
    return table.rows([hit.id]).map((row) => ({ hit, address: addressOf(row) }))
  })
  return found
    .filter(({ address }) => country === null || address.country === '' || address.country === country)
    .map((one) => ({ ...one, agreement: agreement(one.address, one.hit.reading, parsed) }))
    .sort(
      (a, b) =>
        a.hit.far - b.hit.far ||
        b.agreement - a.agreement ||
        a.address.street2.localeCompare(b.address.street2, 'en', { numeric: true })
    )
    .slice(0, limit)
    .map(({ hit, address }) => ({ ...address, match: hit.match }))
}

/** The agreement of a row with the question besides number and street. */
function agreement(address: Address, reading: Reading, { zip, plus4 }: ParsedAddress): number {
  const city = reading.city !== '' && cityVariants(reading.city).includes(address.city) ? 4 : 0
  const code = zip !== '' && zipVariants(zip).includes(address.zipcode) ? 4 : 0
  const state = reading.state !== '' && reading.state === address.state ? 2 : 0
  const more = plus4 !== '' && plus4 === address.plus4 ? 1 : 0
  return city + code + state + more + unitAgreement(address.street2, reading.unit)
}

function unitAgreement(filed: string, asked: string): number {
  if (asked === '') return filed === '' ? 1 : 0
  if (filed === asked) return 3
  const last = (text: string): string => text.split(' ').at(-1) ?? ''
  // `# 4`, `UNIT 4` and `APT 4` are mostly the same door.
  return last(filed) === last(asked) ? 2 : 0
}
