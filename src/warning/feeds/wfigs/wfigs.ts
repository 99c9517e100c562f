import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { FireHistory, goneEvent } from '../reading/fire-history.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { threadOf, toEvent } from './event.ts'
import { FEED, type Layer, type Page, pageSteps } from './fire.ts'
import { type Fire, joinFires } from './join.ts'
import { pageUrl } from './query.ts'
import type { WfigsSettings } from './settings.ts'

const KIND = 'wfigs'
const LAYERS: readonly Layer[] = ['incidents', 'perimeters']
const MAX_PAGES = 20
/** Early summer has 4 MB of perimeters; a large fire alone a megabyte. */
const MAX_BYTES = 24 * 1024 * 1024
const HOUR_MS = 3_600_000

/** Wildfires of the United States: locations and perimeters of the National Interagency Fire Center, joined by IRWIN id. */
export const wfigsSource: SourceKind<WfigsSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Wildfires and prescribed burns in the United States, with size, containment and perimeter (NIFC WFIGS).',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 300,
  needsContact: false,
  poll,
  read(body, settings, tools) {
    const page = drain(pageSteps(decodeText(body)))
    return drain(fireSteps([page], page.more ? [] : [page.layer], settings, tools))
  }
}

async function poll(settings: WfigsSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  // Of several pages the first may stay as it is while another changes.
  const conditional = tools.memory.get('pages') === 1
  const layers = new Map<Layer, Page[]>()
  for (const layer of LAYERS) {
    const pages = await fetchLayer(layer, conditional, settings, tools)
    if (pages !== null) layers.set(layer, pages)
  }
  if (layers.size === 0) return unchanged(settings, tools)
  // The join takes both: what has not changed is needed too.
  for (const layer of LAYERS) {
    if (!layers.has(layer)) layers.set(layer, (await fetchLayer(layer, false, settings, tools)) ?? [])
  }
  tools.memory.set('pages', Math.max(...[...layers.values()].map((pages) => pages.length)))
  return inTurns(fireSteps([...layers.values()].flat(), LAYERS, settings, tools), tools.signal)
}

/** The same listings once more: fires that were missing are missing still. */
async function unchanged(settings: WfigsSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const events = await inTurns(goneFires(null, LAYERS, settings, tools), tools.signal)
  return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
}

/** All pages of a layer; null when it has not changed. */
async function fetchLayer(
  layer: Layer,
  conditional: boolean,
  settings: WfigsSettings,
  tools: PollTools
): Promise<Page[] | null> {
  try {
    return await fetchPages(layer, { conditional, everyField: false }, settings, tools)
  } catch (error) {
    if (!(error instanceof AppError) || !/\bfields?\b/i.test(error.message)) throw error
    return await fetchPages(layer, { conditional: false, everyField: true }, settings, tools)
  }
}

async function fetchPages(
  layer: Layer,
  { conditional, everyField }: { conditional: boolean; everyField: boolean },
  settings: WfigsSettings,
  tools: PollTools
): Promise<Page[] | null> {
  const pages: Page[] = []
  let offset = 0
  do {
    const url = pageUrl({ layer, offset, everyField }, settings, tools)
    const fetched = await tools.fetch({ url, maxBytes: MAX_BYTES, conditional: conditional && offset === 0 })
    if (fetched.state === 'unchanged') {
      if (conditional && offset === 0) return null
      throw new AppError('unavailable', because('page_did_not_come', { feed: FEED }))
    }
    // A page without fires does not say which layer it is of.
    const page = {
      ...(await inTurns(pageSteps(await inTurns(decodeSteps(fetched.body), tools.signal)), tools.signal)),
      layer
    }
    pages.push(page)
    offset += page.count
    if (!page.more) return pages
    if (page.count === 0) break
  } while (pages.length < MAX_PAGES)
  throw new AppError('bad-input', because('too_many_fires', { feed: FEED, most: MAX_PAGES }))
}

/** `complete`: the layers of which every fire is in these pages. */
function* fireSteps(
  pages: readonly Page[],
  complete: readonly Layer[],
  settings: WfigsSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const skipped: SkippedItem[] = pages.flatMap((page) => page.skipped)
  const fires = joinFires(
    pages.flatMap((page) => page.fires),
    skipped
  )
  const history = new FireHistory(tools.memory)
  const covered = pages.map(({ layer }) => layer)
  const events: LookoutEvent[] = []
  yield* eachInTurn(fires, (fire) => {
    const known = history.of(fire.id)
    const reason = untold(fire, known !== null, settings)
    if (reason !== null) {
      skipped.push({ id: fire.id, reason })
      return
    }
    const { event, record } = toEvent(fire, known, settings, tools)
    const elsewhere = (known?.layers ?? []).filter((layer) => !covered.some((read) => read === layer))
    history.note(fire.id, { ...record, layers: [...new Set([...record.layers, ...elsewhere])].sort() })
    events.push(event)
  })
  const listed = new Set(fires.map(({ id }) => id))
  if (complete.length > 0) events.push(...(yield* goneFires(listed, complete, settings, tools)))
  const changed = Math.max(...fires.map((fire) => fire.changed ?? 0))
  return {
    kind: KIND,
    events,
    skipped,
    updated: changed > 0 ? formatTime(changed) : null,
    items: pages.reduce((sum, { count }) => sum + count, 0)
  }
}

function untold({ type, out, point, outline, fips }: Fire, known: boolean, settings: WfigsSettings): Reason | null {
  if (type === 'RX' && !settings.prescribed) return because('prescribed_burn')
  if (out !== null && !known) return because('fire_out_already')
  return point === null && outline === null && fips === '' ? because('no_location') : null
}

function* goneFires(
  listed: ReadonlySet<string> | null,
  covered: readonly Layer[],
  settings: WfigsSettings,
  tools: ReadTools
): Generator<void, LookoutEvent[]> {
  const history = new FireHistory(tools.memory)
  const ended = yield* history.missing(listed, covered, tools.receivedAt, settings.gone_hours * HOUR_MS)
  return ended.map(([id, record]) => goneEvent(id, record, threadOf(id), tools))
}
