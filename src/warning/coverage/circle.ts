import type { Circle } from '../../model/geojson.ts'
import type { Box } from './edges.ts'
import { normalLongitude } from './longitude.ts'
import { covers, makeOutline, type Outline, someEdgeInBox } from './outline.ts'
import { isFiniteNumber } from './shape.ts'

/** Circles on the WGS 84 ellipsoid: all points at a geodesic distance of at most the radius. Kilometres and degrees. */

const RADIANS = Math.PI / 180
const EQUATOR_KM = 6378.137
const FLATTENING = 1 / 298.257223563
/** The smallest and the largest radius of curvature of the ellipsoid: bounds that are safe everywhere. */
const TIGHTEST_KM = 6335
const WIDEST_KM = 6400
/** Beyond this central angle the correction for the flattening breaks down, and nobody draws such circles. */
const NEARLY_ANTIPODAL = 3.1
/** Corners of the polygon that stands in for a circle when areas are compared: 0.1 % too small. */
export const CIRCLE_CORNERS = 96

/** A circle made ready: longitude in [-180, 180), and a box around it that begins in [-180, 180). */
export interface Disc extends Box {
  readonly lat: number
  readonly lon: number
  readonly radiusKm: number
}

/** Reads a circle that may hold anything; null when it is not a place with a radius of 0 or more. Never throws. */
export function readCircle(circle: unknown): Disc | null {
  if (typeof circle !== 'object' || circle === null) return null
  const { lat, lon, radius_km: radiusKm }: { lat?: unknown; lon?: unknown; radius_km?: unknown } = circle
  if (!isFiniteNumber(lat) || !isFiniteNumber(lon) || !isFiniteNumber(radiusKm)) return null
  if (Math.abs(lat) > 90 || radiusKm < 0) return null
  return makeDisc({ lat, lon, radius_km: radiusKm })
}

function makeDisc({ lat, lon, radius_km: radiusKm }: Circle): Disc {
  const x = normalLongitude(lon)
  const angle = radiusKm / TIGHTEST_KM
  const minY = Math.max(-90, lat - angle / RADIANS)
  const maxY = Math.min(90, lat + angle / RADIANS)
  const disc = { lat, lon: x, radiusKm, minY, maxY }
  if (minY <= -90 || maxY >= 90) return { ...disc, minX: -180, maxX: 180 }
  const reach = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat * RADIANS))) / RADIANS
  const turn = x - reach < -180 ? 360 : 0
  return { ...disc, minX: x - reach + turn, maxX: x + reach + turn }
}

/** Geodesic distance in kilometres (Lambert's formula: metres off over thousands of kilometres). */
export function distanceKm(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const b1 = Math.atan((1 - FLATTENING) * Math.tan(lat1 * RADIANS))
  const b2 = Math.atan((1 - FLATTENING) * Math.tan(lat2 * RADIANS))
  const sinLat = Math.sin((b2 - b1) / 2)
  const sinLon = Math.sin(((lon2 - lon1) * RADIANS) / 2)
  const half = Math.min(1, sinLat * sinLat + Math.cos(b1) * Math.cos(b2) * sinLon * sinLon)
  if (half === 0) return 0
  const angle = 2 * Math.asin(Math.sqrt(half))
  if (angle > NEARLY_ANTIPODAL) return EQUATOR_KM * angle
  const sinMid = Math.sin((b1 + b2) / 2)
  const p = sinMid * sinMid
  const q = sinLat * sinLat
  const x = ((angle - Math.sin(angle)) * p * (1 - q)) / (1 - half)
  const y = ((angle + Math.sin(angle)) * (1 - p) * q) / half
  return EQUATOR_KM * (angle - (FLATTENING / 2) * (x + y))
}

/** True when the point lies in the circle. */
export function discCovers(disc: Disc, x: number, y: number): boolean {
  if (y < disc.minY || y > disc.maxY) return false
  return distanceKm(disc.lat, disc.lon, y, x) <= disc.radiusKm
}

