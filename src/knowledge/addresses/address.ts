import type { Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'

/** One address as `GET /api/address-db/lookup` answers it (contract §10). Coordinates are WGS 84 degrees; null in the lite edition. */
export interface Address {
  number: string
  street: string
  street2: string
  city: string
  state: string
  zipcode: string
  plus4: string
  country: string
  lat: number | null
  lon: number | null
  source: string | null
}

/**
 * The state of an answer. `nearest_house`: the street is there, the number is not, and a house of the same
 * hundred is; `no_house`: none is near. `unfinished`: the search was given up, so nothing is known.
 */
export const OUTCOMES = [
  ...(['house', 'nearest_house', 'no_house', 'street', 'place'] as const),
  ...(['no_street', 'no_place', 'nothing', 'unfinished'] as const)
] as const
export type Outcome = (typeof OUTCOMES)[number]

/**
 * The relation of a result to the question. `near_street`: of a street that is only written alike; `elsewhere`: the street, in
 * another place than was asked.
 */
export const MATCHES = ['house', 'near_house', 'street', 'place', 'near_street', 'elsewhere'] as const
export type Match = (typeof MATCHES)[number]

/** Parts of a question that its first result has otherwise. */
export const DIFFERENCES = ['number', 'unit', 'street', 'type', 'direction', 'city', 'state', 'zip'] as const
export type Difference = (typeof DIFFERENCES)[number]

export interface Found extends Address {
  match: Match
}

export interface AddressAnswer {
  found: Outcome
  differs: Difference[]
  /** Best first. */
  results: Found[]
}

const text = (value: SqlValue | undefined): string => (value === null || value === undefined ? '' : String(value))

function degrees(value: SqlValue | undefined, most: number): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) && Math.abs(number) <= most ? number : null
}

/** A row of the table, whatever columns it has. Nowhere (0, 0) is not a place. */
export function addressOf(row: Row): Address {
  const lat = degrees(row['latitude'], 90)
  const lon = degrees(row['longitude'], 180)
  const known = lat !== null && lon !== null && !(lat === 0 && lon === 0)
  return {
    number: text(row['number']),
    street: text(row['street']),
    street2: text(row['street2']),
    city: text(row['city']),
    state: text(row['state']),
    zipcode: text(row['zipcode']),
    plus4: text(row['plus4']),
    country: text(row['country']),
    lat: known ? lat : null,
    lon: known ? lon : null,
    source: row['source'] === undefined || row['source'] === null ? null : text(row['source'])
  }
}

/** One line, as on an envelope. */
export function addressLine({ number, street, street2, city, state, zipcode }: Address): string {
  const first = [number, street, street2].filter((part) => part !== '').join(' ')
  const region = [state, zipcode].filter((part) => part !== '').join(' ')
  return [first, city, region].filter((part) => part !== '').join(', ')
}

/** The number a house number begins with; null when it begins with none. */
export function houseNumber(number: string): number | null {
  const digits = /^\d{1,9}/.exec(number)
  return digits === null ? null : Number(digits[0])
}
