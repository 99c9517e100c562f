import type { LookoutEvent } from '../../../model/event.ts'
import type { BBox, Geometry, Position } from '../../../model/geojson.ts'
import { geometryBox } from '../coverage-scope.ts'
import { nearKm, type Place } from './grid.ts'
import type { Pixel } from './pixels.ts'

/**
 * Categories that say where a fire is. A red flag warning is of the same family and covers half a state; hotspots are
 * what is judged.
 */
const FIRES = new Set([
  'wildfire_declared',
  'wildfire_incident',
  'wildfire_growth',
  'wildfire_halted',
  'wildfire_spotting'
])
const KM_PER_DEGREE = 110.5
const KM2_PER_ACRE = 0.0040468564224
const KM2_PER_HECTARE = 0.01
const STEP = 256
/** Edges looked at before a pause. */
const EDGES = 200_000

interface KnownFire {
  box: BBox
  rings: readonly (readonly Position[])[]
  circle: (Place & { km: number }) | null
}

/**
 * The pixels that lie neither inside a known fire nor within `km` of one; `events` are those of the family in force. A fire that is
 * a point has the radius its size gives it. A generator, so that a poll can pause.
 */
export function* withoutKnownFires(
  pixels: readonly Pixel[],
  events: readonly LookoutEvent[],
  km: number
): Generator<void, Pixel[]> {
  const fires = events.flatMap((event) => knownFire(event, km))
  const kept: Pixel[] = []
  let work = 0
  for (const pixel of pixels) {
    const near = fires.filter((fire) => inBox(fire.box, pixel))
    if (!near.some((fire) => holds(fire, pixel, km))) kept.push(pixel)
    work +=
      fires.length + near.reduce((sum, { rings }) => sum + rings.reduce((edges, ring) => edges + ring.length, 0), STEP)
    if (work > EDGES) {
      work = 0
      yield
    }
  }
  return kept
}

function knownFire(event: LookoutEvent, km: number): KnownFire[] {
  if (!FIRES.has(event.category)) return []
  const rings = event.geometry === null ? [] : ringsOf(event.geometry)
  const box = event.geometry === null || rings.length === 0 ? null : geometryBox(event.geometry)
  if (box !== null) return [{ box: widened(box, km), rings, circle: null }]
  const circle = circleOf(event)
  if (circle === null) return []
  const { lat, lon } = circle
  return [{ box: widened([lon, lat, lon, lat], circle.km + km), rings: [], circle }]
}

function ringsOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'Polygon') return usable(geometry.coordinates)
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flatMap(usable) : []
}

/** Geometry from feeds may hold anything. */
function usable(rings: readonly unknown[]): Position[][] {
  return rings.flatMap((ring) => {
    if (!Array.isArray(ring)) return []
    const positions: unknown[] = ring
    const good = positions.filter(
      (position): position is Position =>
        Array.isArray(position) && Number.isFinite(position[0]) && Number.isFinite(position[1])
    )
    return good.length < 3 ? [] : [good]
  })
}

/** A circle of its own, else one as large as the fire. */
function circleOf({ circle, lat, lon, data }: LookoutEvent): (Place & { km: number }) | null {
  if (circle !== null) return { lat: circle.lat, lon: circle.lon, km: circle.radius_km }
  if (lat === null || lon === null) return null
  const acres = numberIn(data, 'acres') * KM2_PER_ACRE
  return { lat, lon, km: Math.sqrt(Math.max(acres, numberIn(data, 'hectares') * KM2_PER_HECTARE) / Math.PI) }
}

function numberIn(data: LookoutEvent['data'], key: string): number {
  const value = data[key]
  return typeof value === 'number' && value > 0 && value < 1e8 ? value : 0
}

function widened([west, south, east, north]: BBox, km: number): BBox {
  const dLat = km / KM_PER_DEGREE
  const lat = Math.min(89, Math.max(Math.abs(south), Math.abs(north)) + dLat)
  const dLon = dLat / Math.max(0.02, Math.cos((lat * Math.PI) / 180))
  return [west - dLon, south - dLat, east + dLon, north + dLat]
}

function inBox([west, south, east, north]: BBox, { lat, lon }: Place): boolean {
  return lat >= south && lat <= north && lon >= west && lon <= east
}

function holds({ rings, circle }: KnownFire, pixel: Pixel, km: number): boolean {
  if (circle !== null) return nearKm(circle, pixel) <= circle.km + km
  return isInside(rings, pixel) || rings.some((ring) => isNearEdge(ring, pixel, km))
}

/** Even-odd rule over all rings: a hole is outside. */
function isInside(rings: KnownFire['rings'], { lat, lon }: Place): boolean {
  let inside = false
  for (const ring of rings) {
    let [x1 = 0, y1 = 0] = ring.at(-1) ?? []
    for (const [x2 = 0, y2 = 0] of ring) {
      if (y1 > lat !== y2 > lat && lon < ((x1 - x2) * (lat - y2)) / (y1 - y2) + x2) inside = !inside
      x1 = x2
      y1 = y2
    }
  }
  return inside
}

function isNearEdge(ring: readonly Position[], place: Place, km: number): boolean {
  let before = ring.at(-1)
  for (const position of ring) {
    if (before !== undefined && nearKm(place, nearestOn(before, position, place)) <= km) return true
    before = position
  }
  return false
}

/** The nearest place of an edge; flat, in degrees narrowed to the latitude of the place. */
function nearestOn([x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position, { lat, lon }: Place): Place {
  const narrow = Math.cos((lat * Math.PI) / 180)
  const [dx, dy] = [(x2 - x1) * narrow, y2 - y1]
  const length = dx * dx + dy * dy
  const along = length === 0 ? 0 : ((lon - x1) * narrow * dx + (lat - y1) * dy) / length
  const part = Math.min(1, Math.max(0, along))
  return { lat: y1 + part * dy, lon: x1 + part * (x2 - x1) }
}
