// The shape of a layer in world coordinates: outlines, lines and points, whatever it was given as.
import { boxRing, circleRing, toWorld, worldX, worldY } from './mercator.js'
import { boxOfLines } from './view.js'

/**
 * Whatever says where something is; the first of geometry, circle, bbox, lat/lon and codes counts.
 * @typedef {object} Where
 * @property {any} [geometry] GeoJSON geometry
 * @property {{ lat: number, lon: number, radius_km: number } | null} [circle]
 * @property {readonly number[] | null} [bbox] west, south, east, north
 * @property {number | null} [lat]
 * @property {number | null} [lon]
 * @property {readonly string[]} [codes] UGC, FIPS, SAME or states; their outlines come from the station
 */

/**
 * @typedef {object} Shape
 * @property {Float64Array[][]} polygons each a list of rings, even-odd
 * @property {Float64Array[]} lines
 * @property {[number, number][]} points
 * @property {import('./view.js').WorldBox | null} box null: nothing to draw
 */

/** Broken input of feeds must not hang the page. */
const MAX_VERTICES = 50_000

/**
 * @param {readonly Where[]} parts
 * @param {(code: string) => any} outlineOf GeoJSON of a code, null while unknown
 * @returns {Shape}
 */
export function shapeOf(parts, outlineOf) {
  const builder = new Builder()
  for (const part of parts) addPart(builder, part, outlineOf)
  return builder.shape()
}

class Builder {
  /** @type {Float64Array[][]} */ polygons = []
  /** @type {Float64Array[]} */ lines = []
  /** @type {[number, number][]} */ points = []
  /** @type {number | null} */ #near = null
  #left = MAX_VERTICES

  /** @param {any} positions @returns {Float64Array | null} */
  #line(positions) {
    if (!Array.isArray(positions)) return null
    const usable = positions.filter(Array.isArray).slice(0, this.#left)
    this.#left -= usable.length
    const line = toWorld(usable, this.#near)
    if (line.length < 2) return null
    this.#near ??= line[0] ?? null
    return line
  }

  /** @param {any} rings */
  polygon(rings) {
    if (!Array.isArray(rings)) return
    const made = rings.map((ring) => this.#line(ring)).filter((ring) => ring !== null)
    if (made.length > 0) this.polygons.push(made)
  }

  /** @param {any} positions */
  line(positions) {
    const made = this.#line(positions)
    if (made !== null) this.lines.push(made)
  }

  /** @param {any} position */
  point(position) {
    const made = this.#line([position])
    if (made !== null) this.points.push([made[0] ?? 0, made[1] ?? 0])
  }

  /** @returns {Shape} */
  shape() {
    const { polygons, lines, points } = this
    const all = [...polygons.flat(), ...lines, ...points.map((point) => Float64Array.from(point))]
    return { polygons, lines, points, box: boxOfLines(all) }
  }
}

/** @param {Builder} builder @param {Where} part @param {(code: string) => any} outlineOf */
function addPart(builder, part, outlineOf) {
  const { geometry, circle, bbox, lat, lon, codes } = part
  if (geometry) addGeometry(builder, geometry)
  else if (circle) builder.polygon([circleRing(circle)])
  else if (bbox) builder.polygon([boxRing(bbox)])
  else if (typeof lat === 'number' && typeof lon === 'number') builder.point([lon, lat])
  else for (const code of codes ?? []) addGeometry(builder, outlineOf(code))
}

/** @type {Record<string, (builder: Builder, coordinates: any) => void>} */
const DRAWN = {
  Point: (builder, at) => builder.point(at),
  MultiPoint: (builder, all) => each(all, (at) => builder.point(at)),
  LineString: (builder, line) => builder.line(line),
  MultiLineString: (builder, all) => each(all, (line) => builder.line(line)),
  Polygon: (builder, rings) => builder.polygon(rings),
  MultiPolygon: (builder, all) => each(all, (rings) => builder.polygon(rings))
}

/** @param {any} list @param {(item: any) => void} work */
function each(list, work) {
  if (Array.isArray(list)) list.forEach(work)
}

/** @param {Builder} builder @param {any} geometry */
function addGeometry(builder, geometry, depth = 0) {
  if (!geometry || depth > 8) return
  if (geometry.type === 'GeometryCollection') {
    each(geometry.geometries, (member) => addGeometry(builder, member, depth + 1))
  } else if (Object.hasOwn(DRAWN, geometry.type)) DRAWN[geometry.type]?.(builder, geometry.coordinates)
}

/** @param {{ lon: number, lat: number }} place @returns {[number, number]} */
export function worldOf({ lon, lat }) {
  return [worldX(lon), worldY(lat)]
}
