import type { LookoutEvent } from '../../../model/event.ts'
import { quakeLevel } from '../../../model/levels.ts'
import { because } from '../../../model/reason.ts'
import { formatTime, isTime } from '../../../model/time.ts'
import { KM_PER_MILE, type Units } from '../../../model/units.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ParsedFeed, ParseOptions, SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { looseNumber } from '../reading/loose.ts'
import { clip } from '../reading/prose.ts'
import { shakingCircle } from '../reading/shaking.ts'
import { eachInTurn } from '../reading/steps.ts'

const FEED = 'USGS earthquakes'

export interface UsgsOptions extends ParseOptions {
  /** Of the station; default metric. */
  units?: Units
  /** Weaker earthquakes are skipped; magnitude, default 2.5. A withdrawn one always comes through. */
  floor?: number
  /** From this magnitude on the event is a circle of strong shaking, not a point; default 4.5, null = always a point. */
  circleFrom?: number | null
}

/** One earthquake, as far as the listing says; times are epoch milliseconds. */
interface Quake {
  id: string
  ids: string[]
  magnitude: number | null
  depth: number | null
  lat: number
  lon: number
  place: string
  time: number
  updated: number
  deleted: boolean
  alert: string | null
  tsunami: boolean
}

/**
 * A summary listing of earthquake.usgs.gov (GeoJSON). Blasts and the like are skipped, as is what lies below the floor.
 * Entries that share a network id are one earthquake: the newest stays. Throws AppError `bad-input` for anything else.
 */
export function parseUsgsQuakes(text: string, options: UsgsOptions): ParsedFeed {
  return drain(usgsSteps(text, options))
}

/** As `parseUsgsQuakes`, some earthquakes at a time. */
export function* usgsSteps(text: string, options: UsgsOptions): Generator<void, ParsedFeed> {
  const body = yield* jsonBodySteps(text, FEED)
  yield
  const features = featuresOf(body)
  const quakes: Quake[] = []
  const skipped: SkippedItem[] = []
  yield* eachInTurn(features, (feature) => {
    const read = readQuake(feature)
    if ('reason' in read) skipped.push(read)
    else quakes.push(read)
  })
  const kept = (yield* withoutTwins(quakes, skipped)).filter((quake) =>
    isAboveFloor(quake, options.floor ?? 2.5, skipped)
  )
  const generated = looseNumber(asBag(body['metadata'])?.['generated'])
  const updated = generated === null ? null : timeText(generated)
  const events: LookoutEvent[] = []
  yield* eachInTurn(kept, (quake) => {
    events.push(toEvent(quake, options))
  })
  return { kind: 'usgs', events, skipped, updated }
}

/** The entries of a listing; the details of one earthquake are a Feature alone. */
function featuresOf(body: Bag): readonly unknown[] {
  if (body['type'] === 'FeatureCollection' && Array.isArray(body['features'])) return body['features']
  if (body['type'] === 'Feature' && asBag(body['properties']) !== null) return [body]
  throw notAListing(body)
}

function notAListing(body: Bag): AppError {
  const said = reportedError(body)
  if (said !== null) return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_summary', { feed: FEED }))
}

/** Some networks publish 2.92000008. */
function hundredths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 100) / 100
}

/** Null for a number that is not a time. */
function timeText(ms: number): string | null {
  return isTime(ms) ? formatTime(ms) : null
}

function readQuake(feature: unknown): Quake | SkippedItem {
  const bag = asBag(feature)
  const properties = asBag(bag?.['properties'])
  const id = textOf(bag?.['id'])
  if (id === '' || properties === null) return { id, reason: because('no_id_or_properties') }
  const type = textOf(properties['type']).toLowerCase()
  if (type !== 'earthquake')
    return { id, reason: type === '' ? because('quake_no_type') : because('not_a_quake', { type }) }
  const [lon, lat, depth] = coordinatesOf(bag?.['geometry'])
  if (lon === null || lat === null) return { id, reason: because('no_epicentre') }
  const time = looseNumber(properties['time'])
  if (time === null || timeText(time) === null) return { id, reason: because('no_origin_time') }
  const updated = looseNumber(properties['updated']) ?? time
  return {
    id,
    ids: idsOf(textOf(properties['ids']), id),
    magnitude: hundredths(looseNumber(properties['mag'])),
    depth,
    lat,
    lon,
    place: textOf(properties['place']),
    time,
    updated: timeText(updated) === null ? time : updated,
    deleted: textOf(properties['status']).toLowerCase() === 'deleted',
    alert: textOf(properties['alert']) || null,
    tsunami: looseNumber(properties['tsunami']) === 1
  }
}

