import type { LookoutEvent } from '../../model/event.ts'
import type { Severity } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { goingOn, type Reach } from './going-on.ts'

/** As many of a thread's messages as the ledger reads of it. */
const THREAD_ROWS = 200

/** The newest message of each thread that begins or goes on, and whether anything of the thread has ended. */
const LAST = `
  SELECT asked.value AS thread_id, last.seq AS seq, last.expires_at AS expires_at, EXISTS (
    SELECT 1 FROM events AS o WHERE o.thread_id = asked.value AND o.lifecycle NOT IN ('new', 'update')) AS has_ended
  FROM json_each(?1) AS asked LEFT JOIN events AS last ON last.seq = (
    SELECT n.seq FROM events AS n WHERE n.thread_id = asked.value AND n.lifecycle IN ('new', 'update') ORDER BY n.seq DESC LIMIT 1)`

/** `goingOn` asks no more of a message; its shape, which may have half a megabyte, is left where it is. */
const FACTS = `
  seq, thread_id, lifecycle, json_extract(event, '$.zones') AS zones, json_extract(event, '$.same') AS same, json_extract(event, '$.family') AS family,
  json_extract(event, '$.sent_at') AS sent_at, json_extract(event, '$.expires') AS expires,
  json_extract(event, '$.data.until_further_notice') AS unlimited`

/** An event by what decides its place among others in one text. */
export interface EventHead extends Pick<LookoutEvent, 'thread_id' | 'severity'> {
  seq: number
  demo: boolean
}

/**
 * Threads that go on or are over, judged by columns wherever these tell it: a digest asks hundreds of them at once, and whole events
 * are read for none of them.
 */
export class StandingThreads {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** The newest message of a thread that still goes on somewhere; null when it is over, cancelled or unknown. */
  newest(threadId: string, now: number): number | null {
    const [row] = this.#db.sql(LAST).all(JSON.stringify([threadId]))
    return row === undefined ? null : this.#standing(row, now)
  }

  /** Those of the threads of which nothing goes on. */
  over(threadIds: readonly string[], now: number): Set<string> {
    const rows = this.#db.sql(LAST).all(JSON.stringify([...new Set(threadIds)]))
    return new Set(rows.filter((row) => this.#standing(row, now) === null).map((row) => String(row['thread_id'])))
  }

  #standing(row: Row, now: number): number | null {
    if (row['seq'] === null) return null
    if (row['has_ended'] === 1) return this.#read(String(row['thread_id']), now)
    const seq = Number(row['seq'])
    if (row['expires_at'] !== null) return Number(row['expires_at']) > now ? seq : null
    const last = this.#db.sql(`SELECT ${FACTS} FROM events WHERE seq = ?`).all(seq).map(factsOf)
    return goingOn(last, now).length > 0 ? seq : null
  }

  /** Zone by zone: some of it has ended. */
  #read(threadId: string, now: number): number | null {
    const rows = this.#db
      .sql(`SELECT ${FACTS} FROM events WHERE thread_id = ? ORDER BY seq DESC LIMIT ${THREAD_ROWS}`)
      .all(threadId)
      .map(factsOf)
    return goingOn(rows.reverse(), now).at(-1)?.seq ?? null
  }
}

/** Of each list the newest event that is stored; null where none is. */
export function headsOf(db: Database, lists: readonly (readonly number[])[]): (EventHead | null)[] {
  const known = new Map<number, EventHead>()
  const read = (seqs: readonly number[]): void => {
    const rows = db
      .sql(
        // The index of what the demo made is asked, and no event is read for it.
        `SELECT e.seq, e.thread_id, e.severity, EXISTS (
           SELECT 1 FROM events AS d INDEXED BY events_demo WHERE d.thread_id = e.thread_id AND d.seq = e.seq
             AND instr(d.event, '"demo":true') > 0 AND json_extract(d.event, '$.data.demo') = 1) AS demo
         FROM events AS e WHERE e.seq IN (SELECT value FROM json_each(?))`
      )
      .all(JSON.stringify(seqs))
    for (const row of rows) known.set(Number(row['seq']), headFromRow(row))
  }
  const newest = (seqs: readonly number[]): EventHead | null => {
    const seq = seqs.findLast((one) => known.has(one))
    return seq === undefined ? null : (known.get(seq) ?? null)
  }
  read(lists.flatMap((seqs) => seqs.slice(-1)))
  // The last one of a list may be pruned already.
  const pruned = lists.filter((seqs) => newest(seqs.slice(-1)) === null)
  if (pruned.length > 0) read(pruned.flat())
  return lists.map(newest)
}

function headFromRow(row: Row): EventHead {
  return {
    seq: Number(row['seq']),
    thread_id: String(row['thread_id']),
    severity: String(row['severity']) as Severity,
    demo: row['demo'] === 1
  }
}

function factsOf(row: Row): { seq: number; event: Reach } {
  const event = {
    thread_id: String(row['thread_id']),
    lifecycle: String(row['lifecycle']) as LookoutEvent['lifecycle'],
    zones: storedJson(row['zones']) as string[],
    same: storedJson(row['same']) as string[],
    family: String(row['family']),
    sent_at: String(row['sent_at']),
    expires: row['expires'] === null ? null : String(row['expires']),
    data: row['unlimited'] === 1 ? { until_further_notice: true } : {}
  }
  return { seq: Number(row['seq']), event }
}
