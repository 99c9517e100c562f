import { type Reason, reasonFrom } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { type RangOn, rangOn } from './alarms.ts'
import {
  type Delivery,
  type DeliveryView,
  deliveryView,
  SHOWN_COLUMNS,
  type ShownRow,
  shownFromRow
} from './delivery.ts'
import { type PeerTag, PeerTags } from './peer-tags.ts'
import { JOINED, SHOWN_PIECE } from './pieces.ts'

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

type Listed = ShownRow & Pick<Delivery, 'dueAt'>

/** Reading the deliveries for people: filtered, newest first, page by page. Contract §6. */
export class DeliveryList {
  readonly #db: Database
  readonly #now: () => number

  constructor(db: Database, now: () => number) {
    this.#db = db
    this.#now = now
  }

  list(filter: DeliveryFilter): { deliveries: DeliveryView[]; next: number | null } {
    const rows = this.#db.guarded(() => [...this.#messages(filter), ...this.#pieces(filter)])
    rows.sort((a, b) => b.id - a.id)
    const page = rows.slice(0, filter.limit)
    return {
      deliveries: page.map((row) => this.#view(row)),
      next: rows.length > filter.limit ? (page.at(-1)?.id ?? null) : null
    }
  }

  /** One more than asked for, if there are. */
  #messages(filter: DeliveryFilter): Listed[] {
    const { conditions, values } = conditionsOf(filter, 'd')
    if (filter.state !== undefined) conditions.push('d.state = ?')
    const asked = `SELECT ${SHOWN_COLUMNS} FROM deliveries AS d WHERE ${conditions.join(' AND ')} ORDER BY d.id DESC LIMIT ?`
    return this.#db
      .sql(asked)
      .all(...values, ...(filter.state === undefined ? [] : [filter.state]), filter.limit + 1)
      .map(shownFromRow)
  }

  /** The same of what joined a message: found behind the messages of a thread, or by their numbers. */
  #pieces(filter: DeliveryFilter): Listed[] {
    if (filter.state !== undefined && filter.state !== JOINED) return []
    const { conditions, values } = conditionsOf(filter, 'p')
    const tables =
      filter.thread === undefined
        ? 'delivery_pieces AS p CROSS JOIN deliveries AS d ON d.id = p.merged_into'
        : 'deliveries AS d CROSS JOIN delivery_pieces AS p ON p.merged_into = d.id'
    const asked = `SELECT ${SHOWN_PIECE} FROM ${tables} WHERE ${conditions.join(' AND ')} ORDER BY p.id DESC LIMIT ?`
    return this.#db
      .sql(asked)
      .all(...values, filter.limit + 1)
      .map(shownFromRow)
  }

  /** Meshtastic channels on which messages rang in the last 24 hours, and how many did. */
  rang(): RangOn[] {
    return this.#db.guarded(() => rangOn(this.#db, this.#now()))
  }

  /** Tags of other stations that were heard in the last day, the newest first. */
  heardTags(count: number): PeerTag[] {
    return this.#db.guarded(() => new PeerTags(this.#db).newest(count))
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
           UNION ALL
           SELECT 0, created_at, '${JOINED}', '${JOINED}', 'joined', json_object('id', merged_into) FROM delivery_pieces WHERE id = ?1
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
    const ofThread = 'd.thread_id = (SELECT thread_id FROM events WHERE seq = ?1)'
    const messages = this.#db
      .sql(
        `SELECT ${SHOWN_COLUMNS} FROM deliveries AS d WHERE ${ofThread} AND EXISTS (SELECT 1 FROM json_each(d.event_seqs) WHERE value = ?1)`
      )
      .all(seq)
      .map(shownFromRow)
    const pieces = this.#db
      .sql(`SELECT ${SHOWN_PIECE} FROM deliveries AS d CROSS JOIN delivery_pieces AS p ON p.merged_into = d.id
         WHERE ${ofThread} AND EXISTS (SELECT 1 FROM json_each(p.event_seqs) WHERE value = ?1)`)
      .all(seq)
      .map(shownFromRow)
    return [...messages, ...pieces].sort((a, b) => a.id - b.id).map((row) => this.#view(row))
  }

  /** Once its pieces are together, a message waits for its turn alone. */
  #view(row: Listed): DeliveryView {
    const turn = row.state === 'queued' && row.reason === 'coalescing' && row.dueAt <= this.#now()
    return deliveryView(turn ? { ...row, reason: 'pacing' } : row)
  }
}

/** The filter but for the state, of rows `own` beside the messages `d`. */
function conditionsOf(filter: DeliveryFilter, own: 'd' | 'p'): { conditions: string[]; values: SqlValue[] } {
  // No row that only keeps a number free; the sign keeps SQLite from another order than that of the list.
  const conditions = [`+${own}.created_at > 0`, ...(filter.toAll === true ? ['d.direct = 0'] : [])]
  const values: SqlValue[] = []
  const where = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return
    conditions.push(condition)
    values.push(value)
  }
  where(`${own}.created_at >= ?`, filter.since)
  where(`${own}.transport = ?`, filter.transport)
  where('d.thread_id = ?', filter.thread)
  where('instr(lower(d.channel_key), lower(?)) > 0', filter.channel)
  where(`${own}.id < ?`, filter.cursor)
  return { conditions, values }
}
