import type { Database } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'

/** As many as a storm tells of in turn. */
const THREADS = 4000

/** By thread, the time of the message that its source sent last: nearly every event is the newest of its thread, and asks no further then. */
export class NewestSent {
  readonly #db: Database
  readonly #known: Remembered<number>

  constructor(db: Database) {
    this.#db = db
    this.#known = new Remembered(db, THREADS)
  }

  /** False when nothing that is stored of the thread was sent after `sentAt`, by whatever clock. Epoch milliseconds. */
  isAfter(threadId: string, sentAt: number): boolean {
    return (this.#known.get(threadId) ?? this.#read(threadId)) > sentAt
  }

  /** To be called for every event that is stored, in its transaction. */
  added(threadId: string, sentAt: number): void {
    const known = this.#known.get(threadId)
    if (known !== undefined && sentAt > known) this.#known.set(threadId, sentAt)
  }

  #read(threadId: string): number {
    const newest = this.#db.sql('SELECT max(sent_at) AS newest FROM events WHERE thread_id = ?').get(threadId)?.[
      'newest'
    ]
    const sentAt = newest === null || newest === undefined ? Number.NEGATIVE_INFINITY : Number(newest)
    this.#known.set(threadId, sentAt)
    return sentAt
  }
}
