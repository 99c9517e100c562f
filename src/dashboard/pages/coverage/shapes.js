// Parts of areas as they are edited: made from places, changed by handles, told in words. Pure.
import { t } from '/static/lib/i18n.js'
import { distanceKm, normalLon } from '/static/map/mercator.js'

/** @typedef {import('../../../warning/coverage/settings.ts').AreaPart} AreaPart */
/** @typedef {{ lon: number, lat: number }} Place */
/** @typedef {'polygon' | 'box' | 'circle'} Tool */
/** @typedef {import('/static/map/sketch.js').Handle} Handle */

/** One metre. */
const DECIMALS = 1e5
/** More would be neither drawn nor grabbed in time. */
const MAX_HANDLES = 300
const MAX_MIDDLES = 60

/** @param {number} value */
export function rounded(value) {
  return Math.round(value * DECIMALS) / DECIMALS
}

/** @param {Place} place @returns {[number, number]} */
const position = ({ lon, lat }) => [rounded(lon), rounded(lat)]

/** East of `from`, the short way. @param {number} from @param {number} to */
const east = (from, to) => normalLon(to - from)

/** The number of places that a part needs at least. @type {Record<Tool, number>} */
export const NEEDED = { polygon: 3, box: 2, circle: 2 }

/**
 * The part these places make; null while there are too few.
 * @param {Tool} tool @param {readonly Place[]} places @returns {AreaPart | null}
 */
export function partOf(tool, places) {
  const [first, second] = places
  if (first === undefined || second === undefined || places.length < NEEDED[tool]) return null
  if (tool === 'polygon') return { geometry: { type: 'Polygon', coordinates: [closedRing(places.map(position))] } }
  if (tool === 'box') return { bbox: boxOf(first, second) }
  const radius = distanceKm([first.lon, first.lat], [second.lon, second.lat])
  return { circle: { lat: rounded(first.lat), lon: rounded(first.lon), radius_km: tidyRadius(radius) } }
}

/** @param {number} km */
function tidyRadius(km) {
  return km >= 10 ? Math.round(km * 10) / 10 : Math.round(km * 100) / 100
}

/** @param {Place} a @param {Place} b @returns {[number, number, number, number]} */
function boxOf(a, b) {
  const [west, right] = east(a.lon, b.lon) >= 0 ? [a.lon, b.lon] : [b.lon, a.lon]
  return [rounded(west), rounded(Math.min(a.lat, b.lat)), rounded(right), rounded(Math.max(a.lat, b.lat))]
}

/** Closed, and the way round GeoJSON asks for. @param {readonly number[][]} open @returns {number[][]} */
function closedRing(open) {
  const ring = signedArea(open) < 0 ? [...open].reverse() : [...open]
  return [...ring, ring[0] ?? []]
}

/** @param {readonly number[][]} ring */
function signedArea(ring) {
  const [originX = 0, originY = 0] = ring[0] ?? []
  let twice = 0
  for (const [index, [x = 0, y = 0]] of ring.entries()) {
    const [nextX = 0, nextY = 0] = ring[(index + 1) % ring.length] ?? []
    twice += east(originX, x) * (nextY - originY) - east(originX, nextX) * (y - originY)
  }
  return twice / 2
}

/** The sketch of what a tool has so far. @param {Tool} tool @param {readonly Place[]} places @returns {import('/static/map/shapes.js').Where | null} */
export function sketchOf(tool, places) {
  const part = partOf(tool, places)
  if (part !== null) return part
  return places.length === 2 ? { geometry: { type: 'LineString', coordinates: places.map(position) } } : null
}

/** @typedef {{ polygon: number, ring: number, corner: number }} Corner */

/** @param {AreaPart} part @returns {number[][][][]} */
export function polygonsOf({ geometry }) {
  if (geometry === undefined) return []
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
}

/** Corners that can be moved, in the order of their handles; the closing one is the first. @param {AreaPart} part @returns {Corner[]} */
export function cornersOf(part) {
  return polygonsOf(part)
    .flatMap((rings, polygon) =>
      rings.flatMap((ring, number) => openRing(ring).map((_, corner) => ({ polygon, ring: number, corner })))
    )
    .slice(0, MAX_HANDLES)
}

/** @param {readonly number[][]} ring */
export function openRing(ring) {
  const [first, last] = [ring[0], ring.at(-1)]
  const closed = ring.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]
  return closed ? ring.slice(0, -1) : [...ring]
}

