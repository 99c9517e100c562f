import { ALARMS, type Alarm } from '../../model/alarm.ts'
import {
  contentFrom,
  type FinalKind,
  HOLD_REASONS,
  type HoldReason,
  type MessageContent,
  type MessageKind,
  type MessagePath,
  type Told,
  wordsOf
} from '../../model/content.ts'
import type { DeliveryState } from '../../model/delivery.ts'
import type { Lifecycle, LookoutEvent } from '../../model/event.ts'
import type { Severity } from '../../model/severity.ts'
import type { Row } from '../../platform/database/database.ts'
import { UnreadableRow } from '../../platform/database/storage-fault.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { PacketIdentity } from '../radios/radio.ts'

export const DELIVERY_TRANSPORTS = ['mt', 'mc', 'email', 'webhook', 'ntfy'] as const
export type DeliveryTransport = (typeof DELIVERY_TRANSPORTS)[number]

export function isOnHold({ state, reason }: Pick<Delivery, 'state' | 'reason'>): boolean {
  return state === 'held' && HOLD_REASONS.some((known) => known === reason)
}

/**
 * The cooldown that a message arms when it left: this region for this category, and how grave it was by its hazard's
 * measure.
 */
export interface CooldownKey {
  family: string
  category: string
  region: string
  /** Rows of earlier versions have none. */
  gravity?: number | null
}

/** The order to the outbox: the plan of an alert or an end for one channel. */
export type NewDelivery = Told & NewMessage

export interface NewMessage {
  transport: DeliveryTransport
  channel: number | string
  direct: boolean
  regions: string[]
  newPlacesOnly: boolean
  dedup: { source: string; key: string }
  cooldown: CooldownKey[]
  mergeInto: number | null
  material: string
  /** Stands before the text: `RPT` (said once more), `VIA MC` (in place of the other network). */
  mark?: string
  /** The row whose text is said again. */
  origin?: number
  /** Does not wait for further pieces. */
  atOnce?: boolean
  /** It waits for the end of something, and is asked again then. */
  hold?: { reason: HoldReason; until: number }
  /** Of an end: when what was told would have ended by itself; null: not by itself. */
  toldUntil?: number | null
}

/** A text that is no alert: the answer to a person, a scheduled broadcast. Frozen as it is, never coalesced, under no guard. */
export interface NewText {
  kind: FinalKind
  transport: 'mt' | 'mc'
  channel: number | string
  direct: boolean
  text: string
  /** The question it answers, or the run of the broadcast; the same key is answered once. */
  key: string
  expiresAt: number
}

/** A stored delivery. Times are epoch milliseconds. */
export interface Delivery {
  id: number
  transport: DeliveryTransport
  channel: number | string
  direct: boolean
  channelKey: string
  radio: string | null
  state: DeliveryState
  reason: string | null
  content: MessageContent
  severity: Severity
  family: string
  category: string
  threadId: string
  lifecycle: Lifecycle
  regions: string[]
  zones: string[]
  newPlacesOnly: boolean
  eventSeqs: number[]
  eventIds: string[]
  material: string
  dedup: { source: string; key: string }
  cooldown: CooldownKey[]
  /** Frozen at the first attempt; null while it waits. */
  parts: string[] | null
  nextPart: number
  /** Of the part that is next, or was the last; null until it is handed over, and after a refusal. */
  identity: PacketIdentity | null
  /** Of every part as it was handed over: said again to a radio that has forgotten it, each goes as the same packet. */
  identities: (PacketIdentity | null)[]
  /** The radio's session (`Radio.session`) in which it was handed over last. */
  session: string | null
  /** Attempts running that the radio did not answer. */
  unanswered: number
  /** The number of times nobody was heard repeating it. */
  unheard: number
  /** The number of times it took a new identity although it may have been read. */
  renewed: number
  bytes: number | null
  attempts: number
  heardBy: number
  simulated: boolean
  /** The demo invented it. */
  demo: boolean
  mergedInto: number | null
  /** The short code of its thread; null for a reply. */
  code: string | null
  mark: string | null
  origin: number | null
  /** How it rings; null: not, or not handed over yet. */
  alarm: Alarm | null
  createdAt: number
  /** Not before this time: the coalescing deadline, then the next try. Once `sent`: until when somebody may be heard repeating it. */
  dueAt: number
  expiresAt: number
  hazardEndsAt: number | null
  firstSentAt: number | null
  sentAt: number | null
}

/** The part of a row that a digest tells of it. */
export type DigestMember = Pick<Delivery, 'threadId' | 'content' | 'severity' | 'regions' | 'eventSeqs'>