/** True when two circles share a point. */
export function discsMeet(a: Disc, b: Disc): boolean {
  return distanceKm(a.lat, a.lon, b.lat, b.lon) <= a.radiusKm + b.radiusKm
}

/** True when circle and outline share a point: the centre lies inside, or an edge comes near enough. */
export function discMeetsOutline(disc: Disc, outline: Outline): boolean {
  if (disc.minY > outline.maxY || disc.maxY < outline.minY) return false
  const near = (x1: number, y1: number, x2: number, y2: number) => segmentWithin(disc, x1, y1, x2, y2)
  for (let turn = -360; turn <= 360; turn += 360) {
    if (outline.filled && covers(outline, disc.lon + turn, disc.lat)) return true
    if (disc.minX + turn > outline.maxX || disc.maxX + turn < outline.minX) continue
    const box = { minX: disc.minX + turn, maxX: disc.maxX + turn, minY: disc.minY, maxY: disc.maxY }
    if (someEdgeInBox(outline, box, near)) return true
  }
  return false
}

/** A piece shorter than this is not halved again: one metre. */
const SHORTEST_KM = 0.001

type End = readonly [x: number, y: number, km: number]

/**
 * True when a segment, straight in longitude and latitude, comes within the radius. Halves it until both ends are too
 * far for the way between them to dip into the circle, so that long edges need no map projection.
 */
function segmentWithin(disc: Disc, x1: number, y1: number, x2: number, y2: number): boolean {
  const from: End = [x1, y1, distanceKm(disc.lat, disc.lon, y1, x1)]
  const to: End = [x2, y2, distanceKm(disc.lat, disc.lon, y2, x2)]
  return from[2] <= disc.radiusKm || to[2] <= disc.radiusKm || dips(disc, from, to)
}

function dips(disc: Disc, from: End, to: End): boolean {
  const [x1, y1, d1] = from
  const [x2, y2, d2] = to
  const way = longestWay(x1, y1, x2, y2)
  if ((d1 + d2 - way) / 2 > disc.radiusKm || way < SHORTEST_KM) return false
  const x = (x1 + x2) / 2
  const y = (y1 + y2) / 2
  const middle: End = [x, y, distanceKm(disc.lat, disc.lon, y, x)]
  return middle[2] <= disc.radiusKm || dips(disc, from, middle) || dips(disc, middle, to)
}

/** No way along the segment is longer than this. */
function longestWay(x1: number, y1: number, x2: number, y2: number): number {
  const nearest = y1 > 0 !== y2 > 0 ? 0 : Math.min(Math.abs(y1), Math.abs(y2))
  return WIDEST_KM * RADIANS * Math.hypot(y2 - y1, (x2 - x1) * Math.cos(nearest * RADIANS))
}

/** A polygon that stands in for the circle where areas are compared. Round a pole: the cap, in longitude and latitude. */
export function discOutline(disc: Disc): Outline {
  const ring: number[] = []
  const angle = disc.radiusKm / 6371.0088
  const lat = disc.lat * RADIANS
  for (let corner = 0; corner <= CIRCLE_CORNERS; corner++) {
    const bearing = (2 * Math.PI * (corner % CIRCLE_CORNERS)) / CIRCLE_CORNERS
    const y = Math.asin(Math.sin(lat) * Math.cos(angle) + Math.cos(lat) * Math.sin(angle) * Math.cos(bearing))
    const x = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(lat),
      Math.cos(angle) - Math.sin(lat) * Math.sin(y)
    )
    ring.push(disc.lon + x / RADIANS, y / RADIANS)
  }
  if (disc.maxY < 90 && disc.minY > -90) return makeOutline(Float64Array.from(ring), [CIRCLE_CORNERS + 1], true)
  const [south, north] = disc.maxY >= 90 ? [disc.minY, 90] : [-90, disc.maxY]
  const cap = [-180, south, 180, south, 180, north, -180, north, -180, south]
  return makeOutline(Float64Array.from(cap), [5], true)
}
