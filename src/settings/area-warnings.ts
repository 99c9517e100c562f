import { type RingFault, ringFaults } from '../warning/coverage/rings.ts'
import type { AreaConfig, AreaPart } from '../warning/coverage/settings.ts'

interface AreaWarning {
  /** From the list of areas, in the long form. */
  path: (string | number)[]
  code: RingFault | 'antimeridian' | 'duplicate_name'
  message: string
}

const RING_MESSAGES: Record<RingFault, string> = {
  open_ring: 'the last position of the ring is not the first: it is closed by a straight line',
  zero_area: 'the ring has no area: only what touches this line or point matches',
  self_crossing: 'the ring crosses itself: parts of it count as outside',
  winding:
    'the ring runs the other way round than GeoJSON asks (outer rings counter-clockwise): it is used all the same',
  longitude: 'a longitude is beyond ±180: it counts modulo 360'
}

/** Shapes and names that are accepted, but probably not meant (contract §3). */
export function areaWarnings(areas: readonly AreaConfig[]): AreaWarning[] {
  const names = new Map<string, number>()
  return areas.flatMap(({ name, parts }, index) => {
    const found = parts.flatMap((part, number) =>
      partWarnings(part).map(({ path, ...rest }) => ({ ...rest, path: [index, 'parts', number, ...path] }))
    )
    const first = name === null ? undefined : names.get(name)
    if (name !== null && first === undefined) names.set(name, index)
    if (first === undefined) return found
    const message = `area ${first} has the name "${name}" too: both are one region`
    return [{ path: [index, 'name'], code: 'duplicate_name' as const, message }, ...found]
  })
}

function partWarnings({ bbox, circle, geometry }: AreaPart): AreaWarning[] {
  if (bbox !== undefined) return bboxWarnings(bbox)
  if (circle !== undefined) return circleWarnings(circle)
  if (geometry === undefined) return []
  const at = ['geometry', 'coordinates']
  if (geometry.type === 'Polygon') return polygonWarnings(geometry.coordinates, at)
  return geometry.coordinates.flatMap((polygon, index) => polygonWarnings(polygon, [...at, index]))
}

function bboxWarnings([west, south, east, north]: NonNullable<AreaPart['bbox']>): AreaWarning[] {
  const path = ['bbox']
  const found: AreaWarning[] = []
  if (west > east) {
    const message = `west (${west}) is east of east (${east}): the box crosses the antimeridian. Swapped?`
    found.push({ path, code: 'antimeridian', message })
  }
  for (const [place, longitude] of [
    [0, west],
    [2, east]
  ] as const) {
    if (Math.abs(longitude) > 180)
      found.push({ path: [...path, place], code: 'longitude', message: RING_MESSAGES.longitude })
  }
  if (west === east || south === north) {
    found.push({
      path,
      code: 'zero_area',
      message: 'the box has no area: only what touches this line or point matches'
    })
  }
  return found
}

function circleWarnings({ lon, radius_km }: NonNullable<AreaPart['circle']>): AreaWarning[] {
  const found: AreaWarning[] = []
  if (Math.abs(lon) > 180) found.push({ path: ['circle', 'lon'], code: 'longitude', message: RING_MESSAGES.longitude })
  if (radius_km === 0) {
    found.push({
      path: ['circle', 'radius_km'],
      code: 'zero_area',
      message: 'the circle has no area: only its centre matches'
    })
  }
  return found
}

function polygonWarnings(rings: readonly number[][][], path: readonly (string | number)[]): AreaWarning[] {
  if (rings.length === 0)
    return [{ path: [...path], code: 'zero_area', message: 'the polygon has no ring: nothing matches' }]
  return rings.flatMap((ring, index) =>
    ringFaults(ring, index === 0).map((code) => ({ path: [...path, index], code, message: RING_MESSAGES[code] }))
  )
}
