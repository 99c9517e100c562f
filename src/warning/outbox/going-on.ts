import type { LookoutEvent } from '../../model/event.ts'
import { defaultFreshnessSeconds } from '../../model/families.ts'

/** An event without an end counts as going on this long after it was told, and as long as it is news (contract §4 rule 6). */
const ENDLESS_MS = 6 * 3_600_000
/** One that says "until further notice" is told again about once a day. */
export const UNTIL_FURTHER_NOTICE_MS = 48 * 3_600_000
const EVERYWHERE = '*'

/** The part of a message that tells how far it reaches. */
export type Reach = Pick<
  LookoutEvent,
  'thread_id' | 'lifecycle' | 'zones' | 'same' | 'family' | 'sent_at' | 'expires' | 'data'
>

interface Thread<Row> {
  last: Row
  /** The zones in which it goes on. */
  zones: Set<string>
}

/** Of messages in the order they came: the last one of each thread that is not over in every zone it spoke of. */
export function goingOn<Row extends { event: Reach }>(rows: readonly Row[], now: number): Row[] {
  const threads = new Map<string, Thread<Row>>()
  for (const row of rows) {
    const { thread_id, lifecycle } = row.event
    const thread = threads.get(thread_id)
    if (lifecycle === 'new' || lifecycle === 'update') threads.set(thread_id, goesOn(row, thread))
    else if (thread !== undefined) end(row.event, thread.zones)
  }
  return [...threads.values()]
    .filter(({ last, zones }) => zones.size > 0 && endOf(last.event) > now)
    .map(({ last }) => last)
}

/** Of one thread's messages in the order they came: what was said last of each zone where it goes on; no zones: everywhere. */
export function extentsOf(events: readonly LookoutEvent[], now: number): { event: LookoutEvent; zones: string[] }[] {
  const parts = new Map<LookoutEvent, string[]>()
  for (const [zone, event] of liveZones(events))
    if (endOf(event) > now) parts.set(event, [...(parts.get(event) ?? []), zone])
  return [...parts].map(([event, zones]) => ({ event, zones: zones.filter((zone) => zone !== EVERYWHERE) }))
}

/** By zone what was said of it last. What names no zone speaks of all of it, and so does an end of what named none. */
function liveZones(events: readonly LookoutEvent[]): Map<string, LookoutEvent> {
  const live = new Map<string, LookoutEvent>()
  for (const event of events) {
    const zones = zonesOf(event)
    const begins = event.lifecycle === 'new' || event.lifecycle === 'update'
    if (zones.length === 0 || (!begins && live.has(EVERYWHERE))) live.clear()
    for (const zone of zones) live.delete(zone)
    const named = zones.length > 0 ? zones : [EVERYWHERE]
    for (const zone of begins ? named : []) live.set(zone, event)
  }
  return live
}

function goesOn<Row extends { event: Reach }>(row: Row, thread: Thread<Row> | undefined): Thread<Row> {
  const zones = zonesOf(row.event)
  return { last: row, zones: new Set([...(thread?.zones ?? []), ...(zones.length > 0 ? zones : [EVERYWHERE])]) }
}

/** An end without zones, or of a thread that names none, is the end of all of it. */
function end(event: Reach, live: Set<string>): void {
  const zones = zonesOf(event)
  for (const zone of zones) live.delete(zone)
  if (zones.length === 0 || live.has(EVERYWHERE)) live.clear()
}

function zonesOf({ zones, same }: Pick<Reach, 'zones' | 'same'>): string[] {
  return zones.length > 0 ? zones : same
}

function endOf({ expires, sent_at, family, data }: Reach): number {
  if (expires !== null) return Date.parse(expires)
  const endless = Math.max(ENDLESS_MS, defaultFreshnessSeconds(family) * 1000)
  return Date.parse(sent_at) + (data.until_further_notice === true ? UNTIL_FURTHER_NOTICE_MS : endless)
}
