import { DIRECTION_OF, ORDINALS, SUFFIX_OF } from './street-words.ts'

/** The name of a street, apart from how it is written. */
export interface StreetKey {
  /** The name alone: `MAIN`. */
  core: string
  /** The same with its words as they stand: an error in a word that has a short form is one error. */
  plain: string
  /** `ST`, `AVE`; empty = none. */
  suffix: string
  /** `N`; empty = none. */
  direction: string
}

/** French street types stand in front; as the English ones they are compared with. Canada Post, addressing guidelines. */
const FRENCH_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    RUE: 'ST',
    AV: 'AVE',
    AVENUE: 'AVE',
    AVE: 'AVE',
    BOUL: 'BLVD',
    BOULEVARD: 'BLVD',
    BLVD: 'BLVD',
    CH: 'RD',
    CHEMIN: 'RD',
    RTE: 'RTE',
    ROUTE: 'RTE',
    PL: 'PL',
    PLACE: 'PL',
    ALLEE: 'ALY',
    COTE: 'COTE',
    ...{
      MONTEE: 'MONTEE',
      RANG: 'RANG',
      CROISSANT: 'CRES',
      CROIS: 'CRES',
      TERRASSE: 'TER',
      RUELLE: 'LN',
      PROM: 'PROM'
    },
    PROMENADE: 'PROM',
    IMPASSE: 'IMP',
    SENTIER: 'SENT',
    QUAI: 'QUAI',
    CARRE: 'SQ'
  })
)
const FRENCH_DIRECTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({ O: 'W', OUEST: 'W', W: 'W', NORD: 'N', SUD: 'S', EST: 'E', E: 'E', N: 'N', S: 'S' })
)
/** Directions that count even where the type is left out; `EST` may be an estate. */
const PLAIN_FRENCH_DIRECTIONS: ReadonlySet<string> = new Set(['OUEST', 'NORD', 'SUD'])
/** `103RD`, `2E`, `1RE`: one file writes the ending, another does not. */
const FRENCH_ORDINAL = /^\d+(?:E|ER|RE|EME|IEME)$/
/** Endings in which two letters are swapped too. */
const ORDINAL = /^(\d+)(?:ST|ND|RD|TH|TS|DN|HT|E|ER|RE|EME|IEME)$/
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({ SAINT: 'ST', SAINTE: 'STE', JUNIOR: 'JR', DOCTOR: 'DR' })
)

/** Takes a street apart: direction, name and suffix in the post's short forms, French ones as their English counterparts. */
export function streetKey(street: string): StreetKey {
  const words = street.split(/[ -]+/).filter((word) => word !== '')
  const french = frenchType(words)
  if (french !== undefined) return frenchKey(words.slice(1), french)
  const [number = '', type = '', ...more] = words
  // `2E RUE EST`: a numbered street has its type behind the number.
  const numbered = FRENCH_ORDINAL.test(number) ? FRENCH_TYPES.get(type) : undefined
  if (numbered !== undefined) return frenchKey([number, ...more], numbered)
  const { rest, direction } = withoutDirections(words)
  const suffix = rest.length > 1 ? (SUFFIX_OF.get(rest.at(-1) ?? '') ?? '') : ''
  const name = suffix === '' ? rest : rest.slice(0, -1)
  // `N MAIN`: a direction before a name without a suffix.
  const lone = direction === '' && name.length > 1 ? DIRECTION_OF.get(name[0] ?? '') : undefined
  return { ...named(lone === undefined ? name : name.slice(1)), suffix, direction: lone ?? direction }
}

/**
 * Every way to take a street apart, the likeliest first. A name may look like a suffix or a direction: `W GROVE` may be a grove called
 * West, or the western part of a street called Grove.
 */
export function streetKeys(street: string): StreetKey[] {
  const words = street.split(/[ -]+/).filter((word) => word !== '')
  const keys = [streetKey(street)]
  for (const first of [true, false])
    for (const last of [true, false])
      for (const suffix of [true, false]) {
        const key = keyWith(words, { first, last, suffix })
        if (key !== null && !keys.some((one) => sameKey(one, key))) keys.push(key)
      }
  return keys
}

function keyWith(
  words: readonly string[],
  { first, last, suffix }: { first: boolean; last: boolean; suffix: boolean }
): StreetKey | null {
  const before = first ? DIRECTION_OF.get(words[0] ?? '') : ''
  const behind = last ? directionAtEnd(words.at(-1) ?? '') : ''
  const rest = words.slice(first ? 1 : 0, last ? -1 : undefined)
  const type = suffix ? SUFFIX_OF.get(rest.at(-1) ?? '') : ''
  const name = suffix ? rest.slice(0, -1) : rest
  if (before === undefined || behind === undefined || type === undefined || name.length === 0) return null
  return { ...named(name), suffix: type, direction: `${before}${behind}` }
}

function sameKey(a: StreetKey, b: StreetKey): boolean {
  return a.core === b.core && a.suffix === b.suffix && a.direction === b.direction
}

function withoutDirections(words: readonly string[]): { rest: readonly string[]; direction: string } {
  // `NORTH AVE W` is an avenue called North.
  const named = words.length === 3 && SUFFIX_OF.has(words[1] ?? '') && DIRECTION_OF.has(words[2] ?? '')
  const first = words.length > 2 && !named ? DIRECTION_OF.get(words[0] ?? '') : undefined
  const middle = first === undefined ? words : words.slice(1)
  const last = middle.length > 2 ? directionAtEnd(middle.at(-1) ?? '') : undefined
  return {
    rest: last === undefined ? middle : middle.slice(0, -1),
    direction: `${first ?? ''}${last ?? ''}`
  }
}

function directionAtEnd(word: string): string | undefined {
  return DIRECTION_OF.get(word) ?? (PLAIN_FRENCH_DIRECTIONS.has(word) ? FRENCH_DIRECTIONS.get(word) : undefined)
}

/** The type a street begins with, unless it ends with an English one: `PLACE ST` is a street. */
function frenchType(words: readonly string[]): string | undefined {
  const last = words.at(-1) ?? ''
  const english = SUFFIX_OF.has(last) && !FRENCH_DIRECTIONS.has(last)
  return words.length < 2 || english || words[1] === 'OF' ? undefined : FRENCH_TYPES.get(words[0] ?? '')
}

function frenchKey(words: readonly string[], suffix: string): StreetKey {
  const direction = words.length > 1 ? FRENCH_DIRECTIONS.get(words.at(-1) ?? '') : undefined
  return { ...named(direction === undefined ? words : words.slice(0, -1)), suffix, direction: direction ?? '' }
}

function named(words: readonly string[]): { core: string; plain: string } {
  return { core: coreOf(words), plain: words.join(' ') }
}

function coreOf(words: readonly string[]): string {
  return words
    .map((word) => (ORDINALS.get(word) ?? SAME.get(word) ?? SUFFIX_OF.get(word) ?? word).replace(ORDINAL, '$1'))
    .join(' ')
}

/** True when a word that is still being typed may become this word of a file: `STRE` and `ST`. */
export function mayBecome(typed: string, filed: string): boolean {
  if (filed.startsWith(typed)) return true
  return LONG_NAMES.get(filed)?.some((name) => name.startsWith(typed)) ?? false
}

const LONG_NAMES: ReadonlyMap<string, string[]> = (() => {
  const names = new Map<string, string[]>()
  for (const [name, short] of [...SUFFIX_OF, ...DIRECTION_OF, ...ORDINALS]) {
    const list = names.get(short)
    if (list === undefined) names.set(short, [name])
    else list.push(name)
  }
  return names
})()
