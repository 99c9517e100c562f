import type { Geometry, Position } from '../../../model/geojson.ts'
import { looseNumber } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { childText, type Element } from '../reading/xml.ts'

/**
 * The place of a DATEX II situation record, as far as it says so in coordinates: codes of ALERT-C need tables of their
 * country.
 */

const MOST_POSITIONS = 20_000
/** Only a position for a sign on a map, used when there is nothing better. */
const FOR_DISPLAY = /^(?:locationForDisplay|coordinatesForDisplay)$/

interface Found {
  lines: Position[][]
  points: Position[]
  display: Position[]
}

/** Lines where position lists are given, else the points of each location in their order, else the point for display. */
export function placeOf(record: Element, lonLat: boolean): Geometry | null {
  const locations = record.children.filter(({ name }) => name === 'groupOfLocations' || name === 'locationReference')
  const found = locations.map((location) => {
    const places: Found = { lines: [], points: [], display: [] }
    collect(location, lonLat, places)
    return places
  })
  const lines = found.flatMap((places) => (places.lines.length > 0 ? places.lines : pathOf(places.points)))
  const points = found.flatMap((places) => (places.lines.length > 0 || places.points.length > 1 ? [] : places.points))
  return shapeOf(lines, points.length > 0 || lines.length > 0 ? points : found.flatMap(({ display }) => display))
}

/** The points of one location are its way. */
function pathOf(points: Position[]): Position[][] {
  return points.length > 1 ? [points] : []
}

function shapeOf(lines: Position[][], points: Position[]): Geometry | null {
  const [line] = lines
  const [point] = points
  if (line !== undefined && lines.length === 1) return { type: 'LineString', coordinates: line }
  if (line !== undefined) return { type: 'MultiLineString', coordinates: lines }
  if (point === undefined) return null
  return points.length === 1 ? { type: 'Point', coordinates: point } : { type: 'MultiPoint', coordinates: points }
}

function collect(element: Element, lonLat: boolean, found: Found): void {
  if (element.name === 'posList') {
    const line = positionsOf(element.text, lonLat)
    if (line.length > 1) found.lines.push(line)
    return
  }
  const [lat, lon] = [looseNumber(childText(element, 'latitude')), looseNumber(childText(element, 'longitude'))]
  if (lat !== null && lon !== null) {
    const isPlace = Math.abs(lat) <= 90 && Math.abs(lon) <= 360 && found.points.length < MOST_POSITIONS
    if (isPlace) (FOR_DISPLAY.test(element.name) ? found.display : found.points).push([lon, lat])
    return
  }
  for (const child of element.children) collect(child, lonLat, found)
}

function positionsOf(text: string, lonLat: boolean): Position[] {
  const numbers = text
    .trim()
    .split(/\s+/)
    .slice(0, 2 * MOST_POSITIONS)
    .map(looseNumber)
  const positions: Position[] = []
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [first, second] = [numbers[index] ?? null, numbers[index + 1] ?? null]
    const [lat, lon] = lonLat ? [second, first] : [first, second]
    if (lat === null || lon === null || Math.abs(lat) > 90) return []
    positions.push([lon, lat])
  }
  return positions
}

/** The first text of an element of this name, however deep; '' without one. */
export function textDeep(element: Element, name: string): string {
  const own = childText(element, name)
  if (own !== '') return oneLine(own)
  for (const child of element.children) {
    const found = textDeep(child, name)
    if (found !== '') return found
  }
  return ''
}
