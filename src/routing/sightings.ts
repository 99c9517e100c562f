import { distanceKm } from '../coverage/circle.ts'
import { canonicalCodes } from '../coverage/codes.ts'
import type { LookoutEvent } from '../events/event.ts'
import { isAtLeast } from '../events/severity.ts'

/** A box in degrees; null corners never occur. */
interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** One thing in the world, as one source told it. */
interface Sighting {
  threadId: string
  sentAt: number
  startsAt: number
  endsAt: number | null
  magnitude: number | null
  name: string
  /** Office, phenomenon and number by which the weather service itself tells its events apart; null without. */
  vtec: string | null
  isUrgent: boolean
  codes: ReadonlySet<string>
  regions: readonly string[]
  bounds: Bounds | null
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Copies of one alert: sent and ending within this of each other. */
const SAME_ALERT_MS = 30 * MINUTE_MS
/** A second tornado may follow the first within minutes: of what lives depend on, copies are closer to each other. */
const SAME_URGENT_MS = 10 * MINUTE_MS
/** Networks place and time one earthquake a little differently. */
const QUAKE = { ms: 90_000, km: 120, magnitude: 1 }
const FIRE = { ms: 7 * DAY_MS, km: 10 }
/** Two closures of one road are two: copies lie at one place. */
const ROADS_KM = 3
const ROADS = 'roads '
/** Of two drawn areas, the share of both boxes together that must be common: copies draw the same. */
const COMMON_SHARE = 0.5
const PER_SOURCE = 200
const HAZARDS = 500

/**
 * What was told lately, per hazard and source, to find the same real-world thing told by another source: same hazard,
 * overlapping area and time (contract §2, `thread_id` joins over sources). Within one source its own ids decide.
 */
export class Sightings {
  readonly #byHazard = new Map<string, Map<string, Sighting[]>>()

  /** Remembers an event under its thread; ends are not remembered. */
  note(event: LookoutEvent): void {
    const hazard = hazardOf(event)
    if (hazard === null || event.lifecycle === 'cancel' || event.lifecycle === 'expire') return
    const sources = this.#sources(hazard)
    const list = sources.get(event.source) ?? []
    const others = list.filter(({ threadId }) => threadId !== event.thread_id).slice(1 - PER_SOURCE)
    sources.set(event.source, [...others, sightingOf(event)])
  }

  /** The thread of the same thing as another source told it, or null. The best match wins: nearest in time. */
  match(event: LookoutEvent): { threadId: string; source: string } | null {
    const hazard = hazardOf(event)
    const sources = hazard === null ? undefined : this.#byHazard.get(hazard)
    if (hazard === null || sources === undefined || (sources.size === 1 && sources.has(event.source))) return null
    const mine = sightingOf(event)
    // Of two things its own source tells apart, a copy elsewhere must not make one.
    const own = new Set(sources.get(event.source)?.map(({ threadId }) => threadId))
    const apart = ({ sentAt }: Sighting): number => Math.abs(sentAt - mine.sentAt)
    const found = [...sources]
      .filter(([source]) => source !== event.source)
      .flatMap(([source, list]) =>
        list
          .filter((other) => !own.has(other.threadId) && isSame(hazard, mine, other))
          .map((other) => ({ source, other }))
      )
      .sort((a, b) => apart(a.other) - apart(b.other))[0]
    return found === undefined ? null : { threadId: found.other.threadId, source: found.source }
  }

