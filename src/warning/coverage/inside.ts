import type { LookoutEvent } from '../../model/event.ts'
import { discCovers } from './circle.ts'
import { canonicalCodes } from './codes.ts'
import { locate } from './locate.ts'
import { normalLongitude } from './longitude.ts'
import { covers } from './outline.ts'
import { areasOf } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** Outlines of more codes are not drawn for a question: it would hold up the radios. */
const MOST_CODES = 60
/** Longitudes of an outline may begin a turn further west. */
const TURNS = [0, 360, -360] as const

/**
 * Tells of a point (degrees) whether it lies in an event's area: as it is drawn, else in its zones. `whole` is false where some of
 * its zones cannot be drawn here. Null for an event without an area, such as a point.
 */
export function insideOf(
  event: LookoutEvent,
  zones: ZoneShapes
): { covers: (lat: number, lon: number) => boolean; whole: boolean } | null {
  const place = locate(event)
  const drawn = place?.outlines.filter((outline) => outline.filled) ?? []
  const disc = place?.disc ?? null
  const codes = drawn.length > 0 || disc !== null ? [] : canonicalCodes([...event.zones, ...event.same])
  const shapes = codes.slice(0, MOST_CODES).map((code) => areasOf(zones.shape(code)))
  const outlines = [...drawn, ...shapes.flat()]
  if (outlines.length === 0 && disc === null) return null
  return {
    whole: codes.length <= MOST_CODES && shapes.every((shape) => shape.length > 0),
    covers: (lat, lon) =>
      TURNS.some((turn) => {
        const x = normalLongitude(lon) + turn
        return outlines.some((outline) => covers(outline, x, lat)) || (disc !== null && discCovers(disc, x, lat))
      })
  }
}
