import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { Standing } from '../reading/standing.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { PollTools, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { noticesOfJson } from './json.ts'
import { type Notice, type Notices, toEvent } from './notice.ts'
import { isVolcanoFeed, noticesOfRss } from './rss.ts'
import type { VolcanoSettings } from './settings.ts'
import { noticesOfVona } from './vona.ts'
import { isVona } from './vona-head.ts'

const KIND = 'volcano'
const FEED = 'Volcanoes'
/** That many are back to normal together only in a listing that is not what it says. */
const MANY = 3

/** Alert levels and aviation colour codes: the USGS, GeoNet, and VONA notices of any observatory. */
export const volcanoSource: SourceKind<VolcanoSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Alert levels and aviation colour codes of volcano observatories (USGS, GeoNet, VONA).',
  defaultIntervalSeconds: 600,
  minIntervalSeconds: 120,
  warns: true,
  needsContact: false,
  poll,
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

async function poll(settings: VolcanoSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const answer = await tools.fetch({ url: settings.url })
  if (answer.state === 'new') return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  const isComplete = tools.memory.get('complete') === true
  const events = isComplete ? await inTurns(standingIn(tools).sameAgain(), tools.signal) : []
  return events.length === 0 ? 'unchanged' : { kind: KIND, events, skipped: [], updated: null, items: 0 }
}

function* readSteps(body: Uint8Array, settings: VolcanoSettings, tools: ReadTools): Generator<void, SourceReading> {
  const text = yield* decodeSteps(body)
  const { notices, skipped, complete } = yield* noticesIn(text)
  const standing = standingIn(tools)
  const before = complete && notices.length === 0 ? standing.size : 0
  if (before >= MANY) throw new AppError('bad-input', because('volcanoes_suddenly_none', { feed: FEED, count: before }))
  if (tools.memory.get('complete') !== complete) tools.memory.set('complete', complete)
  const listed = new Set(skipped.map(({ id }) => id))
  const events: LookoutEvent[] = []
  yield* eachInTurn(newestOnly(notices, skipped), (notice) => {
    listed.add(notice.id)
    const event = follow(notice, settings, { tools, standing })
    if ('reason' in event) skipped.push(event)
    else events.push(event)
  })
  const ends = complete ? yield* standing.missing(listed) : []
  const newest = notices.reduce((latest, { time }) => Math.max(latest, time ?? 0), 0)
  return {
    kind: KIND,
    events: [...events, ...ends],
    skipped,
    updated: newest === 0 ? null : formatTime(newest),
    items: notices.length + skipped.length
  }
}

function noticesIn(text: string): Generator<void, Notices> {
  if (isVona(text)) return noticesOfVona(text, FEED)
  return isVolcanoFeed(text) ? noticesOfRss(text, FEED) : noticesOfJson(text, FEED)
}

function standingIn(tools: ReadTools): Standing {
  return new Standing(tools, 'volcano:')
}

function follow(
  notice: Notice,
  { radius_km }: VolcanoSettings,
  { tools, standing }: { tools: ReadTools; standing: Standing }
): LookoutEvent | SkippedItem {
  if (notice.level === 'normal') return standing.end(notice.id) ?? { id: notice.id, reason: because('back_to_normal') }
  return standing.tell(toEvent(notice, radius_km, tools))
}

/** A page holds the notices of weeks: the newest of each volcano counts. */
function newestOnly(notices: readonly Notice[], skipped: SkippedItem[]): Notice[] {
  const kept = new Map<string, Notice>()
  for (const notice of notices) {
    const other = kept.get(notice.id)
    if (other !== undefined) skipped.push({ id: notice.id, reason: because('older_notice') })
    if (other === undefined || (notice.time ?? 0) > (other.time ?? 0)) kept.set(notice.id, notice)
  }
  return [...kept.values()]
}
