import { type Reason, reasonFrom } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { type Delivery, type DeliveryView, deliveryFromRow, deliveryView } from './delivery.ts'

export interface DeliveryFilter {
  since?: number
  state?: string
  transport?: string
  thread?: string
  /** A part of the channel's name: `north`, `mt:3`; upper and lower case of ASCII are alike. */
  channel?: string
  /** None to a single person. */
  toAll?: true
  /** Rows with an id below this one. */
  cursor?: number
  limit: number
}

export interface DeliveryStep {
  at: string
  state: string
  reason: string | null
  /** Its sentence is made by whoever shows it. */
  step: Reason
}

/** No row that only keeps a number free; the sign keeps SQLite from another order than that of the list. */
const REAL = '+created_at > 0'

/** Reading the deliveries for people: filtered, newest first, page by page. Contract §6. */
export class DeliveryList {
  readonly #db: Database
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  list(filter: DeliveryFilter): { deliveries: DeliveryView[]; next: number | null } {
    const conditions = [REAL, ...(filter.toAll === true ? ['direct = 0'] : [])]
    const values: SqlValue[] = []
    const where = (condition: string, value: SqlValue | undefined): void => {
      if (value === undefined) return
      conditions.push(condition)
      values.push(value)
    }
    where('created_at >= ?', filter.since)
    where('state = ?', filter.state)
    where('transport = ?', filter.transport)
    where('thread_id = ?', filter.thread)
    where('instr(lower(channel_key), lower(?)) > 0', filter.channel)
    where('id < ?', filter.cursor)
    const asked = `SELECT * FROM deliveries WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`
    const rows = this.#db.guarded(() =>
      this.#db
        .sql(asked)
        .all(...values, filter.limit + 1)
        .map(deliveryFromRow)
    )
    const page = rows.slice(0, filter.limit)
    return {
      deliveries: page.map((row) => this.#view(row)),
      next: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null
    }
  }

  /** A row that joined another message at once has that one step, which its row tells. */
  steps(deliveryId: number): DeliveryStep[] {
    return this.#db
      .sql(
        `SELECT at, state, reason, code, params FROM (
           SELECT rowid AS n, at, state, reason, code, params FROM delivery_steps WHERE delivery_id = ?1
           UNION ALL
           SELECT 0, created_at, state, reason, 'joined', json_object('id', merged_into) FROM deliveries
           WHERE id = ?1 AND state = 'merged' AND merged_into IS NOT NULL AND NOT EXISTS (SELECT 1 FROM delivery_steps WHERE delivery_id = ?1)
         ) ORDER BY n`
      )
      .all(deliveryId)
      .map((row) => ({
        at: new Date(Number(row['at'])).toISOString(),
        state: String(row['state']),
        reason: row['reason'] === null ? null : String(row['reason']),
        step: reasonFrom(row['code'], storedJson(row['params']))
      }))
  }

  /** Every message this stored event is part of. */
  ofEvent(seq: number): DeliveryView[] {
    return this.#db.guarded(() => this.#ofEvent(seq))
  }

  #ofEvent(seq: number): DeliveryView[] {
    return this.#db
      .sql(`SELECT * FROM deliveries WHERE thread_id = (SELECT thread_id FROM events WHERE seq = ?1)
         AND EXISTS (SELECT 1 FROM json_each(event_seqs) WHERE value = ?1) ORDER BY id`)
      .all(seq)
      .map((row) => this.#view(deliveryFromRow(row)))
  }

  /** Once its pieces are together, a message waits for its turn alone. */
  #view(row: Delivery): DeliveryView {
    const turn = row.state === 'queued' && row.reason === 'coalescing' && row.dueAt <= this.#now()
    return deliveryView(turn ? { ...row, reason: 'pacing' } : row)
  }
}
