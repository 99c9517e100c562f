import type { Geometry, Position } from '../../../model/geojson.ts'
import { asBag } from '../reading/json.ts'

/** The geometry of an entry: a GeoJSON object as it is, or the well-known text of the JSON-LD listing; null for anything else. */
export function alertGeometry(value: unknown): Geometry | null {
  if (typeof value === 'string') return fromWellKnownText(value)
  const shape = asBag(value)
  // Coordinates are checked by whoever reads them: feeds send broken ones, and tagging never fails.
  return typeof shape?.['type'] === 'string' ? (value as Geometry) : null
}

/** OGC 06-103r4 §7, as far as alerts use it: POINT, POLYGON and MULTIPOLYGON. */
function fromWellKnownText(text: string): Geometry | null {
  const match = /^\s*(POINT|POLYGON|MULTIPOLYGON)\s*(?:Z\s*)?(\(.*\))\s*$/is.exec(text)
  if (match === null) return null
  const polygons = split(match[2] ?? '', /\)\s*\)\s*,\s*\(\s*\(/).map((polygon) =>
    split(polygon, /\)\s*,\s*\(/).map(ring)
  )
  const [first = []] = polygons
  if (polygons.flat(2).some((position) => position.length < 2 || position.some(Number.isNaN))) return null
  switch (match[1]?.toUpperCase()) {
    case 'POINT':
      return { type: 'Point', coordinates: first[0]?.[0] ?? [] }
    case 'POLYGON':
      return { type: 'Polygon', coordinates: first }
    default:
      return { type: 'MultiPolygon', coordinates: polygons }
  }
}

function split(text: string, between: RegExp): string[] {
  return text.split(between)
}

function ring(text: string): Position[] {
  return text
    .replace(/[()]/g, ' ')
    .split(',')
    .map((pair) => pair.trim().split(/\s+/).slice(0, 2).map(Number))
}
