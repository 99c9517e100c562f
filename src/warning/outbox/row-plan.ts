import { contentOf, type HoldReason, type MessageContent } from '../../model/content.ts'
import { DRILL_CATEGORY, isDemo, type LookoutEvent } from '../../model/event.ts'
import { highestSeverity } from '../../model/severity.ts'
import { WAYPOINT_MORE_BYTES } from '../../model/waypoint.ts'
import {
  type CooldownKey,
  type Delivery,
  type DeliveryTransport,
  deadlineOf,
  type NewDelivery,
  type NewText,
  releasedDeadline
} from './delivery.ts'

/** All that a row is from its beginning, of whatever kind its message is. */
export type RowPlan = Pick<
  Delivery,
  | ('transport' | 'channel' | 'direct' | 'channelKey')
  | ('content' | 'severity' | 'family' | 'category' | 'threadId' | 'lifecycle')
  | ('regions' | 'zones' | 'newPlacesOnly' | 'eventSeqs' | 'eventIds' | 'material')
  | ('dedup' | 'cooldown' | 'parts' | 'bytes' | 'demo' | 'mark' | 'origin')
  | ('expiresAt' | 'hazardEndsAt')
>

/** The row of an alert or an end. Spelt out: behind a spread each field grows the object, 5 % of what an event costs. */
export function planOfEvent(event: LookoutEvent, seq: number, planned: NewDelivery, now: number): RowPlan {
  const { transport, channel, direct, channelKey } = placeOf(planned)
  return {
    transport,
    channel,
    direct,
    channelKey,
    content: contentOf(planned),
    severity: event.severity,
    family: event.family,
    category: event.category,
    threadId: event.thread_id,
    lifecycle: event.lifecycle,
    regions: planned.regions,
    zones: zonesOf(event),
    newPlacesOnly: planned.newPlacesOnly,
    eventSeqs: [seq],
    eventIds: [event.id],
    material: planned.material,
    dedup: planned.dedup,
    cooldown: planned.cooldown,
    parts: null,
    bytes: null,
    demo: isDemo(event),
    mark: planned.mark ?? null,
    origin: planned.origin ?? null,
    expiresAt: deadlineOf(event, planned, now),
    hazardEndsAt: event.expires === null ? null : Date.parse(event.expires)
  }
}

/** The row of a text that is final. */
export function planOfText(text: NewText): RowPlan {
  return {
    ...placeOf(text),
    ...ofNoEvent({ kind: text.kind }, `${text.kind}:${text.key}`),
    family: text.kind,
    dedup: { source: text.kind, key: text.key },
    parts: [text.text],
    bytes: Buffer.byteLength(text.text),
    expiresAt: text.expiresAt
  }
}

/** An alert packet that comes later than this rings for nothing. */
const PACKET_WORTH_MS = 5 * 60_000

/**
 * The row of the alert packet beside the text of an alert: below whatever warns, and offered once (contract §6, *Alert packets*). It is
 * a thread of its own, so that no guard takes it for a message of the event.
 */
export function planOfPacket(of: Delivery, text: string, now: number): RowPlan {
  const { id, transport, channel, direct, demo } = of
  const key = String(id)
  return {
    ...placeOf({ transport, channel, direct }),
    ...ofNoEvent({ kind: 'alert_packet' }, `alert_packet:${key}`),
    family: 'alert_packet',
    category: drillOf([of]),
    dedup: { source: 'alert_packet', key },
    parts: [text],
    bytes: Buffer.byteLength(text),
    demo,
    origin: id,
    expiresAt: now + PACKET_WORTH_MS
  }
}

/** A mark that comes later than this is worth no airtime. */
const WAYPOINT_WORTH_MS = 30 * 60_000

/** The row of the mark that follows this text: below whatever warns, and offered once (contract §6, *Waypoints*). */
export function planOfWaypoint(of: Delivery, line: string, now: number): RowPlan {
  const { id, transport, channel, direct, demo, threadId } = of
  return {
    ...placeOf({ transport, channel, direct }),
    ...ofNoEvent({ kind: 'waypoint' }, `waypoint:${threadId}`),
    family: 'waypoint',
    category: drillOf([of]),
    dedup: { source: 'waypoint', key: String(id) },
    parts: [line],
    bytes: Buffer.byteLength(line) + WAYPOINT_MORE_BYTES,
    demo,
    origin: id,
    expiresAt: now + WAYPOINT_WORTH_MS
  }
}

