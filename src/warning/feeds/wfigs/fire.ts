import type { Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { geometryBox } from '../coverage-scope.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { geometryOf, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'

export const FEED = 'WFIGS'
export type Layer = 'incidents' | 'perimeters'

/** One fire as one layer has it. Acres, per cent, epoch milliseconds. */
export interface FireFeature {
  /** IRWIN id, bare and in upper case. */
  id: string
  layer: Layer
  name: string
  type: 'WF' | 'RX' | 'CX'
  /** As reported. */
  acres: number | null
  /** Of the perimeter as it is drawn. */
  mapped: number | null
  contained: number | null
  out: number | null
  modified: number | null
  drawn: number | null
  behaviour: string
  description: string
  county: string
  state: string
  fips: string
  point: { lat: number; lon: number } | null
  outline: Geometry | null
}

/** One page of a layer. `more`: the service holds more than it sent. */
export interface Page {
  layer: Layer
  fires: FireFeature[]
  skipped: SkippedItem[]
  count: number
  more: boolean
}

/** A page of either layer as GeoJSON. Throws AppError `bad-input`, also for the error reports that come with status 200. */
export function* pageSteps(text: string): Generator<void, Page> {
  const body = yield* jsonBodySteps(text, FEED)
  const { features } = body
  if (body['type'] !== 'FeatureCollection' || !Array.isArray(features)) throw notAPage(body)
  const layer = features.some((feature) => isPerimeter(feature)) ? 'perimeters' : 'incidents'
  const fires: FireFeature[] = []
  const skipped: SkippedItem[] = []
  yield* eachInTurn(features, (feature) => {
    const read = readFeature(feature, layer)
    if ('reason' in read) skipped.push(read)
    else fires.push(read)
  })
  const more = body['exceededTransferLimit'] === true || asBag(body['properties'])?.['exceededTransferLimit'] === true
  return { layer, fires, skipped, count: features.length, more }
}

function notAPage(body: Bag): AppError {
  const said = reportedError(body)
  if (said === null) return new AppError('bad-input', because('body_no_layer', { feed: FEED }))
  const details: unknown = asBag(body['error'])?.['details']
  const why = Array.isArray(details) ? details.filter((detail) => typeof detail === 'string').join('; ') : ''
  return new AppError('bad-input', because('service_error', { feed: FEED, said: oneLine(why || said).slice(0, 200) }))
}

function isPerimeter(feature: unknown): boolean {
  const properties = asBag(asBag(feature)?.['properties'])
  const type = asBag(asBag(feature)?.['geometry'])?.['type']
  const named = properties !== null && Object.keys(properties).some((key) => key.toLowerCase().startsWith('poly_'))
  return named || type === 'Polygon' || type === 'MultiPolygon'
}

/** Properties by their bare name: the perimeters put `attr_` or `poly_` before what the incidents call the same. */
class Properties {
  readonly #values = new Map<string, unknown>()

  constructor(bag: Bag) {
    for (const [key, value] of Object.entries(bag)) this.#values.set(key.toLowerCase(), value)
  }

  get(...names: string[]): unknown {
    for (const name of names) {
      for (const prefix of ['attr_', '', 'poly_']) {
        const value = this.#values.get(prefix + name.toLowerCase())
        if (value !== undefined && value !== null && value !== '') return value
      }
    }
    return null
  }

  text(...names: string[]): string {
    return oneLine(looseText(this.get(...names)))
  }

  size(...names: string[]): number | null {
    const value = looseNumber(this.get(...names))
    return value !== null && value >= 0 && value < 1e9 ? value : null
  }

  time(...names: string[]): number | null {
    return fireTime(this.get(...names))
  }
}

const YEAR_2000 = 946_684_800_000
const YEAR_2100 = 4_102_444_800_000

/** Epoch milliseconds in the API, text in downloads (RFC 3339, `2025/03/12 14:33:00+00`, `3/12/2025 2:33:20 PM`, all UTC). */
export function fireTime(value: unknown): number | null {
  const ms = looseTime(typeof value === 'string' ? isoLike(value.trim()) : value)
  return ms !== null && ms >= YEAR_2000 && ms < YEAR_2100 ? ms : null
}

function isoLike(text: string): string {
  const [, month = '', day = '', year, hour = '0', minute = '00', second = '00', half = ''] =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP]M))?)?$/i.exec(text) ?? []
  if (year === undefined) return text.replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3').replace(/\+00$/, 'Z')
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0)
  const two = (part: string | number): string => String(part).padStart(2, '0')
  return `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}Z`
}

