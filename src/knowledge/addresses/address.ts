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
 * The degree to which an address matches. `near`: the same street, another number. `similar`: a street written almost
 * so.
 */
export type Match = 'exact' | 'near' | 'similar' | 'street' | 'zip' | 'city'

export interface Found extends Address {
  match: Match
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
