import type { LookoutEvent } from '../../model/event.ts'
import { severityRank } from '../../model/severity.ts'
import type { StationConfig } from '../station-settings.ts'
import { byteLength, cutToBytes } from './budget.ts'
import { composeMessage } from './compose.ts'
import { textFact } from './facts.ts'

export interface DigestEntry {
  event: LookoutEvent
  kind: 'new' | 'update' | 'cancel'
  regions: string[]
}

export interface DigestRequest {
  /** Stands first: `QUIET 22:00-06:00`. */
  title: string
  entries: readonly DigestEntry[]
  station: StationConfig
  /** Bytes of UTF-8 the text may have. */
  limitBytes: number
  nowMs: number
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

/**
 * As many headlines as fit one packet, the gravest first, and how many more there are. One headline per thread: the
 * newest. Never longer than `limitBytes`.
 */
export function composeDigest({ title, entries, station, limitBytes, nowMs }: DigestRequest): Digest {
  const byThread = new Map(entries.map((entry) => [entry.event.thread_id, entry]))
  const list = [...byThread.values()].sort((a, b) => severityRank(b.event.severity) - severityRank(a.event.severity))
  let text = `${title}:`
  let told = 0
  for (const entry of list) {
    const joint = told === 0 ? ' ' : '; '
    const last = told === list.length - 1
    const room = limitBytes - byteLength(text) - byteLength(joint) - (last ? 0 : MORE_BYTES)
    if (room < SHORTEST_HEADLINE_BYTES) break
    const size = Math.min(HEADLINE_BYTES, room)
    const request = { ...headlined(entry), kind: entry.kind, station, limitBytes: size, targetBytes: size, nowMs }
    text += joint + (composeMessage(request).parts[0] ?? '')
    told++
  }
  if (list.length === 0) text += ' all over'
  else if (told < list.length) text += `${told === 0 ? ' ' : '; +'}${list.length - told}${told === 0 ? ' alerts' : ''}`
  const named = list.slice(0, told).map(({ event }) => event.thread_id)
  return { text: cutToBytes(text, limitBytes), told: new Set(named) }
}
