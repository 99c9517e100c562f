import { cityVariants, zipVariants } from './city-names.ts'
import { allowedErrors, distance } from './distance.ts'
import type { Reading } from './parse.ts'
import { type Country, countryOf, STATES } from './states.ts'
import { type AddressTable, distinctSteps, type Range, rangeOf, type Where } from './table.ts'

/** Of a name that stands in many states; the more, the less any one is meant. */
const MOST_PLACES = 24
/** Different cities read of one state, looking for one with a typing error. */
const MOST_CITIES = 2000
/** Words of a city that is looked for with a typing error. */
const MOST_WORDS = 3
/** No city begins with one of these; where the street ends wrongly, a city seems to: `MAIN STREET BOSIE`. */
const STREET_TYPES: ReadonlySet<string> = new Set(
  'STREET AVENUE AVE ROAD RD DRIVE DR LANE LN COURT CT BOULEVARD BLVD WAY PLACE PL CIRCLE CIR HIGHWAY HWY'.split(' ')
)
/** The same, of every state. */
const MOST_CITIES_EACH = 60

interface Alike {
  where: Where
  errors: number
}

/** The places where a reading of an address may lie: conditions of the table that some row meets. */
export class Places {
  readonly #table: AddressTable
  readonly #states: readonly string[]
  readonly #known = new Map<string, Where[]>()

  constructor(table: AddressTable, country: Country | null) {
    this.#table = table
    // Rows of other countries have no state.
    const filed = table.states() ?? ['', ...STATES]
    this.#states = filed.filter((state) => country === null || state === '' || countryOf(state) === country)
  }

  /** By postal code; empty when none was given, or the file has none of it. */
  zips({ zip }: Pick<Reading, 'zip'>): Where[] {
    return this.#remembered(`#${zip}`, () =>
      zipVariants(zip)
        .filter((zipcode) => this.#table.exists({ zipcode }))
        .map((zipcode) => ({ zipcode }))
    )
  }

  /** By the name of the city, as the file writes it. */
  cities({ city, state }: Reading): Where[] {
    if (city === '') return []
    return this.#remembered(`${city}|${state}`, () => {
      const states = state === '' ? this.#states : this.#states.filter((one) => one === state)
      return cityVariants(city).flatMap((name) => this.#inStates(name, states))
    })
  }

  /** By the name of the city with a typing error, best first. */
  *similarCities({ city, state }: Reading): Generator<void, Where[]> {
    const errors = allowedErrors(city.length)
    if (errors === 0 || STREET_TYPES.has(city.split(' ')[0] ?? '') || city.split(' ').length > MOST_WORDS) return []
    const key = `~${city}|${state}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const found = state === '' ? yield* this.#alikeAnywhere(city, errors) : yield* this.#alikeIn(state, city, errors)
    const places = found
      .sort((a, b) => a.errors - b.errors)
      .slice(0, MOST_PLACES)
      .map(({ where }) => where)
    this.#known.set(key, places)
    return places
  }

  /** The first two letters are taken for right: nobody said where to look. */
  *#alikeAnywhere(city: string, errors: number): Generator<void, Alike[]> {
    const found: Alike[] = []
    for (const state of this.#states)
      found.push(
        ...(yield* this.#alike(city, errors, {
          state,
          range: { ...rangeOf(city.slice(0, 2)), limit: MOST_CITIES_EACH }
        }))
      )
    return found
  }

  /** The first letter is taken for right as long as something begins with it. */
  *#alikeIn(state: string, city: string, errors: number): Generator<void, Alike[]> {
    const found = yield* this.#alike(city, errors, {
      state,
      range: { ...rangeOf(city.slice(0, 1)), limit: MOST_CITIES }
    })
    return found.length > 0 ? found : yield* this.#alike(city, errors, { state, range: { limit: MOST_CITIES } })
  }

  *#alike(city: string, errors: number, { state, range }: { state: string; range: Range }): Generator<void, Alike[]> {
    const names = yield* distinctSteps(this.#table, 'city', { where: { state }, range })
    return names
      .map((name) => ({ where: { state, city: name }, errors: distance(city, name, errors) }))
      .filter((one) => one.errors <= errors)
  }

  #inStates(city: string, states: readonly string[]): Where[] {
    const found = this.#table.existing('state', states, { city })
    if (found !== null) return found.map((state) => ({ state, city }))
    return this.#table.exists({ city }) ? [{ city }] : []
  }

  #remembered(key: string, find: () => Where[]): Where[] {
    let places = this.#known.get(key)
    if (places === undefined) {
      places = find().slice(0, MOST_PLACES)
      this.#known.set(key, places)
    }
    return places
  }
}
