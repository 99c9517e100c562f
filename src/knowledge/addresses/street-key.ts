import { allowedErrors, distance } from './distance.ts'
import { postalStreet } from './postal-text.ts'
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
const ORDINAL = /^(\d+)(?:ST|ND|RD|TH|E|ER|RE|EME|IEME)$/
const FULL_ORDINALS: ReadonlyMap<string, string> = new Map([...ORDINALS].map(([full, short]) => [short, full]))
const FULL_DIRECTIONS: ReadonlyMap<string, string> = new Map(
  [...DIRECTION_OF].filter(([name]) => name.length > 2).map(([name, short]) => [short, name])
)
const FULL_SUFFIXES: ReadonlyMap<string, string> = new Map(
  [...SUFFIX_OF].map(([name, short]): [string, string] => [short, name]).reverse()
)
const SAME: ReadonlyMap<string, string> = new Map(
  Object.entries({ SAINT: 'ST', SAINTE: 'STE', JUNIOR: 'JR', DOCTOR: 'DR' })
)

/** The ways a file may write this street, the post's first. At most eight, none twice. */
export function streetVariants(typed: string): string[] {
  if (typed === '') return []
  const words = typed.split(' ')
  const postal = postalStreet(words)
  const parts = postal.split(' ')
  const ordinal = (word: string): string => ORDINALS.get(word) ?? FULL_ORDINALS.get(word) ?? word
  const direction = (word: string): string => FULL_DIRECTIONS.get(word) ?? word
  const last = parts.length - 1
  const spelled = parts.map((word, at) => (at === last ? (FULL_SUFFIXES.get(word) ?? word) : word))
  const variants = [
    postal,
    typed,
    parts.map(ordinal).join(' '),
    // `NORTH ST` may be a street called North, and `N ST` one called N.
    [direction(parts[0] ?? ''), ...parts.slice(1)].join(' '),
    [DIRECTION_OF.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' '),
    spelled.join(' '),
    [SUFFIX_OF.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' '),
    [FULL_SUFFIXES.get(parts[0] ?? '') ?? parts[0] ?? '', ...parts.slice(1)].join(' ')
  ]
  return [...new Set(variants)]
}

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

function withoutDirections(words: readonly string[]): { rest: readonly string[]; direction: string } {
  const first = words.length > 2 ? DIRECTION_OF.get(words[0] ?? '') : undefined
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

/** Words in which a typing error would mean another street: numbers and single letters. */
const HARD = /^(?:.|.*\d.*)$/

/**
 * The distance of a street in the file from what was typed: 0 = the same in another writing; null = too far. A suffix
 * or a direction that is missing counts less than another one.
 */
export function streetDistance(typed: StreetKey, filed: StreetKey): number | null {
  const hard = (key: StreetKey): string =>
    key.core
      .split(' ')
      .filter((word) => HARD.test(word))
      .join(' ')
  if (hard(typed) !== hard(filed)) return null
  const most = allowedErrors(typed.core.length)
  const errors = Math.min(distance(typed.core, filed.core, most), distance(typed.plain, filed.plain, most))
  if (errors > most) return null
  return errors * 2 + difference(typed.suffix, filed.suffix) + difference(typed.direction, filed.direction)
}

function difference(typed: string, filed: string): number {
  if (typed === filed) return 0
  return typed === '' || filed === '' ? 0.5 : 1.5
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
