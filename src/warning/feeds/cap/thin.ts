import type { Position } from '../../../model/geojson.ts'

/** Outlines of whole countries come with 100 000 corners; this many are enough for regions on a mesh. */
const MAX_CORNERS = 10_000
const MAX_RINGS = 1000
const FEWEST = 8

/**
 * The rings with at most 10 000 corners together: of longer lists every n-th corner stays, in each ring at least eight
 * and always the first and the last. Of more than 1000 rings the ones with the most corners stay.
 */
export function thinRings(rings: Position[][]): Position[][] {
  const kept = rings.length <= MAX_RINGS ? rings : [...rings].sort((a, b) => b.length - a.length).slice(0, MAX_RINGS)
  const corners = kept.reduce((sum, ring) => sum + ring.length, 0)
  if (corners <= MAX_CORNERS) return kept
  return kept.map((ring) => thin(ring, Math.max(FEWEST, Math.floor((ring.length * MAX_CORNERS) / corners) - 1)))
}

function thin(ring: Position[], wanted: number): Position[] {
  if (ring.length <= wanted) return ring
  const step = (ring.length - 1) / (wanted - 1)
  return Array.from({ length: wanted }, (_, index) => ring[Math.round(index * step)] ?? [])
}