/** @param {AreaPart} part @returns {Handle[]} */
export function handlesOf(part) {
  const { bbox, circle } = part
  if (bbox !== undefined) {
    const [west, south, right, north] = bbox
    return [
      { lon: west, lat: south, label: t('South-west corner'), kind: 'vertex' },
      { lon: right, lat: north, label: t('North-east corner'), kind: 'vertex' }
    ]
  }
  if (circle !== undefined) {
    return [
      { lon: circle.lon, lat: circle.lat, label: t('Centre'), kind: 'vertex' },
      { ...eastOf(circle), label: t('Edge: {radius} km', { radius: circle.radius_km }), kind: 'vertex' }
    ]
  }
  const corners = cornersOf(part)
  const places = corners.map((corner) => placeAt(part, corner))
  const vertices = places.map((place, index) => {
    return { ...place, label: t('Corner {number}', { number: index + 1 }), kind: /** @type {const} */ ('vertex') }
  })
  return corners.length > MAX_MIDDLES
    ? vertices
    : [...vertices, ...corners.map((corner, index) => middle(part, corner, index))]
}

/** @param {AreaPart} part @param {Corner} corner @returns {Place} */
function placeAt(part, { polygon, ring, corner }) {
  const [lon = 0, lat = 0] = polygonsOf(part)[polygon]?.[ring]?.[corner] ?? []
  return { lon, lat }
}

/** @param {AreaPart} part @param {Corner} corner @param {number} index @returns {Handle} */
function middle(part, corner, index) {
  const ring = openRing(polygonsOf(part)[corner.polygon]?.[corner.ring] ?? [])
  const from = placeAt(part, corner)
  const to = placeAt(part, { ...corner, corner: (corner.corner + 1) % ring.length })
  const place = { lon: from.lon + east(from.lon, to.lon) / 2, lat: (from.lat + to.lat) / 2 }
  return { ...place, label: t('Add a corner after corner {number}', { number: index + 1 }), kind: 'middle' }
}

/** The easternmost place of a circle. @param {NonNullable<AreaPart['circle']>} circle */
function eastOf({ lat, lon, radius_km }) {
  const degrees = radius_km / 111.195 / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return { lat, lon: lon + Math.min(170, degrees) }
}

/**
 * The part after its handle was moved. @param {AreaPart} part @param {number} index @param {Place} to @returns {AreaPart}
 */
export function moved(part, index, to) {
  const { bbox, circle } = part
  if (bbox !== undefined) return { bbox: movedBox(bbox, index, to) }
  if (circle !== undefined) {
    if (index === 0) return { circle: { ...circle, lat: rounded(to.lat), lon: rounded(to.lon) } }
    return { circle: { ...circle, radius_km: tidyRadius(distanceKm([circle.lon, circle.lat], [to.lon, to.lat])) } }
  }
  const corner = cornersOf(part)[index]
  return corner === undefined
    ? part
    : withRing(part, corner, (ring) => ring.map((at, number) => (number === corner.corner ? position(to) : at)))
}

/** A corner is never dragged past the other one. @param {readonly number[]} box @param {number} index @param {Place} to @returns {[number, number, number, number]} */
function movedBox([west = 0, south = 0, right = 0, north = 0], index, to) {
  const past = index === 0 ? east(to.lon, right) < 0 : east(west, to.lon) < 0
  if (index === 0) return [past ? right : rounded(to.lon), Math.min(rounded(to.lat), north), right, north]
  return [west, south, past ? west : rounded(to.lon), Math.max(rounded(to.lat), south)]
}

/** A new corner after the `index`th, where its middle handle was moved to. @param {AreaPart} part @param {number} index @param {Place} to */
export function inserted(part, index, to) {
  const corner = cornersOf(part)[index]
  if (corner === undefined) return part
  return withRing(part, corner, (ring) => [
    ...ring.slice(0, corner.corner + 1),
    position(to),
    ...ring.slice(corner.corner + 1)
  ])
}

/** Without the corner; a triangle keeps all of its corners. @param {AreaPart} part @param {number} index @returns {AreaPart} */
export function removed(part, index) {
  const corner = cornersOf(part)[index]
  if (corner === undefined) return part
  return withRing(part, corner, (ring) =>
    ring.length <= 3 ? ring : ring.filter((_, number) => number !== corner.corner)
  )
}

/** @param {AreaPart} part @param {Corner} at @param {(ring: number[][]) => number[][]} change @returns {AreaPart} */
function withRing(part, at, change) {
  const { geometry } = part
  if (geometry === undefined) return part
  const polygons = polygonsOf(part).map((rings, polygon) =>
    rings.map((ring, number) => {
      if (polygon !== at.polygon || number !== at.ring) return ring
      const open = change(openRing(ring))
      return [...open, open[0] ?? []]
    })
  )
  if (geometry.type === 'Polygon') return { geometry: { ...geometry, coordinates: polygons[0] ?? [] } }
  return { geometry: { ...geometry, coordinates: polygons } }
}
