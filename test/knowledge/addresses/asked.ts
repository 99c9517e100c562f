import { distance } from '../../../src/knowledge/addresses/distance.ts'
import { type City, filed, type House, type Random, randomFrom, type Street, type World } from './world.ts'
import { cityWords, mistyped, titled, written } from './writing.ts'

/** A question as somebody may ask it, and what is right: decided by how the file was made, not by what finds in it. */
export interface Asked {
  kind: string
  q: string
  /** The state of the answer. */
  found: string
  /** `132 N 8TH ST, BOISE ID`: one of these stands first, `*` for anything. Empty = nothing stands there as if it were an answer. */
  first: readonly string[]
}

interface Row {
  city: City
  street: Street
  house: House
  random: Random
  world: World
}

/** Null: this row cannot ask so without a doubt about what is right. */
type Ask = (row: Row) => Omit<Asked, 'kind'> | null

export const answerOf = ({ name, state }: City, street: Street, number: string): string =>
  `${number} ${filed(street)}, ${name} ${state}`

const plain = (name: string): string => name.replace(/\bSAINT\b/g, 'ST')
const sameName = (city: City, street: Street): Street[] =>
  city.streets.filter(({ name }) => plain(name) === plain(street.name))
const has = (street: Street, number: string): boolean => street.houses.some((house) => house.number === number)
const cityAlone = (row: Row): boolean => row.world.cities.filter(({ name }) => name === row.city.name).length === 1

/** The house, in every street of the city that what was asked allows. Null when one of them lacks the number. */
function houses({ city, street, house }: Row, allows: (one: Street) => boolean): string[] | null {
  const streets = sameName(city, street).filter(allows)
  // A street that is exactly what was typed goes first, with or without the number.
  return streets.every((one) => has(one, house.number)) ? streets.map((one) => answerOf(city, one, house.number)) : null
}

const theHouse = (row: Row, q: string): Omit<Asked, 'kind'> => ({
  q,
  found: 'house',
  first: [answerOf(row.city, row.street, row.house.number)]
})

const place = ({ city, street }: Row): string => `${titled(cityWords(city.name))}, ${city.state} ${street.zip}`

/** With a part of the street left out: allowed are those that differ in this part alone. */
function without(part: 'type' | 'direction' | 'both', row: Row, q: string): Omit<Asked, 'kind'> | null {
  const { street } = row
  if (part !== 'direction' && (street.type === '' || street.kind === 'point')) return null
  if (part !== 'type' && street.direction === '') return null
  const first = houses(row, ({ direction, type }) => {
    const way = part === 'direction' || part === 'both' || direction === street.direction
    return way && (part === 'type' || part === 'both' || type === street.type)
  })
  return first === null || !cityAlone(row) ? null : { q, found: 'house', first }
}

/** Names of streets in the city that are as near as two typing errors. */
function alike(city: City, name: string): string[] {
  return city.streets.map((street) => street.name).filter((other) => distance(other, name, 2) <= 2)
}

const STATES: Readonly<Record<string, string>> = {
  ...{ ID: 'Idaho', UT: 'Utah', OR: 'Oregon', WA: 'Washington', MT: 'Montana' }
}
const NOWHERE =
  'Quibblewick|East River Runway|Zanzibar|Tumbleweed Junction|Old Quarrymans|Nightingale|Buttercup|Thistledown|Xylophone|Gunpowder'.split(
    '|'
  )
const NO_CITY = 'Gotham|Xanadu|Timbuktu|Smallville|New Atlantis|Brigadoon|Springfield|Hobbiton'.split('|')

