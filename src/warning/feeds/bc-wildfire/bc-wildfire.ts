import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { fireSize, spaced } from '../../../model/units.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { FireHistory, type FireRecord, goneEvent, toldSize } from '../reading/fire-history.ts'
import { asBag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { BcWildfireSettings } from './settings.ts'

const KIND = 'bc_wildfire'
const FEED = 'BC Wildfire'
const LISTING = 'incidents'
const HOUR_MS = 3_600_000
const QUERY = new URLSearchParams([
  ['pageNumber', '0'],
  ['pageRowCount', '9999'],
  ['stageOfControlList', 'OUT_CNTRL'],
  ['stageOfControlList', 'HOLDING'],
  ['stageOfControlList', 'UNDR_CNTRL']
])

const STAGES: ReadonlyMap<string, string> = new Map([
  ['OUT_CNTRL', 'Out of control'],
  ['HOLDING', 'Being held'],
  ['UNDR_CNTRL', 'Under control'],
  ['OUT', 'Out']
])

/** One incident of the list. Hectares, epoch milliseconds. */
interface Incident {
  id: string
  number: string
  name: string
  location: string
  centre: string
  stage: string
  out: boolean
  hectares: number | null
  ofNote: boolean
  lat: number
  lon: number
  updated: number | null
}

/** Wildfires of British Columbia as the BC Wildfire Service publishes them; sizes in hectares, a stage of control in place of per cent. */
export const bcWildfireSource: SourceKind<BcWildfireSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Wildfires in British Columbia, with size and stage of control (BC Wildfire Service).',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 300,
  needsContact: false,
  async poll(settings, tools) {
    const url = settings.url.includes('?') ? settings.url : `${settings.url}?${QUERY}`
    const fetched = await tools.fetch({ url })
    if (fetched.state === 'new')
      return inTurns(
        listingSteps(await inTurns(decodeSteps(fetched.body), tools.signal), settings, tools),
        tools.signal
      )
    const events = await inTurns(gone(null, settings, tools), tools.signal)
    return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
  },
  read: (body, settings, tools) => drain(listingSteps(decodeText(body), settings, tools))
}

function* listingSteps(text: string, settings: BcWildfireSettings, tools: ReadTools): Generator<void, SourceReading> {
  const body = yield* jsonBodySteps(text, FEED)
  const { collection } = body
  if (!Array.isArray(collection)) {
    const said = reportedError(body)
    const why =
      said === null ? because('body_no_incidents', { feed: FEED }) : because('service_error', { feed: FEED, said })
    throw new AppError('bad-input', why)
  }
  const history = new FireHistory(tools.memory)
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  const listed = new Set<string>()
  yield* eachInTurn<unknown>(collection, (entry) => {
    const incident = readIncident(entry)
    if ('reason' in incident) {
      skipped.push(incident)
      return
    }
    listed.add(incident.id)
    const known = history.of(incident.id)
    if (incident.out && known === null) {
      skipped.push({ id: incident.number, reason: because('fire_out_already') })
      return
    }
    const { event, record } = toEvent(incident, known, settings, tools)
    history.note(incident.id, record)
    events.push(event)
  })
  const pages = looseNumber(body['totalPageCount']) ?? 0
  if (pages <= 1) events.push(...(yield* gone(listed, settings, tools)))
  const updated =
    events
      .map(({ sent_at }) => sent_at)
      .sort()
      .at(-1) ?? null
  return { kind: KIND, events, skipped, updated, items: collection.length }
}

function* gone(
  listed: ReadonlySet<string> | null,
  settings: BcWildfireSettings,
  tools: ReadTools
): Generator<void, LookoutEvent[]> {
  const ended = yield* new FireHistory(tools.memory).missing(
    listed,
    [LISTING],
    tools.receivedAt,
    settings.gone_hours * HOUR_MS
  )
  return ended.map(([id, record]) => goneEvent(id, record, `bc_wildfire:${id}`, tools))
}

