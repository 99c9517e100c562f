import { roadVariants } from './roads.ts'
import {
  type Allowed,
  distanceTo,
  type FiledStreet,
  filedStreet,
  loosely,
  type TypedStreet,
  typedStreet
} from './street-distance.ts'
import { streetVariants } from './street-variants.ts'
import { DIRECTION_OF, ORDINALS } from './street-words.ts'
import { type AddressTable, distinctSteps, type Range, rangeOf, type Where } from './table.ts'

/** Different streets read for one beginning. */
const MOST_STREETS = 1500
/** Different streets of a place that are compared when none begins alike. */
const MOST_COMPARED = 2500
/** Streets compared between two pauses. */
const COMPARED_AT_ONCE = 200
/** Streets of similar names that are told where there is none of the very name. */
const MOST_TOLD = 3
/** Writings of a street that are tried with every direction. */
const MOST_DIRECTED = 3
/** Letters of the name that must agree where no place was named. */
const WIDE_LETTERS = 6
const DIRECTIONS = [...new Set(DIRECTION_OF.values())]
const FRENCH = 'RUE AV AVENUE BOUL CH CHEMIN PL PLACE MONTEE RANG RTE ROUTE COTE ALLEE CROIS PROM'.split(' ')
/** Beginnings that files write otherwise than people: `SAINT CLAIR` and `ST CLAIR`. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ SAINT: 'ST', ST: 'SAINT', DOCTOR: 'DR', DR: 'DOCTOR', XING: 'CROSSING', MT: 'MOUNT' }),
  ...[...ORDINALS].map(([full, short]): [string, string] => [short, full])
])

export interface SimilarStreet {
  street: string
  /** 0 = the same in another writing. */
  far: number
}

/** The streets of the file that one question asks for. What was read stays until it is answered: readings ask again and again. */
export class Streets {
  readonly #table: AddressTable
  readonly #similar = new Map<string, SimilarStreet[]>()
  readonly #whole = new Map<string, string[]>()
  readonly #filed = new Map<string, FiledStreet>()

  constructor(table: AddressTable) {
    this.#table = table
  }

  /** Those of a place that are the one typed, in the writings that need no comparing. */
  asTyped(place: Where, typed: string): string[] {
    const variants = streetVariants(typed)
    return this.#table.existing('street', variants, place) ?? variants
  }