const KINDS: Readonly<Record<string, Ask>> = {
  exact: (row) => theHouse(row, `${row.house.number} ${titled(written(row.street, 'full'))}, ${place(row)}`),
  abbreviated: (row) => theHouse(row, `${row.house.number} ${titled(written(row.street, 'short'))}, ${place(row)}`),
  dots: (row) => theHouse(row, `${row.house.number} ${titled(written(row.street, 'dots'))}, ${place(row)}`),
  'lower case': (row) =>
    theHouse(row, `${row.house.number} ${written(row.street, 'short')} ${place(row)}`.replace(',', '').toLowerCase()),
  'ZIP only': (row) => theHouse(row, `${row.house.number} ${titled(written(row.street, 'full'))} ${row.street.zip}`),
  'no ZIP': (row) =>
    theHouse(
      row,
      `${row.house.number} ${titled(written(row.street, 'full'))}${row.random.pick([', ', ' '])}${titled(row.city.name)} ${row.city.state}`
    ),
  'ZIP+4': (row) =>
    theHouse(
      row,
      `${row.house.number} ${titled(written(row.street, 'short'))}, ${place(row)}-${1000 + (Number.parseInt(row.house.number, 10) % 9000)}`
    ),
  'state spelled': (row) =>
    theHouse(
      row,
      `${row.house.number} ${titled(written(row.street, 'short'))}, ${titled(cityWords(row.city.name))}, ${STATES[row.city.state]}`
    ),
  unit: (row) => {
    const { house, random, street } = row
    if (house.unit === '') return null
    const unit = random.pick([`Apt ${house.unit}`, `#${house.unit}`, `Unit ${house.unit}`, `apartment ${house.unit}`])
    const q = `${house.number} ${titled(written(street, 'short'))}${random.pick([' ', ', '])}${unit}, ${place(row)}`
    const first = `${house.number} ${filed(street)} APT ${house.unit}, ${row.city.name} ${row.city.state}`
    return { q, found: 'house', first: [first] }
  },
  'no type': (row) =>
    without(
      'type',
      row,
      `${row.house.number} ${titled(written({ ...row.street, type: '' }, 'short'))}, ${titled(row.city.name)}`
    ),
  'no direction': (row) =>
    without(
      'direction',
      row,
      `${row.house.number} ${titled(written({ ...row.street, direction: '' }, 'full'))}, ${titled(row.city.name)}`
    ),
  partial: (row) => without('both', row, `${row.house.number} ${titled(row.street.name)} ${titled(row.city.name)}`),
  'wrong type': (row) => {
    const { city, street, house, random } = row
    const types = sameName(city, street).map(({ type }) => type)
    if (street.type === '' || street.kind === 'point' || street.kind === 'highway') return null
    const type = random.pick(['ST', 'AVE', 'RD', 'DR', 'LN'].filter((one) => !types.includes(one)))
    const first = houses(row, ({ direction }) => direction === street.direction)
    const q = `${house.number} ${titled(written({ ...street, type }, 'full'))}, ${place(row)}`
    return first === null || type === undefined ? null : { q, found: 'house', first }
  },
  'typo street': (row) => {
    const { city, street, random } = row
    const name = mistyped(random, street.name)
    if (name === null || alike(city, name).some((other) => other !== street.name)) return null
    return theHouse(row, `${row.house.number} ${titled(written({ ...street, name }, 'short'))}, ${place(row)}`)
  },
  'typo city': (row) => {
    const { city, world, random } = row
    const name = mistyped(random, city.name)
    const others = world.cities.filter((other) => name !== null && distance(other.name, name, 2) <= 2)
    if (name === null || others.length !== 1 || city.name === 'WASHINGTON') return null
    return theHouse(row, `${row.house.number} ${titled(written(row.street, 'full'))}, ${titled(name)}, ${city.state}`)
  },
  'city first': (row) => {
    const { city, street, house, random } = row
    const name = titled(cityWords(city.name))
    const line = `${house.number} ${titled(written(street, random.pick(['full', 'short'])))}`
    const alone = [`${name}, ${line}`, `${name} ${line}`]
    const told = [
      ...[`${name}, ${city.state} ${street.zip}, ${line}`, `${street.zip} ${name}, ${line}`, `${street.zip}, ${line}`],
      ...[`${name} ${city.state} ${line}`, `${name}, ${STATES[city.state]}, ${line}`, `${street.zip} ${name} ${line}`]
    ]
    return theHouse(row, random.pick(cityAlone(row) ? [...alone, ...alone, ...told] : told))
  },
  'street and number': (row) => {
    const { city, street, house, random } = row
    if (street.kind === 'highway') return null
    const line = `${titled(written(street, 'full'))} ${house.number}`
    const name = titled(city.name)
    return theHouse(row, random.pick([`${line}, ${street.zip} ${name}`, `${line}, ${name}, ${city.state}`]))
  },
  'suffix word': (row) => {
    const { street, city, random } = row
    if (street.kind !== 'suffix') return null
    if (random.chance(0.4))
      return theHouse(row, `${row.house.number} ${titled(written(street, 'full'))}, ${place(row)}`)
    const q = `${row.house.number} ${titled(written({ ...street, type: '' }, random.pick(['full', 'short'])))}, ${titled(city.name)}`
    return without('type', row, q)
  },
  'direction as a name': (row) =>
    row.street.kind === 'point'
      ? theHouse(
          row,
          `${row.house.number} ${titled(written(row.street, row.random.pick(['full', 'short'])))}, ${place(row)}`
        )
      : null,
  ordinal: (row) => {
    if (row.street.kind !== 'ordinal') return null
    const line = titled(written(row.street, 'spelled'))
    return theHouse(row, `${row.house.number} ${line}, ${titled(row.city.name)}, ${row.city.state}`)
  },
  highway: (row) => {
    const { street, house, city, random } = row
    if (street.kind !== 'highway') return null
    const q = random.pick([
      `${house.number} ${written(street, 'highway')}, ${titled(city.name)}, ${city.state}`,
      `${titled(city.name)} ${city.state}, ${house.number} ${written(street, 'highway')}`
    ])
    return theHouse(row, q)
  },
  'saint or owner': (row) =>
    row.street.kind === 'saint' || row.street.kind === 'owner'
      ? theHouse(row, `${row.house.number} ${titled(written(row.street, 'full'))}, ${place(row)}`)
      : null,
  'half a number': (row) => {
    if (!row.house.number.endsWith('1/2')) return null
    const number = row.random.pick([row.house.number, row.house.number.replace(' 1/2', '½')])
    return theHouse(row, `${number} ${titled(written(row.street, 'short'))}, ${place(row)}`)
  },
  'street alone': ({ city, street, random }) => {
    const first = [answerOf(city, street, '*')]
    const line = titled(written(street, 'full'))
    const name = `${titled(city.name)} ${city.state}`
    return { q: random.pick([`${line}, ${name}`, `${line} ${name}`, `${name}, ${line}`]), found: 'street', first }
  },
  place: ({ city, street, random }) => {
    const texts = [`${titled(city.name)}, ${city.state}`, `${titled(city.name)} ${STATES[city.state]}`]
    const q = random.pick([...texts, street.zip, `${titled(city.name)} ${city.state} ${street.zip}`])
    return { q, found: 'place', first: [`*, ${city.name} ${city.state}`] }
  },
  'unknown street': (row) => {
    const { city, random } = row
    const name = random.pick(NOWHERE)
    const line = `${10 + random.below(900)} ${name} ${random.pick(['St', 'Avenue', 'Rd', 'Drive'])}`
    const q = random.pick([
      `${line}, ${place(row)}`,
      `${line}, ${titled(city.name)}, ${city.state}`,
      `${line} ${place(row)}`
    ])
    return { q, found: 'no_street', first: [] }
  },
  'street of another city': (row) => {
    const { city, street, house, world, random } = row
    const other = random.pick(world.cities)
    const strange = !['highway', 'point'].includes(street.kind) && alike(other, street.name).length === 0
    const part = other.streets.some(({ name }) => name.includes(street.name) || street.name.includes(name))
    if (other === city || !strange || part || plain(street.name) !== street.name) return null
    const q = `${house.number} ${titled(written(street, 'full'))}, ${titled(other.name)}, ${other.state}`
    return { q, found: 'no_street', first: [] }
  },
  'unknown city': (row) => {
    const { street, house, random, city } = row
    const line = `${house.number} ${titled(written(street, 'full'))}`
    const name = random.pick(NO_CITY)
    const q = random.pick([`${line}, ${name}`, `${line}, ${name}, ${city.state}`, `${name}, ${line}`, `${line} 99950`])
    return { q, found: 'no_place', first: [] }
  },
  'city first, parts left out': (row) => {
    const { city, street, house, random } = row
    const name = titled(city.name)
    const short = `${house.number} ${titled(written({ ...street, type: '' }, 'short'))}`
    const bare = `${house.number} ${titled(street.name)}`
    const q = random.pick([`${name} ${short}`, `${name}, ${short}`, `${name} ${short}`.toLowerCase()])
    return random.chance(0.5) ? without('type', row, q) : without('both', row, `${name}, ${bare}`)
  },
  'wrong direction': (row) => {
    const { city, street, house } = row
    const other = { N: 'E', S: 'W', E: 'N', W: 'S' }[street.direction]
    if (other === undefined || street.kind === 'point') return null
    if (sameName(city, street).some((one) => one.direction === other)) return null
    const first = houses(row, ({ type }) => type === street.type)
    const q = `${house.number} ${titled(written({ ...street, direction: other }, 'full'))}, ${place(row)}`
    return first === null ? null : { q, found: 'house', first }
  },
  'wrong ZIP': (row) => {
    const { city, street, world, random } = row
    const other = random.pick(world.cities)
    if (other === city || other.streets.some(({ name }) => alike({ ...city, streets: [street] }, name).length > 0))
      return null
    const line = `${row.house.number} ${titled(written(street, 'short'))}`
    return theHouse(row, `${line}, ${titled(city.name)}, ${city.state} ${random.pick(other.zips)}`)
  },
  'typo and parts left out': (row) => {
    const { city, street, house, random } = row
    const name = mistyped(random, street.name)
    if (name === null || alike(city, name).some((other) => plain(other) !== plain(street.name))) return null
    return without('both', row, `${house.number} ${titled(name)}, ${titled(city.name)}`)
  },
  'typos in both': (row) => {
    const { city, street, house, world, random } = row
    const name = mistyped(random, street.name)
    const town = mistyped(random, city.name)
    if (name === null || town === null || city.name === 'WASHINGTON') return null
    const others = world.cities.filter((other) => distance(other.name, town, 2) <= 2)
    if (others.length !== 1 || alike(city, name).some((other) => other !== street.name)) return null
    return theHouse(
      row,
      `${house.number} ${titled(written({ ...street, name }, 'full'))}, ${titled(town)}, ${city.state}`
    )
  },
  'unit in front or behind': (row) => {
    const { house, street, city, random } = row
    if (house.unit === '') return null
    const line = `${house.number} ${titled(written(street, 'full'))}`
    const q = random.pick([
      ...[`Apt ${house.unit}, ${line}, ${place(row)}`, `${line} Apt ${house.unit} ${place(row)}`],
      ...[`${place(row)}, ${line} #${house.unit}`, `${line} apt. ${house.unit}, ${titled(city.name)} ${city.state}`]
    ])
    const first = `${house.number} ${filed(street)} APT ${house.unit}, ${city.name} ${city.state}`
    return { q, found: 'house', first: [first] }
  },
  'as on a map': (row) => {
    const { city, street, house } = row
    const line = `${house.number} ${titled(written(street, 'full'))}`
    return theHouse(
      row,
      `${line}, ${titled(city.name)}, Made County, ${STATES[city.state]}, ${street.zip}, United States`
    )
  },
  'unknown street, city first': ({ city, random }) => {
    const line = `${10 + random.below(900)} ${random.pick(NOWHERE)}${random.pick(['', ' St', ' Avenue'])}`
    const name = titled(city.name)
    const q = random.pick([
      `${name}, ${line}`,
      `${name} ${city.state}, ${line}`,
      `${name} ${line}`,
      `${city.zips[0]}, ${line}`
    ])
    return { q, found: 'no_street', first: [] }
  },
  'unknown street, no type': ({ city, random }) => {
    const line = `${10 + random.below(900)} ${random.pick(['', 'N ', 'East '])}${random.pick(NOWHERE)}`
    const name = titled(city.name)
    const q = random.pick([`${line}, ${name}`, `${line}, ${name} ${city.state}`, `${line} ${name}`.toLowerCase()])
    return { q, found: 'no_street', first: [] }
  },
  'unknown street alone': ({ city, random }) => {
    const line = `${random.pick(NOWHERE)} ${random.pick(['St', 'Avenue', 'Rd'])}`
    const q = random.pick([
      `${line}, ${titled(city.name)}`,
      `${line}, ${titled(city.name)} ${city.state}`,
      `${line} ${city.zips[0]}`
    ])
    return { q, found: 'no_street', first: [] }
  },
  'unknown number, parts left out': (row) => {
    const { city, street } = row
    if (sameName(city, street).length !== 1 || street.kind === 'point' || street.kind === 'highway') return null
    const numbers = street.houses.map(({ number }) => Number.parseInt(number, 10))
    const wanted = Math.min(...numbers) - 1
    const near = street.houses.filter(({ number }) => Number.parseInt(number, 10) === wanted + 1)
    const q = `${wanted} ${titled(street.name)}, ${place(row)}`
    return { q, found: 'nearest_house', first: near.map(({ number }) => answerOf(city, street, number)) }
  },
  'unknown number': (row) => {
    const { city, street } = row
    const numbers = street.houses.map(({ number }) => Number.parseInt(number, 10))
    const wanted = (numbers[row.random.below(numbers.length)] ?? 0) + 1
    if (numbers.includes(wanted)) return null
    const far = Math.min(...numbers.map((number) => Math.abs(number - wanted)))
    const near = street.houses.filter(({ number }) => Math.abs(Number.parseInt(number, 10) - wanted) === far)
    const q = `${wanted} ${titled(written(street, 'short'))}, ${place(row)}`
    return { q, found: 'nearest_house', first: near.map(({ number }) => answerOf(city, street, number)) }
  },
  'far number': (row) => {
    const { city, street } = row
    const most = Math.max(...street.houses.map(({ number }) => Number.parseInt(number, 10)))
    const wanted = String(most + 1500)
    if (sameName(city, street).some((one) => has(one, wanted))) return null
    const last = street.houses.filter(({ number }) => Number.parseInt(number, 10) === most)
    const q = `${wanted} ${titled(written(street, 'short'))}, ${place(row)}`
    return { q, found: 'no_house', first: last.map(({ number }) => answerOf(city, street, number)) }
  }
}

const MOST_TRIES = 20_000

/** So many questions of every kind. */
export function questionsOf(world: World, seed: number, each: number): Asked[] {
  const random = randomFrom(seed)
  return Object.entries(KINDS).flatMap(([kind, ask]) => {
    const list: Asked[] = []
    for (let tried = 0; list.length < each && tried < MOST_TRIES; tried++) {
      const city = random.pick(world.cities)
      const street = random.pick(city.streets)
      const asked = ask({ city, street, house: random.pick(street.houses), random, world })
      if (asked !== null) list.push({ kind, ...asked })
    }
    return list
  })
}
