import { allowedErrors, distance } from './distance.ts'
import { type Road, roadDistance, roadOf } from './roads.ts'
import { type StreetKey, streetKey, streetKeys } from './street-key.ts'
import { DIRECTION_OF } from './street-words.ts'

/** A street as somebody typed it, in every way it can be taken apart. */
export interface TypedStreet {
  keys: readonly StreetKey[]
  road: Road | null
}

export function typedStreet(typed: string): TypedStreet {
  return { keys: streetKeys(typed), road: roadOf(typed) }
}

/**
 * The distance of a street in the file from what was typed: 0 = the same in another writing; null = too far. Of the ways to
 * take what was typed apart the nearest counts.
 */
export function distanceTo({ keys, road }: TypedStreet, filed: string, most: Allowed = allowedErrors): number | null {
  const other = road === null ? null : roadOf(filed)
  if (road !== null && other !== null) return roadDistance(road, other)
  const key = streetKey(filed)
  let nearest: number | null = null
  for (const one of keys) {
    const far = streetDistance(one, key, most)
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

/** As `distanceTo`, of one way. A suffix or a direction that is missing counts less than another one. */
export function streetDistance(typed: StreetKey, filed: StreetKey, allowed: Allowed = allowedErrors): number | null {
  if (hardWords(typed) !== hardWords(filed)) return null
  // A grove called West and a street called West have nothing in common but that.
  if (DIRECTION_OF.has(typed.core) && typed.suffix !== '' && filed.suffix !== '' && typed.suffix !== filed.suffix)
    return null
  const most = allowed(typed.core.length)
  const errors = Math.min(
    distance(squeezed(typed.core), squeezed(filed.core), most),
    distance(squeezed(typed.plain), squeezed(filed.plain), most)
  )
  if (errors > most) return null
  return errors * 2 + difference(typed.suffix, filed.suffix) + difference(typed.direction, filed.direction)
}

function hardWords({ core }: StreetKey): string {
  return core
    .split(' ')
    .filter((word) => HARD.test(word))
    .join(' ')
}

/** `MC DONALD` and `MCDONALD` are one name. */
function squeezed(name: string): string {
  return name.replaceAll(' ', '')
}

function difference(typed: string, filed: string): number {
  if (typed === filed) return 0
  return typed === '' || filed === '' ? 0.5 : 1.5
}
