import type { LookoutEvent } from '../../model/event.ts'
import type { Unplaced, Untold } from '../../model/untold.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { UnchangedSince } from '../../platform/database/unchanged.ts'
import { IS_NOTIFICATION } from './content-sql.ts'

/** Read at most so many grave events of the span: a storm must not make a question about it slow. */
const GRAVE_ROWS = 500

/**
 * Reasons for which nobody is told, and nobody has to know of it (contract §13): it concerns no area, it was told
 * already or something newer was, or people have silenced it.
 */
const NO_LOSS = ['outside', 'unlocated_weather', 'duplicate', 'superseded', 'silenced', 'muted']

const MADE_NO_MESSAGE = `
  SELECT e.id, e.source, e.severity, e.received_at, e.event, CASE WHEN e.decision = 'send' THEN coalesce(
    (SELECT d.reason FROM deliveries d WHERE d.thread_id = e.thread_id AND d.state IN ('failed', 'expired') ORDER BY d.id DESC LIMIT 1), '')
    ELSE e.reason END AS reason
  FROM (SELECT * FROM events INDEXED BY events_grave WHERE severity IN ('critical', 'immediate') AND received_at > ?1
        ORDER BY received_at DESC LIMIT ${GRAVE_ROWS}) e
  WHERE e.lifecycle IN ('new', 'update') AND e.decision NOT IN ('pending', 'silent')
    AND json_extract(e.event, '$.data.demo') IS NOT 1 AND json_extract(e.event, '$.data.drill') IS NOT 1
    AND NOT EXISTS (SELECT 1 FROM acks a WHERE a.thread_id = e.thread_id)
    AND CASE WHEN e.decision = 'send' THEN NOT EXISTS (
        SELECT 1 FROM deliveries d LEFT JOIN deliveries m ON m.id = d.merged_into
        WHERE d.thread_id = e.thread_id AND coalesce(m.state, d.state) NOT IN ('failed', 'expired', 'merged')
          AND EXISTS (SELECT 1 FROM json_each(d.event_seqs) WHERE value = e.seq))
      ELSE e.reason NOT IN (${NO_LOSS.map((reason) => `'${reason}'`).join(', ')})
        AND NOT (e.reason = 'cold_start' AND coalesce(e.expires_at, 0) <= e.received_at) END`

const UNPLACED = `
  SELECT id, source, event, reason, received_at FROM events INDEXED BY events_unplaced
  WHERE received_at > ? AND severity <> 'routine' AND (reason = 'unplaced' OR instr(trace, '"by_state"') > 0)
  ORDER BY received_at DESC LIMIT ${GRAVE_ROWS}`

/** The recent troubles of messages and events, as the readiness of the station asks for them (contract §13). */
export class Incidents {
  readonly #db: Database
  readonly #unplaced: UnchangedSince<Unplaced & { at: number }>
  readonly #untold: UnchangedSince<Untold>

  constructor(db: Database) {
    this.#db = db
    this.#unplaced = new UnchangedSince(db, ({ at }) => at)
    this.#untold = new UnchangedSince(db, ({ at }) => at)
  }

  /** Messages that have failed since. */
  failedSince(time: number): number {
    const row = this.#db
      .sql(
        `SELECT count(*) AS count FROM deliveries INDEXED BY deliveries_failed
         WHERE state = 'failed' AND changed_at > ? AND ${IS_NOTIFICATION}`
      )
      .get(time)
    return Number(row?.['count'] ?? 0)
  }

  /** True until the made-up event of a drill has ended. */
  isDrillRunning(now: number): boolean {
    // Its id begins so: no more than the drills of the last days are looked at.
    return (
      this.#db
        .sql(
          `SELECT 1 AS one FROM events
           WHERE source = 'drill' AND id >= 'drill-' AND id < 'drill.' AND expires_at > ? LIMIT 1`
        )
        .get(now) !== undefined
    )
  }

  /** Warnings since then whose zones nothing here can place, newest first. */
  unplacedSince(time: number): Unplaced[] {
    const read = (row: Row): Unplaced & { at: number } => ({
      ...headOf(row),
      told: row['reason'] !== 'unplaced',
      at: Number(row['received_at'])
    })
    return this.#unplaced.after(time, () => this.#db.sql(UNPLACED).all(time).map(read))
  }

  /** Events at `critical` or above since then that ended without a message, newest first; what somebody acknowledged is dealt with. */
  untoldSince(time: number): Untold[] {
    const read = (row: Row): Untold => ({
      ...headOf(row),
      severity: String(row['severity']),
      reason: String(row['reason']),
      at: Number(row['received_at'])
    })
    return this.#untold.after(time, () => this.#db.sql(MADE_NO_MESSAGE).all(time).map(read))
  }
}

function headOf(row: Row): Pick<LookoutEvent, 'id' | 'source' | 'title'> {
  const { title } = storedJson(row['event']) as LookoutEvent
  return { id: String(row['id']), source: String(row['source']), title }
}
