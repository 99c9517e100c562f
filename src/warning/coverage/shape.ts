import { nearLongitude, normalLongitude, shiftLongitude, turnsOfStep, turnsToNormal } from './longitude.ts'
import { makeOutline, type Outline } from './outline.ts'

/** The surface that a geometry covers: the union of its points and outlines. */
export interface Shape {
  /** x, y pairs, longitudes in [-180, 180). */
  readonly points: readonly number[]
  /** Each begins in [-180, 180) and is unwrapped from there to the east. */
  readonly outlines: readonly Outline[]
  /** Something was left out because the geometry is beyond the limits. */
  readonly thinned: boolean
}

/** Limits for geometry from outside: twice the largest union of zones ever seen in an alert. More would hold up the radios. */
const MAX_VERTICES = 20_000
const MAX_DEPTH = 16
const MAX_MEMBERS = 10_000

/**
 * Reads a GeoJSON geometry that may hold anything and never throws. A ring or line with a coordinate that is not a
 * finite number is left out, with its holes when it is the shell; latitudes are clamped to the poles. Null when
 * nothing usable is left. Above `maxVertices` only every n-th vertex is read.
 */
export function readShape(geometry: unknown, maxVertices: number = MAX_VERTICES): Shape | null {
  const reader: Reader = {
    points: [],
    outlines: [],
    stride: 1,
    vertices: 0,
    chains: 0,
    members: 0,
    thinned: false,
    xy: NOTHING,
    used: 0
  }
  visit(geometry, 0, reader, count)
  if (reader.vertices > maxVertices) {
    reader.stride = Math.ceil(reader.vertices / maxVertices)
    reader.thinned = true
  }
  // One buffer for the whole geometry: hundreds of small ones would keep the garbage collector busy.
  if (reader.chains > 0)
    reader.xy = new Float64Array(2 * (Math.ceil(reader.vertices / reader.stride) + 2 * reader.chains))
  reader.members = 0
  visit(geometry, 0, reader, read)
  const { points, outlines, thinned } = reader
  return points.length + outlines.length === 0 ? null : { points, outlines, thinned }
}

const NOTHING = new Float64Array(0)

interface Reader {
  points: number[]
  outlines: Outline[]
  stride: number
  vertices: number
  /** Rings and lines. */
  chains: number
  members: number
  thinned: boolean
  /** x, y pairs of all rings and lines, and how much of it is used. */
  xy: Float64Array
  used: number
}

type Visitor = (type: unknown, coordinates: unknown, reader: Reader) => void

function visit(geometry: unknown, depth: number, reader: Reader, visitor: Visitor): void {
  if (typeof geometry !== 'object' || geometry === null) return
  if (depth > MAX_DEPTH || reader.members >= MAX_MEMBERS) {
    reader.thinned = true
    return
  }
  reader.members++
  if ('geometries' in geometry && Array.isArray(geometry.geometries)) {
    for (const member of geometry.geometries) visit(member, depth + 1, reader, visitor)
  } else if ('type' in geometry && 'coordinates' in geometry && Array.isArray(geometry.coordinates)) {
    visitor(geometry.type, geometry.coordinates, reader)
  }
}

/** The depth of the list of positions in the coordinates of each type. */
const NESTING: Readonly<Record<string, number>> = {
  MultiPoint: 0,
  LineString: 0,
  MultiLineString: 1,
  Polygon: 1,
  MultiPolygon: 2
}

function count(type: unknown, coordinates: unknown, reader: Reader): void {
  const nesting = typeof type === 'string' && Object.hasOwn(NESTING, type) ? (NESTING[type] ?? 0) : -1
  if (nesting >= 0) countAt(coordinates, nesting, reader)
}

function countAt(list: unknown, nesting: number, reader: Reader): void {
  if (!Array.isArray(list)) return
  if (nesting === 0) {
    reader.vertices += list.length
    reader.chains++
  } else for (const inner of list) countAt(inner, nesting - 1, reader)
}

function read(type: unknown, coordinates: unknown, reader: Reader): void {
  const list: unknown[] = Array.isArray(coordinates) ? coordinates : []
  if (type === 'Point') readPoint(list, reader)
  else if (type === 'MultiPoint') for (let at = 0; at < list.length; at += reader.stride) readPoint(list[at], reader)
  else if (type === 'LineString') readLine(list, reader)
  else if (type === 'MultiLineString') for (const line of list) readLine(line, reader)
  else if (type === 'Polygon') readPolygon(list, reader)
  else if (type === 'MultiPolygon') for (const polygon of list) readPolygon(polygon, reader)
}

function readPoint(position: unknown, reader: Reader): void {
  if (!Array.isArray(position)) return
  const x: unknown = position[0]
  const y: unknown = position[1]
  if (isFiniteNumber(x) && isFiniteNumber(y)) reader.points.push(normalLongitude(x), clampLatitude(y))
}

