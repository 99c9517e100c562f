import { stateAtEnd } from './states.ts'
import { DIRECTION_OF } from './street-words.ts'

type RoadKind = 'us' | 'state' | 'county' | 'interstate' | 'farm' | 'forest' | 'any'

/** A numbered road: its kind and number are what it is known by, and both are written in many ways (Publication 28, appendix F). */
export interface Road {
  kind: RoadKind
  number: string
  direction: string
}

/** Writings of each kind, the post's first. */
const WRITINGS: Readonly<Record<RoadKind, readonly string[]>> = {
  us: ['US HIGHWAY', 'US HWY', 'US', 'US ROUTE', 'US RTE', 'US RT', 'U S HIGHWAY', 'U S HWY', 'U S'],
  state: [
    ...['STATE HIGHWAY', 'STATE HWY', 'STATE ROUTE', 'STATE RTE', 'STATE RT', 'STATE ROAD', 'STATE RD', 'SR', 'SH'],
    ...['ST HWY', 'ST HIGHWAY', 'ST RT', 'ST RTE', 'ST ROUTE']
  ],
  county: [
    ...['COUNTY ROAD', 'COUNTY RD', 'CO RD', 'CO ROAD', 'CR', 'CNTY RD', 'CTY RD', 'COUNTY HIGHWAY', 'COUNTY HWY'],
    ...['CO HWY', 'COUNTY ROUTE', 'COUNTY RTE']
  ],
  interstate: ['INTERSTATE', 'INTERSTATE HIGHWAY', 'I', 'IH'],
  farm: ['FM', 'FARM TO MARKET ROAD', 'FARM TO MARKET RD', 'FM RD', 'FARM TO MARKET'],
  forest: [
    ...['FOREST ROAD', 'FOREST RD', 'FOREST SERVICE ROAD', 'FOREST SERVICE RD', 'FS RD', 'FS ROAD', 'NF', 'NFS ROAD']
  ],
  any: ['HIGHWAY', 'HWY', 'ROUTE', 'RTE', 'RT']
}
const KIND_OF: ReadonlyMap<string, RoadKind> = new Map(
  (Object.entries(WRITINGS) as [RoadKind, readonly string[]][]).flatMap(([kind, list]) =>
    list.map((writing): [string, RoadKind] => [writing, kind])
  )
)
const MOST_WORDS = 6
const ROADS: readonly string[] = ['us', 'state', 'interstate']

/** Reads `US HWY 20`, `E STATE ROUTE 55`, `CR 12`; null when it is no numbered road. */
export function roadOf(street: string): Road | null {
  const words = street.split(' ')
  if (words.length > MOST_WORDS) return null
  const last = DIRECTION_OF.get(words.at(-1) ?? '')
  const rest = last === undefined ? words : words.slice(0, -1)
  const number = rest.at(-1) ?? ''
  if (!/^\d{1,4}[A-Z]?$/.test(number)) return null
  return named(rest.slice(0, -1), number, last ?? '')
}

function named(words: readonly string[], number: string, last: string): Road | null {
  const name = words.join(' ')
  const kind = KIND_OF.get(name)
  if (kind !== undefined) return { kind, number, direction: last }
  const first = DIRECTION_OF.get(words[0] ?? '')
  if (first !== undefined && words.length > 1 && last === '') return named(words.slice(1), number, first)
  // A state's own name: `IDAHO HIGHWAY 55`, `ID 55`.
  const any = KIND_OF.get(words.at(-1) ?? '') === 'any'
  const own = any ? words.slice(0, -1) : words
  return stateAtEnd(own)?.length === own.length ? { kind: 'state', number, direction: last } : null
}

/** The ways a file may write the road, also where nobody said which kind it is. */
export function roadVariants({ kind, number }: Road): string[] {
  const kinds: readonly RoadKind[] =
    kind === 'any'
      ? ['any', 'us', 'state', 'county', 'interstate']
      : ROADS.includes(kind)
        ? [kind, 'any', 'us', 'state']
        : [kind, ...(kind === 'county' ? (['any'] as const) : [])]
  const written = kinds.flatMap((one) => WRITINGS[one].map((writing) => `${writing} ${number}`))
  const short = [...new Set(DIRECTION_OF.values())].filter((direction) => direction.length === 1)
  return [
    ...new Set([...written, ...short.flatMap((way) => written.flatMap((road) => [`${way} ${road}`, `${road} ${way}`]))])
  ]
}

/** 0 = the same road; null = another one. A kind that was not said counts less than another one. */
export function roadDistance(typed: Road, filed: Road): number | null {
  if (typed.number !== filed.number) return null
  const way = typed.direction === filed.direction ? 0 : typed.direction === '' || filed.direction === '' ? 0.5 : 1.5
  if (typed.kind === filed.kind) return way
  if (typed.kind === 'any' || filed.kind === 'any') return way + 0.5
  return ROADS.includes(typed.kind) && ROADS.includes(filed.kind) ? way + 1.5 : null
}
