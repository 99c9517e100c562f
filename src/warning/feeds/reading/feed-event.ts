import { type LookoutEvent, nowhere } from '../../../model/event.ts'
import { findCategory } from '../../../model/families.ts'
import { formatTime } from '../../../model/time.ts'
import type { ReadTools } from '../source.ts'

type Stated = Pick<LookoutEvent, 'id' | 'category' | 'severity' | 'title' | 'sent_at' | 'thread_id' | 'data'>

/**
 * A whole event from what a listing states: the family is that of the category, places and times that are not given are
 * unknown, and it is `new`.
 */
export function feedEvent(
  stated: Stated & Partial<LookoutEvent>,
  tools: Pick<ReadTools, 'source' | 'receivedAt'>
): LookoutEvent {
  return {
    source: tools.source,
    revision: '',
    family: findCategory(stated.category)?.family ?? 'weather',
    summary: '',
    body: '',
    ...nowhere(),
    onset: null,
    expires: null,
    received_at: formatTime(tools.receivedAt),
    lifecycle: 'new',
    region: null,
    regions: [],
    ...stated
  }
}

/** In the order of their sending; `sent_at` is RFC 3339 in UTC, as `feedEvent` is given it. */
export function oldestFirst(events: readonly LookoutEvent[]): LookoutEvent[] {
  return [...events].sort((a, b) => (a.sent_at === b.sent_at ? 0 : a.sent_at < b.sent_at ? -1 : 1))
}
