import { saysHazard } from '../../../model/closure.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf, textsOf } from '../reading/json.ts'
import { bagsOf, geometryOf, looseText, looseTime, looseTimeText } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { RoadKind, RoadReport } from './report.ts'
import { roadSource, withKey } from './road-source.ts'
import type { WzdxSettings } from './settings.ts'
import type { RoadListing } from './standing.ts'

const FEED = 'WZDx'

/** A Work Zone Data Exchange feed, version 2 to 4: GeoJSON features of road events. */
export const wzdxSource = roadSource<WzdxSettings>({
  kind: 'wzdx',
  about: 'Work zones and road restrictions of U.S. states.',
  intervalSeconds: 300,
  minIntervalSeconds: 60,
  request: (settings, page) => ({
    url: withKey(page ?? settings.url ?? '', settings),
    headers: { Accept: 'application/geo+json, application/json' },
    maxBytes: 32 * 1024 * 1024
  }),
  *parse(body, settings) {
    return yield* parseWzdx(yield* decodeSteps(body), settings.attribution)
  }
})

/** The road events of a feed. Throws AppError `bad-input` for what is no feed. */
function* parseWzdx(text: string, attribution: string): Generator<void, RoadListing> {
  const body = yield* jsonBodySteps(text, FEED)
  const { features } = body
  if (body['type'] !== 'FeatureCollection' || !Array.isArray(features)) throw notAFeed(body)
  const info = asBag(body['feed_info']) ?? asBag(body['road_event_feed_info'])
  const updated = looseTime(info?.['update_date'])
  const publisher = attribution || oneLine(textOf(info?.['publisher']))
  const listing: RoadListing = {
    reports: [],
    skipped: [],
    items: features.length,
    updated: looseTimeText(info?.['update_date'])
  }
  yield* eachInTurn(features, (feature) => {
    const read = readFeature(asBag(feature), { attribution: publisher, updated })
    if ('reason' in read) listing.skipped.push(read)
    else listing.reports.push(read)
  })
  return listing
}

function notAFeed(body: Bag): AppError {
  const said = reportedError(body) ?? textOf(body['message'])
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_work_zones', { feed: FEED }))
}

interface Feed {
  attribution: string
  updated: number | null
}

function readFeature(feature: Bag | null, feed: Feed): RoadReport | SkippedItem {
  const properties = asBag(feature?.['properties'])
  // Before version 3.1 what all road events share was not kept apart.
  const core = asBag(properties?.['core_details']) ?? properties
  const id =
    looseText(feature?.['id']) || looseText(properties?.['road_event_id']) || looseText(core?.['road_event_id'])
  if (properties === null || core === null || id === '') return { id, reason: because('no_id_or_properties') }
  const updated = looseTime(core['update_date']) ?? looseTime(core['creation_date']) ?? feed.updated
  if (updated === null) return { id, reason: because('no_change_time') }
  const status = textOf(properties['event_status']) || textOf(core['event_status'])
  const type = textOf(core['event_type'])
  const impact = textOf(properties['vehicle_impact'])
  const text = textOf(core['description'])
  const roads = [...textsOf(core['road_names']), ...textsOf(core['road_name'])].map(oneLine)
  return {
    id,
    revision: [updated, impact, status].filter(Boolean).join('|'),
    kind: kindOf(type, impact),
    // A detour and a restriction belong to work, too, unless the feed calls it an incident.
    planned: type !== 'incident',
    hazard: saysHazard(text),
    road: roads[0] ?? '',
    text,
    places: placesOf(properties, core),
    start: looseTime(properties['start_date']) ?? looseTime(core['start_date']),
    end: looseTime(properties['end_date']) ?? looseTime(core['end_date']),
    updated,
    geometry: geometryOf(feature?.['geometry']),
    over: status === 'completed' || status === 'cancelled',
    attribution: feed.attribution
  }
}

function kindOf(type: string, impact: string): RoadKind {
  if (/^all-lanes-closed/.test(impact)) return 'closure'
  return type === 'incident' ? 'incident' : 'work'
}

function placesOf(properties: Bag, core: Bag): string[] {
  const direction = textOf(core['direction'])
  const way = direction === '' || /^(?:unknown|undefined)$/.test(direction) ? [] : [direction]
  const street = (end: string): string =>
    oneLine(textOf(properties[`${end}_cross_street`]) || textOf(bagsOf(properties[`${end}_location`])[0]?.['name']))
  const [from, to] = [street('beginning'), street('ending')]
  if (from !== '' && to !== '') return [`${from} to ${to}`, ...way]
  return [from || to, ...way].filter((place) => place !== '')
}
