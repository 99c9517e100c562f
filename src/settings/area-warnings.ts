import { because, type Reason } from '../model/reason.ts'
import { drain } from '../platform/clock/slices.ts'
import { type RingFault, ringFaults } from '../warning/coverage/rings.ts'
import type { AreaConfig, AreaPart } from '../warning/coverage/settings.ts'

interface AreaWarning {
  /** From the list of areas, in the long form. */
  path: (string | number)[]
  code: RingFault | 'antimeridian' | 'duplicate_name'
  reason: Reason
}

const RING_REASONS: Record<RingFault, Reason> = {
  open_ring: because('odd_open_ring'),
  zero_area: because('odd_empty_ring'),
  self_crossing: because('odd_self_crossing'),
  winding: because('odd_winding'),
  longitude: because('odd_longitude')
}

/** Shapes and names that are accepted, but probably not meant (contract §3). */
export function areaWarnings(areas: readonly AreaConfig[]): AreaWarning[] {
  return drain(areaWarningSteps(areas))
}

/** The same in steps: each side of a ring is compared with others. */
export function* areaWarningSteps(areas: readonly AreaConfig[]): Generator<void, AreaWarning[]> {
  const names = new Map<string, number>()
  const found: AreaWarning[] = []
  for (const [index, { name, parts }] of areas.entries()) {
    const first = name === null ? undefined : names.get(name)
    if (name !== null && first === undefined) names.set(name, index)
    if (first !== undefined) {
      const reason = because('odd_same_name', { first, name: name ?? '' })
      found.push({ path: [index, 'name'], code: 'duplicate_name', reason })
    }
    for (const [number, part] of parts.entries()) {
      const warnings = yield* partWarnings(part)
      found.push(...warnings.map(({ path, ...rest }) => ({ ...rest, path: [index, 'parts', number, ...path] })))
    }
  }
  return found
}

function* partWarnings({ bbox, circle, geometry }: AreaPart): Generator<void, AreaWarning[]> {
  if (bbox !== undefined) return bboxWarnings(bbox)
  if (circle !== undefined) return circleWarnings(circle)
  if (geometry === undefined) return []
  const at = ['geometry', 'coordinates']
  if (geometry.type === 'Polygon') return yield* polygonWarnings(geometry.coordinates, at)
  const found: AreaWarning[] = []
  for (const [index, polygon] of geometry.coordinates.entries())
    found.push(...(yield* polygonWarnings(polygon, [...at, index])))
  return found
}

function bboxWarnings([west, south, east, north]: NonNullable<AreaPart['bbox']>): AreaWarning[] {
  const path = ['bbox']
  const found: AreaWarning[] = []
  if (west > east) {
    found.push({ path, code: 'antimeridian', reason: because('odd_antimeridian', { west, east }) })
  }
  for (const [place, longitude] of [
    [0, west],
    [2, east]
  ] as const) {
    if (Math.abs(longitude) > 180)
      found.push({ path: [...path, place], code: 'longitude', reason: RING_REASONS.longitude })
  }
  if (west === east || south === north) {
    found.push({ path, code: 'zero_area', reason: because('odd_empty_box') })
  }
  return found
}

function circleWarnings({ lon, radius_km }: NonNullable<AreaPart['circle']>): AreaWarning[] {
  const found: AreaWarning[] = []
  if (Math.abs(lon) > 180) found.push({ path: ['circle', 'lon'], code: 'longitude', reason: RING_REASONS.longitude })
  if (radius_km === 0) {
    found.push({ path: ['circle', 'radius_km'], code: 'zero_area', reason: because('odd_empty_circle') })
  }
  return found
}

function* polygonWarnings(
  rings: readonly number[][][],
  path: readonly (string | number)[]
): Generator<void, AreaWarning[]> {
  if (rings.length === 0) return [{ path: [...path], code: 'zero_area', reason: because('odd_no_ring') }]
  const found: AreaWarning[] = []
  for (const [index, ring] of rings.entries()) {
    const faults = yield* ringFaults(ring, index === 0)
    found.push(...faults.map((code) => ({ path: [...path, index], code, reason: RING_REASONS[code] })))
    yield
  }
  return found
}
