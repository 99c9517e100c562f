import { drain } from '../../platform/clock/slices.ts'
import type { AddressAnswer, Match, Outcome } from './address.ts'
import { answerOf } from './answer.ts'
import { COST, exactHouses, firstHouses, type Hit, housesOf, MOST_UNITS } from './hits.ts'
import { type ParsedAddress, parseAddress, type Reading } from './parse.ts'
import { Places } from './places.ts'
import type { Country } from './states.ts'
import { Streets } from './streets.ts'
import type { AddressTable, Where } from './table.ts'

export interface Question {
  text: string
  country: Country | null
  /** 1…50. */
  limit: number
  /** Work on it; after that nothing more is tried, and the answer says so. */
  patienceMs?: number
}

/** Streets written almost as typed that are followed up. */
const MOST_SIMILAR = 6
const PATIENCE_MS = 2000
/** Places whose streets are compared because they have none of the very name. */
const MOST_COMPARED_PLACES = 2

interface Search {
  table: AddressTable
  parsed: ParsedAddress
  places: Places
  streets: Streets
  limit: number
}

type Found = { found: Outcome; hits: Hit[] }

/** All at once: for whoever has the processor alone. */
export function findAddresses(table: AddressTable, question: Question): AddressAnswer {
  return drain(findSteps(table, question))
}

/**
 * Finds addresses, best first, and says what they are to the question. Every reading is looked for as it was typed; then in streets
 * written almost so; then with a typing error in the city. Every step goes through an index and reads a bounded number of rows.
 */
export function* findSteps(
  table: AddressTable,
  { text, country, limit, patienceMs = PATIENCE_MS }: Question
): Generator<void, AddressAnswer> {
  const parsed = parseAddress(text)
  const nothing: AddressAnswer = { found: 'nothing', differs: [], results: [] }
  if (country !== null && parsed.country !== null && parsed.country !== country) return nothing
  const wanted = country ?? parsed.country
  const search: Search = { table, parsed, places: new Places(table, wanted), streets: new Streets(table), limit }
  const found = yield* patiently(lookFor(search), patienceMs)
  if (found === null) return { ...nothing, found: 'unfinished' }
  return answerOf(table, { ...found, plus4: parsed.plus4, country: wanted, limit })
}

/** Gives up when the work itself, without the waiting in between, has taken too long. */
function* patiently<T>(steps: Generator<void, T>, ms: number): Generator<void, T | null> {
  let left = ms
  for (;;) {
    const begun = performance.now()
    const step = steps.next()
    if (step.done === true) return step.value
    left -= performance.now() - begun
    if (left < 0) return null
    yield
  }
}

function* lookFor(search: Search): Generator<void, Found> {
  const tries = [asTyped, nearby, almost, anywhere, cityAlmost]
  for (const attempt of tries) {
    const hits = yield* attempt(search)
    if (hits.length > 0) return { found: outcomeOf(hits), hits }
  }
  return yield* verdict(search)
}

const OUTCOME: Readonly<Record<Match, Outcome>> = {
  house: 'house',
  near_house: 'nearest_house',
  street: 'street',
  place: 'place',
  near_street: 'no_street',
  elsewhere: 'no_place'
}

function outcomeOf(hits: readonly Hit[]): Outcome {
  const best = hits.reduce((a, b) => (b.cost < a.cost ? b : a))
  return best.match === 'street' && best.reading.number !== '' ? 'no_house' : OUTCOME[best.match]
}

/** The places that a reading names: by its code, and by its city. */
function placesOf({ places }: Search, reading: Reading): Where[] {
  return [...places.zips(reading), ...places.cities(reading)]
}

/** Every word as it stands: house and street, street, or the place alone. */
function* asTyped(search: Search): Generator<void, Hit[]> {
  const { table, streets, limit } = search
  const hits: Hit[] = []
  const whole: Hit[] = []
  for (const reading of search.parsed.readings) {
    yield
    if (reading.street === '') {
      whole.push(...wholePlace(search, reading))
      continue
    }
    for (const place of placesOf(search, reading))
      for (const street of streets.asTyped(place, reading.typed)) {
        const where = { ...place, street }
        hits.push(
          ...(reading.number === ''
            ? firstHouses(table, where, { reading, cost: 0, limit })
            : exactHouses(table, where, { reading, cost: 0 }))
        )
      }
  }
  return hits.length > 0 ? hits : whole
}

/** A postal code or a city, and nothing else. */
function wholePlace(search: Search, reading: Reading): Hit[] {
  if (reading.number !== '') return []
  const { table, places, limit } = search
  const [zip] = places.zips(reading)
  const cities = places.cities(reading)
  // With a postal code, a name before it is its city, or a street that is looked for as one.
  if (zip !== undefined && reading.city !== '' && !sameState(table, zip, cities)) return []
  const wheres = zip === undefined ? cities : [zip]
  return wheres.flatMap((where) =>
    table.ids(where, limit).map((id): Hit => ({ id, match: 'place', cost: 0, far: 0, reading }))
  )
}

function sameState(table: AddressTable, zip: Where, cities: readonly Where[]): boolean {
  const [row] = table.rows(table.ids(zip, 1))
  return row !== undefined && cities.some(({ state }) => state === row['state'])
}

