import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseCap } from '../cap/parse.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, numberOf } from '../reading/json.ts'
import { feedDate } from '../reading/loose.ts'
import { eachInTurn, eachRemembered, inTurns } from '../reading/steps.ts'
import { childrenOf, childText, decodeSteps, decodeText, type Element, xmlSteps } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceMemory, SourceReading } from '../source.ts'
import { toEvent } from './event.ts'
import { type GdacsItem, readItem } from './item.ts'
import type { GdacsSettings } from './settings.ts'

const KIND = 'gdacs'
const FEED = 'GDACS'
/** A disaster that was told is remembered for so long after it was last listed. */
const KEPT_MS = 90 * 86_400_000

/** Disasters of the whole world by GDACS (European Commission and United Nations), as a listing in RSS. */
export const gdacsSource: SourceKind<GdacsSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Earthquakes, cyclones, floods, volcanoes and fires of the world that put many people in danger (GDACS).',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 300,
  warns: true,
  needsContact: false,
  async poll(settings, tools) {
    const fetched = await tools.fetch({ url: settings.url })
    if (fetched.state === 'unchanged') return 'unchanged'
    return inTurns(listingSteps(await inTurns(decodeSteps(fetched.body), tools.signal), settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(listingSteps(decodeText(body), settings, tools))
}

/** A listing; a CAP message of the same service, as files hold one, is read by the CAP parser. */
function* listingSteps(text: string, settings: GdacsSettings, tools: ReadTools): Generator<void, SourceReading> {
  const root = yield* xmlSteps(text, FEED)
  if (root.name === 'alert') return readMessage(text, tools)
  const [channel] = root.name === 'rss' ? childrenOf(root, 'channel') : []
  if (channel === undefined) throw new AppError('bad-input', because('body_not_rss', { feed: FEED, root: root.name }))
  const items = childrenOf(channel, 'item')
  const updated = feedDate(childText(channel, 'pubDate'))
  return {
    kind: KIND,
    ...(yield* itemSteps(items, settings, tools)),
    updated: updated === null ? null : formatTime(updated),
    items: items.length
  }
}

/** Its areas are all called "Polygon", which is no place. */
function readMessage(text: string, { source, receivedAt }: ReadTools): SourceReading {
  const message = parseCap(text, { source, receivedAt })
  const events = message.events.map((event) => {
    const places = (event.data.places ?? []).filter((place) => place.toLowerCase() !== 'polygon')
    return { ...event, data: { ...event.data, places } }
  })
  return { ...message, kind: KIND, events, items: 1 }
}

function* itemSteps(
  elements: readonly Element[],
  settings: GdacsSettings,
  tools: ReadTools
): Generator<void, Pick<SourceReading, 'events' | 'skipped'>> {
  const skipped: SkippedItem[] = []
  const events: LookoutEvent[] = []
  yield* eachInTurn(yield* newestOnly(elements, skipped), (item) => {
    const told = asBag(tools.memory.get(`told:${item.id}`)) !== null
    const reason = untold(item, settings)
    // An event that was told at a graver level is followed to its end.
    if (reason !== null && !told) skipped.push({ id: item.id, reason })
    else events.push(follow(item, tools))
  })
  yield* forgetOld(tools.memory, tools.receivedAt)
  return { events, skipped }
}

function follow(item: GdacsItem, { source, receivedAt, memory }: ReadTools): LookoutEvent {
  memory.set(`told:${item.id}`, { at: receivedAt })
  return toEvent(item, { source, receivedAt, goesOn: item.current })
}

/** The same disaster is listed once per episode in some profiles. */
function* newestOnly(elements: readonly Element[], skipped: SkippedItem[]): Generator<void, GdacsItem[]> {
  const newest = new Map<string, GdacsItem>()
  yield* eachInTurn(elements, (element) => {
    const item = readItem(element)
    if ('reason' in item) {
      skipped.push(item)
      return
    }
    const other = newest.get(item.id)
    if (other !== undefined) skipped.push({ id: item.id, reason: because('older_episode') })
    if (other === undefined || item.modified > other.modified) newest.set(item.id, item)
  })
  return [...newest.values()]
}

function untold({ type, colour, current }: GdacsItem, settings: GdacsSettings): Reason | null {
  if (!current) return because('not_current')
  if (type === 'DR' && !settings.droughts) return because('a_drought')
  return colour === 'Green' && !settings.green ? because('colour_green') : null
}

function forgetOld(memory: SourceMemory, now: number): Generator<void, void> {
  return eachRemembered(memory, 'told:', (key, value) => {
    if ((numberOf(asBag(value)?.['at']) ?? 0) < now - KEPT_MS) memory.delete(key)
  })
}
