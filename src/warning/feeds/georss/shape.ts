import type { BBox, Circle, Geometry, Position } from '../../../model/geojson.ts'
import { thinRings } from '../cap/thin.ts'
import { childrenOf, childText, childTexts, type Element } from '../reading/xml.ts'

/** The place of an item, in the event's terms. `lat` and `lon` are its point, beside an area too. */
export interface Shape {
  geometry: Geometry | null
  circle: Circle | null
  bbox: BBox | null
  lat: number | null
  lon: number | null
}

/** Elements that GML wraps shapes in. */
const WRAPPERS = new Set([
  'where',
  'MultiSurface',
  'surfaceMember',
  'surfaceMembers',
  'MultiPolygon',
  'polygonMember',
  'MultiPoint',
  'pointMember',
  'pointMembers',
  'MultiCurve',
  'curveMember',
  'MultiLineString',
  'lineStringMember'
])

const MAX_POINTS = 500

/**
 * The place of an RSS or Atom item: GeoRSS-Simple (`point`, `line`, `polygon`, `box`, `circle`), GeoRSS-GML and W3C `geo:`.
 * An area is more than a point. What has a coordinate that is none, or lies at 0, 0, is no place.
 */
export function shapeIn(item: Element): Shape {
  const all = unwrapped(item)
  const point = pointIn(item)
  const none = { geometry: null, circle: null, bbox: null, lat: point?.lat ?? null, lon: point?.lon ?? null }
  return { ...none, ...(areaOf(all) ?? lineOf(all) ?? circleOf(all) ?? boxOf(all) ?? pointsOf(all)) }
}

/** The first point an item names, or null. */
export function pointIn(item: Element): { lat: number; lon: number } | null {
  const [first] = pointsIn(unwrapped(item))
  if (first !== undefined) return first
  return pointAt(pairs(`${childText(item, 'lat')} ${childText(item, 'long')}`))
}

/** The item's own elements and those that GML wraps. */
function unwrapped({ children }: Element): Element[] {
  return children.flatMap((child) => (WRAPPERS.has(child.name) ? [child, ...unwrapped(child)] : [child]))
}

function areaOf(all: readonly Element[]): Partial<Shape> | null {
  const simple = all.filter(({ name }) => name === 'polygon').map(({ text }) => text)
  // A hole counts as inside: one warning too many is better than one too few.
  const gml = all
    .filter(({ name }) => name === 'Polygon')
    .flatMap((polygon) => [...childrenOf(polygon, 'exterior'), ...childrenOf(polygon, 'outerBoundaryIs')])
    .flatMap((boundary) => childrenOf(boundary, 'LinearRing').map(coordinatesOf))
  const rings = thinRings([...simple, ...gml].flatMap(ringOf))
  const [first] = rings
  if (first === undefined) return null
  if (rings.length === 1) return { geometry: { type: 'Polygon', coordinates: [first] } }
  return { geometry: { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) } }
}

function lineOf(all: readonly Element[]): Partial<Shape> | null {
  const texts = [
    ...all.filter(({ name }) => name === 'line').map(({ text }) => text),
    ...all.filter(({ name }) => name === 'LineString').map(coordinatesOf)
  ]
  const lines = thinRings(texts.map(pairs).filter((line) => line.length >= 2))
  const [first] = lines
  if (first === undefined) return null
  if (lines.length === 1) return { geometry: { type: 'LineString', coordinates: first } }
  return { geometry: { type: 'MultiLineString', coordinates: lines } }
}

/** GeoRSS-Simple writes `lat lon radius`, in metres; CAP `lat,lon radius`, in kilometres. */
function circleOf(all: readonly Element[]): Partial<Shape> | null {
  const text = all.find(({ name }) => name === 'circle')?.text ?? ''
  const [lat, lon, radius, ...rest] = numbersIn(text)
  const centre = pointAt(lat === undefined || lon === undefined ? [] : positions([lat, lon]))
  if (centre === null || radius === undefined || radius < 0 || rest.length > 0) return null
  return { ...centre, circle: { ...centre, radius_km: text.includes(',') ? radius : radius / 1000 } }
}

/** The south-western corner, then the north-eastern one. */
function boxOf(all: readonly Element[]): Partial<Shape> | null {
  const envelope = all.find(({ name }) => name === 'Envelope')
  const text =
    envelope === undefined
      ? (all.find(({ name }) => name === 'box')?.text ?? '')
      : `${childText(envelope, 'lowerCorner')} ${childText(envelope, 'upperCorner')}`
  const [low, high, ...rest] = pairs(text)
  const [[west, south], [east, north]] = [low ?? [], high ?? []]
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null
  return rest.length > 0 || south > north ? null : { bbox: [west, south, east, north] }
}

function pointsOf(all: readonly Element[]): Partial<Shape> {
  const points = pointsIn(all)
  if (points.length < 2) return {}
  return { geometry: { type: 'MultiPoint', coordinates: points.map(({ lat, lon }) => [lon, lat]) } }
}

function pointsIn(all: readonly Element[]): { lat: number; lon: number }[] {
  const found = all.flatMap((element) => {
    if (element.name === 'point') return [element.text]
    if (element.name !== 'Point') return []
    return [coordinatesOf(element) || `${childText(element, 'lat')} ${childText(element, 'long')}`]
  })
  return found
    .slice(0, MAX_POINTS)
    .map((text) => pointAt(pairs(text)))
    .filter((point) => point !== null)
}

function pointAt([position, ...rest]: readonly Position[]): { lat: number; lon: number } | null {
  const [lon, lat] = position ?? []
  if (lat === undefined || lon === undefined || rest.length > 0) return null
  // The zero point is where software writes a position it does not have.
  return lat === 0 && lon === 0 ? null : { lat, lon }
}

/** `pos` and `posList`; several `pos` are one list. GML 2's `coordinates` put longitude first in some feeds: not read. */
function coordinatesOf(element: Element): string {
  return childText(element, 'posList') || childTexts(element, 'pos').join(' ')
}

function ringOf(text: string): Position[][] {
  const ring = pairs(text)
  const [first, last] = [ring[0], ring.at(-1)]
  if (first === undefined || last === undefined || ring.length < 3) return []
  return [first[0] === last[0] && first[1] === last[1] ? ring : [...ring, first]]
}

/** `lat lon lat lon …`, with blanks or commas, as positions; none at all when one of them is not on Earth. */
function pairs(text: string): Position[] {
  return positions(numbersIn(text))
}

function numbersIn(text: string): number[] {
  const parts = text.trim().split(/[\s,]+/)
  const numbers = parts.map((part) =>
    /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?$/i.test(part) ? Number(part) : Number.NaN
  )
  return numbers.every(Number.isFinite) ? numbers : []
}

function positions(numbers: readonly number[]): Position[] {
  if (numbers.length % 2 !== 0) return []
  const found = numbers.flatMap((lat, at): Position[] => (at % 2 === 0 ? [[numbers[at + 1] ?? Number.NaN, lat]] : []))
  return found.every(([lon = 999, lat = 999]) => Math.abs(lat) <= 90 && Math.abs(lon) <= 360) ? found : []
}
