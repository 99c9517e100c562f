import { classifyAlert } from '../../model/classify.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { familyOf } from '../../model/families.ts'
import type { BBox, Circle, Geometry } from '../../model/geojson.ts'
import { failingDam, floodOf, gradeOf, IMPACT_TAGS } from '../../model/impact.ts'
import { nwsLevel } from '../../model/levels.ts'
import { because } from '../../model/reason.ts'
import { SEVERITIES, type Severity } from '../../model/severity.ts'
import { formatTime, utcOrNull } from '../../model/time.ts'
import { unstatedSeverity } from '../../model/unstated.ts'
import { AppError } from '../../platform/errors.ts'

type Bag = Record<string, unknown>

function bag(value: unknown): Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function isBag(value: unknown): value is Bag {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value : ''
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The parts of an event that say where it is, as far as the input has them in a usable shape. */
type Location = Pick<LookoutEvent, 'geometry' | 'bbox' | 'circle' | 'lat' | 'lon' | 'zones' | 'same'>

function locationOf(input: Bag): Location {
  const geocode = bag(input['geocode'])
  const codes = (value: unknown): string[] => [...new Set(texts(value).map((code) => code.trim().toUpperCase()))]
  return {
    geometry: geometryOf(input['geometry']),
    bbox: bboxOf(input['bbox']),
    circle: circleOf(input['circle']),
    lat: number(input['lat']),
    lon: number(input['lon']),
    zones: codes([...texts(input['zones']), ...texts(geocode['UGC'])]),
    same: codes([...texts(input['same']), ...texts(geocode['SAME'])])
  }
}

function geometryOf(value: unknown): Geometry | null {
  return isBag(value) && typeof value['type'] === 'string' ? (value as unknown as Geometry) : null
}

function bboxOf(value: unknown): BBox | null {
  if (!Array.isArray(value) || value.length !== 4) return null
  const [west, south, east, north] = value.map(number)
  if (west == null || south == null || east == null || north == null) return null
  return [west, south, east, north]
}

function circleOf(value: unknown): Circle | null {
  if (!isBag(value)) return null
  const [lat, lon, radius_km] = [number(value['lat']), number(value['lon']), number(value['radius_km'])]
  return lat === null || lon === null || radius_km === null || radius_km < 0 ? null : { lat, lon, radius_km }
}

/**
 * A GeoJSON Feature as an event, for `tag` and `explain`: place from the geometry, else from `zones`, `same` or `geocode`
 * among its properties. An NWS alert gets its family and level as well. Throws AppError `bad-input` for anything but a Feature.
 */
export function eventFromFeature(feature: unknown, { now }: { now: number }): LookoutEvent {
  if (!isBag(feature) || feature['type'] !== 'Feature') {
    throw new AppError('bad-input', because('not_a_feature'))
  }
  const properties = bag(feature['properties'])
  const place = { ...properties, geometry: feature['geometry'], bbox: feature['geometry'] ? null : feature['bbox'] }
  const isAlert = isNwsAlert(properties)
  const id = text(properties['id']) || text(feature['id']) || text(properties['@id']) || 'feature'
  return {
    ...skeleton({ ...properties, id, source: text(properties['source']) || (isAlert ? 'nws' : 'geojson') }, now),
    ...(isAlert ? alertParts(properties) : {}),
    ...locationOf(place)
  }
}

/**
 * The parts of one input line, an Event or a Feature, that `tag` needs: its place and its name. Malformed places count
 * as absent, because tagging never fails. Throws AppError `bad-input` when the value is not a JSON object at all.
 */
export function taggableEvent(input: unknown, { now }: { now: number }): LookoutEvent {
  if (!isBag(input)) throw new AppError('bad-input', because('line_is_no_event'))
  if (input['type'] === 'Feature') return eventFromFeature(input, { now })
  return { ...skeleton(input, now), ...locationOf(input) }
}

function skeleton(input: Bag, now: number): LookoutEvent {
  const [id, source, category] = [text(input['id']), text(input['source']), text(input['category'])]
  const regions = texts(input['regions'])
  const family = text(input['family']) || (familyOf(category) ?? '')
  const title = text(input['title']) || text(input['name']) || text(input['event']) || id
  const summary = text(input['summary']) || text(input['headline'])
  const body = text(input['body']) || text(input['description'])
  const said = { category, family, title, summary, body, data: {} }
  return {
    ...locationOf({}),
    id,
    source,
    revision: text(input['revision']),
    ...said,
    severity: severityOf(input['severity']) ?? unstatedSeverity(said),
    onset: utcOrNull(input['onset']),
    expires: utcOrNull(input['expires']),
    sent_at: utcOrNull(input['sent_at']) ?? utcOrNull(input['sent']) ?? formatTime(now),
    received_at: formatTime(now),
    thread_id: text(input['thread_id']) || `${source}:${id}`,
    lifecycle: 'new',
    region: regions[0] ?? null,
    regions
  }
}

function severityOf(value: unknown): Severity | null {
  return SEVERITIES.find((severity) => severity === value) ?? null
}

function isNwsAlert(properties: Bag): boolean {
  if (properties['@type'] === 'wx:Alert') return true
  return typeof properties['event'] === 'string' && typeof properties['messageType'] === 'string'
}

function alertParts(properties: Bag): Partial<LookoutEvent> {
  const event = text(properties['event'])
  const codes = texts(bag(properties['eventCode'])['SAME'])
  const kind = classifyAlert(event, codes)
  const facts = {
    event,
    severity: text(properties['severity']),
    urgency: text(properties['urgency']),
    ended: false,
    codes
  }
  const parameters = bag(properties['parameters'])
  const said = text(properties['description'])
  const tags = Object.fromEntries(
    IMPACT_TAGS.flatMap((name) => texts(parameters[name]).map((value): [string, string] => [name, value]))
  )
  const flood = floodOf(said, utcOrNull(properties['sent']) === null ? 0 : Date.parse(text(properties['sent'])))
  const places = text(properties['areaDesc'])
    .split(';')
    .map((place) => place.trim())
  return {
    ...kind,
    severity: nwsLevel({
      ...facts,
      category: kind.category,
      tags,
      grade: gradeOf(said, flood),
      flood,
      dam: failingDam(said, flood),
      kind: ''
    }),
    title: event,
    expires: utcOrNull(properties['ends']) ?? utcOrNull(properties['expires']),
    data: { event_name: event, places: places.filter((place) => place !== '') }
  }
}
