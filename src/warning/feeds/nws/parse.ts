import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { chainThreads, messageName } from '../../../model/thread.ts'
import { formatTime, utcOrNull } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ParsedFeed, ParseOptions, SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError } from '../reading/json.ts'
import { ENTRIES_AT_ONCE } from '../reading/steps.ts'
import { withUpgrades } from '../upgrade.ts'
import { type NwsAlert, readAlert } from './alert.ts'

const FEED = 'NWS alerts'

/**
 * A listing of api.weather.gov/alerts: GeoJSON FeatureCollection, JSON-LD `@graph`, or one alert as a Feature.
 * Tests and drafts are skipped. Throws AppError `bad-input` for a body that is not such a listing, whole.
 */
export function parseNwsAlerts(text: string, options: ParseOptions): ParsedFeed {
  return drain(nwsSteps(text, options))
}

/** As `parseNwsAlerts`, some alerts at a time. */
export function* nwsSteps(text: string, { receivedAt }: ParseOptions): Generator<void, ParsedFeed> {
  const body = yield* jsonBodySteps(text, FEED)
  yield
  const alerts = new Map<string, NwsAlert>()
  const skipped: SkippedItem[] = []
  for (const [at, entry] of entriesOf(body).entries()) {
    if (at % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) yield
    const read = readEntry(entry, formatTime(receivedAt))
    if (!('bulletin' in read)) skipped.push(read)
    else if (alerts.has(read.event.id)) skipped.push({ id: read.event.id, reason: because('listed_twice') })
    else alerts.set(read.event.id, read)
  }
  return {
    kind: 'nws',
    events: withUpgrades(chained([...alerts.values()])),
    skipped,
    updated: utcOrNull(body['updated'])
  }
}

function entriesOf(body: Bag): readonly unknown[] {
  if (body['type'] === 'FeatureCollection' && Array.isArray(body['features'])) return body['features']
  if (Array.isArray(body['@graph'])) return body['@graph']
  if (body['type'] === 'Feature' && asBag(body['properties']) !== null) return [body]
  const said = reportedError(body)
  if (said !== null) throw new AppError('bad-input', because('service_error', { feed: FEED, said }))
  throw new AppError('bad-input', because('body_no_alerts', { feed: FEED }))
}

/** A Feature keeps its facts in `properties`; an entry of `@graph` is its own. */
function readEntry(entry: unknown, receivedAt: string): NwsAlert | SkippedItem {
  const bag = asBag(entry)
  if (bag === null) return { id: '', reason: because('not_an_object') }
  const properties = bag['type'] === 'Feature' ? asBag(bag['properties']) : bag
  if (properties === null) return { id: '', reason: because('no_properties') }
  return readAlert(properties, bag['geometry'], receivedAt)
}

/** Messages without VTEC join the oldest one they refer to. */
function chained(alerts: readonly NwsAlert[]): LookoutEvent[] {
  const links = alerts.map(({ bulletin, standing }) => ({
    sender: bulletin.sender,
    identifier: bulletin.identifier,
    references: standing.vtec === null ? bulletin.references : [],
    own: standing.own
  }))
  const threads = chainThreads(links)
  return alerts.map(({ bulletin, standing, event }) => {
    if (standing.vtec !== null) return event
    const thread = threads.get(messageName(bulletin.sender, bulletin.identifier))
    return { ...event, thread_id: thread ?? event.thread_id }
  })
}
