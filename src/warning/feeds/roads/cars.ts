import { saysHazard } from '../../../model/closure.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, reportedError, textOf } from '../reading/json.ts'
import { bagsOf, geometryOf, greatest, jsonListingSteps, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { RoadKind, RoadReport } from './report.ts'
import { roadSource } from './road-source.ts'
import type { CarsSettings } from './settings.ts'
import type { RoadListing } from './standing.ts'
import { saysClosed } from './words.ts'

const FEED = 'CARS'

/** Events of a CARS system: TMDD in JSON, with chain-up orders and what Open511 leaves out. */
export const carsSource = roadSource<CarsSettings>({
  kind: 'cars',
  about: 'Road events and chain-up orders of a CARS system.',
  intervalSeconds: 300,
  minIntervalSeconds: 60,
  request: (settings, page) => ({ url: page ?? settings.url ?? '', headers: { Accept: 'application/json' } }),
  *parse(body, settings) {
    return yield* parseCars(yield* decodeSteps(body), settings.attribution)
  }
})

/** The events of a listing. Throws AppError `bad-input` for what is none. */
function* parseCars(text: string, attribution: string): Generator<void, RoadListing> {
  const { bag, list } = yield* jsonListingSteps(text, FEED)
  const entries: unknown = list ?? bag['events']
  if (!Array.isArray(entries)) throw notAListing(bag)
  const listing: RoadListing = { reports: [], skipped: [], items: entries.length, updated: null }
  yield* eachInTurn(entries, (entry) => {
    const read = readEvent(asBag(entry), attribution)
    if ('reason' in read) listing.skipped.push(read)
    else listing.reports.push(read)
  })
  return listing
}

function notAListing(bag: Bag): AppError {
  const said = reportedError(bag) ?? textOf(bag['message'])
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_events', { feed: FEED }))
}

function readEvent(event: Bag | null, attribution: string): RoadReport | SkippedItem {
  const id = looseText(event?.['event-id'])
  if (event === null || id === '') return { id, reason: because('no_id') }
  if (event['is-draft'] === true) return { id, reason: because('is_a_draft') }
  const updated = timeOf(event['update-time'])
  if (updated === null) return { id, reason: because('no_change_time') }
  const details = bagsOf(event['details'])
  const headline = asBag(event['headline'])
  const category = textOf(headline?.['category']).toUpperCase()
  const text = planOf(event, 'OPERATOR') || planOf(event, 'BRIEF_DESCRIPTION') || textOf(headline?.['code'])
  const [start] = details.flatMap((detail) => timeOf(detail['start-time']) ?? [])
  const ends = details.flatMap((detail) => timeOf(detail['end-time']) ?? [])
  return {
    id,
    revision: [looseText(event['update-number']), updated].filter(Boolean).join('|'),
    kind: kindOf(category, saysClosed(text)),
    planned: /CONSTRUCTION|ROAD_?WORK|MAINTENANCE/.test(category),
    hazard: saysHazard(text),
    road: roadOf(details),
    text,
    places: placesOf(event),
    start: start ?? null,
    end: ends.length === details.length ? greatest(ends) : null,
    updated,
    geometry: geometryOf(event['geometry']),
    over: /ARCHIVED|CLEARED|CLOSED|COMPLETED/.test(textOf(event['event-status']).toUpperCase()),
    attribution
  }
}

function kindOf(category: string, closed: boolean): RoadKind {
  if (closed) return 'closure'
  return /CONSTRUCTION|ROAD_?WORK|MAINTENANCE/.test(category) ? 'work' : 'incident'
}

function timeOf(value: unknown): number | null {
  const bag = asBag(value)
  return looseTime(bag === null ? value : bag['time'])
}

/** The text written for one medium, without the tags of web pages. */
function planOf(event: Bag, type: string): string {
  const plan = bagsOf(event['communication-plans']).find((entry) => entry['plan-type'] === type)
  return oneLine(textOf(plan?.['description']))
}

function roadOf(details: readonly Bag[]): string {
  const locations = details.flatMap((detail) => bagsOf(detail['locations']))
  return locations.map((location) => oneLine(textOf(location['route-designator']))).find((name) => name !== '') ?? ''
}

function placesOf(event: Bag): string[] {
  const details = asBag(event['open511-event-details'])
  const [from, to] = [textOf(details?.['event_road_from']), textOf(details?.['event_road_to'])].map(oneLine)
  const near = oneLine(textOf(asBag(event['communication-plan-template'])?.['nearby-city-reference']))
  const stretch = from && to ? `${from} to ${to}` : from || to || ''
  return [near, stretch, oneLine(textOf(details?.['event_area_area_id']))].filter((place) => place !== '')
}
