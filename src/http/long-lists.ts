import { nextTurn } from '../lib/slices.ts'
import type { DeliveryView } from '../outbox/delivery.ts'
import { type EventSearch, SEARCH_WINDOW } from '../outbox/event-search.ts'
import type { Ledger, StoredEvent } from '../outbox/ledger.ts'
import type { DeliveryQuery, HttpContext } from './context.ts'

/** Rows read in one go: radios and events come between two of them. */
const AT_ONCE = 50
/** How far back one question after words reads. Rows. */
const FARTHEST = 5000

/**
 * A page of stored events, read in slices. `next` leads on, null when there is no more; after words a page may be short, or
 * empty, and go on.
 */
export async function listEventsInSlices<Row>(
  ledger: Pick<Ledger, 'search'>,
  search: Omit<EventSearch, 'thread'>,
  view: (stored: StoredEvent) => Row
): Promise<{ rows: Row[]; next: number | null }> {
  const rows: Row[] = []
  let { before } = search
  for (let read = 0; ; read += SEARCH_WINDOW) {
    const limit = Math.min(AT_ONCE, search.limit - rows.length)
    const page = ledger.search({ ...search, limit, ...(before === undefined ? {} : { before }) })
    rows.push(...page.events.map(view))
    const enough = rows.length >= search.limit || (search.text !== undefined && read + SEARCH_WINDOW >= FARTHEST)
    if (page.next === null || enough) return { rows, next: page.next }
    before = page.next
    await nextTurn()
  }
}

/** A page of messages, read in slices. */
export async function listDeliveriesInSlices(
  { list }: Pick<HttpContext['deliveries'], 'list'>,
  query: DeliveryQuery
): Promise<{ deliveries: DeliveryView[]; next: number | null }> {
  const deliveries: DeliveryView[] = []
  let { cursor } = query
  for (;;) {
    const limit = Math.min(AT_ONCE, query.limit - deliveries.length)
    const page = list({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) })
    deliveries.push(...page.deliveries)
    if (page.next === null || deliveries.length >= query.limit) return { deliveries, next: page.next }
    cursor = page.next
    await nextTurn()
  }
}
