import type { Spoken } from '../../model/air-languages.ts'
import type { HoldReason, MessageKind } from '../../model/content.ts'
import { isDemo, type LookoutEvent } from '../../model/event.ts'
import { defaultFreshnessSeconds } from '../../model/families.ts'
import { highestSeverity, isAtLeast } from '../../model/severity.ts'
import { budgetFor, byteLength } from '../messages/budget.ts'
import { put } from '../messages/catalogue/words.ts'
import { composeMessage, headMarks } from '../messages/compose.ts'
import { composeHeads, type Digest, type DigestHead } from '../messages/digest.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import { wordsOf } from '../messages/wording.ts'
import type { RadioDescription } from '../radios/radio.ts'
import type { WarningConfig } from '../settings.ts'
import type { Delivery } from './delivery.ts'
import { markOf } from './station-mark.ts'

/** A message that is to get its words. */
export interface Wordless extends Pick<Delivery, 'regions' | 'newPlacesOnly' | 'mark' | 'code'> {
  kind: MessageKind
  /** The message that is said again; null for something new. */
  origin: Delivery | null
  /** Every piece of it, the newest last. */
  events: LookoutEvent[]
}

export interface Setting {
  /** The language of the channel, see `spokenOn`. */
  spoken: Spoken
  config: WarningConfig
  description: Pick<RadioDescription, 'network' | 'nodeName'>
  nowMs: number
}

/** A text may be this much longer than written for, rather than break off in a sentence or lose what to do. */
const STRETCH_BYTES = 20
/** ` (was WATCH)` costs no figure of what it has become. */
const RAISED_BYTES = 12

/** The text of a message in parts that each fit one packet of its radio. What is said again keeps its words when they fit. */
export function composeFor(event: LookoutEvent, message: Wordless, setting: Setting): string[] {
  const { config, description, spoken, nowMs } = setting
  const { station, messages } = config
  const limitBytes = budgetFor(description.network, messages, description.nodeName)
  const again = saidAgain(message, limitBytes, setting)
  if (again !== null) return again
  const { kind, regions, newPlacesOnly, mark, events } = message
  const target = messages.target_bytes + (event.data['replaces'] === undefined ? 0 : RAISED_BYTES)
  return composeMessage({
    event,
    kind,
    merged: events,
    regions,
    newPlacesOnly,
    station,
    limitBytes,
    // Guidance must not fall victim to a target of style when lives depend on it.
    targetBytes: event.severity === 'immediate' ? limitBytes : target,
    stretchBytes: event.severity === 'critical' ? limitBytes : target + STRETCH_BYTES,
    maxParts: messages.max_parts,
    ...spoken,
    nowMs,
    late: kind === 'new' && isLate(event, config, nowMs),
    simulatedMark: isDemo(event),
    ...(mark === null ? {} : { mark }),
    ...codeOf(event, message, config)
  }).parts
}

/** True for an event that is told although it is no news any more (docs/interface.md §4 rule 6). */
function isLate({ family, sent_at }: LookoutEvent, { notifications }: WarningConfig, nowMs: number): boolean {
  const limit = notifications.toggles[family]?.freshness_seconds ?? defaultFreshnessSeconds(family)
  return limit > 0 && nowMs - Date.parse(sent_at) > limit * 1000
}

/** A CAP Cancel may name nothing but the message it ends: its words are those of what was told, the newest first in `thread`. */
export function namedEnd(event: LookoutEvent, thread: () => readonly LookoutEvent[]): LookoutEvent {
  const { lifecycle, data } = event
  if (lifecycle !== 'cancel' || data.event_name !== undefined || data['cap'] === undefined) return event
  const told = thread().find((earlier) => earlier.data.event_name !== undefined)
  if (told === undefined) return event
  const { title, category, family } = told
  const { event_name = '', places = [] } = told.data
  return { ...event, title, category, family, data: { ...data, event_name, places } }
}

/**
 * An end of a part of a thread, with the places where the thread goes on (`data.remains`): the counties of a cancelled watch say
 * nothing of the others. `thread`: its messages that concern the channel, oldest first.
 */
export function withRemains(event: LookoutEvent, thread: readonly LookoutEvent[], nowMs: number): LookoutEvent {
  if (event.lifecycle !== 'cancel') return event
  const live = new Map<string, LookoutEvent>()
  for (const message of thread) {
    const begins = message.lifecycle === 'new' || message.lifecycle === 'update'
    const zones = [...message.zones, ...message.same]
    // An end that names no zone ends all of it.
    if (!begins && zones.length === 0) live.clear()
    for (const zone of zones) begins ? live.set(zone, message) : live.delete(zone)
  }
  const going = [...new Set(live.values())].filter(({ expires }) => expires === null || Date.parse(expires) > nowMs)
  const ended = new Set(event.data.places ?? [])
  const remains = [...new Set(going.flatMap(({ data }) => data.places ?? []))].filter((place) => !ended.has(place))
  return remains.length === 0 ? event : { ...event, data: { ...event.data, remains } }
}

export interface HeldHead extends DigestHead {
  demo: boolean
}

/** The digest of what was held: one packet, and the threads it names. `mark` stands before it when it is said again. */
export function digestText(
  heads: readonly HeldHead[],
  reason: HoldReason,
  { config, description, spoken, nowMs, mark = null }: Setting & { mark?: string | null }
): Digest {
  const { station, messages, notifications } = config
  const { start, end } = notifications.quiet_hours
  const { quiet, also, inForce } = wordsOf(spoken)
  const titles = { quiet_hours: put(quiet, `${start}-${end}`), cooldown: also, summary: inForce, inhibited: also }
  const limitBytes = budgetFor(description.network, messages, description.nodeName)
  const marks = headMarks({
    ...spoken,
    simulatedMark: heads.some((head) => head.demo),
    ...(mark === null ? {} : { mark })
  })
  return composeHeads({ title: marks + titles[reason], heads, station, limitBytes, nowMs, ...spoken })
}

/** Said again is only what its channel reads: on one of another language it is composed anew. */
function saidAgain({ origin, mark }: Wordless, limitBytes: number, { config, spoken }: Setting): string[] | null {
  if (origin === null || origin.parts === null || mark === null) return null
  const before = spokenOn(config, origin)
  if (before.language !== spoken.language || before.ascii !== spoken.ascii) return null
  const head = headMarks({ ...spoken, mark })
  const parts = origin.parts.map((part) => (part.startsWith(head) ? part : head + part))
  return parts.every((part) => byteLength(part) <= limitBytes) ? parts : null
}

/** The code that the text ends in, with the mark for other stations behind it where there are some. */
function codeOf(event: LookoutEvent, { code, kind, events }: Wordless, config: WarningConfig): { code?: string } {
  const { enabled, secret } = config.notifications.standby
  if (code === null || (!enabled && !showsCode(event, config))) return {}
  if (!enabled) return { code }
  const severity = highestSeverity([event.severity, ...events.map((one) => one.severity)])
  return { code: `${code}.${markOf(secret, event, { severity, ends: kind === 'cancel' })}` }
}

/** The option `messages.codes`. An end needs no answer, so it has a code only where every text has one. */
function showsCode(event: LookoutEvent, { messages, notifications }: WarningConfig): boolean {
  if (messages.codes !== 'escalating') return messages.codes === 'always'
  const escalation = notifications.escalation[event.family]
  const ends = event.lifecycle === 'cancel' || event.lifecycle === 'expire'
  return (
    escalation !== undefined &&
    !ends &&
    escalation.steps.length > 0 &&
    isAtLeast(event.severity, escalation.min_severity)
  )
}
