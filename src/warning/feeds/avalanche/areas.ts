import type { Geometry, Position } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, textOf } from '../reading/json.ts'
import { bagsOf, geometryOf, looseText, remember } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { ReadTools } from '../source.ts'

/** Outlines of forecast areas, kept in memory because a bulletin names its area only. */

/** Neighbouring corners nearer than this, in degrees (some 400 m), say nothing about which region a zone touches. */
const CORNER_DEGREES = 0.004
const MOST_AREAS = 500

interface NamedArea {
  names: string[]
  geometry: Geometry
}

/** True when the body is outlines: a FeatureCollection, a Feature or a bare polygon. */
export function isOutline(body: Bag): boolean {
  return ['FeatureCollection', 'Feature', 'Polygon', 'MultiPolygon'].includes(textOf(body['type']))
}

/** Remembers the outlines of a body by every name they have. Answers those that cannot be used, and how many there were. */
export function* keepOutlines(body: Bag, tools: ReadTools): Generator<void, { skipped: SkippedItem[]; items: number }> {
  const entries = body['type'] === 'FeatureCollection' ? bagsOf(body['features']) : [body]
  const skipped: SkippedItem[] = []
  const areas: NamedArea[] = []
  yield* eachInTurn(entries.slice(0, MOST_AREAS), (entry) => {
    const read = readArea(entry)
    if ('reason' in read) skipped.push(read)
    else areas.push(read)
  })
  yield* eachInTurn(areas, ({ names, geometry }) => {
    for (const name of names) remember(tools.memory, key(name), geometry)
  })
  return { skipped, items: entries.length }
}

/** The outline of the first of these names that is known, or null. */
export function outlineOf(names: readonly string[], tools: ReadTools): Geometry | null {
  for (const name of names) {
    const kept = name === '' ? null : geometryOf(tools.memory.get(key(name)))
    if (kept !== null) return kept
  }
  return null
}

function key(name: string): string {
  return `area:${name.toLowerCase()}`
}

function readArea(entry: Bag): NamedArea | SkippedItem {
  const properties = asBag(entry['properties'])
  const names = [entry['id'], properties?.['id'], properties?.['slug'], properties?.['name']].map(looseText)
  const known = [...new Set(names.filter((name) => name !== ''))]
  const geometry = geometryOf(entry['type'] === 'Feature' ? entry['geometry'] : entry)
  if (geometry === null) return { id: known[0] ?? '', reason: because('area_no_outline') }
  if (known.length === 0) return { id: '', reason: because('outline_without_name') }
  return { names: known, geometry: thinned(geometry) }
}

function thinned(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: geometry.coordinates.map(thinRing) }
  if (geometry.type === 'MultiPolygon')
    return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(thinRing)) }
  return geometry
}

/** Corners that are far enough from the last one kept; first and last stay, and a ring never gets less than four. */
function thinRing(ring: Position[]): Position[] {
  const kept: Position[] = []
  for (const [index, position] of ring.entries()) {
    const [lon = 0, lat = 0] = position
    const [lastLon = Number.NaN, lastLat = Number.NaN] = kept.at(-1) ?? []
    const isNear = Math.abs(lon - lastLon) < CORNER_DEGREES && Math.abs(lat - lastLat) < CORNER_DEGREES
    if (!isNear || index === ring.length - 1) kept.push([lon, lat])
  }
  return kept.length >= 4 ? kept : ring
}
