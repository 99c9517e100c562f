import type { Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import { formatTime, isTime, parseTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SourceMemory } from '../source.ts'
import { asBag, type Bag, jsonValueSteps, numberOf } from './json.ts'

/** Readers for what feeds spell in several ways. None of them throws for a value that is not what it should be. */

const LOCAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(\.\d+)?)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i

/**
 * Epoch milliseconds of a time: RFC 3339, without seconds, without a colon in its offset, a date alone, epoch
 * milliseconds as a number. Without an offset it is UTC. Null for anything else.
 */
export function looseTime(value: unknown): number | null {
  if (typeof value === 'number') return isTime(value) ? Math.round(value) : null
  if (typeof value !== 'string') return null
  const exact = parseTime(value)
  if (exact !== null) return exact
  const [, day, clock = '00:00', seconds = ':00', fraction = '', zone = 'Z'] = LOCAL.exec(value.trim()) ?? []
  if (day === undefined) return null
  const named = /^[A-Z]/i.test(zone) ? 'Z' : zone
  const offset = /^[+-]\d{4}$/.test(named) ? `${named.slice(0, 3)}:${named.slice(3)}` : named
  return parseTime(`${day}T${clock}${seconds}${fraction}${offset}`)
}

/** Epoch milliseconds of an RFC 3339 or RFC 5322 date, as Atom and RSS write them; null for anything else. */
export function feedDate(text: string): number | null {
  const exact = parseTime(text)
  if (exact !== null) return exact
  if (!/^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:[A-Z]{1,3}|[+-]\d{4})$/.test(text))
    return null
  const ms = Date.parse(text)
  return isTime(ms) ? ms : null
}

/** `looseTime` as RFC 3339 in UTC, or null. */
export function looseTimeText(value: unknown): string | null {
  const ms = looseTime(value)
  return ms === null ? null : formatTime(ms)
}

/** A finite number, also one written as text; null for anything else. */
export function looseNumber(value: unknown): number | null {
  if (typeof value !== 'string') return numberOf(value)
  return /^\s*[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$/i.test(value) ? numberOf(Number(value)) : null
}

/** Text of a value that may be a number, such as an id; '' for anything else. */
export function looseText(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** The object at the end of a path of keys, or null. */
export function bagAt(bag: Bag | null, ...keys: string[]): Bag | null {
  let current = bag
  for (const key of keys) current = asBag(current?.[key])
  return current
}

/** The greatest of any number of numbers, or null of none. */
export function greatest(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((best, number) => (best === null || number > best ? number : best), null)
}

/** The least of any number of numbers, or null of none. */
export function least(numbers: readonly number[]): number | null {
  return numbers.reduce<number | null>((best, number) => (best === null || number < best ? number : best), null)
}

/** Remembers a value unless it is remembered already: what is not new is not written to the card again. */
export function remember(memory: SourceMemory, key: string, value: object): void {
  if (JSON.stringify(memory.get(key)) !== JSON.stringify(value)) memory.set(key, value)
}

/** The JSON objects of a list; whatever else is in it is left out. */
export function bagsOf(value: unknown): Bag[] {
  const entries: unknown[] = Array.isArray(value) ? value : []
  return entries.map(asBag).filter((bag) => bag !== null)
}

interface JsonListing {
  bag: Bag
  list: unknown[] | null
}

/** A JSON object, or the list of a body that is one. Throws AppError `bad-input` as `jsonBodySteps` does. */
export function* jsonListingSteps(body: string, feed: string): Generator<void, JsonListing> {
  const value = yield* jsonValueSteps(body, feed)
  if (Array.isArray(value)) return { bag: { list: value }, list: value }
  const bag = asBag(value)
  if (bag === null) throw new AppError('bad-input', because('body_not_object', { feed }))
  return { bag, list: null }
}

const DEPTH = new Map([
  ['Point', 0],
  ['MultiPoint', 1],
  ['LineString', 1],
  ['MultiLineString', 2],
  ['Polygon', 2],
  ['MultiPolygon', 3]
])

/**
 * The GeoJSON geometry, or null when its type is unknown or its coordinates are not nested as the type says. Invalid rings
 * stay: whoever reads the coordinates checks them.
 */
export function geometryOf(value: unknown): Geometry | null {
  const bag = asBag(value)
  const depth = DEPTH.get(looseText(bag?.['type']))
  if (bag !== null && bag['type'] === 'GeometryCollection') return collectionOf(bag)
  if (bag === null || depth === undefined) return null
  return isNested(bag['coordinates'], depth) ? (value as Geometry) : null
}

function collectionOf(bag: Bag): Geometry | null {
  const flat = bagsOf(bag['geometries']).filter(({ type }) => type !== 'GeometryCollection')
  const geometries = flat.map(geometryOf).filter((geometry) => geometry !== null)
  return geometries.length === 0 ? null : { type: 'GeometryCollection', geometries }
}

function isNested(value: unknown, depth: number): boolean {
  if (!Array.isArray(value) || value.length === 0) return false
  if (depth > 0) return value.every((part) => isNested(part, depth - 1))
  return value.length >= 2 && value.every((number) => typeof number === 'number' && Number.isFinite(number))
}

/** A position of the geometry, to tell where a small thing is: the middle one of a line, else the first. */
export function pointIn(geometry: Geometry | null): { lat: number; lon: number } | null {
  if (geometry === null) return null
  let part: unknown = geometry.type === 'GeometryCollection' ? geometry.geometries : geometry.coordinates
  if (geometry.type === 'GeometryCollection') return pointIn(geometry.geometries[0] ?? null)
  if (geometry.type === 'LineString') part = geometry.coordinates[Math.floor(geometry.coordinates.length / 2)]
  while (Array.isArray(part) && Array.isArray(part[0])) part = part[0]
  const [lon, lat] = Array.isArray(part) ? part.map(numberOf) : []
  return lon != null && lat != null && Math.abs(lat) <= 90 ? { lat, lon } : null
}
