import { type StreetKey, streetDistance, streetKey } from './street-key.ts'
import { DIRECTION_OF } from './street-words.ts'
import { type AddressTable, rangeOf, type Where } from './table.ts'

/** Different streets read for one beginning. */
const MOST_STREETS = 1500
const DIRECTIONS = [...new Set(DIRECTION_OF.values())]
const FRENCH = 'RUE AV AVENUE BOUL CH CHEMIN PL PLACE MONTEE RANG RTE ROUTE COTE ALLEE CROIS PROM'.split(' ')

export interface SimilarStreet {
  street: string
  /** 0 = the same in another writing. */
  far: number
}

/** Streets of a place that are written almost as typed, nearest first. Reads the streets that begin alike, not all of them. */
export function similarStreets(table: AddressTable, place: Where, typed: string): SimilarStreet[] {
  const key = streetKey(typed)
  if (key.core === '') return []
  const [first = '', second = ''] = key.core
  // Two letters, then one; then the second, for when the first two are swapped or the first is missing.
  const beginnings = [`${first}${second}`.trim(), first, second.trim()]
  const tried = new Set<string>()
  for (const beginning of beginnings) {
    if (beginning === '' || tried.has(beginning)) continue
    tried.add(beginning)
    const found = streetsBeginning(table, place, { beginning, key })
    if (found.length > 0) return found
  }
  return []
}

function streetsBeginning(
  table: AddressTable,
  place: Where,
  { beginning, key }: { beginning: string; key: StreetKey }
): SimilarStreet[] {
  const types = isFrench(place) ? FRENCH : []
  const prefixes = ['', ...DIRECTIONS, ...types].map((word) => (word === '' ? beginning : `${word} ${beginning}`))
  const found = new Map<string, number>()
  for (const prefix of prefixes) {
    for (const street of table.distinct('street', place, { ...rangeOf(prefix), limit: MOST_STREETS })) {
      const far = streetDistance(key, streetKey(street))
      if (far !== null) found.set(street, far)
    }
  }
  return [...found].map(([street, far]) => ({ street, far })).sort((a, b) => a.far - b.far)
}

function isFrench({ state, zipcode }: Where): boolean {
  return state === undefined ? /^[A-Z]/.test(zipcode ?? '') : ['QC', 'NB', 'ON', 'MB'].includes(state)
}
