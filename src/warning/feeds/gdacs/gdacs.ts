import type { LookoutEvent } from '../../../model/event.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseCap } from '../cap/parse.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, numberOf } from '../reading/json.ts'
import { feedDate } from '../reading/loose.ts'
import { childrenOf, childText, decodeText, type Element, parseXml } from '../reading/xml.ts'
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
    return fetched.state === 'unchanged' ? 'unchanged' : readListing(decodeText(fetched.body), settings, tools)
  },
  read: (body, settings, tools) => readListing(decodeText(body), settings, tools)
}

/** A listing; a CAP message of the same service, as files hold one, is read by the CAP parser. */
function readListing(text: string, settings: GdacsSettings, tools: ReadTools): SourceReading {
  const root = parseXml(text, FEED)
  if (root.name === 'alert') return readMessage(text, tools)
  const [channel] = root.name === 'rss' ? childrenOf(root, 'channel') : []
  if (channel === undefined)
    throw new AppError('bad-input', `${FEED}: the document is a <${root.name}>, not an RSS feed.`)
  const items = childrenOf(channel, 'item')
  const updated = feedDate(childText(channel, 'pubDate'))
  return {
    kind: KIND,
    ...readItems(items, settings, tools),
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

function readItems(
  elements: readonly Element[],
  settings: GdacsSettings,
  tools: ReadTools
): Pick<SourceReading, 'events' | 'skipped'> {
  const skipped: SkippedItem[] = []
  const events: LookoutEvent[] = []
  for (const item of newestOnly(elements, skipped)) {
    const told = asBag(tools.memory.get(`told:${item.id}`)) !== null
    const reason = untold(item, settings)
    // What was told at a graver level is followed to its end.
    if (reason !== null && !told) skipped.push({ id: item.id, reason })
    else events.push(follow(item, tools))
  }
  forgetOld(tools.memory, tools.receivedAt)
  return { events, skipped }
}

function follow(item: GdacsItem, { source, receivedAt, memory }: ReadTools): LookoutEvent {
  memory.set(`told:${item.id}`, { at: receivedAt })
  return toEvent(item, { source, receivedAt, goesOn: item.current })
}

/** The same disaster is listed once per episode in some profiles. */
function newestOnly(elements: readonly Element[], skipped: SkippedItem[]): GdacsItem[] {
  const newest = new Map<string, GdacsItem>()
  for (const element of elements) {
    const item = readItem(element)
    if ('reason' in item) {
      skipped.push(item)
      continue
    }
    const other = newest.get(item.id)
    if (other !== undefined) skipped.push({ id: item.id, reason: 'an older episode of the same event' })
    if (other === undefined || item.modified > other.modified) newest.set(item.id, item)
  }
  return [...newest.values()]
}

function untold({ type, colour, current }: GdacsItem, settings: GdacsSettings): string | null {
  if (!current) return 'not current'
  if (type === 'DR' && !settings.droughts) return 'a drought'
  return colour === 'Green' && !settings.green ? 'green' : null
}

function forgetOld(memory: SourceMemory, now: number): void {
  for (const [key, value] of memory.entries('told:')) {
    if ((numberOf(asBag(value)?.['at']) ?? 0) < now - KEPT_MS) memory.delete(key)
  }
}
