import { allowedErrors, distance } from './distance.ts'
import { type Road, roadDistance, roadOf } from './roads.ts'
import { type StreetKey, streetKey, streetKeys } from './street-key.ts'
import { DIRECTION_OF } from './street-words.ts'

/** A name as it is compared with thousands of others: all that can be said beforehand. */
export interface Compared {
  key: StreetKey
  /** Without blanks: `MC DONALD` and `MCDONALD` are one name. */
  core: string
  plain: string
  /** The words of the name in which a typing error would mean another street. */
  hard: string
}

/** A street as somebody typed it, in every way it can be taken apart. */
export interface TypedStreet {
  keys: readonly Compared[]
  road: Road | null
}

export function typedStreet(typed: string): TypedStreet {
  return { keys: streetKeys(typed).map(comparedOf), road: roadOf(typed) }
}

/** A street as the file has it: what stands where is certain enough. */
export interface FiledStreet {
  key: Compared
  road: Road | null
}

export function filedStreet(street: string): FiledStreet {
  return { key: comparedOf(streetKey(street)), road: roadOf(street) }
}

function comparedOf(key: StreetKey): Compared {
  return { key, core: squeezed(key.core), plain: squeezed(key.plain), hard: hardWords(key) }
}

/**
 * The distance of a street in the file from what was typed: 0 = the same in another writing; null = too far. Of the ways to
 * take what was typed apart the nearest counts.
 */
export function distanceTo(
  { keys, road }: TypedStreet,
  filed: FiledStreet,
  most: Allowed = allowedErrors
): number | null {
  if (road !== null && filed.road !== null) return roadDistance(road, filed.road)
  let nearest: number | null = null
  for (const one of keys) {
    const far = comparedDistance(one, filed.key, most)
    if (far !== null && (nearest === null || far < nearest)) nearest = far
  }
  return nearest
}

/** How many typing errors a name of this length may have. */
export type Allowed = (length: number) => number

/** Streets that somebody may have meant where none is the one typed: never taken for it, only told. */
export const loosely: Allowed = (length) => Math.min(4, Math.floor(length * 0.4))

/** Words in which a typing error would mean another street: numbers and single letters. */
const HARD = /^(?:.|.*\d.*)$/
/** Types that people mistake for one another. Others are a part of the name: `RIVER RUN` is not `RIVER RD`. */
const COMMON_TYPES: ReadonlySet<string> = new Set(
  'ST AVE RD DR LN CT BLVD WAY PL CIR TER PKWY HWY LOOP TRL SQ ALY PLZ PATH'.split(' ')
)

/** As `distanceTo`, of one way. A suffix or a direction that is missing counts less than another one. */
export function streetDistance(typed: StreetKey, filed: StreetKey, allowed: Allowed = allowedErrors): number | null {
  return comparedDistance(comparedOf(typed), comparedOf(filed), allowed)
}

function comparedDistance(typed: Compared, filed: Compared, allowed: Allowed): number | null {
  const { suffix, direction } = filed.key
  if (differ(typed.key.suffix, suffix) && !mistakable(typed.key, allowed)) return null
  const errors = errorsOf(typed, filed, allowed)
  if (errors === null) return null
  return errors * 2 + difference(typed.key.suffix, suffix) + difference(typed.key.direction, direction)
}

/** A grove called West and a street called West have nothing in common but that. */
function mistakable({ core, suffix }: StreetKey, allowed: Allowed): boolean {
  return !DIRECTION_OF.has(core) && (COMMON_TYPES.has(suffix) || allowed === loosely)
}

function errorsOf(typed: Compared, filed: Compared, allowed: Allowed): number | null {
  if (typed.core === filed.core) return 0
  if (typed.hard !== filed.hard) return null
  if (areSwapped(typed.core, filed.core)) return 1
  const most = allowed(typed.key.core.length)
  const errors = Math.min(distance(typed.core, filed.core, most), distance(typed.plain, filed.plain, most))
  return errors > most ? null : errors
}

/** `OKA` is `OAK`: in names too short for other errors two swapped letters still are one. */
function areSwapped(typed: string, filed: string): boolean {
  return (
    typed.length === 3 &&
    filed.length === 3 &&
    !/\d/.test(typed) &&
    distance(typed, filed, 1) === 1 &&
    sorted(typed) === sorted(filed)
  )
}

function sorted(text: string): string {
  return [...text].sort().join('')
}

function hardWords({ core }: StreetKey): string {
  return core
    .split(' ')
    .filter((word) => HARD.test(word))
    .join(' ')
}

/** Blanks between digits stay: `1 2ND ST` is no `12 ST`. */
function squeezed(name: string): string {
  return name.replaceAll(/(?<!\d) (?!\d)/g, '')
}

function differ(typed: string, filed: string): boolean {
  return typed !== '' && filed !== '' && typed !== filed
}

function difference(typed: string, filed: string): number {
  if (typed === filed) return 0
  return typed === '' || filed === '' ? 0.5 : 1.5
}
