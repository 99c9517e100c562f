import { houseNumber, type Match } from './address.ts'
import type { Reading } from './parse.ts'
import type { AddressTable, Where } from './table.ts'

/** A row that was found, and what it is ranked by: lower is better. */
export interface Hit {
  id: number
  match: Match
  /** How much else the file has than was asked: see `COST`. */
  cost: number
  /** House numbers between the one that was asked and this one. */
  far: number
  reading: Reading
}

/**
 * The weight of each difference, in the measure of `streetDistance`: a missing house weighs more than a part of the street that was left out,
 * and less than another type of street; no house near weighs more than that. A typing error is 2.
 */
export const COST = { leftOut: 0.5, nearHouse: 1.2, noHouse: 1.8, cityError: 2 } as const
/** Houses of one hundred are neighbours. */
const NEAR = 100
/** House numbers read of one street. */
const MOST_NUMBERS = 2000
/** Rows looked at for one address: all units of a building. */
export const MOST_UNITS = 60

/** The houses of a street that answer a reading: the very house, else its neighbours; without a number the first ones. */
export function housesOf(
  table: AddressTable,
  where: Where,
  { reading, cost, limit }: { reading: Reading; cost: number; limit: number }
): Hit[] {
  if (reading.number === '') return firstHouses(table, where, { reading, cost, limit })
  const exact = exactHouses(table, where, { reading, cost })
  return exact.length > 0 ? exact : neighbours(table, where, { reading, cost, limit })
}

export function exactHouses(
  table: AddressTable,
  where: Where,
  { reading, cost }: { reading: Reading; cost: number }
): Hit[] {
  return table
    .ids({ ...where, number: reading.number }, MOST_UNITS)
    .map((id): Hit => ({ id, match: 'house', cost, far: 0, reading }))
}

function neighbours(
  table: AddressTable,
  where: Where,
  { reading, cost, limit }: { reading: Reading; cost: number; limit: number }
): Hit[] {
  const wanted = houseNumber(reading.number) ?? 0
  return table
    .numbers(where, MOST_NUMBERS)
    .map(({ id, number }): Hit => {
      const far = Math.abs((houseNumber(number) ?? Number.MAX_SAFE_INTEGER) - wanted)
      const missing = far <= NEAR ? COST.nearHouse : COST.noHouse
      return { id, match: far <= NEAR ? 'near_house' : 'street', cost: cost + missing, far, reading }
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
}

/** From the lowest number on. */
export function firstHouses(
  table: AddressTable,
  where: Where,
  { reading, cost, limit }: { reading: Reading; cost: number; limit: number }
): Hit[] {
  return table
    .numbers(where, MOST_NUMBERS)
    .map(({ id, number }): Hit => {
      return { id, match: 'street', cost, far: houseNumber(number) ?? Number.MAX_SAFE_INTEGER, reading }
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, limit)
}
