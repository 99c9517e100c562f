import { type Box, edgeInBox, edgeMeetsSegment, ON_EDGE, sideOf } from './edges.ts'
import { shiftLongitude } from './longitude.ts'
import { makeStripes, type Stripes, stripeOf } from './stripes.ts'

/**
 * One polygon or line, compiled: a closed set in the longitude / latitude plane, edges straight. With `filled`, all
 * rings together follow the even-odd rule and their rims belong to the set (geometry semantics, rules 3 to 5).
 */
export interface Outline extends Box {
  /** Vertices as x, y pairs, ring after ring; the rings of a filled outline repeat their first vertex. Unwrapped: may pass 180. */
  readonly xy: Float64Array
  /** One past the last vertex of each ring. */
  readonly ends: readonly number[]
  readonly filled: boolean
  /** Made when they pay: small or seldom asked outlines are read from end to end. */
  stripes: Stripes | null
  questions: number
}

/** Below this many vertices a plain loop is as fast as stripes. */
const SMALL = 24
/** So many whole readings cost about as much as sorting the edges. */
const ENOUGH_QUESTIONS = 6

/** Compiles rings of x, y pairs; `xy` is kept, not copied. */
export function makeOutline(xy: Float64Array, ends: readonly number[], filled: boolean): Outline {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let at = 0; at < xy.length; at += 2) {
    const x = xy[at] ?? 0
    const y = xy[at + 1] ?? 0
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
  }
  return { xy, ends, filled, minX, minY, maxX, maxY, stripes: null, questions: 0 }
}

/** Sorts the edges now: for outlines that live long. */
export function prepare(outline: Outline): void {
  if (outline.xy.length > 2 * SMALL) {
    outline.stripes = makeStripes(outline.xy, outline.ends, outline.minY, outline.maxY)
  }
}

function stripesFor(outline: Outline): Stripes | null {
  if (outline.stripes === null && outline.xy.length > 2 * SMALL && ++outline.questions > ENOUGH_QUESTIONS) {
    prepare(outline)
  }
  return outline.stripes
}

/** The same outline some turns further east or west; `by` is a multiple of 360. */
export function shifted(outline: Outline, by: number): Outline {
  if (by === 0) return outline
  const xy = outline.xy.slice()
  for (let at = 0; at < xy.length; at += 2) xy[at] = shiftLongitude(xy[at] ?? 0, by)
  return makeOutline(xy, outline.ends, outline.filled)
}

/** True when a point of this frame lies in the filled outline or on one of its rims. */
export function covers(outline: Outline, x: number, y: number): boolean {
  if (x < outline.minX || x > outline.maxX || y < outline.minY || y > outline.maxY) return false
  const stripes = stripesFor(outline)
  return stripes === null ? coversByRings(outline, x, y) : coversByStripe(outline.xy, stripes, x, y)
}

function coversByStripe(xy: Float64Array, stripes: Stripes, x: number, y: number): boolean {
  const { starts, edges } = stripes
  const stripe = stripeOf(stripes, y)
  const to = starts[stripe + 1] ?? 0
  let inside = 0
  for (let at = starts[stripe] ?? 0; at < to; at++) {
    const side = sideOf(xy, edges[at] ?? 0, x, y)
    if (side === ON_EDGE) return true
    inside ^= side
  }
  return inside === 1
}

function coversByRings({ xy, ends }: Outline, x: number, y: number): boolean {
  let inside = 0
  let start = 0
  for (let ring = 0; ring < ends.length; ring++) {
    const end = ends[ring] ?? 0
    const side = ringSide(xy, start, end, x, y)
    if (side === ON_EDGE) return true
    inside ^= side
    start = end
  }
  return inside === 1
}

/** 1 when the ray from the point crosses the ring an odd number of times, 0 when even, or ON_EDGE. */
function ringSide(xy: Float64Array, start: number, end: number, x: number, y: number): number {
  let inside = 0
  for (let edge = start; edge < end - 1; edge++) {
    const side = sideOf(xy, edge, x, y)
    if (side === ON_EDGE) return ON_EDGE
    inside ^= side
  }
  return inside
}

/** True when an edge of the outline meets the segment. */
function meetsSegment(outline: Outline, x1: number, y1: number, x2: number, y2: number): boolean {
  const stripes = stripesFor(outline)
  const { xy } = outline
  if (stripes === null) return someEdge(outline, (edge) => edgeMeetsSegment(xy, edge, x1, y1, x2, y2))
  const { starts, edges } = stripes
  const to = starts[stripeOf(stripes, Math.max(y1, y2)) + 1] ?? 0
  for (let at = starts[stripeOf(stripes, Math.min(y1, y2))] ?? 0; at < to; at++) {
    if (edgeMeetsSegment(xy, edges[at] ?? 0, x1, y1, x2, y2)) return true
  }
  return false
}

function someEdge({ ends }: Outline, test: (edge: number) => boolean): boolean {
  let edge = 0
  for (let ring = 0; ring < ends.length; ring++) {
    const end = ends[ring] ?? 0
    for (; edge < end - 1; edge++) if (test(edge)) return true
    edge = end
  }
  return false
}

/** True when `test` holds for an edge of the outline whose box touches the given box. */
export function someEdgeInBox(
  outline: Outline,
  box: Box,
  test: (x1: number, y1: number, x2: number, y2: number) => boolean
): boolean {
  const { xy } = outline
  return someEdge(outline, (edge) => {
    if (!edgeInBox(xy, edge, box)) return false
    return test(xy[2 * edge] ?? 0, xy[2 * edge + 1] ?? 0, xy[2 * edge + 2] ?? 0, xy[2 * edge + 3] ?? 0)
  })
}

/** True when the filled outline `area` holds the first vertex of a ring of `other`. */
function holdsARing(area: Outline, other: Outline): boolean {
  const { xy, ends } = other
  for (let ring = 0; ring < ends.length; ring++) {
    const vertex = ring === 0 ? 0 : (ends[ring - 1] ?? 0)
    if (covers(area, xy[2 * vertex] ?? 0, xy[2 * vertex + 1] ?? 0)) return true
  }
  return false
}

/**
 * True when two outlines of one frame share a point. A ring that crosses no edge of the other lies wholly inside or
 * wholly outside of it, so one vertex of each ring and the crossings of the edges decide exactly.
 */
export function outlinesMeet(a: Outline, b: Outline): boolean {
  if (a.minX > b.maxX || a.maxX < b.minX || a.minY > b.maxY || a.maxY < b.minY) return false
  if (b.filled && holdsARing(b, a)) return true
  if (a.filled && holdsARing(a, b)) return true
  const [small, large] = a.xy.length <= b.xy.length ? [a, b] : [b, a]
  return someEdgeInBox(small, large, (x1, y1, x2, y2) => meetsSegment(large, x1, y1, x2, y2))
}
