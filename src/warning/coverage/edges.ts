import { orient2d } from 'robust-predicates'

/** Exact questions about single edges: edge n goes from vertex n to vertex n + 1 of flat x, y pairs. */

const APART = 0
const CROSSES = 1
export const ON_EDGE = 2

/** True when the two values lie on one side of both others: the intervals do not touch. */
function apart(a1: number, a2: number, b1: number, b2: number): boolean {
  return (a1 < b1 && a1 < b2 && a2 < b1 && a2 < b2) || (a1 > b1 && a1 > b2 && a2 > b1 && a2 > b2)
}

function sameSign(a: number, b: number): boolean {
  return (a > 0 && b > 0) || (a < 0 && b < 0)
}

/**
 * The relation of an edge to a point: of no account, crossed by the ray from the point to the east, or through the
 * point.
 */
export function sideOf(xy: Float64Array, edge: number, x: number, y: number): number {
  const y1 = xy[2 * edge + 1] ?? 0
  const y2 = xy[2 * edge + 3] ?? 0
  if (sameSign(y1 - y, y2 - y)) return APART
  const x1 = xy[2 * edge] ?? 0
  const x2 = xy[2 * edge + 2] ?? 0
  if (x1 < x && x2 < x) return APART
  // An end exactly on the ray counts for the edge above only, so that a vertex is crossed once.
  const straddles = y1 > y !== y2 > y
  if (x1 > x && x2 > x) return straddles ? CROSSES : APART
  const side = orient2d(x1, y1, x2, y2, x, y)
  if (side === 0) return ON_EDGE
  return straddles && side > 0 === y1 > y2 ? CROSSES : APART
}

/** True when an edge and a segment, both with their ends, share a point; also collinear and of no length. */
export function edgeMeetsSegment(xy: Float64Array, edge: number, x1: number, y1: number, x2: number, y2: number) {
  const x3 = xy[2 * edge] ?? 0
  const x4 = xy[2 * edge + 2] ?? 0
  if (apart(x1, x2, x3, x4)) return false
  const y3 = xy[2 * edge + 1] ?? 0
  const y4 = xy[2 * edge + 3] ?? 0
  if (apart(y1, y2, y3, y4)) return false
  if (sameSign(orient2d(x1, y1, x2, y2, x3, y3), orient2d(x1, y1, x2, y2, x4, y4))) return false
  return !sameSign(orient2d(x3, y3, x4, y4, x1, y1), orient2d(x3, y3, x4, y4, x2, y2))
}

/** Degrees, in the frame of whoever asks. */
export interface Box {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/** True when the box of an edge touches the given box. */
export function edgeInBox(xy: Float64Array, edge: number, box: Box): boolean {
  const y1 = xy[2 * edge + 1] ?? 0
  const y2 = xy[2 * edge + 3] ?? 0
  if ((y1 < box.minY && y2 < box.minY) || (y1 > box.maxY && y2 > box.maxY)) return false
  const x1 = xy[2 * edge] ?? 0
  const x2 = xy[2 * edge + 2] ?? 0
  return !((x1 < box.minX && x2 < box.minX) || (x1 > box.maxX && x2 > box.maxX))
}
