import { compassPoint } from '../../../model/compass.ts'
import type { EventData, LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import { KM_PER_MILE } from '../../../model/units.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { feedDate, jsonListingSteps } from '../reading/loose.ts'
import { clip } from '../reading/prose.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { childrenOf, childText, decodeSteps, type Element, xmlSteps } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import type { NhcSettings } from './settings.ts'
import { MPH_PER_KNOT, type Storm, type StormClass, stormOfItem, stormOfJson } from './storm.ts'

const KIND = 'nhc'
const FEED = 'NHC'

/** Tropical cyclones by the US National Hurricane Center. Warnings for a coast come from the NWS; this says where the storm is. */
export const nhcSource: SourceKind<NhcSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Hurricanes and tropical storms of the Atlantic and the eastern and central Pacific (NHC).',
  defaultIntervalSeconds: 600,
  minIntervalSeconds: 300,
  warns: true,
  needsContact: false,
  poll,
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

async function poll(settings: NhcSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const answer = await tools.fetch({ url: settings.url })
  if (answer.state === 'new') return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  const events = await inTurns(standingIn(tools).sameAgain(), tools.signal)
  return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
}

function* readSteps(body: Uint8Array, settings: NhcSettings, tools: ReadTools): Generator<void, SourceReading> {
  const text = yield* decodeSteps(body)
  const { found, updated, items } = yield* text.trimStart().startsWith('<') ? readRss(text) : readJson(text)
  const standing = standingIn(tools)
  const skipped: SkippedItem[] = []
  const events: LookoutEvent[] = []
  const listed = new Set<string>()
  yield* eachInTurn(found, (storm) => {
    if ('reason' in storm) skipped.push(storm)
    else if (listed.has(storm.id)) skipped.push({ id: storm.id, reason: because('listed_twice') })
    else events.push(standing.tell(toEvent(storm, settings, tools)))
    listed.add(storm.id)
  })
  const ends = yield* standing.missing(listed)
  return { kind: KIND, events: [...events, ...ends], skipped, updated, items }
}

/** That its advisories ended is no all-clear: what is left of a storm goes on inland. */
function standingIn(tools: ReadTools): Standing {
  return new Standing(tools, 'storm:', { silent: true })
}

interface Listing {
  found: (Storm | SkippedItem)[]
  updated: string | null
  items: number
}

function* readJson(text: string): Generator<void, Listing> {
  const { bag } = yield* jsonListingSteps(text, FEED)
  const storms: unknown = bag['activeStorms']
  if (!Array.isArray(storms)) throw new AppError('bad-input', because('body_no_storms', { feed: FEED }))
  const found: Listing['found'] = []
  yield* eachInTurn<unknown>(storms, (storm) => {
    found.push(stormOfJson(storm))
  })
  const newest = found.reduce((time, storm) => ('reason' in storm ? time : Math.max(time, storm.time)), 0)
  return { found, updated: newest === 0 ? null : formatTime(newest), items: storms.length }
}

function* readRss(text: string): Generator<void, Listing> {
  const root = yield* xmlSteps(text, FEED)
  const [channel] = root.name === 'rss' ? childrenOf(root, 'channel') : []
  if (channel === undefined)
    throw new AppError('bad-input', because('body_not_rss_look', { feed: FEED, root: root.name }))
  const items: Element[] = childrenOf(channel, 'item')
  const found: Listing['found'] = []
  yield* eachInTurn(items, (item) => {
    const storm = stormOfItem(item)
    if (storm !== null) found.push(storm)
  })
  const made = feedDate(childText(channel, 'pubDate')) ?? feedDate(childText(channel, 'lastBuildDate'))
  return { found, updated: made === null ? null : formatTime(made), items: items.length }
}

const LEVELS: Record<StormClass, Severity> = { low: 'routine', storm: 'priority', hurricane: 'critical' }

function toEvent(storm: Storm, settings: NhcSettings, tools: ReadTools): LookoutEvent {
  const { id, lat, lon, time, name, type } = storm
  const km = { low: settings.depression_km, storm: settings.storm_km, hurricane: settings.hurricane_km }[storm.class]
  const what = `${type} ${name}`
  return feedEvent(
    {
      id,
      revision: `${storm.advisory || 'at'}/${time}`,
      category: 'weather_tropical_statement',
      // A storm that is near nobody's region is news at sea.
      severity: 'routine',
      title: clip(what, 500),
      summary: storm.headline,
      lat,
      lon,
      circle: km > 0 ? { lat, lon, radius_km: km } : null,
      sent_at: formatTime(Math.min(time, tools.receivedAt)),
      thread_id: `nhc:${id}`,
      data: { ...factsOf(storm, tools), event_name: clip(what, 100), severity_inside_region: LEVELS[storm.class] }
    },
    tools
  )
}

function factsOf(storm: Storm, { station: { units } }: ReadTools): EventData {
  const { windMph, pressure, movement, headline, lat, lon } = storm
  const category = storm.class === 'hurricane' && windMph !== null ? categoryOf(windMph) : 0
  const isImperial = units === 'imperial'
  const speed = (mph: number): string => (isImperial ? `${mph} mph` : `${Math.round(mph * KM_PER_MILE)} km/h`)
  const moves = movement === null ? '' : moving(movement, speed)
  const facts = [
    category === 0 ? '' : `Category ${category}`,
    windMph === null ? '' : `winds ${isImperial ? speed(windMph) : `${windKmh(windMph)} km/h`}`,
    moves
  ].filter((fact) => fact !== '')
  const told = capitalised(facts.join(', '))
  return {
    places: [position(lat, lon)],
    detail: [told, headline].filter((part) => part !== '').join('. '),
    attribution: 'NHC',
    material: `${storm.type}|${category}|${windMph === null ? '' : Math.floor(windMph / 15)}|${moves.replace(/ at .*/, '')}`,
    ...(category === 0 ? {} : { gravity: category }),
    nhc: { type: storm.type, wind_mph: windMph, pressure_mb: pressure, advisory: storm.advisory }
  }
}

function moving({ degrees, mph }: { degrees: number | null; mph: number }, speed: (mph: number) => string): string {
  if (mph === 0) return 'stationary'
  return degrees === null ? `moving at ${speed(mph)}` : `moving ${compassPoint(degrees)} at ${speed(mph)}`
}

/** Advisories round each unit from fives of knots: 100 mph stands beside 155 km/h. */
function windKmh(mph: number): number {
  const knots = Math.round(mph / MPH_PER_KNOT / 5) * 5
  return Math.round((knots * 1.852) / 5) * 5
}

/** Saffir-Simpson, by sustained winds in miles an hour; 0 below a hurricane. */
function categoryOf(mph: number): number {
  return [74, 96, 111, 130, 157].filter((least) => mph >= least).length
}

function position(lat: number, lon: number): string {
  const east = ((((lon + 180) % 360) + 360) % 360) - 180
  return `${Math.abs(lat).toFixed(1)}${lat < 0 ? 'S' : 'N'} ${Math.abs(east).toFixed(1)}${east < 0 ? 'W' : 'E'}`
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
