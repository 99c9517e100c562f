import { DRILL_CATEGORY } from '../../model/event.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { type DeliveryView, deliveryView, SHOWN_COLUMNS, shownFromRow } from './delivery.ts'
import { DECIDES_ON_AIR, MAY_BE_ON_AIR, type StoredStep, type Transmission, transmissionsOf } from './transmissions.ts'

/**
 * The fate of a command: `answered`; `notice`: told once that it was too many; `ignored`: too many, or not for us;
 * `late`: it had waited in the radio.
 */
export type CommandOutcome = 'answered' | 'notice' | 'ignored' | 'late'

/** So long it is known which commands came by radio. */
export const COMMANDS_KEPT_MS = 7 * 86_400_000

/** A place in a list in the order of time: what stands behind it comes next. `n` tells rows of one millisecond apart. */
export interface Mark<N extends number | string = number> {
  at: number
  n: N
}

/** A span of time, and how many rows of it are looked at in one go. Epoch milliseconds; `until` is not part of it. */
interface Portion<N extends number | string> {
  after: Mark<N>
  until: number
  limit: number
}

/** `next`: where it goes on; null when the span is through. */
export interface Listed<Entry, N extends number | string = number> {
  entries: Entry[]
  next: Mark<N> | null
}

/** One time that a text left a radio, with the message as it stands now. */
export interface Sent {
  transmission: Transmission
  delivery: DeliveryView
  /** It speaks of a drill; of a scripted exercise, which is one too. */
  drill: boolean
  exercise: boolean
}

/** A message that was not on the air, or of which nobody knows. `at`: when that became so, epoch milliseconds. */
export interface NotSent {
  at: number
  delivery: DeliveryView
  drill: boolean
  exercise: boolean
}

/** A command that came by radio; of its words none is kept but the first. */
export interface Received {
  at: number
  /** `mt !a1b2c3d4`, `mc #north` where the network names no node. */
  sender: string
  command: string
  outcome: CommandOutcome
}

/** Of a thread: does it speak of a drill? No JSON is read to learn that it does not. */
const IS_DRILL = `SELECT instr(event, '"drill":true') > 0 AND json_extract(event, '$.data.drill') = 1 AS drill,
    instr(event, '"exercise":') > 0 AND json_type(event, '$.data.exercise') = 'text' AS exercise
  FROM events WHERE thread_id = ? ORDER BY seq DESC LIMIT 1`
/** Of a message of the category of drills: is it of a scripted exercise? An alert packet and a mark ask the text they follow. */
const IS_EXERCISE = `SELECT json_type(event, '$.data.exercise') = 'text' AS exercise FROM events WHERE seq =
  (SELECT coalesce(json_extract(d.event_seqs, '$[0]'), json_extract(o.event_seqs, '$[0]'))
   FROM deliveries d LEFT JOIN deliveries o ON o.id = d.origin WHERE d.id = ?)`
/** In the words of the index `deliveries_untold`, which no others use. */
const UNTOLD = "state IN ('failed', 'expired', 'sent_unknown')"
const BY_RADIO = "transport IN ('mt', 'mc')"

