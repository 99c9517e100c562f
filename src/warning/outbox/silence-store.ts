import type { Database, Row } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'
import type { Silence } from '../routing/decision.ts'

/** A silence as it is kept: with its beginning, epoch milliseconds. */
export interface StoredSilence extends Silence {
  from: number
}

export type NewSilence = Omit<StoredSilence, 'id'>

/** A silence that is forgotten must end by itself. */
export const MAX_SILENCE_MS = 7 * 86_400_000
const KEEP_MS = 90 * 86_400_000

/** The silences, kept over a restart. They end by themselves; an ended one stays on record. */
export class SilenceStore {
  readonly #db: Database
  /** All that had not ended at that time. */
  readonly #open: Remembered<{ at: number; silences: readonly StoredSilence[] }>

  constructor(db: Database) {
    this.#db = db
    this.#open = new Remembered(db, 1)
  }

  /** Those in force at `now`, the one that ends first at the head. */
  active(now: number): StoredSilence[] {
    return this.#openAt(now).filter(({ from, until }) => until > now && from <= now)
  }

  #openAt(now: number): readonly StoredSilence[] {
    const known = this.#open.get('')
    if (known !== undefined && known.at <= now) return known.silences
    const rows = this.#db.sql('SELECT * FROM silences WHERE until_at > ? ORDER BY until_at, id').all(now)
    const silences = rows.map(silenceFromRow)
    this.#open.set('', { at: now, silences })
    return silences
  }

  add(silence: NewSilence): StoredSilence {
    const { lastInsertRowid } = this.#db
      .sql(
        `INSERT INTO silences (family, region, thread_id, includes_immediate, author, reason, from_at, until_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
      )
      .run(
        silence.family,
        silence.region,
        silence.threadId,
        silence.includesImmediate ? 1 : 0,
        silence.author,
        silence.reason,
        silence.from,
        silence.until
      )
    this.#db.outdate()
    return { id: Number(lastInsertRowid), ...silence }
  }

  /** Ends a silence now; null when none with this id is in force. */
  end(id: number, by: string, now: number): StoredSilence | null {
    const row = this.#db.sql('SELECT * FROM silences WHERE id = ? AND until_at > ?').get(id, now)
    if (row === undefined) return null
    this.#db.sql('UPDATE silences SET until_at = ?, ended_by = ? WHERE id = ?').run(now, by, id)
    this.#db.outdate()
    return { ...silenceFromRow(row), until: now }
  }

  prune(now: number): void {
    this.#db.sql('DELETE FROM silences WHERE until_at < ?').run(now - KEEP_MS)
  }
}

const nullable = (value: unknown): string | null => (value === null ? null : String(value))

function silenceFromRow(row: Row): StoredSilence {
  return {
    id: Number(row['id']),
    family: nullable(row['family']),
    region: nullable(row['region']),
    threadId: nullable(row['thread_id']),
    includesImmediate: row['includes_immediate'] === 1,
    author: String(row['author']),
    reason: String(row['reason']),
    from: Number(row['from_at']),
    until: Number(row['until_at'])
  }
}