function coordinatesOf(geometry: unknown): [lon: number | null, lat: number | null, depth: number | null] {
  const coordinates = asBag(geometry)?.['coordinates']
  const [lon, lat, depth] = Array.isArray(coordinates) ? coordinates.map(looseNumber) : []
  return [lon ?? null, lat != null && Math.abs(lat) <= 90 ? lat : null, depth ?? null]
}

/** All network ids of one earthquake, `,ak1,us2,`, in a stable order. */
function idsOf(list: string, id: string): string[] {
  const ids = list.split(',').map((entry) => entry.trim())
  return [...new Set([...ids.filter((entry) => entry !== ''), id])].sort()
}

function* withoutTwins(quakes: readonly Quake[], skipped: SkippedItem[]): Generator<void, Quake[]> {
  const taken = new Set<string>()
  const newestFirst = [...quakes].sort((a, b) => b.updated - a.updated)
  const kept = new Set<Quake>()
  yield* eachInTurn(newestFirst, (quake) => {
    if (quake.ids.some((id) => taken.has(id))) skipped.push({ id: quake.id, reason: because('quake_twice') })
    else kept.add(quake)
    for (const id of quake.ids) taken.add(id)
  })
  return quakes.filter((quake) => kept.has(quake))
}

function isAboveFloor({ id, magnitude, deleted }: Quake, floor: number, skipped: SkippedItem[]): boolean {
  if (deleted || (magnitude !== null && magnitude >= floor)) return true
  skipped.push({
    id,
    reason: magnitude === null ? because('no_magnitude') : because('below_magnitude', { magnitude, least: floor })
  })
  return false
}

function toEvent(quake: Quake, { receivedAt, circleFrom = 4.5, units = 'metric' }: UsgsOptions): LookoutEvent {
  const severity = quakeLevel(quake)
  const size = quake.magnitude === null ? '' : `M ${quake.magnitude.toFixed(1)} `
  const where = quake.place === '' ? '' : `, ${quake.place}`
  const circle = shakingCircle(quake, circleFrom)
  return {
    id: quake.id,
    source: 'usgs',
    revision: String(quake.updated),
    category: 'earthquake_event',
    family: 'seismic',
    severity,
    title: clip(quake.deleted ? `Withdrawn: ${size}earthquake${where}` : `${size}earthquake${where}`, 500),
    summary: sentenceAbout(quake, units),
    body: '',
    geometry: circle === null ? { type: 'Point', coordinates: [quake.lon, quake.lat] } : null,
    bbox: null,
    circle,
    lat: quake.lat,
    lon: quake.lon,
    zones: [],
    same: [],
    onset: formatTime(quake.time),
    expires: null,
    sent_at: formatTime(Math.max(quake.time, quake.updated)),
    received_at: formatTime(receivedAt),
    thread_id: `usgs:${quake.ids[0] ?? quake.id}`,
    lifecycle: quake.deleted ? 'cancel' : 'new',
    region: null,
    regions: [],
    data: {
      severity_inside_region: quakeLevel({ ...quake, insideRegion: true }),
      event_name: 'Earthquake',
      ...(quake.place === '' ? {} : { places: [quake.place] }),
      detail: sentenceAbout(quake, units),
      attribution: 'USGS',
      ...(quake.magnitude === null ? {} : { magnitude: quake.magnitude }),
      ...(quake.depth === null ? {} : { depth_km: quake.depth }),
      origin_time: formatTime(quake.time),
      material: materialOf(quake, severity),
      ids: quake.ids,
      usgs: { alert: quake.alert, tsunami: quake.tsunami }
    }
  }
}

function sentenceAbout({ depth }: Quake, units: Units): string {
  if (depth === null) return ''
  return units === 'metric' ? `Depth ${Math.round(depth)} km.` : `Depth ${Math.round(depth / KM_PER_MILE)} mi.`
}

/** Half magnitudes, so that the many small corrections of the first hour are not told; level and PAGER colour are. */
function materialOf({ magnitude, alert, deleted }: Quake, severity: string): string {
  if (deleted) return 'deleted'
  const step = magnitude === null ? '' : (Math.floor(magnitude * 2) / 2).toFixed(1)
  return [severity, `M${step}`, alert === 'green' ? '' : (alert ?? '')].join('|')
}
