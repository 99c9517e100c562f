/** Each may have to be compared with all others. */
const SIDES_IN_A_STEP = 20

type Point = readonly [x: number, y: number]
type Segment = readonly [from: Point, to: Point]

export type RingFault = 'open_ring' | 'zero_area' | 'self_crossing' | 'winding' | 'longitude'

/**
 * Oddities of a ring: accepted, but probably not meant (contract §3). Counts longitudes the short way round, as the
 * geometry does. `outer` rings run counter-clockwise, holes clockwise (RFC 7946 §3.1.6). In steps: sides are compared with each
 * other, of which there may be thousands.
 */
export function* ringFaults(ring: readonly (readonly number[])[], outer: boolean): Generator<void, RingFault[]> {
  const faults: RingFault[] = []
  if (ring.some(([lon = 0]) => Math.abs(lon) > 180)) faults.push('longitude')
  const [first, last] = [ring[0], ring.at(-1)]
  const closed = first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]
  if (!closed) faults.push('open_ring')
  const points = unrolled(closed ? ring.slice(0, -1) : ring)
  const crossing = yield* crossesItself(points)
  if (crossing) faults.push('self_crossing')
  const area = signedArea(points)
  if (isFlat(points, area)) {
    if (!crossing) faults.push('zero_area')
  } else if (!crossing && area > 0 !== outer) faults.push('winding')
  return faults
}

/** Each step between two vertices is the short way round the earth. */
function unrolled(ring: readonly (readonly number[])[]): Point[] {
  const points: Point[] = []
  for (const [lon = 0, lat = 0] of ring) {
    const before = points.at(-1)?.[0] ?? lon
    points.push([lon - 360 * Math.round((lon - before) / 360), lat])
  }
  return points
}

function signedArea(points: readonly Point[]): number {
  const [originX, originY] = points[0] ?? [0, 0]
  let twice = 0
  for (const [[ax, ay], [bx, by]] of segmentsOf(points)) {
    twice += (ax - originX) * (by - originY) - (bx - originX) * (ay - originY)
  }
  return twice / 2
}

function isFlat(points: readonly Point[], area: number): boolean {
  if (points.length < 3) return true
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => y)
  const box = (maximum(xs) - minimum(xs)) * (maximum(ys) - minimum(ys))
  return Math.abs(area) <= box * 1e-9
}

/** True when two sides cross in a point inside of both. Touching corners are no crossing. */
function* crossesItself(points: readonly Point[]): Generator<void, boolean> {
  const segments = segmentsOf(points).sort((a, b) => left(a) - left(b))
  for (const [index, one] of segments.entries()) {
    if (index % SIDES_IN_A_STEP === SIDES_IN_A_STEP - 1) yield
    const right = Math.max(one[0][0], one[1][0])
    for (let next = index + 1; next < segments.length; next++) {
      const other = segments[next]
      if (other === undefined || left(other) > right) break
      if (cross(one, other)) return true
    }
  }
  return false
}

function segmentsOf(points: readonly Point[]): Segment[] {
  return points.flatMap((from, index) => {
    const to = points[(index + 1) % points.length]
    return to === undefined ? [] : [[from, to] as const]
  })
}

function cross([a, b]: Segment, [c, d]: Segment): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

function side([ax, ay]: Point, [bx, by]: Point, [px, py]: Point): number {
  return Math.sign((bx - ax) * (py - ay) - (by - ay) * (px - ax))
}

function left([from, to]: Segment): number {
  return Math.min(from[0], to[0])
}

function minimum(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

function maximum(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
}
