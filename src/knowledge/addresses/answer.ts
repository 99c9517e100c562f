import { type Address, type AddressAnswer, addressOf, type Difference, type Outcome } from './address.ts'
import { cityVariants, zipVariants } from './city-names.ts'
import { type Hit, MOST_UNITS } from './hits.ts'
import type { Reading } from './parse.ts'
import { roadOf } from './roads.ts'
import type { Country } from './states.ts'
import { streetDistance } from './street-distance.ts'
import { type StreetKey, streetKey, streetKeys } from './street-key.ts'
import { streetVariants } from './street-variants.ts'
import { DIRECTION_OF, ORDINALS, SUFFIX_OF } from './street-words.ts'
import type { AddressTable } from './table.ts'

interface Shown {
  hit: Hit
  address: Address
  agreement: number
}

/** More rows than this are not compared with one another. */
const MOST_ROWS = 4 * MOST_UNITS

/** Fetches the best hits, orders them by how much of what was asked they have, and says what they have otherwise. */
export function answerOf(
  table: AddressTable,
  {
    hits,
    found,
    plus4,
    country,
    limit
  }: { hits: readonly Hit[]; found: Outcome; plus4: string; country: Country | null; limit: number }
): AddressAnswer {
  // Neighbours in streets of other names are no answer where the house itself is one.
  const wanted = found === 'house' ? hits.filter(({ match }) => match === 'house') : hits
  const shown = fetched(table, wanted)
    .filter(({ address }) => country === null || !isNamed(address.country) || address.country === country)
    .map((one): Shown => ({ ...one, agreement: agreement(one.address, one.hit.reading, plus4) }))
    .sort(
      (a, b) =>
        a.hit.cost - b.hit.cost ||
        a.hit.far - b.hit.far ||
        b.agreement - a.agreement ||
        a.address.street2.localeCompare(b.address.street2, 'en', { numeric: true })
    )
    .slice(0, limit)
  const [best] = shown
  // A row of another country is no answer to the question.
  if (best === undefined && hits.length > 0) return { found: 'nothing', differs: [], results: [] }
  const differs = best === undefined ? [] : differences(best.address, best.hit.reading)
  return { found, differs, results: shown.map(({ hit, address }) => ({ ...address, match: hit.match })) }
}

function fetched(table: AddressTable, hits: readonly Hit[]): { hit: Hit; address: Address }[] {
  const nearest = hits.toSorted((a, b) => a.cost - b.cost || a.far - b.far).slice(0, MOST_ROWS)
  const seen = new Set<number>()
  return nearest.flatMap((hit) => {
    if (seen.has(hit.id)) return []
    seen.add(hit.id)
    return table.rows([hit.id]).map((row) => ({ hit, address: addressOf(row) }))
  })
}

/** Rows of other countries than these two tell nothing about the country that was asked for. */
function isNamed(country: string): country is Country {
  return country === 'US' || country === 'CA'
}

const sameCity = (address: Address, { city }: Reading): boolean => cityVariants(city).includes(address.city)
const sameZip = (address: Address, { zip }: Reading): boolean => zipVariants(zip).includes(address.zipcode)

/** The agreement of a row with the question besides number and street. */
function agreement(address: Address, reading: Reading, plus4: string): number {
  const city = reading.city !== '' && sameCity(address, reading) ? 4 : 0
  const code = reading.zip !== '' && sameZip(address, reading) ? 4 : 0
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

/** The parts that were asked and are otherwise in the file. One that was left out is no difference. */
function differences(address: Address, reading: Reading): Difference[] {
  const { number, unit, city, state, zip } = reading
  const street = reading.typed === '' ? [] : streetDifferences(reading.typed, address.street)
  return [
    ...(number !== '' && number !== address.number ? ['number' as const] : []),
    ...(unit !== '' && number === address.number && unitAgreement(address.street2, unit) === 0
      ? ['unit' as const]
      : []),
    ...street,
    ...(city !== '' && !sameCity(address, reading) ? ['city' as const] : []),
    ...(state !== '' && state !== address.state ? ['state' as const] : []),
    ...(zip !== '' && !sameZip(address, reading) ? ['zip' as const] : [])
  ]
}

/** One writing for each word: `WEST 400 SOUTH` is `W 400 S`. */
function canonical(street: string): string {
  const words = street.split(/[ -]+/)
  return words.map((word) => DIRECTION_OF.get(word) ?? ORDINALS.get(word) ?? SUFFIX_OF.get(word) ?? word).join(' ')
}

function streetDifferences(typed: string, filed: string): Difference[] {
  if (canonical(typed) === canonical(filed) || streetVariants(typed).includes(filed)) return []
  const [road, other] = [roadOf(typed), roadOf(filed)]
  if (road !== null && other !== null) {
    if (road.number !== other.number) return ['street']
    return road.kind === other.kind || road.kind === 'any' || other.kind === 'any' ? [] : ['type']
  }
  const key = streetKey(filed)
  const exactly = (): number => 0
  const [nearest] = streetKeys(typed)
    .map((one) => ({ one, far: streetDistance(one, key, exactly) }))
    .filter((pair): pair is { one: StreetKey; far: number } => pair.far !== null)
    .sort((a, b) => a.far - b.far)
  if (nearest === undefined) return ['street']
  const differs = (a: string, b: string): boolean => a !== '' && b !== '' && a !== b
  return [
    ...(differs(nearest.one.suffix, key.suffix) ? ['type' as const] : []),
    ...(differs(nearest.one.direction, key.direction) ? ['direction' as const] : [])
  ]
}
