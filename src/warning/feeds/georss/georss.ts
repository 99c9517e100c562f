import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import type { SkippedItem } from '../feed.ts'
import { oldestFirst } from '../reading/feed-event.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, xmlSteps } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { eventOf, rulingOf } from './event.ts'
import { type FeedItem, feedSteps } from './items.ts'
import type { GeorssSettings } from './settings.ts'

const KIND = 'georss'
const FEED = 'RSS'
/** The mark of a feed that had no items the last time. */
const EMPTY = 'empty'

/** Any RSS or Atom feed whose items say where they are. */
export const georssSource: SourceKind<GeorssSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Items of any RSS or Atom feed that say where they are.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  warns: true,
  needsContact: false,
  missing: ({ url }) => (url === '' ? because('needs_rss_address') : null),
  poll,
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

async function poll(settings: GeorssSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const answer = await tools.fetch({ url: settings.url })
  if (answer.state === 'new') return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  const again = standingIn(tools).sameAgain(missesOf(tools.memory.get(EMPTY) === true))
  const events = settings.ends_when_gone ? await inTurns(again, tools.signal) : []
  return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
}

function* readSteps(body: Uint8Array, settings: GeorssSettings, tools: ReadTools): Generator<void, SourceReading> {
  const feed = yield* feedSteps(yield* xmlSteps(yield* decodeSteps(body), FEED), FEED)
  const standing = standingIn(tools)
  const skipped = [...feed.skipped]
  const events: LookoutEvent[] = []
  const listed = new Set(skipped.map(({ id }) => id))
  yield* eachInTurn(feed.items, (item) => {
    listed.add(item.id)
    const found = readItem(item, { settings, feedTitle: feed.title }, { tools, standing })
    if ('reason' in found) skipped.push(found)
    else events.push(found)
  })
  if (!settings.ends_when_gone) yield* standing.keepOnly(listed)
  const isEmpty = listed.size === 0
  if (settings.ends_when_gone && (tools.memory.get(EMPTY) === true) !== isEmpty) tools.memory.set(EMPTY, isEmpty)
  const ends = settings.ends_when_gone ? yield* standing.missing(listed, missesOf(isEmpty)) : []
  return {
    kind: KIND,
    events: oldestFirst([...events, ...ends]),
    skipped,
    updated: feed.updated === null ? null : formatTime(feed.updated),
    items: feed.items.length + feed.skipped.length
  }
}

function readItem(
  item: FeedItem,
  { settings, feedTitle }: { settings: GeorssSettings; feedTitle: string },
  { tools, standing }: { tools: ReadTools; standing: Standing }
): LookoutEvent | SkippedItem {
  const { id, language } = item
  const ruling = rulingOf(item, settings)
  if (ruling.ends) return standing.end(id) ?? { id, reason: because('over_and_untold') }
  if (ruling.off) return { id, reason: because('left_out_by_rule') }
  if (!isWanted(language, settings.language)) return { id, reason: because('in_other_language', { language }) }
  const event = eventOf(item, { ruling, settings, feedTitle }, tools)
  const isFollowed = settings.ends_when_gone || settings.rules.some(({ ends }) => ends === true)
  return 'reason' in event || !isFollowed ? event : standing.tell(event)
}

/** `en` takes `en-AU` too. */
function isWanted(language: string, wanted: string): boolean {
  const [has, want] = [language.toLowerCase(), wanted.toLowerCase()]
  return want === '' || has === '' || has === want || has.startsWith(`${want}-`)
}

/** A feed without any item may be a fault of its server: everything is over only when it stays so. */
function missesOf(isEmpty: boolean): number | undefined {
  return isEmpty ? 6 : undefined
}

function standingIn(tools: ReadTools): Standing {
  return new Standing(tools, 'item:')
}
