import { FIELDS, type RawAddress } from '../../../src/knowledge/addresses/raw-address.ts'
import { CITIES, COMMON, HIGHWAYS, LONG, OWNERS, POINTS, SAINTS, SUFFIX_NAMES, TWO_WORDS } from './world-names.ts'

/** A made-up country as address files describe one: the same names in many cities, with several types and directions. */
export interface World {
  cities: readonly City[]
  random: Random
}

export interface City {
  name: string
  state: string
  zips: readonly string[]
  streets: readonly Street[]
}

export type StreetKind = 'common' | 'ordinal' | 'suffix' | 'point' | 'saint' | 'owner' | 'highway'

export interface Street {
  kind: StreetKind
  /** `N`, or empty. */
  direction: string
  /** `ORCHARD`. */
  name: string
  /** `ST`, or empty. */
  type: string
  zip: string
  houses: readonly House[]
}

export interface House {
  number: string
  /** Without the name of a part: `4`; empty = the house alone. */
  unit: string
}

export interface Random {
  below: (count: number) => number
  pick: <T>(list: readonly T[]) => T
  chance: (share: number) => boolean
  /** Some of a list, none twice. */
  some: <T>(list: readonly T[], count: number) => T[]
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32: small, and good enough for tables.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const some = <T>(list: readonly T[], count: number): T[] => {
    const left = [...list]
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0] as T)
  }
  return { below, pick, some, chance: (share) => next() < share }
}

/** The street as the post writes it, which is how the importer files it. */
export function filed({ direction, name, type }: Pick<Street, 'direction' | 'name' | 'type'>): string {
  return [direction, name, type].filter((part) => part !== '').join(' ')
}

/** `houses` is how many a street has in the mean: the size of the file follows from it. */
export function makeWorld(seed: number, houses = 9): World {
  const random = randomFrom(seed)
  const cities = random.some(CITIES, 44).map((line, at) => {
    const [name = '', state = ''] = line.split(', ')
    const first = { ID: 83_200, UT: 84_000, OR: 97_000, WA: 98_000, MT: 59_000 }[state] ?? 10_000
    const zips = Array.from({ length: 1 + random.below(3) }, (_, next) => String(first + at * 4 + next))
    return { name, state, zips, streets: streetsOf(random, zips, houses) }
  })
  return { cities, random }
}

const TYPES = ['ST', 'ST', 'ST', 'AVE', 'AVE', 'RD', 'DR', 'LN', 'CT', 'BLVD', 'WAY', 'PL', 'CIR']
const DIRECTIONS = ['', '', '', 'N', 'S', 'E', 'W']

function streetsOf(random: Random, zips: readonly string[], houses: number): Street[] {
  const ordinals = random.some(
    Array.from({ length: 24 }, (_, at) => ordinal(at + 1)),
    6
  )
  const names: [StreetKind, string[]][] = [
    ['common', random.some(COMMON, 24)],
    ['common', random.some(TWO_WORDS, 5)],
    ['ordinal', ordinals],
    ['suffix', random.some(SUFFIX_NAMES, 6)],
    ['saint', random.some(SAINTS, 2)],
    ['owner', random.some(OWNERS, 2)]
  ]
  const streets = names.flatMap(([kind, list]) => list.flatMap((name) => siblings(random, kind, name)))
  streets.push(...random.some(POINTS, 2).map((point) => parted('point', point)))
  streets.push(...random.some(HIGHWAYS, 2).map((list) => parted('highway', `|${random.pick(list)}|`)))
  const known = new Set<string>()
  return streets
    .filter((street) => !known.has(filed(street)) && known.add(filed(street)) !== null)
    .map((street) => ({ ...street, zip: random.pick(zips), houses: housesOf(random, houses) }))
}

function parted(kind: StreetKind, line: string): Omit<Street, 'zip' | 'houses'> {
  const [direction = '', name = '', type = ''] = line.split('|')
  return { kind, direction, name, type }
}

/** A street, and now and then others of the same name: `N MAIN ST`, `S MAIN ST`, `MAIN CT`. */
function siblings(random: Random, kind: StreetKind, name: string): Omit<Street, 'zip' | 'houses'>[] {
  const first = { kind, direction: random.pick(DIRECTIONS), name, type: random.pick(TYPES) }
  const opposite = ({ N: 'S', S: 'N', E: 'W', W: 'E' } as Record<string, string>)[first.direction]
  return [
    first,
    ...(random.chance(0.2) ? [{ ...first, type: random.pick(TYPES) }] : []),
    ...(opposite !== undefined && random.chance(0.4) ? [{ ...first, direction: opposite }] : [])
  ]
}

function housesOf(random: Random, mean: number): House[] {
  const first = random.below(45) * 100 + 2 + random.below(30)
  const step = 4 + 2 * random.below(6)
  return Array.from({ length: 4 + random.below(2 * mean - 8) }, (_, at) => String(first + at * step)).flatMap(
    (number): House[] => {
      if (random.chance(0.02)) return [{ number: `${number} 1/2`, unit: '' }]
      if (!random.chance(0.06)) return [{ number, unit: '' }]
      return ['', '1', '2', '3', '4'].map((unit) => ({ number, unit }))
    }
  )
}

export function ordinal(count: number): string {
  const ending = count > 10 && count < 14 ? 'TH' : (['TH', 'ST', 'ND', 'RD'][count % 10] ?? 'TH')
  return `${count}${ending}`
}

/** Every row as a file has it: some write words in full, some as the post does. */
export function* rowsOf({ cities, random }: World): Generator<RawAddress> {
  const empty = Object.fromEntries(FIELDS.map((field) => [field, ''])) as RawAddress
  for (const { name: city, state, streets } of cities)
    for (const street of streets) {
      const inFull = street.kind !== 'highway' && random.chance(0.3)
      const written = inFull
        ? filed({ direction: LONG[street.direction] ?? '', name: street.name, type: LONG[street.type] ?? '' })
        : filed(street)
      for (const { number, unit } of street.houses)
        yield {
          ...empty,
          ...{ number, street: written, street2: unit === '' ? '' : `Apt ${unit}`, city, state },
          ...{ zipcode: street.zip, plus4: String(1000 + (Number.parseInt(number, 10) % 9000)) },
          ...{ latitude: '43.5', longitude: '-116.25', source: 'MADE' }
        }
    }
}
