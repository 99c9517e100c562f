import type { LookoutEvent } from '../../../model/event.ts'
import { familyOf } from '../../../model/families.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, textOf } from '../reading/json.ts'
import { readMessage } from '../reading/mapping.ts'
import type { MappingSettings } from '../reading/mapping-settings.ts'

/** Longer messages are refused. Bytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024

/** Rules for reading the messages of one topic. */
export interface MessageRules {
  mapping: MappingSettings | undefined
  /** Family of an Event that names neither a family nor a known category. */
  family?: string | undefined
  /** True when the sender says whose events these are. */
  keepSource: boolean
  /** The reason why this event is not wanted, as it was sent; null when it is. */
  unwanted?: (event: LookoutEvent) => Reason | null
}

interface MessageOrigin {
  /** Name of the source in the configuration. */
  source: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** The time at which the sender handed it to the broker, epoch milliseconds; null where the broker does not say. */
  publishedAt: number | null
  families: ReadonlySet<string>
}

/** The content of a message: events, and the parts that could not be any. */
export interface ReadEvents {
  events: LookoutEvent[]
  skipped: SkippedItem[]
}

/**
 * The events of one message of a broker. Without a revision of its own an event gets a digest of what it says, so that the
 * same message, delivered again, is the same event. Empty messages (MQTT: a retained one was removed) hold none.
 * Throws AppError `bad-input` or `too-large` for a message nothing can be made of.
 */
export function readEvents(payload: Uint8Array, rules: MessageRules, origin: MessageOrigin): ReadEvents {
  if (payload.byteLength === 0) return { events: [], skipped: [] }
  if (payload.byteLength > MAX_MESSAGE_BYTES) {
    throw new AppError('too-large', because('message_longer_than', { kib: MAX_MESSAGE_BYTES / 1024 }))
  }
  const { source, families } = origin
  const body = withFamily(payload, rules, families)
  // The parser takes the time of arrival for what says no time itself: the broker knows better.
  const receivedAt = origin.publishedAt ?? origin.receivedAt
  const { events, skipped } = readMessage(body, rules.mapping, { source, families, receivedAt })
  if (events.length === 0 && skipped[0] !== undefined) throw new AppError('bad-input', skipped[0].reason)
  const wanted: LookoutEvent[] = []
  for (const event of events) {
    const reason = rules.unwanted?.(event) ?? null
    if (reason === null) wanted.push(settled(event, rules, origin))
    else skipped.push({ id: event.id, reason })
  }
  return { events: wanted, skipped }
}

function settled(event: LookoutEvent, rules: MessageRules, { source, receivedAt }: MessageOrigin): LookoutEvent {
  const own = rules.keepSource || rules.mapping !== undefined ? event : ownedBy(event, source)
  return { ...own, revision: event.revision || digestOf(event), received_at: formatTime(receivedAt) }
}

/** By what JSON keeps of it: a number beyond all bounds, such as 1e999, becomes null. */
function digestOf({ sent_at: _sent, received_at: _received, ...told }: LookoutEvent): string {
  return revisionOf(JSON.parse(JSON.stringify(told)))
}

/** A sender nobody vouches for speaks for itself: it cannot change or end what another source told. */
function ownedBy(event: LookoutEvent, source: string): LookoutEvent {
  const { thread_id: thread, source: claimed } = event
  const ours = thread.startsWith(`${source}:`) ? thread : `${source}:${thread}`
  return {
    ...event,
    source,
    thread_id: ours,
    data: claimed === source ? event.data : { ...event.data, origin: claimed }
  }
}

/** The same message, with the family of its topic where it names none. */
function withFamily(
  payload: Uint8Array,
  { mapping, family }: MessageRules,
  families: ReadonlySet<string>
): Uint8Array | string {
  if (mapping !== undefined || family === undefined) return payload
  const text = new TextDecoder().decode(payload).trim()
  const bag = asBag(jsonOr(undefined, text))
  if (bag === null || textOf(bag['family']) !== '' || familyOf(textOf(bag['category']), families)) return payload
  // Of a repeated key the last one counts. Not written anew from the parsed value: that may be nested without end.
  const comma = Object.keys(bag).length === 0 ? '' : ','
  return `${text.slice(0, -1)}${comma}"family":${JSON.stringify(family)}}`
}
