import { because } from '../../model/reason.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import { AppError } from '../../platform/errors.ts'
import type { DeliveryView } from '../../warning/outbox/delivery.ts'
import type { DeliveryFilter } from '../../warning/outbox/delivery-list.ts'
import { type EventSearch, SEARCH_WINDOW } from '../../warning/outbox/event-search.ts'
import type { Ledger } from '../../warning/outbox/ledger.ts'
import type { ListedEvent } from '../../warning/outbox/stored-event.ts'
import type { HttpContext } from './context.ts'

/** Rows read in one go: radios and events come between two of them. Few at first, as some bring shapes of half a megabyte. */
const [FEWEST, MOST] = [4, 64]
/** The time that one go may take. Milliseconds. */
const SLICE_MS = 5
/** The distance back that one question after words reads. Rows. */
const FARTHEST = 5000

/**
 * A page of stored events, read in slices. `next` leads on, null when there is no more; after words a page may be short, or
 * empty, and go on. `views` is given the events of one slice: what it reads for them all, it reads at once.
 */
export async function listEventsInSlices<Row>(
  ledger: Pick<Ledger, 'search'>,
  search: Omit<EventSearch, 'thread'>,
  views: (listed: readonly ListedEvent[]) => Row[],
  left: () => boolean = () => false,
  pause = readersTurn
): Promise<{ rows: Row[]; next: number | null }> {
  const rows: Row[] = []
  let { before } = search
  const portion = new Portion(left, pause)
  for (let read = 0; ; ) {
    const limit = Math.min(portion.rows, search.limit - rows.length)
    const page = ledger.search({ ...search, limit, ...(before === undefined ? {} : { before }) })
    rows.push(...views(page.events))
    const enough = rows.length >= search.limit || (search.text !== undefined && read + SEARCH_WINDOW >= FARTHEST)
    if (page.next === null || enough) return { rows, next: page.next }
    read += before === undefined ? SEARCH_WINDOW : before - page.next
    before = page.next
    await portion.over()
  }
}

/** The rows that are read in one go: twice as many as before while that is quick, half as many when it is not. */
class Portion {
  readonly #left: () => boolean
  readonly #pause: () => Promise<void>
  #begun = performance.now()
  rows = FEWEST

  constructor(left: () => boolean, pause: () => Promise<void>) {
    this.#left = left
    this.#pause = pause
  }

  /** Lets others go first. Throws once nobody waits for the answer any more. */
  async over(): Promise<void> {
    const took = performance.now() - this.#begun
    if (took > SLICE_MS) this.rows = Math.max(1, Math.floor((this.rows * SLICE_MS) / took))
    else if (took < SLICE_MS / 2) this.rows = Math.min(MOST, this.rows * 2)
    await this.#pause()
    if (this.#left()) throw new AppError('unavailable', because('client_has_left'))
    this.#begun = performance.now()
  }
}

/** A page of messages, read in slices. */
export async function listDeliveriesInSlices(
  { list }: Pick<HttpContext['deliveries'], 'list'>,
  query: DeliveryFilter,
  left: () => boolean
): Promise<{ deliveries: DeliveryView[]; next: number | null }> {
  const deliveries: DeliveryView[] = []
  let { cursor } = query
  const portion = new Portion(left, readersTurn)
  for (;;) {
    const limit = Math.min(portion.rows, query.limit - deliveries.length)
    const page = list({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) })
    deliveries.push(...page.deliveries)
    if (page.next === null || deliveries.length >= query.limit) return { deliveries, next: page.next }
    cursor = page.next
    await portion.over()
  }
}