function readFeature(feature: unknown, layer: Layer): FireFeature | SkippedItem {
  const bag = asBag(asBag(feature)?.['properties'])
  if (bag === null) return { id: looseText(asBag(feature)?.['id']), reason: because('no_properties') }
  const properties = new Properties(bag)
  const name = properties.text('IncidentName')
  const id = textOf(properties.get('IrwinID'))
    .replace(/[{}\s]/g, '')
    .toUpperCase()
  if (!/^[0-9A-F-]{8,40}$/.test(id)) return { id: name || properties.text('OBJECTID'), reason: because('no_irwin_id') }
  if (properties.text('DeleteThis') === 'Yes') return { id, reason: because('marked_deleted') }
  const type = typeOf(properties)
  if (type === null) return { id, reason: because('not_a_fire', { type: properties.text('IncidentTypeCategory') }) }
  const contained = looseNumber(properties.get('PercentContained'))
  const geometry = geometryOf(asBag(feature)?.['geometry'])
  const outline = geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon' ? geometry : null
  return {
    id,
    layer,
    name,
    type,
    acres: properties.size('IncidentSize', 'DiscoveryAcres'),
    mapped: layer === 'perimeters' ? properties.size('GISAcres') : null,
    contained: contained !== null && contained >= 0 && contained <= 100 ? contained : null,
    out: properties.time('FireOutDateTime'),
    modified: properties.time('ModifiedOnDateTime_dt', 'ModifiedOnDateTime', 'ICS209ReportDateTime'),
    drawn: layer === 'perimeters' ? properties.time('DateCurrent', 'PolygonDateTime', 'CreateDate') : null,
    behaviour: properties.text('FireBehaviorGeneral'),
    description: properties.text('IncidentShortDescription'),
    county: properties.text('POOCounty'),
    state: /^(?:US-)?([A-Z]{2})$/.exec(properties.text('POOState'))?.[1] ?? '',
    fips: /^\d{5}$/.exec(properties.text('POOFips'))?.[0] ?? '',
    point: pointOf(geometry, properties, outline),
    outline
  }
}

/** Anything that is neither is no fire: the view holds medical aids and false alarms now and then. */
function typeOf(properties: Properties): FireFeature['type'] | null {
  const type = properties.text('IncidentTypeCategory').toUpperCase()
  if (type === 'WF' || type === 'RX' || type === 'CX') return type
  if (type !== '') return null
  return /prescribed/i.test(properties.text('FeatureCategory')) ? 'RX' : 'WF'
}

function pointOf(geometry: Geometry | null, properties: Properties, outline: Geometry | null): FireFeature['point'] {
  const given = geometry?.type === 'Point' ? geometry.coordinates : []
  const [lon, lat] = given.length >= 2 ? given : []
  if (lat !== undefined && lon !== undefined) return valid(lat, lon)
  const box = outline === null ? null : geometryBox(outline)
  if (box !== null) return valid((box[1] + box[3]) / 2, (box[0] + box[2]) / 2)
  const [first, second] = [
    looseNumber(properties.get('InitialLatitude')),
    looseNumber(properties.get('InitialLongitude'))
  ]
  return first === null || second === null ? null : valid(first, second)
}

function valid(lat: number, lon: number): FireFeature['point'] {
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180 || (lat === 0 && lon === 0)) return null
  return { lat: Math.round(lat * 1e5) / 1e5, lon: Math.round(lon * 1e5) / 1e5 }
}