/** The radio traffic of a span of time as it was, for the files: docs/interface.md §7. Read in portions. */
export class CommsLog {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Every time a text left a radio, in the order of time; those of a simulated one too, which says so. */
  sent({ after, until, limit }: Portion<number>): Listed<Sent> {
    return this.#db.guarded(() => {
      const steps = this.#db
        .sql(
          `SELECT rowid AS n, at, delivery_id FROM delivery_steps INDEXED BY delivery_steps_air
           WHERE ${MAY_BE_ON_AIR} AND (at, rowid) > (?, ?) AND at < ? ORDER BY at, rowid LIMIT ?`
        )
        .all(after.at, after.n, until, limit)
      const ids = new Set(steps.map((row) => Number(row['delivery_id'])))
      const messages = this.#messages([...ids])
      const entries = steps.flatMap((row) => {
        const message = messages.get(Number(row['delivery_id']))
        const transmission = message?.transmissions.find(({ n }) => n === Number(row['n']))
        if (message === undefined || transmission === undefined) return []
        return [{ transmission, delivery: message.delivery, drill: message.drill, exercise: message.exercise }]
      })
      return { entries, next: markOf(steps, limit) }
    })
  }

  /** Messages for a radio that failed, ran out of time, or were handed over without an answer, in the order in which that was found. */
  notSent({ after, until, limit }: Portion<number>): Listed<NotSent> {
    return this.#db.guarded(() => {
      const rows = this.#db
        .sql(
          `SELECT ${SHOWN_COLUMNS}, category, id AS n, changed_at AS at FROM deliveries INDEXED BY deliveries_untold
           WHERE ${UNTOLD} AND (changed_at, id) > (?, ?) AND changed_at < ? AND ${BY_RADIO} ORDER BY changed_at, id LIMIT ?`
        )
        .all(after.at, after.n, until, limit)
      const drills = this.#drills()
      const entries = rows.map((row) => {
        const delivery = deliveryView(shownFromRow(row))
        return { at: Number(row['at']), delivery, ...drills(row) }
      })
      return { entries, next: markOf(rows, limit) }
    })
  }

  /** Commands that came by radio, in the order of time. */
  received({ after, until, limit }: Portion<string>): Listed<Received, string> {
    return this.#db.guarded(() => {
      const rows = this.#db
        .sql(
          'SELECT key, at, sender, command, outcome FROM commands WHERE (at, key) > (?, ?) AND at < ? ORDER BY at, key LIMIT ?'
        )
        .all(after.at, after.n, until, limit)
      const last = rows.length < limit ? undefined : rows.at(-1)
      return {
        entries: rows.map((row) => ({
          at: Number(row['at']),
          sender: String(row['sender']),
          command: String(row['command']),
          outcome: String(row['outcome']) as CommandOutcome
        })),
        next: last === undefined ? null : { at: Number(last['at']), n: String(last['key']) }
      }
    })
  }

  /** Threads of drills that came in a span, in the order of time. The pieces of `POST /api/drills` alone: they have a category of their own. */
  drills({ after, until, limit }: Portion<number>): Listed<string> {
    return this.#db.guarded(() => {
      const rows = this.#db
        .sql(
          `SELECT seq AS n, received_at AS at, thread_id, category FROM events INDEXED BY events_received
           WHERE (received_at, seq) > (?, ?) AND received_at < ? ORDER BY received_at, seq LIMIT ?`
        )
        .all(after.at, after.n, until, limit)
      const threads = rows.filter((row) => row['category'] === DRILL_CATEGORY).map((row) => String(row['thread_id']))
      return { entries: [...new Set(threads)], next: markOf(rows, limit) }
    })
  }

  /** Every time the text of this message was on the air. */
  transmissions(deliveryId: number): Transmission[] {
    return this.#db.guarded(() => this.#transmissions(deliveryId))
  }

  #messages(ids: readonly number[]): Map<number, Omit<Sent, 'transmission'> & { transmissions: Transmission[] }> {
    const rows = this.#db
      .sql(
        `SELECT ${SHOWN_COLUMNS}, category FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) AND ${BY_RADIO}`
      )
      .all(JSON.stringify(ids))
    const drills = this.#drills()
    return new Map(
      rows.map((row) => {
        const delivery = deliveryView(shownFromRow(row))
        const transmissions = this.#transmissions(delivery.id)
        return [delivery.id, { delivery, transmissions, ...drills(row) }]
      })
    )
  }

  #transmissions(deliveryId: number): Transmission[] {
    const steps = this.#db
      .sql(
        `SELECT rowid AS n, at, code, params FROM delivery_steps WHERE delivery_id = ? AND ${DECIDES_ON_AIR} ORDER BY rowid`
      )
      .all(deliveryId)
      .map(
        (row): StoredStep => ({
          n: Number(row['n']),
          at: Number(row['at']),
          code: String(row['code']),
          params: storedJson(row['params'])
        })
      )
    return transmissionsOf(steps)
  }

  /** Asks once for each thread. An alert packet or a mark on the map has one of its own: its category says that its text is of a drill. */
  #drills(): (row: Row) => Pick<Sent, 'drill' | 'exercise'> {
    const known = new Map<string, Pick<Sent, 'drill' | 'exercise'>>()
    return ({ id, category, thread_id }) => {
      if (category === DRILL_CATEGORY) {
        const row = this.#db.sql(IS_EXERCISE).get(Number(id))
        return { drill: true, exercise: row?.['exercise'] === 1 }
      }
      const thread = String(thread_id)
      const row = known.has(thread) ? undefined : this.#db.sql(IS_DRILL).get(thread)
      const drill = row?.['drill'] === 1
      const found = known.get(thread) ?? { drill, exercise: drill && row['exercise'] === 1 }
      known.set(thread, found)
      return found
    }
  }
}

function markOf(rows: readonly Row[], limit: number): Mark | null {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return last === undefined ? null : { at: Number(last['at']), n: Number(last['n']) }
}
