import type { LookoutEvent } from '../events/event.ts'
import type { Delivery, NewReply } from './delivery.ts'

/** What a row takes from the event it is about. */
export type RowEvent = Pick<
  LookoutEvent,
  'id' | 'thread_id' | 'severity' | 'family' | 'category' | 'lifecycle' | 'expires' | 'zones' | 'same'
>

export function asReply(key: string, path: NonNullable<NewReply['path']> = 'reply'): RowEvent {
  const thread_id = `${path}:${key}`
  const about = { family: path, category: path, lifecycle: 'new', severity: 'routine' } as const
  return { ...about, id: key, thread_id, expires: null, zones: [], same: [] }
}

/** The codes a message speaks of: an event lives and ends per zone or county. */
export function zonesOf({ zones, same }: Pick<LookoutEvent, 'zones' | 'same'>): string[] {
  return zones.length > 0 ? zones : same
}

export function laterEnd(known: number | null, { expires }: LookoutEvent): number | null {
  if (expires === null) return known
  return Math.max(known ?? 0, Date.parse(expires))
}

export function uniqueCooldowns(keys: Delivery['cooldown']): Delivery['cooldown'] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}