/** The row of the one message that several held rows of a channel become. */
export function planOfDigest(rows: readonly Delivery[], reason: HoldReason, now: number): RowPlan {
  const [first] = rows
  if (first === undefined) throw new Error('a digest of nothing')
  const { transport, channel, direct, channelKey, family } = first
  const hazards = rows.flatMap(({ hazardEndsAt }) => hazardEndsAt ?? [])
  return {
    ...{ transport, channel, direct, channelKey },
    ...ofNoEvent({ kind: 'digest', of: reason }, `digest:${channelKey}:${now}:${first.id}`),
    severity: highestSeverity(rows.map((row) => row.severity)),
    family,
    category: drillOf(rows),
    regions: [...new Set(rows.flatMap(({ regions }) => regions))],
    eventSeqs: rows.flatMap(({ eventSeqs }) => eventSeqs),
    eventIds: [...new Set(rows.flatMap(({ eventIds }) => eventIds))],
    dedup: { source: 'digest', key: `${now}:${first.id}|${channelKey}` },
    cooldown: uniqueCooldowns(rows.flatMap(({ cooldown }) => cooldown)),
    expiresAt: Math.max(...rows.map((row) => releasedDeadline(row, now))),
    hazardEndsAt: hazards.length === 0 ? null : Math.max(...hazards)
  }
}

/** The category of what follows messages that are all of drills: it goes behind what is real, as they do, and the log calls it so. */
function drillOf(rows: readonly Pick<Delivery, 'category'>[]): string {
  return rows.every(({ category }) => category === DRILL_CATEGORY) ? DRILL_CATEGORY : ''
}

function placeOf({
  transport,
  channel,
  direct
}: {
  transport: DeliveryTransport
  channel: number | string
  direct: boolean
}): Pick<Delivery, 'transport' | 'channel' | 'direct' | 'channelKey'> {
  return {
    transport,
    channel: transport === 'mt' && !direct ? Number(channel) : String(channel),
    direct,
    channelKey: `${transport}${direct ? '@' : ':'}${channel}`
  }
}

/** A message that is none of one event is a thread of its own, and has no hazard, place or place in time. */
function ofNoEvent(content: MessageContent, threadId: string) {
  return {
    content,
    threadId,
    category: '',
    lifecycle: 'new',
    severity: 'routine',
    regions: [],
    zones: [],
    newPlacesOnly: false,
    eventSeqs: [],
    eventIds: [],
    material: '',
    cooldown: [],
    parts: null,
    bytes: null,
    demo: false,
    mark: null,
    origin: null,
    hazardEndsAt: null
  } satisfies Partial<RowPlan>
}

/** The codes a message speaks of: an event lives and ends per zone or county. */
export function zonesOf({ zones, same }: Pick<LookoutEvent, 'zones' | 'same'>): string[] {
  return zones.length > 0 ? zones : same
}

export function laterEnd(known: number | null, { expires }: LookoutEvent): number | null {
  if (expires === null) return known
  return Math.max(known ?? 0, Date.parse(expires))
}

/** In so many a name is found sooner than a set of them is made. */
const FEW = 50

/** Both, each once; the first list itself where the second adds nothing, so that nobody stores it again. */
export function union(known: string[], more: readonly string[]): string[] {
  const all = known.length > FEW ? new Set(known) : null
  if (more.every((one) => all?.has(one) ?? known.includes(one))) return known
  return [...new Set([...known, ...more])]
}

/** Both, as `uniqueCooldowns` has them; the first list itself where the second adds nothing. */
export function joinCooldowns(known: CooldownKey[], more: readonly CooldownKey[]): CooldownKey[] {
  const isCovered = ({ family, category, region, gravity }: CooldownKey): boolean =>
    known.some(
      (one) =>
        one.region === region &&
        one.category === category &&
        one.family === family &&
        (gravity ?? Number.NEGATIVE_INFINITY) <= (one.gravity ?? Number.NEGATIVE_INFINITY)
    )
  return more.every(isCovered) ? known : uniqueCooldowns([...known, ...more])
}

/** One for each region and category, with the gravest of them. */
export function uniqueCooldowns(keys: readonly CooldownKey[]): CooldownKey[] {
  const unique = new Map<string, CooldownKey>()
  for (const key of keys) {
    const name = JSON.stringify([key.family, key.category, key.region])
    const known = unique.get(name)?.gravity ?? null
    const gravity = Math.max(known ?? Number.NEGATIVE_INFINITY, key.gravity ?? Number.NEGATIVE_INFINITY)
    unique.set(name, { ...key, gravity: Number.isFinite(gravity) ? gravity : null })
  }
  return [...unique.values()]
}
