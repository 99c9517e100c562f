import type { BBox } from '../../../model/geojson.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import { pointIn } from '../georss/shape.ts'
import { feedDate } from '../reading/loose.ts'
import { childText, type Element } from '../reading/xml.ts'

export const GDACS_TYPES = ['EQ', 'TC', 'FL', 'VO', 'WF', 'TS', 'DR'] as const
export type GdacsType = (typeof GDACS_TYPES)[number]
export const GDACS_COLOURS = ['Green', 'Orange', 'Red'] as const
export type GdacsColour = (typeof GDACS_COLOURS)[number]

/** One disaster of the RSS listing. Times are epoch milliseconds. */
export interface GdacsItem {
  /** Event type and number: `EQ1200043`. */
  id: string
  type: GdacsType
  episode: string
  colour: GdacsColour
  current: boolean
  modified: number
  from: number | null
  title: string
  description: string
  name: string
  country: string
  /** `Magnitude 5.3M, Depth:10km`. */
  severity: string
  /** `33 dead and 12000 displaced`. */
  population: string
  lat: number
  lon: number
  /** The box round its way; null where the listing gives nothing but the frame of a map. */
  bbox: BBox | null
  /** ISO 3166-1 alpha-3 of the countries it names. */
  iso3: string[]
}

/** The item, or why it is none. */
export function readItem(item: Element): GdacsItem | SkippedItem {
  const type = childText(item, 'eventtype').toUpperCase()
  const number = childText(item, 'eventid')
  const id = `${type}${number}` || childText(item, 'guid')
  const refuse = (reason: Reason): SkippedItem => ({ id, reason })
  const known = GDACS_TYPES.find((candidate) => candidate === type)
  if (known === undefined) return refuse(type === '' ? because('no_event_type') : because('other_event_type', { type }))
  if (!/^\d{1,12}$/.test(number)) return refuse(because('no_event_id'))
  const level = childText(item, 'alertlevel')
  const colour = GDACS_COLOURS.find((candidate) => candidate.toLowerCase() === level.toLowerCase())
  if (colour === undefined)
    return refuse(level === '' ? because('alert_level_missing') : because('other_alert_level', { level }))
  const point = pointIn(item)
  if (point === null) return refuse(because('no_position_given'))
  const modified = feedDate(childText(item, 'datemodified')) ?? feedDate(childText(item, 'pubDate'))
  if (modified === null) return refuse(because('no_time'))
  return {
    id,
    type: known,
    episode: childText(item, 'episodeid'),
    colour,
    // Older feeds do not say; what they list goes on.
    current: childText(item, 'iscurrent').toLowerCase() !== 'false',
    modified,
    from: feedDate(childText(item, 'fromdate')),
    title: childText(item, 'title'),
    description: childText(item, 'description'),
    name: childText(item, 'eventname'),
    country: childText(item, 'country'),
    severity: childText(item, 'severity'),
    population: childText(item, 'population'),
    ...point,
    bbox: extentOf(childText(item, 'bbox'), point),
    iso3:
      childText(item, 'iso3')
        .toUpperCase()
        .match(/\b[A-Z]{3}\b/g) ?? []
  }
}

function numbers(text: string, count: number): number[] | null {
  const parts = text.trim().split(/\s+/)
  const values = parts.map(Number)
  return text.trim() !== '' && values.length === count && values.every(Number.isFinite) ? values : null
}

/**
 * `gdacs:bbox` is "lonmin lonmax latmin latmax". Most are the frame of a map, 8 degrees wide around the point, and some lie
 * elsewhere altogether; only a box that holds the point off its middle is an extent.
 */
function extentOf(text: string, { lat, lon }: { lat: number; lon: number }): BBox | null {
  const [west, east, south, north] = numbers(text, 4) ?? []
  if (west === undefined || east === undefined || south === undefined || north === undefined) return null
  const holds =
    west <= lon && lon <= east && south <= lat && lat <= north && Math.abs(south) <= 90 && Math.abs(north) <= 90
  const centred = Math.abs((west + east) / 2 - lon) < 0.05 && Math.abs((south + north) / 2 - lat) < 0.05
  return holds && !centred ? [west, south, east, north] : null
}
