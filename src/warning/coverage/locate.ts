import type { LookoutEvent } from '../../model/event.ts'
import { type Disc, readCircle } from './circle.ts'
import type { Outline } from './outline.ts'
import { isFiniteNumber, readBox, readShape } from './shape.ts'

/** The parts of an event that say where it is. */
export type Locatable = Pick<LookoutEvent, 'geometry' | 'bbox' | 'circle' | 'lat' | 'lon' | 'zones' | 'same'> & {
  data?: Pick<LookoutEvent['data'], 'geocodes' | 'places'>
}

/** The place in which an event is drawn: the union of points, outlines and a circle. */
export interface Place {
  readonly how: 'geometry' | 'circle' | 'bbox' | 'point'
  readonly points: readonly number[]
  readonly outlines: readonly Outline[]
  readonly disc: Disc | null
  readonly thinned: boolean
}

const EMPTY = { points: [], outlines: [], disc: null, thinned: false }

/**
 * The first usable of `geometry`, `circle`, `bbox` and `lat`/`lon` (contract §3), or null when the event is not drawn.
 * Whatever the fields hold, it never throws; what is unusable counts as absent. Above `maxVertices` it is a sketch.
 */
export function locate(event: Locatable, maxVertices?: number): Place | null {
  const shape = event.geometry === null ? null : readShape(event.geometry, maxVertices)
  if (shape !== null) return { how: 'geometry', ...shape, disc: null }
  const disc = readCircle(event.circle)
  if (disc !== null) return { ...EMPTY, how: 'circle', disc }
  const box = readBox(event.bbox)
  if (box !== null) return { ...EMPTY, how: 'bbox', outlines: [box] }
  const { lat, lon } = event
  if (!isFiniteNumber(lat) || !isFiniteNumber(lon) || Math.abs(lat) > 90) return null
  const point = readShape({ type: 'Point', coordinates: [lon, lat] })
  return point === null ? null : { ...EMPTY, how: 'point', points: point.points }
}
