import { KM_PER_MILE, type Units } from '../../../model/units.ts'
import type { Place } from '../../../warning/coverage/locate.ts'
import type { Outline } from '../../../warning/coverage/outline.ts'

/** Units of the drawing, which is as wide as its place allows. */
export const WIDTH = 800
export const HEIGHT = 500
/** Nothing nearer than this to the corner before is seen. Units. */
const FINEST = 1.2
/** Room around the areas, as a share of their size. */
const MARGIN = 0.12
/** A station alone, or a single point, is shown with its surroundings. Degrees. */
const LEAST_SPAN = 0.4
/** Hazards far larger than the areas do not make these a dot. */
const MOST_GROWTH = 0.6
const RADIANS = Math.PI / 180

interface Extent {
  minX: number
  minY: number
  maxX: number
  maxY: number
}

/** The way from degrees to units: Mercator, as every map of this size is drawn. */
export interface Frame {
  x: (lon: number) => number
  y: (lat: number) => number
  west: number
  east: number
  south: number
  north: number
}

const mercator = (lat: number): number =>
  Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, lat)) * RADIANS) / 2))
const latitude = (y: number): number => (2 * Math.atan(Math.exp(y)) - Math.PI / 2) / RADIANS

function extentOf(places: readonly Place[]): Extent | null {
  const all = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity }
  const take = (part: Extent): void => {
    all.minX = Math.min(all.minX, part.minX)
    all.minY = Math.min(all.minY, part.minY)
    all.maxX = Math.max(all.maxX, part.maxX)
    all.maxY = Math.max(all.maxY, part.maxY)
  }
  for (const { points, outlines, disc } of places) {
    for (const outline of outlines) take(outline)
    if (disc !== null) take(disc)
    for (let at = 0; at < points.length; at += 2) {
      const [x = 0, y = 0] = [points[at], points[at + 1]]
      take({ minX: x, minY: y, maxX: x, maxY: y })
    }
  }
  return Number.isFinite(all.minX) ? all : null
}

/** A frame around the areas, with as much of the hazards as leaves the areas readable. Null without anything to show. */
export function frameOf(areas: readonly Place[], hazards: readonly Place[]): Frame | null {
  const base = extentOf(areas) ?? extentOf(hazards)
  if (base === null) return null
  const wanted = extentOf(hazards) ?? base
  const [w, h] = [Math.max(base.maxX - base.minX, LEAST_SPAN), Math.max(base.maxY - base.minY, LEAST_SPAN)]
  const grown = {
    minX: Math.min(base.minX, Math.max(wanted.minX, base.minX - w * MOST_GROWTH)) - w * MARGIN,
    maxX: Math.max(base.maxX, Math.min(wanted.maxX, base.maxX + w * MOST_GROWTH)) + w * MARGIN,
    minY: Math.min(base.minY, Math.max(wanted.minY, base.minY - h * MOST_GROWTH)) - h * MARGIN,
    maxY: Math.max(base.maxY, Math.min(wanted.maxY, base.maxY + h * MOST_GROWTH)) + h * MARGIN
  }
  return fitted(grown)
}

/** The frame that shows a box: of the edges of a frame that same frame. */
export function frameOfBox({ west, south, east, north }: Omit<Frame, 'x' | 'y'>): Frame {
  return fitted({ minX: west, minY: south, maxX: east, maxY: north })
}

function fitted({ minX, minY, maxX, maxY }: Extent): Frame {
  const [top, bottom] = [mercator(maxY), mercator(minY)]
  const scale = Math.min(WIDTH / ((maxX - minX) * RADIANS), HEIGHT / (top - bottom))
  const [centreX, centreY] = [(minX + maxX) / 2, (top + bottom) / 2]
  const x = (lon: number): number => WIDTH / 2 + (lon - centreX) * RADIANS * scale
  const y = (lat: number): number => HEIGHT / 2 - (mercator(lat) - centreY) * scale
  const half = { x: WIDTH / 2 / scale / RADIANS, y: HEIGHT / 2 / scale }
  return {
    x,
    y,
    west: centreX - half.x,
    east: centreX + half.x,
    south: latitude(centreY - half.y),
    north: latitude(centreY + half.y)
  }
}

