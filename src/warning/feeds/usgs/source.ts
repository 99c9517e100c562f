import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ParsedFeed } from '../feed.ts'
import { asBag, type Bag, numberOf, textOf, textsOf } from '../reading/json.ts'
import { eachInTurn, eachRemembered, inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceMemory, SourceReading } from '../source.ts'
import type { UsgsSettings } from './settings.ts'
import { parseUsgsQuakes, type UsgsOptions, usgsSteps } from './usgs.ts'

const HOUR_MS = 3_600_000
const WINDOWS: Record<string, number> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS }
/** A quake this close to the end of the window may have left it between two polls. */
const EDGE_MS = 10 * 60_000
/** A quake may fall out of a listing because its magnitude was corrected: only one well above the least is missed. */
const CLEARLY_ABOVE = 0.5
/** Polls without it before an earthquake counts as withdrawn. */
const MISSES = 2
/** That many vanish together only from a listing that is not what it says. */
const MANY = 3

/** Summary listings of earthquake.usgs.gov. A deleted earthquake is not told as such, it vanishes from the listing. */
export const usgsSource: SourceKind<UsgsSettings> = {
  mode: 'poll',
  kind: 'usgs',
  about: 'Earthquakes worldwide, by the US Geological Survey.',
  defaultIntervalSeconds: 60,
  minIntervalSeconds: 60,
  warns: true,
  needsContact: false,
  poll,
  read
}

async function poll(settings: UsgsSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const url = `${settings.url.replace(/\/+$/, '')}/${settings.feed}.geojson`
  const answer = await tools.fetch({ url, headers: { Accept: 'application/geo+json, application/json' } })
  if (answer.state === 'unchanged') return 'unchanged'
  const feed = await inTurns(
    usgsSteps(await inTurns(decodeSteps(answer.body), tools.signal), optionsOf(settings, tools)),
    tools.signal
  )
  const reading = readingOf(feed, tools)
  const withdrawn = await inTurns(followUp(reading, settings, tools), tools.signal)
  return { ...reading, events: [...reading.events, ...withdrawn] }
}

function read(body: Uint8Array, settings: UsgsSettings, tools: ReadTools): SourceReading {
  return readingOf(parseUsgsQuakes(decodeText(body), optionsOf(settings, tools)), tools)
}

function optionsOf(
  { floor, circle_from: circleFrom }: UsgsSettings,
  { source, receivedAt, station }: ReadTools
): UsgsOptions {
  return { receivedAt, source, floor, circleFrom, units: station.units }
}

function readingOf(feed: ParsedFeed, { source }: ReadTools): SourceReading {
  return {
    ...feed,
    events: feed.events.map((event) => ({ ...event, source })),
    items: feed.events.length + feed.skipped.length
  }
}

/** The memory of an earthquake that was listed; JSON. */
interface Known {
  ids: string[]
  time: number
  magnitude: number
  missed: number
  /** Enough to withdraw it. */
  event: Pick<LookoutEvent, (typeof KEPT)[number]> & { data: Bag }
}

const KEPT = [
  'id',
  'revision',
  'category',
  'family',
  'severity',
  'title',
  'geometry',
  'circle',
  'lat',
  'lon',
  'onset',
  'thread_id'
] as const

/** Remembers what is listed and answers the withdrawals: of what was listed, and is missing from two listings in a row. */
function* followUp(reading: SourceReading, settings: UsgsSettings, tools: PollTools): Generator<void, LookoutEvent[]> {
  const { memory } = tools
  const window = windowOf(settings.feed)
  const listedAt = reading.updated === null ? tools.receivedAt : Date.parse(reading.updated)
  const listed = new Set([
    ...reading.events.flatMap((event) => [event.id, ...textsOf(event.data['ids'])]),
    ...reading.skipped.map(({ id }) => id)
  ])
  const missing: [string, Known][] = []
  yield* eachRemembered(memory, 'quake:', (key, value) => {
    const known = knownOf(value)
    if (known === null || listedAt - known.time > window - EDGE_MS) memory.delete(key)
    else if (!known.ids.some((id) => listed.has(id))) missing.push([key, known])
  })
  if (reading.items === 0 && missing.length >= MANY)
    throw new AppError(
      'bad-input',
      because('listing_suddenly_empty', { feed: 'USGS earthquakes', count: missing.length })
    )
  yield* eachInTurn(reading.events, (event) => remember(event, settings, memory))
  return missing.flatMap(([key, known]) => miss(key, known, { memory, listedAt, tools }))
}

/** `significant` may drop an earthquake when more is known of it: nothing follows from that. */
function remember(event: LookoutEvent, { feed }: UsgsSettings, memory: SourceMemory): void {
  const magnitude = event.data.magnitude
  const least = feed.startsWith('all') ? Number.NEGATIVE_INFINITY : Number(feed.split('_')[0])
  const key = `quake:${event.id}`
  if (event.lifecycle === 'cancel') memory.delete(key)
  if (event.lifecycle === 'cancel' || magnitude === undefined || Number.isNaN(least)) return
  if (magnitude < least + CLEARLY_ABOVE) {
    memory.delete(key)
    return
  }
  const before = knownOf(memory.get(key))
  if (before?.event.revision === event.revision && before.missed === 0) return
  memory.set(key, knownFrom(event, magnitude))
}

function knownFrom(event: LookoutEvent, magnitude: number): Known {
  const ids = [...new Set([event.id, ...textsOf(event.data['ids'])])]
  const kept = Object.fromEntries(KEPT.map((key) => [key, event[key]]))
  const { event_name, places, attribution } = event.data
  return {
    ids,
    time: Date.parse(event.onset ?? event.sent_at),
    magnitude,
    missed: 0,
    event: {
      ...(kept as Pick<LookoutEvent, (typeof KEPT)[number]>),
      data: { event_name, places, attribution, magnitude }
    }
  }
}

function miss(
  key: string,
  known: Known,
  { memory, listedAt, tools }: { memory: SourceMemory; listedAt: number; tools: ReadTools }
): LookoutEvent[] {
  if (known.missed + 1 < MISSES) {
    memory.set(key, { ...known, missed: known.missed + 1 })
    return []
  }
  memory.delete(key)
  const { event } = known
  const detail = 'It is no longer listed by the USGS: taken for something else, or a duplicate.'
  return [
    {
      ...event,
      source: tools.source,
      revision: `${event.revision}-withdrawn`,
      title: `Withdrawn: ${event.title}`,
      summary: detail,
      body: '',
      bbox: null,
      zones: [],
      same: [],
      expires: null,
      sent_at: new Date(listedAt).toISOString(),
      received_at: new Date(tools.receivedAt).toISOString(),
      lifecycle: 'cancel',
      region: null,
      regions: [],
      data: { ...event.data, detail, material: 'deleted', ids: known.ids }
    }
  ]
}

function windowOf(feed: string): number {
  return WINDOWS[feed.split('_')[1] ?? ''] ?? HOUR_MS
}

/** The remembered earthquake, when it is whole. */
function knownOf(value: unknown): Known | null {
  const bag = asBag(value)
  const event = asBag(bag?.['event'])
  const whole = numberOf(bag?.['time']) !== null && numberOf(bag?.['missed']) !== null && textOf(event?.['id']) !== ''
  return whole ? (value as Known) : null
}
