import type { Outline } from './outline.ts'
import { stripeOf } from './stripes.ts'

/**
 * The overlap of two sets of filled outlines, as areas of the longitude / latitude plane. Measured along lines of
 * latitude, so that holes, self-crossings and overlapping members need no clipping.
 */

/** A coded event meets a drawn region when this share of the smaller area overlaps (geometry semantics, rule 9). */
const ENOUGH_OVERLAP = 0.02

/** Lines for a first look; four times the threshold by them is beyond doubt. */
const COARSE_LINES = 32
const FINE_LINES = 256
const BEYOND_DOUBT = 4 * ENOUGH_OVERLAP

type Range = readonly [from: number, to: number]

/** Area of the union, in square degrees. */
export function areaOf(outlines: readonly Outline[]): number {
  return integrate(merge(outlines.map(({ minY, maxY }): Range => [minY, maxY])), FINE_LINES, (y) =>
    crossSection(outlines, y).reduce((sum, [from, to]) => sum + to - from, 0)
  )
}

/** Area both have in common, in square degrees, by a few lines: to tell much from little. */
export function commonArea(a: readonly Outline[], b: readonly Outline[]): number {
  return integrate(sharedBands(a, b), COARSE_LINES, (y) => commonLength(crossSection(a, y), crossSection(b, y)))
}

/** True when the overlap is at least 2 % of `smaller`, the lesser of the two areas, in square degrees. */
export function overlapsEnough(a: readonly Outline[], b: readonly Outline[], smaller: number): boolean {
  const bands = sharedBands(a, b)
  const common = (y: number) => commonLength(crossSection(a, y), crossSection(b, y))
  if (integrate(bands, COARSE_LINES, common) >= BEYOND_DOUBT * smaller) return true
  return integrate(bands, FINE_LINES, common) >= ENOUGH_OVERLAP * smaller
}

/** The latitudes where outlines of both sides are. */
function sharedBands(a: readonly Outline[], b: readonly Outline[]): Range[] {
  const left = merge(a.map(({ minY, maxY }): Range => [minY, maxY]))
  const right = merge(b.map(({ minY, maxY }): Range => [minY, maxY]))
  const bands: Range[] = []
  for (const [from, to] of left) {
    for (const [low, high] of right) {
      if (Math.min(to, high) > Math.max(from, low)) bands.push([Math.max(from, low), Math.min(to, high)])
    }
  }
  return bands
}

/** Midpoint rule: the lines are spread over the bands by height, a few at least for each. */
function integrate(bands: readonly Range[], lines: number, length: (y: number) => number): number {
  const height = bands.reduce((sum, [from, to]) => sum + to - from, 0)
  let area = 0
  for (const [from, to] of bands) {
    const count = Math.max(8, Math.ceil((lines * (to - from)) / height))
    const step = (to - from) / count
    for (let line = 0; line < count; line++) area += length(from + (line + 0.5) * step) * step
  }
  return area
}

/** The inside of a line of latitude: intervals of longitude within [-180, 180], apart and ascending. */
function crossSection(outlines: readonly Outline[], y: number): Range[] {
  const intervals: Range[] = []
  for (const outline of outlines) {
    if (!outline.filled || y < outline.minY || y > outline.maxY) continue
    const xs = crossings(outline, y)
    for (let at = 0; at + 1 < xs.length; at += 2) wrap(xs[at] ?? 0, xs[at + 1] ?? 0, intervals)
  }
  return merge(intervals)
}

function crossings(outline: Outline, y: number): number[] {
  const xs: number[] = []
  const { stripes, xy, ends } = outline
  if (stripes !== null) {
    const stripe = stripeOf(stripes, y)
    const to = stripes.starts[stripe + 1] ?? 0
    for (let at = stripes.starts[stripe] ?? 0; at < to; at++) cross(xy, stripes.edges[at] ?? 0, y, xs)
  } else {
    let vertex = 0
    for (const end of ends) {
      for (; vertex < end - 1; vertex++) cross(xy, vertex, y, xs)
      vertex = end
    }
  }
  return xs.sort((a, b) => a - b)
}

function cross(xy: Float64Array, edge: number, y: number, xs: number[]): void {
  const y1 = xy[2 * edge + 1] ?? 0
  const y2 = xy[2 * edge + 3] ?? 0
  if (y1 > y === y2 > y) return
  const x1 = xy[2 * edge] ?? 0
  const x2 = xy[2 * edge + 2] ?? 0
  xs.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
}

/** Adds an interval cut at the antimeridian, so that both sides speak of the same longitudes. */
function wrap(from: number, to: number, intervals: Range[]): void {
  if (from < -180) {
    intervals.push([from + 360, Math.min(to + 360, 180)])
    if (to > -180) intervals.push([-180, to])
  } else if (to > 180) {
    if (from < 180) intervals.push([from, 180])
    intervals.push([Math.max(from - 360, -180), to - 360])
  } else intervals.push([from, to])
}

function merge(ranges: Range[]): Range[] {
  if (ranges.length < 2) return ranges
  ranges.sort((a, b) => a[0] - b[0])
  const merged: Range[] = []
  let [from, to] = ranges[0] ?? [0, 0]
  for (const [low, high] of ranges) {
    if (low > to) {
      merged.push([from, to])
      from = low
      to = high
    } else if (high > to) to = high
  }
  merged.push([from, to])
  return merged
}

function commonLength(a: readonly Range[], b: readonly Range[]): number {
  let total = 0
  let [i, j] = [0, 0]
  for (;;) {
    const left = a[i]
    const right = b[j]
    if (left === undefined || right === undefined) return total
    total += Math.max(0, Math.min(left[1], right[1]) - Math.max(left[0], right[0]))
    if (left[1] < right[1]) i++
    else j++
  }
}
