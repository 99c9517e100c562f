import { cityVariants, zipVariants } from './city-names.ts'
import { allowedErrors, distance } from './distance.ts'
import type { Reading } from './parse.ts'
import { type Country, countryOf, STATES } from './states.ts'
import { SUFFIX_OF } from './street-words.ts'
import { type AddressTable, rangeOf, type Where } from './table.ts'

/** Of a name that stands in many states; the more, the less any one is meant. */
const MOST_PLACES = 24
/** Different cities read of one state, looking for one with a typing error. */
const MOST_CITIES = 600
/** Words of a city that is looked for with a typing error. */
const MOST_WORDS = 3
/** The same, of every state. */
const MOST_CITIES_EACH = 60

/** The places where a reading of an address may lie: conditions of the table that some row meets. */
export class Places {
  readonly #table: AddressTable
  readonly #states: readonly string[]
  readonly #zips: readonly string[]
  readonly #known = new Map<string, Where[]>()

  constructor(table: AddressTable, { zip, country }: { zip: string; country: Country | null }) {
    this.#table = table
    this.#states = STATES.filter((state) => country === null || countryOf(state) === country)
    this.#zips = zipVariants(zip).filter((variant) => table.exists({ zipcode: variant }))
  }

  /** By postal code; empty when none was given, or the file has none of it. */
  zips(): Where[] {
    return this.#zips.map((zipcode) => ({ zipcode }))
  }

  /** By the name of the city, as the file writes it. */
  cities({ city, state }: Reading): Where[] {
    return this.#remembered(`${city}|${state}`, () => {
      const states = state === '' ? this.#states : this.#states.filter((one) => one === state)
      return cityVariants(city).flatMap((name) => this.#inStates(name, states))
    })
  }

  /** By the name of the city with a typing error, best first. */
  similarCities({ city, state }: Reading): Where[] {
    const errors = allowedErrors(city.length)
    // `MAIN STREET BOSIE` is no city: where the street ends wrongly, words of a street stand in front.
    if (errors === 0 || SUFFIX_OF.has(city.split(' ')[0] ?? '') || city.split(' ').length > MOST_WORDS) return []
    return this.#remembered(`~${city}|${state}`, () => {
      // The first letter alone is taken for right where the state is known.
      const prefix = city.slice(0, state === '' ? 2 : 1)
      const limit = state === '' ? MOST_CITIES_EACH : MOST_CITIES
      const found = (state === '' ? this.#states : [state]).flatMap((one) =>
        this.#table
          .distinct('city', { state: one }, { ...rangeOf(prefix), limit })
          .map((name) => ({ where: { state: one, city: name }, errors: distance(city, name, errors) }))
      )
      return found
        .filter((one) => one.errors <= errors)
        .sort((a, b) => a.errors - b.errors)
        .map(({ where }) => where)
    })
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
