import type { LookoutEvent } from '../../../model/event.ts'
import type { BBox } from '../../../model/geojson.ts'
import { because, withTexts } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { REDACTED } from '../../../platform/log/secrets.ts'
import { coverageScope } from '../coverage-scope.ts'
import type { SkippedItem } from '../feed.ts'
import { inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { FetchRequest, PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { type Cluster, clusterPixels } from './clusters.ts'
import { grown, isWorthTelling, toEvent } from './event.ts'
import { ClusterStore } from './identity.ts'
import { withoutKnownFires } from './known-fires.ts'
import { FEED, type Pixel, readPixels } from './pixels.ts'
import type { FirmsSettings } from './settings.ts'

const KIND = 'firms'
const MAX_BYTES = 16 * 1024 * 1024
const STEP = 128

/**
 * Heat seen from space (NASA FIRMS), MODIS and VIIRS: told as clusters away from known fires, never pixel by pixel. The area API has
 * its key in the address; no message of this source shows it.
 */
export const firmsSource: SourceKind<FirmsSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Heat seen by satellite away from known fires, as clusters of hotspots (NASA FIRMS).',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 600,
  needsContact: false,
  missing(settings) {
    if (settings.url !== undefined || settings.map_key !== '') return null
    return because('needs_map_key')
  },
  poll,
  read: (body, settings, tools) => drain(readFiles([decodeText(body)], settings, tools))
}

async function poll(settings: FirmsSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const bodies = await fetchAll(addresses(settings, tools), settings, tools)
  if (bodies === null) return 'unchanged'
  return await inTurns(readFiles(bodies, settings, tools), tools.signal)
}

function addresses(settings: FirmsSettings, { coverage }: Pick<ReadTools, 'coverage'>): string[] {
  if (settings.url !== undefined) return [settings.url]
  const scope = coverageScope(coverage)
  const box = settings.bbox ?? (scope.by === 'box' ? scope.box : null)
  if (box === null) {
    throw new AppError('config-refused', because('wants_bbox', { feed: FEED }))
  }
  const base = `${settings.base_url.replace(/\/+$/, '')}/api/area/csv/${encodeURIComponent(settings.map_key)}`
  return settings.products.map((product) => `${base}/${product}/${areaOf(box)}/${settings.days}`)
}

/** A hundredth of a degree more than asked for, inside the world. */
function areaOf([west, south, east, north]: BBox): string {
  const [left, right] = west <= east ? [west, east] : [-180, 180]
  const down = (value: number, least: number): number => Math.max(least, Math.floor(value * 100) / 100)
  const up = (value: number, most: number): number => Math.min(most, Math.ceil(value * 100) / 100)
  return [down(left, -180), down(south, -90), up(right, 180), up(north, 90)].join(',')
}

/** The files of all products, or null when none has changed; a cluster may have pixels of every one. */
async function fetchAll(urls: readonly string[], settings: FirmsSettings, tools: PollTools): Promise<string[] | null> {
  const bodies = new Map<string, string>()
  for (const url of urls) {
    const body = await fetchOne({ url, maxBytes: MAX_BYTES }, settings, tools)
    if (body !== null) bodies.set(url, body)
  }
  if (bodies.size === 0) return null
  for (const url of urls) {
    if (bodies.has(url)) continue
    bodies.set(url, (await fetchOne({ url, maxBytes: MAX_BYTES, conditional: false }, settings, tools)) ?? '')
  }
  return urls.map((url) => bodies.get(url) ?? '')
}

async function fetchOne(request: FetchRequest, settings: FirmsSettings, tools: PollTools): Promise<string | null> {
  try {
    const fetched = await tools.fetch(request)
    return fetched.state === 'unchanged' ? null : await inTurns(decodeSteps(fetched.body), tools.signal)
  } catch (error) {
    throw withoutKey(error, settings)
  }
}

/** Without its cause, which may name the address too. */
function withoutKey(error: unknown, { map_key }: FirmsSettings): unknown {
  if (!(error instanceof AppError) || map_key === '') return error
  const hidden = (text: string): string =>
    text.replaceAll(encodeURIComponent(map_key), REDACTED).replaceAll(map_key, REDACTED)
  return new AppError(error.code, withTexts(error.reason, hidden), { issues: error.issues })
}

function* readFiles(
  bodies: readonly string[],
  settings: FirmsSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const pixels: Pixel[] = []
  const skipped: SkippedItem[] = []
  let items = 0
  for (const body of bodies) {
    yield
    const read = yield* readChecked(body, settings)
    for (const pixel of read.pixels) pixels.push(pixel)
    skipped.push(...read.skipped)
    items += read.rows
  }
  const others = tools.inForce('fire').filter(({ source }) => source !== tools.source)
  const unknown = yield* withoutKnownFires(pixels, others, settings.known_fire_km)
  const known = pixels.length - unknown.length
  if (known > 0) skipped.push({ id: 'known fires', reason: because('pixels_known_fire', { count: known }) })
  const clusters = yield* clusterPixels(unknown, { km: settings.cluster_km, hours: settings.cluster_hours })
  const latest = pixels.reduce((newest, { time }) => Math.max(newest, time), 0)
  const told = clusters.filter((cluster) => isWorthTelling(cluster, settings))
  const small = clusters.length - told.length
  if (small > 0) skipped.push({ id: 'small clusters', reason: because('clusters_too_weak', { count: small }) })
  const events = yield* tell(told, latest, settings, tools)
  return { kind: KIND, events, skipped, updated: latest === 0 ? null : formatTime(latest), items }
}

/** A text of the service in place of data may repeat the request. */
function* readChecked(body: string, settings: FirmsSettings): ReturnType<typeof readPixels> {
  try {
    return yield* readPixels(body, settings.min_confidence)
  } catch (error) {
    throw withoutKey(error, settings)
  }
}

function* tell(
  clusters: readonly Cluster[],
  latest: number,
  settings: FirmsSettings,
  tools: ReadTools
): Generator<void, LookoutEvent[]> {
  const clusterStore = new ClusterStore(tools.memory, { km: settings.cluster_km, hours: settings.cluster_hours })
  const recognised = yield* clusterStore.recognise(clusters)
  const events: LookoutEvent[] = []
  for (const cluster of clusters) {
    const before = recognised.get(cluster) ?? null
    const known = grown(cluster, before, settings)
    clusterStore.note(known, cluster)
    events.push(toEvent(cluster, known, { isNew: before === null, settings }, tools))
    if (events.length % STEP === 0) yield
  }
  if (latest > 0) clusterStore.forget(latest)
  return events
}