/** Fields of a row that a change of state may set beside it. */
export type DeliveryPatch = Partial<{
  radio: string
  parts: string | null
  next_part: number
  identity: string | null
  identities: string
  session: string
  unanswered: number
  unheard: number
  renewed: number
  mark: string
  alarm: Alarm
  bytes: number | null
  attempts: number
  heard_by: number
  simulated: number
  due_at: number
  expires_at: number
  first_sent_at: number
  sent_at: number | null
  merged_into: number
}>

/** One row of `GET /api/deliveries`. Contract §6. */
export interface DeliveryView {
  id: number
  transport: DeliveryTransport
  radio: string | null
  channel: number | string
  direct: boolean
  state: DeliveryState
  reason: string | null
  text: string | null
  bytes: number | null
  severity: Severity
  family: string
  regions: string[]
  thread_id: string
  lifecycle: Lifecycle
  kind: MessageKind
  event_ids: string[]
  attempts: number
  heard_by: number
  merged_into: number | null
  /** The code by which `!ack` and `!why` know the alert. */
  code: string | null
  /** The way an alert came: `matrix`, `toggle`, `rule`, `fallback`, `escalation`; of all others their kind. */
  path: MessagePath
  created_at: string
  sent_at: string | null
  simulated: boolean
  /** The demo invented it. */
  demo: boolean
}

/** The part of a row that is shown. */
export type ShownRow = Pick<
  Delivery,
  | ('id' | 'transport' | 'radio' | 'channel' | 'direct' | 'state' | 'reason' | 'parts' | 'bytes' | 'severity')
  | ('family' | 'regions' | 'threadId' | 'lifecycle' | 'content' | 'eventIds' | 'attempts' | 'heardBy')
  | ('mergedInto' | 'code' | 'createdAt' | 'sentAt' | 'simulated' | 'demo')
>

export function deliveryView(delivery: ShownRow): DeliveryView {
  const { id, transport, radio, channel, direct, state, reason, bytes, severity, family, regions } = delivery
  const words = wordsOf(delivery.content)
  return {
    id,
    transport,
    radio,
    channel,
    direct,
    state,
    reason,
    text: delivery.parts === null ? null : delivery.parts.join(' '),
    bytes,
    severity,
    family,
    regions,
    thread_id: delivery.threadId,
    lifecycle: delivery.lifecycle,
    kind: words.kind,
    event_ids: delivery.eventIds,
    attempts: delivery.attempts,
    heard_by: delivery.heardBy,
    merged_into: delivery.mergedInto,
    code: delivery.code,
    path: words.path,
    created_at: new Date(delivery.createdAt).toISOString(),
    sent_at: delivery.sentAt === null ? null : new Date(delivery.sentAt).toISOString(),
    simulated: delivery.simulated,
    demo: delivery.demo
  }
}

const list = <T>(value: unknown): T => storedJson(value) as T
const optional = (value: unknown): number | null => (value === null ? null : Number(value))

/** The content of a stored row. @throws UnreadableRow when its words make none: bits have turned where SQLite keeps no checksum. */
export function storedContent({ kind, path, digest_of: of }: Row): MessageContent {
  const content = contentFrom(String(kind), String(path), typeof of === 'string' ? of : null)
  if (content !== null) return content
  throw new UnreadableRow(`${kind} ${path}: no message has these words`)
}

/** The columns of `shownFromRow`: half of the table, for a row costs by the column. */
export const SHOWN_COLUMNS = `id, transport, radio, channel, direct, state, reason, parts, bytes, severity, family, regions, thread_id,
  lifecycle, kind, path, digest_of, event_ids, attempts, heard_by, merged_into, code, created_at, due_at, sent_at, simulated, demo`

/** Reads the columns that are shown. */
export function shownFromRow(row: Row): ShownRow & Pick<Delivery, 'dueAt'> {
  return {
    id: Number(row['id']),
    ...placeFrom(row),
    radio: textOr(row['radio']),
    state: String(row['state']) as DeliveryState,
    reason: textOr(row['reason']),
    content: storedContent(row),
    severity: String(row['severity']) as Severity,
    family: String(row['family']),
    threadId: String(row['thread_id']),
    lifecycle: String(row['lifecycle']) as Lifecycle,
    regions: list(row['regions']),
    eventIds: list(row['event_ids']),
    parts: row['parts'] === null ? null : list(row['parts']),
    bytes: optional(row['bytes']),
    attempts: Number(row['attempts']),
    heardBy: Number(row['heard_by']),
    simulated: row['simulated'] === 1,
    demo: row['demo'] === 1,
    mergedInto: optional(row['merged_into']),
    code: textOr(row['code']),
    createdAt: Number(row['created_at']),
    dueAt: Number(row['due_at']),
    sentAt: optional(row['sent_at'])
  }
}