/** The street as it was typed, and a neighbour of the house; or the house, where only a direction was left out. */
function* nearby(search: Search): Generator<void, Hit[]> {
  const { table, streets, limit } = search
  const hits: Hit[] = []
  for (const reading of search.parsed.readings) {
    yield
    if (reading.street === '' || reading.number === '') continue
    for (const place of placesOf(search, reading)) {
      const there = streets.asTyped(place, reading.typed)
      hits.push(...there.flatMap((street) => housesOf(table, { ...place, street }, { reading, cost: 0, limit })))
      for (const street of there.length > 0 ? streets.directed(place, reading.typed) : [])
        hits.push(...exactHouses(table, { ...place, street }, { reading, cost: COST.leftOut }))
    }
  }
  return hits.some(({ match }) => match !== 'street') ? hits : []
}

/** Streets written almost so, and neighbours of the house. */
function* almost(search: Search): Generator<void, Hit[]> {
  const named = function* (reading: Reading): Generator<void, Where[]> {
    yield
    return placesOf(search, reading)
  }
  return yield* streetsIn(search, named, 0)
}

/** The same with a typing error in the city. A postal code that the file has says more than a name that it has not. */
function* cityAlmost(search: Search): Generator<void, Hit[]> {
  const { places, table, limit, parsed } = search
  const lost = function* (reading: Reading): Generator<void, Where[]> {
    return places.zips(reading).length > 0 ? [] : yield* places.similarCities(reading)
  }
  const hits = yield* streetsIn(search, lost, COST.cityError)
  if (hits.length > 0) return hits
  for (const reading of parsed.readings) {
    if (reading.street !== '' || reading.number !== '') continue
    for (const where of yield* lost(reading))
      hits.push(...table.ids(where, limit).map((id): Hit => ({ id, match: 'place', cost: 0, far: 0, reading })))
  }
  return hits
}

function* streetsIn(
  { table, parsed, streets, limit }: Search,
  placesFor: (reading: Reading) => Generator<void, Where[]>,
  cost: number
): Generator<void, Hit[]> {
  const hits: Hit[] = []
  for (const reading of parsed.readings) {
    if (reading.street === '') continue
    for (const place of yield* placesFor(reading)) {
      const similar = yield* streets.similar(place, reading.typed)
      for (const { street, far } of similar.slice(0, MOST_SIMILAR)) {
        yield
        hits.push(...housesOf(table, { ...place, street }, { reading, cost: cost + far, limit }))
      }
    }
  }
  return hits
}

/** A street, and no place at all: wherever it is, in the state when one was given. */
function* anywhere(search: Search): Generator<void, Hit[]> {
  const hits: Hit[] = []
  for (const reading of search.parsed.readings) {
    const { street, city, zip } = reading
    if (street !== '' && city === '' && zip === '') hits.push(...(yield* streetAnywhere(search, reading, null)))
  }
  return hits
}

function* streetAnywhere(
  { table, streets, limit }: Search,
  reading: Reading,
  match: Match | null
): Generator<void, Hit[]> {
  const { number, typed, state } = reading
  const place: Where = state === '' ? {} : { state }
  const hits: Hit[] = []
  for (const street of yield* streets.anywhere({}, typed)) {
    yield
    const where: Where = { ...place, ...(number === '' ? {} : { number }), street }
    const ids = table.ids(where, number === '' ? limit : MOST_UNITS)
    hits.push(
      ...ids.map((id): Hit => ({ id, match: match ?? (number === '' ? 'street' : 'house'), cost: 0, far: 0, reading }))
    )
  }
  return hits
}

/** Nothing is there as it was asked: the place is known and has no such street, or there is no such place. */
function* verdict(search: Search): Generator<void, Found> {
  const { table, streets } = search
  const readings = search.parsed.readings.filter(({ street }) => street !== '')
  const known = readings.filter((reading) => placesOf(search, reading).length > 0)
  const hits: Hit[] = []
  for (const reading of known.slice(0, MOST_COMPARED_PLACES))
    for (const place of placesOf(search, reading).slice(0, MOST_COMPARED_PLACES))
      for (const street of yield* streets.alike(place, reading.typed))
        hits.push(...nearStreet(housesOf(table, { ...place, street }, { reading, cost: hits.length, limit: 1 })))
  const asked = known.length > 0 ? known.slice(0, 1) : readings.filter(({ city, zip }) => city !== '' || zip !== '')
  for (const reading of asked) {
    const elsewhere = yield* streetAnywhere(search, reading, 'elsewhere')
    hits.push(...elsewhere.map((hit): Hit => ({ ...hit, cost: 1e6 })))
  }
  if (known.length > 0) return { found: 'no_street', hits }
  // Words that nothing knows may be a street, or no address at all.
  return { found: hits.length > 0 || search.parsed.placeNamed ? 'no_place' : 'nothing', hits }
}

/** One house for each street, the units of a building together. */
function nearStreet(hits: readonly Hit[]): Hit[] {
  return hits.slice(0, 1).map((hit): Hit => ({ ...hit, match: 'near_street' }))
}
