import type { Geometry, Position } from '../../model/geojson.ts'

const DECIMALS = 1e4

/**
 * The same geometry with fewer vertices: none of those left out lies further than `tolerance` degrees from the line that
 * remains (Douglas-Peucker), and four decimals (11 m) are kept. A ring that would collapse keeps its corners.
 */
export function thinned(geometry: Geometry, tolerance: number): Geometry {
  switch (geometry.type) {
    case 'Point':
    case 'MultiPoint':
      return geometry
    case 'GeometryCollection':
      return { type: geometry.type, geometries: geometry.geometries.map((member) => thinned(member, tolerance)) }
    case 'LineString':
      return { type: geometry.type, coordinates: thinLine(geometry.coordinates, tolerance) }
    case 'MultiLineString':
    case 'Polygon':
      return { type: geometry.type, coordinates: geometry.coordinates.map((line) => thinLine(line, tolerance)) }
    case 'MultiPolygon':
      return {
        type: geometry.type,
        coordinates: geometry.coordinates.map((rings) => rings.map((ring) => thinLine(ring, tolerance)))
      }
  }
}

function thinLine(line: readonly Position[], tolerance: number): Position[] {
  const keep = new Uint8Array(line.length)
  const stack: [number, number][] = [[0, line.length - 1]]
  keep[0] = 1
  keep[line.length - 1] = 1
  for (let span = stack.pop(); span !== undefined; span = stack.pop()) {
    const [from, to] = span
    const { at, distance } = furthest(line, from, to)
    // A closed ring begins and ends in one point: its furthest vertex is kept, or nothing of it would be left.
    if (at === null || (distance <= tolerance && !(from === 0 && to === line.length - 1))) continue
    keep[at] = 1
    stack.push([from, at], [at, to])
  }
  const kept = line.filter((_, index) => keep[index] === 1)
  return (kept.length >= 4 ? kept : line).map(([x = 0, y = 0]) => [rounded(x), rounded(y)])
}

function furthest(line: readonly Position[], from: number, to: number): { at: number | null; distance: number } {
  let at: number | null = null
  let distance = -1
  const [a, b] = [line[from] ?? [], line[to] ?? []]
  for (let index = from + 1; index < to; index++) {
    const away = distanceTo(line[index] ?? [], a, b)
    if (away > distance) {
      distance = away
      at = index
    }
  }
  return { at, distance }
}

/** From a point to the line between two others, in degrees of the plane. */
function distanceTo([x = 0, y = 0]: Position, [x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length))
  return Math.hypot(x - x1 - share * dx, y - y1 - share * dy)
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS
}
