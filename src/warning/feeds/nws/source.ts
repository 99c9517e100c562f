import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import type { ParsedFeed, SkippedItem } from '../feed.ts'
import { inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { nwsSteps, parseNwsAlerts } from './parse.ts'
import type { NwsSettings } from './settings.ts'

/** UGC prefixes of marine zones (NWS Instruction 10-1702). */
const MARINE = new Set('AM AN GM LC LE LH LM LO LS PH PK PM PS PZ SL'.split(' '))

/**
 * Active alerts of api.weather.gov. `/alerts/active` lists what is in force; that an alert is missing from it is only a
 * hint and ends nothing: ends come as messages (VTEC CAN, EXP, UPG) or with `expires`.
 */
export const nwsSource: SourceKind<NwsSettings> = {
  mode: 'poll',
  kind: 'nws',
  about: 'Warnings, watches and advisories of the US National Weather Service.',
  defaultIntervalSeconds: 45,
  minIntervalSeconds: 30,
  warns: true,
  needsContact: true,
  missing: ({ area, zones, point }) =>
    area.length + zones.length > 0 || point !== undefined ? null : because('needs_states'),
  poll,
  read
}

/** The service takes one of area, zone and point in a request. The texts go into memory keys. */
function questionsOf({ area, zones, point, url }: NwsSettings): { name: string; url: string }[] {
  const active = `${url.replace(/\/+$/, '')}/alerts/active?status=actual`
  const questions: { name: string; url: string }[] = []
  if (area.length > 0) questions.push({ name: 'area', url: `${active}&area=${[...new Set(area)].sort().join(',')}` })
  if (zones.length > 0) questions.push({ name: 'zone', url: `${active}&zone=${[...new Set(zones)].sort().join(',')}` })
  if (point !== undefined)
    questions.push({ name: 'point', url: `${active}&point=${decimals(point.lat)},${decimals(point.lon)}` })
  return questions
}

/** The service redirects more than four decimals, and trailing zeros, to the short form. */
function decimals(degrees: number): string {
  return String(Math.round(degrees * 10_000) / 10_000)
}

async function poll(settings: NwsSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const readings: SourceReading[] = []
  let quiet = 0
  for (const { name, url } of questionsOf(settings)) {
    const answer = await tools.fetch({ url, headers: { Accept: 'application/geo+json' } })
    const key = `items:${name}`
    if (answer.state === 'unchanged') {
      quiet += Number(tools.memory.get(key) ?? 0)
      continue
    }
    const feed = await inTurns(nwsSteps(await inTurns(decodeSteps(answer.body), tools.signal), tools), tools.signal)
    const reading = readingOf(feed, settings, tools)
    readings.push(reading)
    if (tools.memory.get(key) !== reading.items) tools.memory.set(key, reading.items)
  }
  return readings.length === 0 ? 'unchanged' : joined(readings, quiet)
}

/** An alert that two questions bring is one. */
function joined(readings: readonly SourceReading[], quiet: number): SourceReading {
  const events = new Map(readings.flatMap((reading) => reading.events).map((event) => [event.id, event]))
  const updated = readings.flatMap((reading) => reading.updated ?? []).sort()
  return {
    kind: 'nws',
    events: [...events.values()],
    skipped: readings.flatMap(({ skipped }) => skipped),
    updated: updated.at(-1) ?? null,
    items: readings.reduce((sum, { items }) => sum + items, quiet)
  }
}

function read(body: Uint8Array, settings: NwsSettings, tools: ReadTools): SourceReading {
  return readingOf(parseNwsAlerts(decodeText(body), tools), settings, tools)
}

function readingOf(feed: ParsedFeed, settings: NwsSettings, { source }: ReadTools): SourceReading {
  const wanted = wantedOf(feed.events, settings)
  return {
    ...feed,
    events: wanted.events.map((event) => ({ ...event, source })),
    skipped: [...feed.skipped, ...wanted.skipped],
    items: feed.events.length + feed.skipped.length
  }
}

/** Alerts for the sea alone are left out unless the settings name marine codes; half of all December alerts are gales. */
function wantedOf(
  events: readonly LookoutEvent[],
  { area, zones }: NwsSettings
): { events: LookoutEvent[]; skipped: SkippedItem[] } {
  const named = [...area, ...zones]
  if (named.length === 0 || named.some(isMarine)) return { events: [...events], skipped: [] }
  const atSea = ({ zones: codes }: LookoutEvent): boolean => codes.length > 0 && codes.every(isMarine)
  return {
    events: events.filter((event) => !atSea(event)),
    skipped: events.filter(atSea).map(({ id }) => ({ id, reason: because('marine_zones_only') }))
  }
}

function isMarine(code: string): boolean {
  return MARINE.has(code.slice(0, 2))
}
