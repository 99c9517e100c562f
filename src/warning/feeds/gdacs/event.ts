import type { EventData, LookoutEvent } from '../../../model/event.ts'
import type { BBox } from '../../../model/geojson.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { hectaresIn } from '../georss/labels.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { shakingCircle } from '../reading/shaking.ts'
import type { GdacsColour, GdacsItem, GdacsType } from './item.ts'

const CLASSES: Record<GdacsType, { category: string; family: string; name: string }> = {
  EQ: { category: 'earthquake_event', family: 'seismic', name: 'Earthquake' },
  TC: { category: 'weather_tropical_warning', family: 'weather', name: 'Tropical cyclone' },
  FL: { category: 'weather_flood_warning', family: 'weather', name: 'Flood' },
  VO: { category: 'volcano_warning', family: 'seismic', name: 'Volcano' },
  WF: { category: 'wildfire_incident', family: 'fire', name: 'Forest fire' },
  TS: { category: 'tsunami_watch', family: 'seismic', name: 'Tsunami' },
  DR: { category: 'weather_statement', family: 'weather', name: 'Drought' }
}

const LEVELS: Record<GdacsColour, Severity> = { Green: 'routine', Orange: 'priority', Red: 'critical' }

export interface GdacsEventOptions {
  source: string
  receivedAt: number
  /** False for one that its source has closed. */
  goesOn: boolean
}

/** The event of an item. Red is immediate inside a named region, critical elsewhere. */
export function toEvent(item: GdacsItem, { source, receivedAt, goesOn }: GdacsEventOptions): LookoutEvent {
  const { id, type, colour, lat, lon } = item
  const { name, ...kind } = CLASSES[type]
  const circle = item.type === 'EQ' ? shakingCircle({ ...item, magnitude: quakeNumbers(item).magnitude }) : null
  const bbox = circle === null && usesExtent(type) ? (item.bbox ?? stormBox(item)) : null
  return {
    id,
    source,
    revision: `${item.episode}@${formatTime(item.modified)}${goesOn ? '' : '/closed'}`,
    ...kind,
    severity: LEVELS[colour],
    title: clip(oneLine(item.title) || `${colour} ${name.toLowerCase()} alert`, 500),
    summary: type === 'EQ' ? '' : clip(detailOf(item), 300),
    body: oneLine(item.description),
    geometry: circle === null && bbox === null ? { type: 'Point', coordinates: [lon, lat] } : null,
    bbox,
    circle,
    lat,
    lon,
    zones: [],
    same: [],
    onset: item.from === null ? null : formatTime(item.from),
    expires: null,
    sent_at: formatTime(item.modified),
    received_at: formatTime(receivedAt),
    thread_id: `gdacs:${id}`,
    lifecycle: goesOn ? 'new' : 'expire',
    region: null,
    regions: [],
    data: dataOf(item, goesOn)
  }
}

/** Of a cyclone or a flood the box is where it has been; of the rest it says nothing beyond the point. */
function usesExtent(type: GdacsType): boolean {
  return type === 'TC' || type === 'FL'
}

/** Gales reach about 4° from the eye; the ring of 440 km is also the map that GDACS draws. */
const STORM_DEGREES = 4

/** A cyclone is no point at sea: without an extent, the box its winds reach. */
function stormBox({ type, lat, lon }: GdacsItem): BBox | null {
  if (type !== 'TC') return null
  const [south, north] = [Math.max(-90, lat - STORM_DEGREES), Math.min(90, lat + STORM_DEGREES)]
  return [lon - STORM_DEGREES, south, lon + STORM_DEGREES, north]
}

function dataOf(item: GdacsItem, goesOn: boolean): EventData {
  const { type, colour, country, from, iso3 } = item
  const quake = type === 'EQ'
  const detail = quake ? quakeDetail(colour) : clip(detailOf(item), 160)
  const countries = country.split(/,\s*/).filter((name) => name !== '')
  return {
    ...(colour === 'Red' ? { severity_inside_region: 'immediate' } : {}),
    event_name: nameOf(item),
    ...(countries.length === 0 ? {} : { places: countries }),
    ...(iso3.length === 0 ? {} : { geocodes: iso3.map((code) => `ISO3:${code}`) }),
    ...(detail === '' ? {} : { detail }),
    attribution: 'GDACS',
    ...(quake ? quakeFacts(item) : {}),
    ...(type === 'WF' ? fireFacts(item) : {}),
    ...(from === null ? {} : { origin_time: formatTime(from) }),
    material: goesOn ? `${colour}|${quake ? halfMagnitude(item) : ''}` : 'closed',
    gdacs: { colour, episode: item.episode, type }
  }
}

/** The force of it in the words of GDACS, without what nobody can use: the magnitude of a flood, the class of a storm in other units. */
function detailOf({ type, severity, population }: GdacsItem): string {
  const said = oneLine(severity).replace(/ > \d+ mph(?= \()/i, '')
  if (type === 'FL' && /^magnitude\b/i.test(said)) return /\p{L}/u.test(population) ? oneLine(population) : ''
  // The hectares stand in the head of the text.
  return type === 'WF' && hectaresIn(said) !== null ? '' : said
}

/** Magnitude and depth are told anyway; the colour says how many people it shook. */
function quakeDetail(colour: GdacsColour): string {
  return colour === 'Green' ? '' : `${colour} alert: many people near it`
}

/** Stands in a text in capitals: `RED TROPICAL CYCLONE ALERT`, with the name of the storm. */
function nameOf({ type, colour, name }: GdacsItem): string {
  if (type === 'EQ') return 'Earthquake'
  const own = oneLine(name)
  return `${colour} ${CLASSES[type].name.toLowerCase()}${own === '' || type === 'DR' ? '' : ` ${clip(own, 60)}`}`
}

/** `Magnitude 5.3M, Depth:10km`. */
function quakeNumbers({ severity, title }: GdacsItem): { magnitude: number | null; depth: number | null } {
  const text = `${severity} ${title}`
  const read = (pattern: RegExp): number | null => {
    const found = pattern.exec(text)?.[1]
    return found === undefined ? null : Number(found)
  }
  return {
    magnitude: read(/Magnitude\s*(\d{1,2}(?:\.\d{1,4})?)/i),
    depth: read(/Depth:?\s*(\d{1,4}(?:\.\d{1,4})?)\s*km/i)
  }
}

function quakeFacts(item: GdacsItem): EventData {
  const { magnitude, depth } = quakeNumbers(item)
  return { ...(magnitude === null ? {} : { magnitude }), ...(depth === null ? {} : { depth_km: depth }) }
}

function fireFacts({ severity, name }: GdacsItem): EventData {
  const hectares = hectaresIn(severity)
  return {
    ...(name === '' ? {} : { incident_name: oneLine(name) }),
    ...(hectares === null ? {} : { hectares })
  }
}

function halfMagnitude(item: GdacsItem): string {
  const { magnitude } = quakeNumbers(item)
  return magnitude === null ? '' : (Math.floor(magnitude * 2) / 2).toFixed(1)
}