  /** Those of a place that are written as typed or almost so, nearest first: among those that begin alike, or among all. */
  *similar(place: Where, typed: string): Generator<void, SimilarStreet[]> {
    const key = `${keyOf(place)}|${typed}`
    const known = this.#similar.get(key)
    if (known !== undefined) return known
    const street = typedStreet(typed)
    const there = this.#table.existing('street', writings(typed, street), place) ?? []
    const found = nearestFirst([
      ...(yield* this.#compared(street, there)),
      ...(yield* this.#alikeBeginning(place, street))
    ])
    this.#similar.set(key, found)
    return found
  }

  /** With the first two letters; then among all of a small place; then with one letter, for when the first two are swapped or one is missing. */
  *#alikeBeginning(place: Where, street: TypedStreet): Generator<void, SimilarStreet[]> {
    // Without an index of streets every range is read whole: once is enough then.
    if (!this.#table.jumps('street', place)) return yield* this.#compared(street, yield* this.#all(place))
    const [twoLetters, ...oneLetter] = stages(street, place)
    const found = yield* this.#compared(street, yield* this.#beginning(place, twoLetters ?? []))
    if (found.length > 0) return found
    const all = yield* this.#all(place)
    const among = yield* this.#compared(street, all)
    if (among.length > 0 || all.length < MOST_COMPARED) return among
    for (const prefixes of oneLetter) {
      const alike = yield* this.#compared(street, yield* this.#beginning(place, prefixes))
      if (alike.length > 0) return alike
    }
    return []
  }

  /** The house in streets that are as typed but for a direction that was left out. */
  directed(place: Where, typed: string): string[] {
    const variants = streetVariants(typed).slice(0, MOST_DIRECTED)
    const names = DIRECTIONS.flatMap((way) => variants.flatMap((one) => [`${way} ${one}`, `${one} ${way}`]))
    return this.#table.existing('street', names, place) ?? []
  }

  /** The few of a place whose names come nearest to one that it has not. None is what was asked for. */
  *alike(place: Where, typed: string): Generator<void, string[]> {
    const found = yield* this.#compared(typedStreet(typed), yield* this.#all(place), loosely)
    return found.slice(0, MOST_TOLD).map(({ street }) => street)
  }

  /** Where no place was named: the same name, with a direction or a suffix that was left out. */
  *anywhere(place: Where, typed: string): Generator<void, string[]> {
    const there = this.asTyped(place, typed)
    const street = typedStreet(typed)
    if (there.length > 0 || !this.#table.jumps('street', place)) return there
    const beginnings = unique(street.keys.map(({ key }) => beginningOf(key.plain, 0, WIDE_LETTERS)))
    const names = yield* this.#beginning(
      place,
      beginnings.flatMap((beginning) => prefixesOf(place, beginning))
    )
    const found = yield* this.#compared(street, names, () => 0)
    return found.filter(({ far }) => far <= 1).map((one) => one.street)
  }

  *#beginning(place: Where, prefixes: readonly string[]): Generator<void, string[]> {
    const names: string[] = []
    for (const prefix of prefixes)
      names.push(...(yield* this.#read(place, { ...rangeOf(prefix), limit: MOST_STREETS })))
    return [...new Set(names)]
  }

  *#all(place: Where): Generator<void, string[]> {
    const key = keyOf(place)
    const names = this.#whole.get(key) ?? (yield* this.#read(place, { limit: MOST_COMPARED }))
    this.#whole.set(key, names)
    return names
  }

  #read(where: Where, range: Range): Generator<void, string[]> {
    return distinctSteps(this.#table, 'street', { where, range })
  }

  *#compared(typed: TypedStreet, names: readonly string[], most?: Allowed): Generator<void, SimilarStreet[]> {
    const found: SimilarStreet[] = []
    for (const [at, street] of names.entries()) {
      if (at % COMPARED_AT_ONCE === COMPARED_AT_ONCE - 1) yield
      const far = distanceTo(typed, this.#takenApart(street), most)
      if (far !== null) found.push({ street, far })
    }
    return nearestFirst(found)
  }

  #takenApart(street: string): FiledStreet {
    const filed = this.#filed.get(street) ?? filedStreet(street)
    this.#filed.set(street, filed)
    return filed
  }
}

function keyOf({ zipcode = '', state = '', city = '' }: Where): string {
  return `${zipcode}|${state}|${city}`
}

function writings(typed: string, { road }: TypedStreet): string[] {
  return road === null ? streetVariants(typed) : [...streetVariants(typed), ...roadVariants(road)]
}

/** Two letters, then one; then the second, for when the first two are swapped or the first is missing. */
function stages({ keys }: TypedStreet, place: Where): string[][] {
  const names = unique(keys.flatMap(({ key }) => [key.core, key.plain]))
  const all = names.flatMap((name) => [name, otherwise(name)])
  const prefixes = (from: number, to: number): string[] =>
    unique(all.map((name) => beginningOf(name, from, to))).flatMap((beginning) => prefixesOf(place, beginning))
  return [prefixes(0, 2), prefixes(0, 1), prefixes(1, 2)]
}

/** Letters of the first word that tells streets apart: every other street begins with a direction. */
function beginningOf(name: string, from: number, to: number): string {
  const [first = '', ...rest] = name.split(' ')
  if (rest.length === 0 || !DIRECTION_OF.has(first)) return name.slice(from, to).trim()
  return `${first} ${rest.join(' ').slice(from, to)}`.trim()
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)].filter((text) => text !== '')
}

function otherwise(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [OTHERWISE.get(first) ?? first, ...rest].join(' ')
}

function prefixesOf(place: Where, beginning: string): string[] {
  const types = isFrench(place) ? FRENCH : []
  return ['', ...DIRECTIONS, ...types].map((word) => (word === '' ? beginning : `${word} ${beginning}`))
}

/** None twice. */
function nearestFirst(streets: readonly SimilarStreet[]): SimilarStreet[] {
  const sorted = streets.toSorted((a, b) => a.far - b.far)
  return sorted.filter(({ street }, at) => sorted.findIndex((one) => one.street === street) === at)
}

function isFrench({ state, zipcode }: Where): boolean {
  return state === undefined ? /^[A-Z]/.test(zipcode ?? '') : ['QC', 'NB', 'ON', 'MB'].includes(state)
}