const textOr = (value: unknown): string | null => (value === null ? null : String(value))

/** Channels of Meshtastic are numbers; a person is named by a text. */
function placeFrom(row: Row): Pick<Delivery, 'transport' | 'channel' | 'direct'> {
  const transport = String(row['transport']) as DeliveryTransport
  const direct = row['direct'] === 1
  const channel = String(row['channel'])
  return { transport, channel: transport === 'mt' && !direct ? Number(channel) : channel, direct }
}

/** Reads a row of the table this program wrote. */
export function deliveryFromRow(row: Row): Delivery {
  return {
    id: Number(row['id']),
    ...placeFrom(row),
    channelKey: String(row['channel_key']),
    radio: textOr(row['radio']),
    state: String(row['state']) as DeliveryState,
    reason: textOr(row['reason']),
    content: storedContent(row),
    severity: String(row['severity']) as Severity,
    family: String(row['family']),
    category: String(row['category']),
    threadId: String(row['thread_id']),
    lifecycle: String(row['lifecycle']) as Lifecycle,
    regions: list(row['regions']),
    zones: list(row['zones']),
    newPlacesOnly: row['new_places_only'] === 1,
    eventSeqs: list(row['event_seqs']),
    eventIds: list(row['event_ids']),
    material: String(row['material']),
    dedup: { source: String(row['dedup_source']), key: String(row['dedup_key']) },
    cooldown: list(row['cooldown']),
    parts: row['parts'] === null ? null : list(row['parts']),
    nextPart: Number(row['next_part']),
    identity: row['identity'] === null ? null : list(row['identity']),
    identities: list(row['identities']),
    session: textOr(row['session']),
    unanswered: Number(row['unanswered']),
    unheard: Number(row['unheard']),
    renewed: Number(row['renewed']),
    bytes: optional(row['bytes']),
    attempts: Number(row['attempts']),
    heardBy: Number(row['heard_by']),
    simulated: row['simulated'] === 1,
    demo: row['demo'] === 1,
    mergedInto: optional(row['merged_into']),
    code: textOr(row['code']),
    mark: textOr(row['mark']),
    origin: optional(row['origin']),
    alarm: ALARMS.find((known) => known === row['alarm']) ?? null,
    createdAt: Number(row['created_at']),
    dueAt: Number(row['due_at']),
    expiresAt: Number(row['expires_at']),
    hazardEndsAt: optional(row['hazard_ends_at']),
    firstSentAt: optional(row['first_sent_at']),
    sentAt: optional(row['sent_at'])
  }
}

const MINUTE = 60_000

/** The time after which a waiting message is no longer worth sending: contract §6. */
export function queueDeadline(event: Pick<LookoutEvent, 'severity' | 'expires'>, now: number): number {
  if (event.severity === 'routine' || event.severity === 'priority') return now + 30 * MINUTE
  return event.expires === null ? now + 120 * MINUTE : Date.parse(event.expires)
}

/** A held message is worth sending when it may go, as long as the hazard goes on. */
export function deadlineOf(
  event: Pick<LookoutEvent, 'severity' | 'expires'>,
  { hold, toldUntil }: Pick<NewDelivery, 'hold' | 'toldUntil'>,
  now: number
): number {
  // An end often expires as it is sent. It is worth saying as long as somebody believes what it ends.
  const expires = toldUntil === undefined ? event.expires : endOf(toldUntil)
  const deadline = queueDeadline({ severity: event.severity, expires }, now)
  if (hold === undefined) return deadline
  const ends = expires === null ? Number.POSITIVE_INFINITY : Date.parse(expires)
  return Math.max(deadline, Math.min(ends, hold.until + HELD_MS[hold.reason]))
}

/**
 * The time after its hold for which a message without an end of its own is worth sending: what finds no room in one
 * text waits for the next.
 */
const HELD_MS: Record<HoldReason, number> = {
  quiet_hours: 30 * MINUTE,
  cooldown: 360 * MINUTE,
  summary: 30 * MINUTE,
  inhibited: 360 * MINUTE
}

/** A message held for hours waits for its radio as long as any other. */
export function releasedDeadline(
  { expiresAt, severity }: Pick<Delivery, 'expiresAt' | 'severity'>,
  now: number
): number {
  return Math.min(expiresAt, Math.max(now, queueDeadline({ severity, expires: endOf(expiresAt) }, now)))
}

function endOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** The time for which a first piece waits for others: contract §6 (coalescing). */
export function coalesceMs(severity: Severity, coalesceSeconds: number): number {
  if (severity === 'immediate') return 0
  if (severity === 'critical') return Math.min(3, coalesceSeconds) * 1000
  return coalesceSeconds * 1000
}