  #sources(hazard: string): Map<string, Sighting[]> {
    const known = this.#byHazard.get(hazard) ?? new Map<string, Sighting[]>()
    // The hazard told last stands last, so that the one forgotten is the oldest.
    this.#byHazard.delete(hazard)
    this.#byHazard.set(hazard, known)
    const [oldest] = this.#byHazard.keys()
    if (this.#byHazard.size > HAZARDS && oldest !== undefined) this.#byHazard.delete(oldest)
    return known
  }
}

/** What kind of thing two sources must agree on; null: nothing that could be told apart. */
export function hazardOf({ category, family, data }: LookoutEvent): string | null {
  if (category === 'earthquake_event') return 'earthquake'
  if (category.startsWith('wildfire_')) return 'wildfire'
  if (family === 'mesh_health' || family === 'satpass' || family === 'tracking') return null
  const name = plainName(data.event_name ?? '')
  if (name === '') return null
  return family === 'roads' ? ROADS + name : name
}

function plainName(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function sightingOf(event: LookoutEvent): Sighting {
  const { data, thread_id, sent_at, onset, expires, zones, same, regions } = event
  const sentAt = Date.parse(sent_at)
  const startsAt = Date.parse(data.origin_time ?? onset ?? sent_at)
  return {
    threadId: thread_id,
    sentAt,
    startsAt: Number.isNaN(startsAt) ? sentAt : startsAt,
    endsAt: expires === null ? null : Date.parse(expires),
    magnitude: data.magnitude ?? null,
    name: typeof data['fire_name'] === 'string' ? plainName(data['fire_name']) : '',
    vtec: data.vtec?.key ?? null,
    isUrgent: isAtLeast(event.severity, 'critical'),
    codes: new Set(canonicalCodes([...zones, ...same, ...(data.geocodes ?? [])])),
    regions,
    bounds: boundsOf(event)
  }
}

function isSame(hazard: string, a: Sighting, b: Sighting): boolean {
  if (hazard === 'earthquake') return isSameQuake(a, b)
  if (hazard === 'wildfire') return isSameFire(a, b)
  if (a.vtec !== null && b.vtec !== null && a.vtec !== b.vtec) return false
  const limit = a.isUrgent || b.isUrgent ? SAME_URGENT_MS : SAME_ALERT_MS
  if (!within(a.sentAt, b.sentAt, limit) || !endsTogether(a, b, limit)) return false
  return hazard.startsWith(ROADS) ? isNear(a.bounds, b.bounds, ROADS_KM) : overlap(a, b)
}

function isSameQuake(a: Sighting, b: Sighting): boolean {
  if (a.magnitude === null || b.magnitude === null || !within(a.magnitude, b.magnitude, QUAKE.magnitude)) return false
  return within(a.startsAt, b.startsAt, QUAKE.ms) && isNear(a.bounds, b.bounds, QUAKE.km)
}

/** A fire keeps its name over weeks; without a name on one side the place alone decides. */
function isSameFire(a: Sighting, b: Sighting): boolean {
  const named = a.name !== '' && b.name !== ''
  if (named && a.name !== b.name) return false
  return within(a.sentAt, b.sentAt, FIRE.ms) && isNear(a.bounds, b.bounds, named ? 3 * FIRE.km : FIRE.km)
}

function within(a: number, b: number, limit: number): boolean {
  return Math.abs(a - b) <= limit
}

function endsTogether(a: Sighting, b: Sighting, limit: number): boolean {
  if (a.endsAt === null || b.endsAt === null) return a.endsAt === b.endsAt
  return within(a.endsAt, b.endsAt, limit)
}

/**
 * Neither codes nor what is drawn may speak against it: two storms in one county share its code. The regions both touch
 * are a guess, for what has nothing in common to compare; where it is urgent, told twice is better than not told.
 */
function overlap(a: Sighting, b: Sighting): boolean {
  const coded = a.codes.size > 0 && b.codes.size > 0
  if (coded && ![...a.codes].some((code) => b.codes.has(code))) return false
  if (a.bounds !== null && b.bounds !== null) return commonShare(a.bounds, b.bounds) >= COMMON_SHARE
  if (coded) return true
  if (a.isUrgent || b.isUrgent || !isPlaced(a) || !isPlaced(b)) return false
  return a.regions.some((region) => b.regions.includes(region))
}

function isPlaced({ codes, bounds }: Sighting): boolean {
  return codes.size > 0 || bounds !== null
}

/** Of two boxes, the share of both together that is common; 1 for a point or a line of the grid inside the other. */
function commonShare(a: Bounds, b: Bounds): number {
  const width = Math.min(a.east, b.east) - Math.max(a.west, b.west)
  const height = Math.min(a.north, b.north) - Math.max(a.south, b.south)
  if (width < 0 || height < 0) return 0
  const common = width * height
  if (Math.min(areaOf(a), areaOf(b)) === 0) return 1
  return common / (areaOf(a) + areaOf(b) - common)
}

function areaOf({ west, south, east, north }: Bounds): number {
  return (east - west) * (north - south)
}

function isNear(a: Bounds | null, b: Bounds | null, km: number): boolean {
  if (a === null || b === null) return false
  return distanceKm(...middle(a), ...middle(b)) <= km
}

function middle({ west, south, east, north }: Bounds): [lat: number, lon: number] {
  return [(south + north) / 2, (west + east) / 2]
}

/** The box round what an event draws; null when it draws nothing, or half the earth (a ring over the antimeridian). */
function boundsOf({ geometry, bbox, circle, lat, lon }: LookoutEvent): Bounds | null {
  const box: Bounds = { west: 540, south: 90, east: -540, north: -90 }
  if (geometry !== null) widen(box, geometry)
  else if (circle !== null) widen(box, [circle.lon, circle.lat])
  else if (bbox !== null) widen(box, [bbox.slice(0, 2), bbox.slice(2)])
  else if (lat !== null && lon !== null) widen(box, [lon, lat])
  return box.west > box.east || box.east - box.west > 180 ? null : box
}

/** Walks whatever a feed sent: positions are lists whose first two members are numbers. */
function widen(box: Bounds, value: unknown): void {
  if (!Array.isArray(value)) {
    if (typeof value !== 'object' || value === null) return
    if ('coordinates' in value) widen(box, value.coordinates)
    else if ('geometries' in value) widen(box, value.geometries)
    return
  }
  const [x, y]: unknown[] = value
  if (typeof x !== 'number' || typeof y !== 'number') {
    for (const member of value) widen(box, member)
    return
  }
  box.west = Math.min(box.west, x)
  box.east = Math.max(box.east, x)
  box.south = Math.min(box.south, y)
  box.north = Math.max(box.north, y)
}
