import type { AirLanguage } from '../../model/air-languages.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { severityRank } from '../../model/severity.ts'
import type { StationConfig } from '../station-settings.ts'
import { byteLength, cutToBytes } from './budget.ts'
import { put } from './catalogue/words.ts'
import { composeMessage } from './compose.ts'
import { textFact } from './facts.ts'
import { foldText } from './fold.ts'
import { wordsOf } from './wording.ts'

export interface DigestEntry {
  event: LookoutEvent
  kind: 'new' | 'update' | 'cancel'
  regions: string[]
}

/** An entry by what decides its place in the text; `event` is read only where there is room to tell it. */
export interface DigestHead
  extends Pick<DigestEntry, 'kind' | 'regions'>,
    Pick<LookoutEvent, 'thread_id' | 'severity'> {
  event: () => LookoutEvent
}

interface DigestSetting {
  /** Stands first: `QUIET 22:00-06:00`. */
  title: string
  /** See `ComposeRequest`. */
  language?: AirLanguage
  ascii?: boolean
  station: StationConfig
  /** Bytes of UTF-8 the text may have. */
  limitBytes: number
  nowMs: number
}

export interface DigestRequest extends DigestSetting {
  entries: readonly DigestEntry[]
}

export interface HeadsRequest extends DigestSetting {
  heads: readonly DigestHead[]
}

export interface Digest {
  text: string
  /** Threads that stand in it by name. */
  told: ReadonlySet<string>
}

const RIVER = /^([^:]{3,70}): ((?:record|major|moderate|minor) flooding[^,]*)/i

/** Of a river's warning a headline names the river and how grave it is: nine of one county are nine of the same otherwise. */
function headlined({ event, regions }: DigestEntry): Pick<DigestEntry, 'event' | 'regions'> {
  const [whole = '', river = '', grade = ''] = RIVER.exec(textFact(event.data, 'detail')) ?? []
  if (whole === '') return { event, regions }
  return { event: { ...event, data: { ...event.data, places: [river], detail: grade, attribution: '' } }, regions: [] }
}

/** A headline is WHAT, WHERE and UNTIL. */
const HEADLINE_BYTES = 64
const SHORTEST_HEADLINE_BYTES = 36
const MORE_BYTES = byteLength('; +9999')

/** The digest of events that are at hand. */
export function composeDigest({ entries, ...setting }: DigestRequest): Digest {
  const heads = entries.map(({ event, kind, regions }) => {
    const { thread_id, severity } = event
    return { thread_id, severity, kind, regions, event: () => event }
  })
  return composeHeads({ heads, ...setting })
}

/**
 * As many headlines as fit one packet, the gravest first, and how many more there are. One headline per thread: the
 * newest. Never longer than `limitBytes`.
 */
export function composeHeads({ title, heads, limitBytes, ...setting }: HeadsRequest): Digest {
  const words = wordsOf(setting)
  const written = (said: string): string => (setting.ascii === true ? foldText(said, setting.language ?? 'en') : said)
  const byThread = new Map(heads.map((head) => [head.thread_id, head]))
  const list = [...byThread.values()].sort((a, b) => severityRank(b.severity) - severityRank(a.severity))
  let text = written(`${title}:`)
  let told = 0
  for (const { event, kind, regions } of list) {
    const joint = told === 0 ? ' ' : '; '
    const last = told === list.length - 1
    const room = limitBytes - byteLength(text) - byteLength(joint) - (last ? 0 : MORE_BYTES)
    if (room < SHORTEST_HEADLINE_BYTES) break
    const size = Math.min(HEADLINE_BYTES, room)
    const headline = headlined({ event: event(), kind, regions })
    const request = { ...headline, ...setting, kind, limitBytes: size, targetBytes: size }
    text += joint + (composeMessage(request).parts[0] ?? '')
    told++
  }
  const left = list.length - told
  if (list.length === 0) text += written(` ${words.allOver}`)
  else if (left > 0) text += told === 0 ? written(` ${put(words.alerts, String(left))}`) : `; +${left}`
  const named = list.slice(0, told).map(({ thread_id }) => thread_id)
  return { text: cutToBytes(text, limitBytes), told: new Set(named) }
}
