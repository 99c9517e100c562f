import { saysHazard } from '../../../model/closure.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, reportedError, textOf, textsOf } from '../reading/json.ts'
import { bagsOf, geometryOf, greatest, jsonListingSteps, least, looseText, looseTime } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { RoadKind, RoadReport } from './report.ts'
import { roadSource, withKey } from './road-source.ts'
import type { Open511Settings } from './settings.ts'
import type { RoadListing } from './standing.ts'
import { isStateEvent, readStateEvent } from './state511.ts'
import { roadInText, saysClosed } from './words.ts'

const FEED = 'Open511'

/** Road events of an Open511 service (specification v1.0), or of the event list of a state 511 service. */
export const open511Source = roadSource<Open511Settings>({
  kind: 'open511',
  about: 'Road closures and incidents in the Open511 form, such as DriveBC.',
  intervalSeconds: 300,
  minIntervalSeconds: 60,
  request: (settings, page) => ({
    url: withKey(page ?? settings.url, settings),
    headers: { Accept: 'application/json' }
  }),
  *parse(body, settings) {
    return yield* parseOpen511(yield* decodeSteps(body), settings.attribution)
  }
})

/** The events of one page, and where the next one is. Throws AppError `bad-input` for what is no list of events. */
function* parseOpen511(text: string, attribution: string): Generator<void, RoadListing & { next: string | null }> {
  const { bag, list } = yield* jsonListingSteps(text, FEED)
  const entries: unknown = list ?? bag['events']
  if (!Array.isArray(entries)) throw notAListing(bag)
  const listing: RoadListing & { next: string | null } = {
    reports: [],
    skipped: [],
    items: entries.length,
    updated: null,
    next: textOf(asBag(bag['pagination'])?.['next_url']) || null
  }
  yield* eachInTurn(entries, (entry) => {
    const read = readEntry(asBag(entry), attribution)
    if ('reason' in read) listing.skipped.push(read)
    else listing.reports.push(read)
  })
  return listing
}

function notAListing(bag: Bag): AppError {
  const said = reportedError(bag) ?? (textOf(bag['message']) || textOf(bag['Message']))
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_events', { feed: FEED }))
}

/** The id of an Open511 event is `jurisdiction/number`: `drivebc.ca/DBC-28386`. Lists of the states name an organization. */
function toldBy(event: Bag): string {
  const organization = textOf(event['Organization'])
  if (organization !== '') return clip(oneLine(organization), 40)
  const [jurisdiction = '', number] = looseText(event['id']).split('/')
  if (number === undefined) return ''
  return jurisdiction === 'drivebc.ca' ? 'DriveBC' : clip(jurisdiction, 40)
}

function readEntry(event: Bag | null, given: string): RoadReport | SkippedItem {
  const attribution = given === '' && event !== null ? toldBy(event) : given
  if (event !== null && isStateEvent(event)) return readStateEvent(event, attribution)
  const id = looseText(event?.['id'])
  if (event === null || id === '') return { id, reason: because('no_id') }
  const updated = looseTime(event['updated']) ?? looseTime(event['created'])
  if (updated === null) return { id, reason: because('no_change_time') }
  const text = textOf(event['description']) || textOf(event['headline'])
  const type = textOf(event['event_type']).toUpperCase()
  const roads = bagsOf(event['roads'])
  const [start, end] = scheduleOf(event)
  const hints = [...textsOf(event['event_subtypes']), ...textsOf(event['event_subtype'])].join(' ')
  const closed = roads.some(({ state }) => textOf(state).toUpperCase() === 'CLOSED') || saysClosed(text)
  return {
    id,
    revision: String(updated),
    kind: kindOf(type, closed),
    planned: type === 'CONSTRUCTION' || type === 'SPECIAL_EVENT',
    hazard: /\b(?:HAZARD|FIRE|FLOOD|AVALANCHE|LANDSLIDE|MUDSLIDE|ROCKSLIDE)\b/i.test(hints) || saysHazard(text),
    road: roadOf(roads, text),
    text,
    places: placesOf(roads, bagsOf(event['areas'])),
    start,
    end,
    updated,
    geometry: geometryOf(event['geography']),
    over: textOf(event['status']).toUpperCase() === 'ARCHIVED',
    attribution
  }
}

function kindOf(type: string, closed: boolean): RoadKind {
  if (closed) return 'closure'
  return type === 'CONSTRUCTION' ? 'work' : 'incident'
}

/** `Other Roads` is no name; what the text begins with may be. */
function roadOf(roads: readonly Bag[], text: string): string {
  const name = oneLine(textOf(roads[0]?.['name']))
  return name === '' || /^other roads?$/i.test(name) ? roadInText(text) : name
}

function placesOf(roads: readonly Bag[], areas: readonly Bag[]): string[] {
  const [road] = roads
  const [from, to] = [oneLine(textOf(road?.['from'])), oneLine(textOf(road?.['to']))]
  const stretch = from !== '' && to !== '' ? `${from} to ${to}` : from.replace(/^at /i, '') || to
  const names = [stretch, ...areas.map(({ name }) => oneLine(textOf(name)))]
  return names.filter((name) => name !== '')
}

/** Intervals are `start/end`, the end open where there is none. Before v1.0 they were objects. */
function scheduleOf(event: Bag): [start: number | null, end: number | null] {
  const schedule = asBag(event['schedule'])
  const written = textsOf(schedule?.['intervals']).map((interval) => interval.split('/').map(looseTime))
  const older = [...bagsOf(event['schedules']), ...bagsOf(schedule?.['schedules'])].map((entry) => [
    looseTime(entry['start_date']),
    looseTime(entry['end_date'])
  ])
  const intervals = [...written, ...older]
  const starts = intervals.flatMap(([start]) => start ?? [])
  const ends = intervals.map(([, end]) => end ?? null)
  const known = ends.filter((end) => end !== null)
  const end = known.length === ends.length ? greatest(known) : null
  return [least(starts), end]
}
