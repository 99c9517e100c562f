import type { Observers } from '../../platform/observers.ts'
import type { Delivery } from './delivery.ts'

/**
 * Whoever stores a message tells it here, after the commit, and knows nobody who listens: what follows a message, what is held, the
 * second memory and the pages look at rows for themselves.
 */
export interface RowChanges {
  /** A row was added, or something became of it. */
  row: Delivery
  /** Many rows of a thread changed at once. */
  thread: string
  /** Something may go out that could not before: the queues look. */
  ready: null
}

export type ChangesTeller = Pick<Observers<RowChanges>, 'tell'>
export type ChangesListener = Pick<Observers<RowChanges>, 'on'>
