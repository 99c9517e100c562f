import { roadVariants } from './roads.ts'
import { distanceTo, loosely, type TypedStreet, typedStreet } from './street-distance.ts'
import { streetVariants } from './street-variants.ts'
import { DIRECTION_OF, ORDINALS } from './street-words.ts'
import { type AddressTable, distinctSteps, type Range, rangeOf, type Where } from './table.ts'

/** Different streets read for one beginning. */
const MOST_STREETS = 1500
/** Different streets of a place that are compared when none begins alike. */
const MOST_COMPARED = 2500
/** Streets of similar names that are told where there is none of the very name. */
const MOST_TOLD = 3
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

/** Streets of a place that are written as typed or almost so, nearest first. Reads those that begin alike, or all of a small place. */
export function* similarStreets(table: AddressTable, place: Where, typed: string): Generator<void, SimilarStreet[]> {
  const street = typedStreet(typed)
  const found = new Map<string, number>()
  const take = (names: readonly string[]): void => {
    for (const name of names) note(found, name, distanceTo(street, name))
  }
  take(table.existing('street', writings(typed, street), place) ?? [])
  const tried = new Set<string>()
  // Without an index of streets every range is read whole: once is enough then.
  for (const beginnings of table.jumps('street', place) ? stages(street) : []) {
    const prefixes = beginnings.flatMap((beginning) => prefixesOf(place, beginning)).filter((one) => !tried.has(one))
    for (const prefix of new Set(prefixes)) {
      tried.add(prefix)
      take(yield* streetsFrom(table, place, { ...rangeOf(prefix), limit: MOST_STREETS }))
    }
    if (found.size > 0) return nearestFirst(found)
  }
  take(yield* streetsFrom(table, place, { limit: MOST_COMPARED }))
  return nearestFirst(found)
}

/** The few streets of a place whose names come nearest to one that it has not. None is what was asked for. */
export function* streetsAlike(table: AddressTable, place: Where, typed: string): Generator<void, string[]> {
  const street = typedStreet(typed)
  const found = new Map<string, number>()
  for (const name of yield* streetsFrom(table, place, { limit: MOST_COMPARED }))
    note(found, name, distanceTo(street, name, loosely))
  return nearestFirst(found)
    .slice(0, MOST_TOLD)
    .map((one) => one.street)
}

function writings(typed: string, { road }: TypedStreet): string[] {
  return road === null ? streetVariants(typed) : [...streetVariants(typed), ...roadVariants(road)]
}

/** Two letters, then one; then the second, for when the first two are swapped or the first is missing. */
function stages({ keys }: TypedStreet): string[][] {
  const names = new Set(keys.flatMap(({ core, plain }) => [core, plain]).filter((name) => name !== ''))
  const all = [...names].flatMap((name) => [name, otherwise(name)])
  const unique = (list: string[]): string[] => [...new Set(list)].filter((text) => text !== '')
  return [
    unique(all.map((name) => name.slice(0, 2).trim())),
    unique(all.map((name) => name.slice(0, 1))),
    unique(all.map((name) => name.slice(1, 2).trim()))
  ]
}

function otherwise(name: string): string {
  const [first = '', ...rest] = name.split(' ')
  return [OTHERWISE.get(first) ?? first, ...rest].join(' ')
}

function prefixesOf(place: Where, beginning: string): string[] {
  const types = isFrench(place) ? FRENCH : []
  return ['', ...DIRECTIONS, ...types].map((word) => (word === '' ? beginning : `${word} ${beginning}`))
}

function streetsFrom(table: AddressTable, where: Where, range: Range): Generator<void, string[]> {
  return distinctSteps(table, 'street', { where, range })
}

function note(found: Map<string, number>, street: string, far: number | null): void {
  if (far !== null) found.set(street, far)
}

function nearestFirst(found: ReadonlyMap<string, number>): SimilarStreet[] {
  return [...found].map(([street, far]) => ({ street, far })).sort((a, b) => a.far - b.far)
}

function isFrench({ state, zipcode }: Where): boolean {
  return state === undefined ? /^[A-Z]/.test(zipcode ?? '') : ['QC', 'NB', 'ON', 'MB'].includes(state)
}