function readLine(positions: unknown, reader: Reader): void {
  const start = reader.used
  if (!readChain(positions, reader)) return
  const xy = reader.xy.subarray(start, reader.used)
  if (xy.length === 2) reader.points.push(normalLongitude(xy[0] ?? 0), xy[1] ?? 0)
  else reader.outlines.push(makeOutline(xy, [xy.length / 2], false))
}

function readPolygon(rings: unknown, reader: Reader): void {
  if (!Array.isArray(rings)) return
  const start = reader.used
  if (!readRing(rings[0], reader)) return
  const shellEnd = reader.used
  const ends = [(shellEnd - start) / 2]
  for (let at = 1; at < rings.length; at++) {
    const holeStart = reader.used
    if (!readRing(rings[at], reader)) continue
    bringBeside(reader.xy.subarray(start, shellEnd), reader.xy.subarray(holeStart, reader.used))
    ends.push((reader.used - start) / 2)
  }
  reader.outlines.push(makeOutline(reader.xy.subarray(start, reader.used), ends, true))
}

/** Reads a chain and repeats its first vertex at the end where that is missing. */
function readRing(positions: unknown, reader: Reader): boolean {
  const start = reader.used
  if (!readChain(positions, reader)) return false
  const { xy, used } = reader
  const x = xy[start] ?? 0
  const y = xy[start + 1] ?? 0
  if (used - start >= 4 && xy[used - 2] === x && xy[used - 1] === y) return true
  xy[used] = x
  xy[used + 1] = y
  reader.used = used + 2
  return true
}

/**
 * Appends positions as x, y pairs, unwrapped and with the western end in [-180, 180). False, and nothing appended,
 * when one of them is unusable.
 */
function readChain(positions: unknown, reader: Reader): boolean {
  if (!Array.isArray(positions) || positions.length === 0) return false
  const { xy, stride, used } = reader
  let slot = used
  let previous = 0
  let turns = 0
  let west = Infinity
  for (let at = 0; at < positions.length; at += stride) {
    const position: unknown = positions[at]
    if (!Array.isArray(position)) return false
    const x: unknown = position[0]
    const y: unknown = position[1]
    if (!isFiniteNumber(x) || !isFiniteNumber(y)) return false
    const near = nearLongitude(x)
    turns = at === 0 ? turnsToNormal(near) : turns + turnsOfStep(previous, near)
    previous = near
    const unwrapped = shiftLongitude(near, turns)
    if (unwrapped < west) west = unwrapped
    xy[slot++] = unwrapped
    xy[slot++] = clampLatitude(y)
  }
  reader.used = slot
  const by = turnsToNormal(west)
  if (by !== 0) turn(xy.subarray(used, slot), by)
  return true
}

function turn(xy: Float64Array, by: number): void {
  for (let at = 0; at < xy.length; at += 2) xy[at] = shiftLongitude(xy[at] ?? 0, by)
}

/** A hole read by itself may have landed a turn away from its shell; it belongs beside it. */
function bringBeside(shell: Float64Array, hole: Float64Array): void {
  turn(hole, 360 * Math.round((middle(shell) - middle(hole)) / 360))
}

function middle(xy: Float64Array): number {
  let [west, east] = [Infinity, -Infinity]
  for (let at = 0; at < xy.length; at += 2) {
    west = Math.min(west, xy[at] ?? 0)
    east = Math.max(east, xy[at] ?? 0)
  }
  return (west + east) / 2
}

/**
 * The outline of `[west, south, east, north]`, where west > east crosses the antimeridian; null when that is not a
 * box of finite numbers. Its long edges stay long: only polygons take the short way round.
 */
export function readBox(bbox: unknown): Outline | null {
  if (!Array.isArray(bbox) || bbox.length !== 4 || !bbox.every(isFiniteNumber)) return null
  const [west = 0, south = 0, east = 0, north = 0]: number[] = bbox
  if (south > north) return null
  const [x1, x2] = sides(west, east)
  const [y1, y2] = [clampLatitude(south), clampLatitude(north)]
  return makeOutline(Float64Array.of(x1, y1, x2, y1, x2, y2, x1, y2, x1, y1), [5], true)
}

function sides(west: number, east: number): [number, number] {
  if (east - west >= 360) return [-180, 180]
  const left = normalLongitude(west)
  const right = shiftLongitude(nearLongitude(east), turnsToNormal(nearLongitude(west)))
  return [left, right < left ? shiftLongitude(right, 360 * Math.ceil((left - right) / 360)) : right]
}

/** True for a number that is neither infinite nor NaN. */
export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function clampLatitude(y: number): number {
  return y > 90 ? 90 : y < -90 ? -90 : y
}