/** The outlines as the data of a path; corners that nobody would see are left out. */
export function pathOf(outlines: readonly Outline[], frame: Frame): string {
  return outlines.map((outline) => outlinePath(outline, frame)).join('')
}

function outlinePath({ xy, ends, filled }: Outline, frame: Frame): string {
  let [path, from] = ['', 0]
  for (const end of ends) {
    path += ringPath(xy.subarray(2 * from, 2 * end), frame)
    if (filled) path += 'Z'
    from = end
  }
  return path
}

/** A line of longitudes and latitudes in turn, as the data of a path. */
export function ringPath(xy: Float64Array | Float32Array, frame: Frame): string {
  const steps: string[] = []
  let [lastX, lastY] = [Infinity, Infinity]
  for (let at = 0; at < xy.length; at += 2) {
    const [x, y] = [frame.x(xy[at] ?? 0), frame.y(xy[at + 1] ?? 0)]
    const isLast = at + 2 >= xy.length
    if (!isLast && Math.abs(x - lastX) < FINEST && Math.abs(y - lastY) < FINEST) continue
    steps.push(`${steps.length === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`)
    lastX = x
    lastY = y
  }
  return steps.join('')
}

const FAR = 4000
/** Browsers draw nothing well that lies far outside: it is moved to this edge. */
function round(units: number): number {
  return Math.round(10 * Math.max(-FAR, Math.min(FAR, units))) / 10
}

/** The half axes of a circle in units. */
export function discOf(
  { lat, lon, radiusKm }: NonNullable<Place['disc']>,
  frame: Frame
): { x: number; y: number; r: number } {
  const degrees = radiusKm / 111.2
  return { x: round(frame.x(lon)), y: round(frame.y(lat)), r: round(Math.abs(frame.y(lat + degrees) - frame.y(lat))) }
}

/** Where the name of a place stands: the middle of what is seen of it. Null where nothing is. */
export function middleOf(place: Place, frame: Frame): { x: number; y: number } | null {
  const extent = extentOf([place])
  if (extent === null) return null
  const west = Math.max(extent.minX, frame.west)
  const east = Math.min(extent.maxX, frame.east)
  const south = Math.max(extent.minY, frame.south)
  const north = Math.min(extent.maxY, frame.north)
  if (west > east || south > north) return null
  return { x: round(frame.x((west + east) / 2)), y: round(frame.y((south + north) / 2)) }
}

/** Lines of whole degrees, or of parts of one: few enough to be quiet. */
export function graticule({ x, y, west, east, south, north }: Frame): string {
  const steps = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 45]
  const step = steps.find((degrees) => (east - west) / degrees <= 8) ?? 90
  const lines: string[] = []
  for (let lon = Math.ceil(west / step) * step; lon < east; lon += step) lines.push(`M${round(x(lon))} 0V${HEIGHT}`)
  for (let lat = Math.ceil(south / step) * step; lat < north; lat += step) lines.push(`M0 ${round(y(lat))}H${WIDTH}`)
  return lines.join('')
}

/** The longest round distance that fits a fifth of the width, in the station's units, `20 km`, and its length in those of the drawing. */
export function scaleBar(frame: Frame, units: Units): { distance: string; length: number } {
  const middle = (frame.south + frame.north) / 2
  const perKm = WIDTH / ((frame.east - frame.west) * 111.2 * Math.cos(middle * RADIANS))
  const per = units === 'metric' ? perKm : perKm * KM_PER_MILE
  const far = [1000, 500, 200, 100, 50, 20, 10, 5, 2, 1].find((length) => length * per <= WIDTH / 5) ?? 1
  return { distance: `${far} ${units === 'metric' ? 'km' : 'mi'}`, length: round(far * per) }
}
