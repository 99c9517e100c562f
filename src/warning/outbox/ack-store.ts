import type { Database } from '../../platform/database/database.ts'

/** Somebody has seen the alert and acts on it. */
export interface Ack {
  /** The node or the signed-in person: what can be relied on. */
  author: string
  /** The name it goes by; no proof of anything. */
  name: string
  reason: string
  at: number
}

const KEEP_MS = 90 * 86_400_000

/** Acknowledgements, kept over a restart. */
export class AckStore {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  add(threadId: string, { author, name, reason, at }: Ack): void {
    this.#db
      .sql('INSERT INTO acks (thread_id, author, name, reason, at) VALUES (?, ?, ?, ?, ?)')
      .run(threadId, author, name, reason, at)
  }

  /** Of one thread, oldest first. */
  of(threadId: string): Ack[] {
    return this.#db
      .sql('SELECT author, name, reason, at FROM acks WHERE thread_id = ? ORDER BY id')
      .all(threadId)
      .map((row) => ({
        author: String(row['author']),
        name: String(row['name']),
        reason: String(row['reason']),
        at: Number(row['at'])
      }))
  }

  prune(now: number): void {
    this.#db.sql('DELETE FROM acks WHERE at < ?').run(now - KEEP_MS)
  }
}