function readIncident(entry: unknown): Incident | SkippedItem {
  const bag = asBag(entry)
  const number = looseText(bag?.['incidentNumberLabel'])
  const id = textOf(bag?.['incidentGuid']) || (number === '' ? '' : `${looseText(bag?.['fireYear'])}-${number}`)
  if (bag === null || id === '') return { id: number, reason: because('no_incident_id') }
  const [lat, lon] = [looseNumber(bag['latitude']), looseNumber(bag['longitude'])]
  if (lat === null || lon === null || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    return { id: number, reason: because('no_location') }
  const stage = textOf(bag['stageOfControlCode']).toUpperCase()
  const size = looseNumber(bag['incidentSizeMappedHa']) ?? looseNumber(bag['incidentSizeEstimatedHa'])
  return {
    id,
    number,
    name: oneLine(textOf(bag['incidentName'])),
    location: oneLine(textOf(bag['incidentLocation'])),
    centre: oneLine(textOf(bag['fireCentreName'])),
    stage,
    out: stage === 'OUT' || looseTime(bag['declaredOutDate']) !== null,
    hectares: size !== null && size >= 0 ? size : null,
    ofNote: bag['fireOfNoteInd'] === true,
    lat,
    lon,
    updated: looseTime(bag['lastUpdatedTimestamp']) ?? looseTime(bag['updateDate'])
  }
}

function toEvent(
  incident: Incident,
  known: FireRecord | null,
  settings: BcWildfireSettings,
  tools: ReadTools
): { event: LookoutEvent; record: FireRecord } {
  const { id, out, hectares, stage, lat, lon, name, number, updated } = incident
  const sent = Math.min(tools.receivedAt, updated ?? tools.receivedAt)
  const { severity, inside } = levelsOf(incident, settings)
  const base = toldSize(known, hectares, settings)
  const called = clip(name || number || 'Unnamed fire', 80)
  const size = fireSize({ acres: null, hectares }, tools.station.units)
  const title = `${called}: wildfire${size === null ? '' : `, ${spaced(size)}`}, ${(STAGES.get(stage) ?? 'stage unknown').toLowerCase()}`
  const going = known === null ? 'new' : 'update'
  const { updated: _, ...facts } = incident
  const event = feedEvent(
    {
      id,
      revision: `${sha256Hex(JSON.stringify(facts)).slice(0, 16)}@${formatTime(sent).slice(0, 10)}`,
      category: out ? 'wildfire_closed' : known === null ? 'wildfire_declared' : 'wildfire_incident',
      severity,
      title,
      summary: STAGES.get(stage) ?? '',
      geometry: { type: 'Point', coordinates: [lon, lat] },
      lat,
      lon,
      sent_at: formatTime(sent),
      thread_id: `bc_wildfire:${id}`,
      lifecycle: out ? 'cancel' : going,
      data: {
        ...dataOf(incident, called),
        ...(inside === null ? {} : { severity_inside_region: inside }),
        material: out ? 'out' : [severity, inside ?? '', `a${base}`, stage].join('|')
      }
    },
    tools
  )
  const record = {
    base,
    contained: 0,
    gone: null,
    out,
    layers: [LISTING],
    title,
    name: called,
    attribution: 'BCWS',
    lat,
    lon,
    sent
  }
  return { event, record }
}

function dataOf({ hectares, location, stage, number, centre, ofNote }: Incident, called: string): EventData {
  const detail = STAGES.get(stage)
  return {
    incident_name: called,
    ...(hectares === null ? {} : { hectares }),
    ...(location === '' ? {} : { places: [`${clip(location, 80)}, BC`] }),
    ...(detail === undefined ? {} : { detail }),
    attribution: 'BCWS',
    // Its end is told, so until then it goes on.
    until_further_notice: true,
    bc_wildfire: { number, centre, of_note: ofNote }
  }
}

/** A wildfire of note threatens people or is highly visible; out of control it is critical inside a region at any size. */
function levelsOf(
  { stage, hectares, ofNote }: Incident,
  settings: BcWildfireSettings
): { severity: Severity; inside: Severity | null } {
  const size = hectares ?? 0
  const severity = (size >= settings.priority_from && stage !== 'UNDR_CNTRL') || ofNote ? 'priority' : 'routine'
  const loose = stage === 'OUT_CNTRL' && (size >= settings.critical_from || ofNote)
  return { severity, inside: loose ? 'critical' : null }
}
