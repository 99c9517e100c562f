import { isDrill, type LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { distanceKm } from '../coverage/circle.ts'
import { canonicalCodes } from '../coverage/codes.ts'
import { locate, type Place } from '../coverage/locate.ts'
import { commonShare } from '../coverage/share.ts'

/** One thing in the world, as one source told it. */
export interface Sighting {
  /** The kind of thing both must agree on. */
  hazard: string
  sentAt: number
  startsAt: number
  endsAt: number | null
  magnitude: number | null
  fire: string
  /** Office, phenomenon and number by which the weather service itself tells its events apart; null without. */
  vtec: string | null
  isUrgent: boolean
  isImmediate: boolean
  /** Everything it says, without case and punctuation. */
  words: () => string
  codes: ReadonlySet<string>
  place: Place | null
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
/** Copies draw the same: at least this share is common. */
const COMMON_SHARE = 0.5
/** Fewer characters are a heading that two alerts may share. */
const TELLING_WORDS = 40
/** To compare outlines a sketch of them is enough. */
const SKETCH_VERTICES = 400

/** The kind of thing two sources must agree on; null: nothing that could be told apart. */
export function hazardOf({ category, family, data }: LookoutEvent): string | null {
  // A real event that looks like a drill is none of it.
  if (isDrill({ data })) return null
  if (category === 'earthquake_event') return 'earthquake'
  if (category.startsWith('wildfire_')) return 'wildfire'
  if (family === 'mesh_health' || family === 'satpass' || family === 'tracking') return null
  const name = plain(data.event_name ?? '')
  if (name === '') return null
  return family === 'roads' ? ROADS + name : name
}

/** The features that tell an event from others; null when it has none. */
export function sightingOf(event: LookoutEvent): Sighting | null {
  const hazard = hazardOf(event)
  if (hazard === null) return null
  const { data, sent_at, onset, expires, zones, same } = event
  const sentAt = Date.parse(sent_at)
  const startsAt = Date.parse(data.origin_time ?? onset ?? sent_at)
  return {
    hazard,
    sentAt,
    startsAt: Number.isNaN(startsAt) ? sentAt : startsAt,
    endsAt: expires === null ? null : Date.parse(expires),
    magnitude: data.magnitude ?? null,
    fire: typeof data['fire_name'] === 'string' ? plain(data['fire_name']) : '',
    vtec: data.vtec?.key ?? null,
    isUrgent: isAtLeast(event.severity, 'critical'),
    isImmediate: event.severity === 'immediate',
    words: later(saidBy(event)),
    codes: new Set(canonicalCodes([...zones, ...same, ...(data.geocodes ?? [])])),
    place: locate(event, SKETCH_VERTICES)
  }
}

/** Everything an event says, without case and punctuation. */
export function wordsOf(event: LookoutEvent): string {
  return plain(saidBy(event))
}

function saidBy({ title, summary, body, data }: LookoutEvent): string {
  return [title, summary, body, data.detail ?? '', data.instruction ?? ''].join(' ')
}

/** Its plain words once somebody asks: of most events nobody does, for no other source tells of the same hazard. */
function later(said: string): () => string {
  let [words, isPlain] = [said, false]
  return () => {
    if (!isPlain) [words, isPlain] = [plain(words), true]
    return words
  }
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/**
 * True when two sources speak of one event (docs/interface.md §4 rule 9): by VTEC, by the same text, or, for `critical`
 * and above, by what they draw. A code in common is enough below that only: two storms cross one county. Of `immediate`
 * other words are another event, for told twice is better than not told.
 */
export function isSameEvent(a: Sighting, b: Sighting): boolean {
  if (a.hazard !== b.hazard) return false
  if (a.vtec !== null && b.vtec !== null) return a.vtec === b.vtec
  const saysTheSame = a.words() === b.words()
  if ((a.isImmediate || b.isImmediate) && !saysTheSame) return false
  if (a.hazard === 'earthquake') return isSameQuake(a, b)
  if (a.hazard === 'wildfire') return isSameFire(a, b)
  const limit = limitOf(a, b)
  if (!within(a.sentAt, b.sentAt, limit) || !endsTogether(a, b, limit)) return false
  if (!isApart(a, b) && saysTheSame && a.words().length >= TELLING_WORDS) return true
  return isSamePlace(a, b)
}

/** As `isSameEvent`, and of the same moment: what is said of a fire an hour later is no copy. */
export function isCopy(a: Sighting, b: Sighting): boolean {
  return isSameEvent(a, b) && (a.hazard === 'earthquake' || within(a.sentAt, b.sentAt, limitOf(a, b)))
}

function limitOf(a: Sighting, b: Sighting): number {
  return a.isUrgent || b.isUrgent ? SAME_URGENT_MS : SAME_ALERT_MS
}

function isSameQuake(a: Sighting, b: Sighting): boolean {
  if (a.magnitude === null || b.magnitude === null || !within(a.magnitude, b.magnitude, QUAKE.magnitude)) return false
  return within(a.startsAt, b.startsAt, QUAKE.ms) && isNear(a, b, QUAKE.km)
}

/** A fire keeps its name over weeks; without a name on one side the place alone decides. */
function isSameFire(a: Sighting, b: Sighting): boolean {
  const isNamed = a.fire !== '' && b.fire !== ''
  if ((isNamed && a.fire !== b.fire) || !within(a.sentAt, b.sentAt, FIRE.ms)) return false
  if (isNamed) return isNear(a, b, 3 * FIRE.km)
  return a.isUrgent || b.isUrgent ? drawsTheSame(a, b) : isNear(a, b, FIRE.km)
}

function within(a: number, b: number, limit: number): boolean {
  return Math.abs(a - b) <= limit
}

function endsTogether(a: Sighting, b: Sighting, limit: number): boolean {
  if (a.endsAt === null || b.endsAt === null) return a.endsAt === b.endsAt
  return within(a.endsAt, b.endsAt, limit)
}

/** Codes or outlines speak against it. */
function isApart(a: Sighting, b: Sighting): boolean {
  const coded = a.codes.size > 0 && b.codes.size > 0
  if (coded && !shareCode(a, b)) return true
  return a.place !== null && b.place !== null && !drawsTheSame(a, b)
}

function isSamePlace(a: Sighting, b: Sighting): boolean {
  const isUrgent = a.isUrgent || b.isUrgent
  if (a.hazard.startsWith(ROADS) && !isUrgent) return isNear(a, b, ROADS_KM)
  if (isApart(a, b)) return false
  return drawsTheSame(a, b) || (!isUrgent && shareCode(a, b))
}

function shareCode(a: Sighting, b: Sighting): boolean {
  return [...a.codes].some((code) => b.codes.has(code))
}

function drawsTheSame(a: Sighting, b: Sighting): boolean {
  return a.place !== null && b.place !== null && commonShare(a.place, b.place) >= COMMON_SHARE
}

function isNear(a: Sighting, b: Sighting, km: number): boolean {
  if (a.place === null || b.place === null) return false
  return distanceKm(...middleOf(a.place), ...middleOf(b.place)) <= km
}

/** The middle of the box round what is drawn. */
function middleOf({ points, outlines, disc }: Place): [lat: number, lon: number] {
  if (disc !== null) return [disc.lat, disc.lon]
  const xs = [...points.filter((_, at) => at % 2 === 0), ...outlines.flatMap(({ minX, maxX }) => [minX, maxX])]
  const ys = [...points.filter((_, at) => at % 2 === 1), ...outlines.flatMap(({ minY, maxY }) => [minY, maxY])]
  return [(Math.min(...ys) + Math.max(...ys)) / 2, (Math.min(...xs) + Math.max(...xs)) / 2]
}
