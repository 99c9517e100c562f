import { FIRST_SET_MS, isClockSet } from '../../platform/clock/clock-set.ts'
import type { Database } from '../../platform/database/database.ts'
import { storedFromRow } from './event-search.ts'
import { UNTIL_FURTHER_NOTICE_MS } from './going-on.ts'
import { RESCUED } from './put-back.ts'
import type { StoredEvent } from './stored-event.ts'

/** Further ahead than this a stored time is of a clock that was wrong. */
const CLOCK_SLACK_MS = 60_000

/** Longer than this no message waits. */
const GRAVE_MS = 7 * 24 * 3_600_000

/** Rows put right in one step: nothing else waits for it. */
const AT_ONCE = 100

/** Reasons of a decision that another time of day would have made otherwise. */
const TIMELY = ['stale', 'expired', 'cold_start']

/** `threads`: only these, a JSON list; null for all. */
interface Some {
  seq: number
  since: number
  limit: number
  threads: string | null
}

/** Messages not told because of a time, and times that a wrong clock left behind (docs/interface.md §4 rule 6). */
export class ByTime {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** True when something stands here that was stored by a clock ahead of `now`, or by one that was not set; a `now` of 1970 tells of neither. */
  isFromWrongClock(now: number): boolean {
    return isClockSet(now) && (this.#isFromAhead(now) || this.#isFromUnset())
  }

  #isFromUnset(): boolean {
    const found = (sql: string): boolean => this.#db.sql(sql).get(FIRST_SET_MS) !== undefined
    return (
      found('SELECT 1 AS one FROM events WHERE received_at < ? LIMIT 1') ||
      found('SELECT 1 AS one FROM dedup WHERE seen_at < ? LIMIT 1')
    )
  }

  #isFromAhead(now: number): boolean {
    const ahead = now + CLOCK_SLACK_MS
    return (
      this.#db.sql('SELECT 1 AS one FROM events WHERE received_at > ? LIMIT 1').get(ahead) !== undefined ||
      this.#db.sql("SELECT 1 AS one FROM deliveries WHERE changed_at > ? AND state = 'expired' LIMIT 1").get(ahead) !==
        undefined
    )
  }

  /** The time of the newest event; null when none ever came. */
  newest(): number | null {
    const newest = this.#db.sql('SELECT max(received_at) AS newest FROM events').get()?.['newest'] ?? null
    return newest === null ? null : Number(newest)
  }

  /** The first event that came since then; 0 when none did. */
  first(since: number): number {
    return Number(this.#db.sql('SELECT min(seq) AS first FROM events WHERE received_at > ?').get(since)?.['first'] ?? 0)
  }

  /**
   * The next events after `seq`, decided since then, whose decision or message failed for a time: too old, over, known at a
   * start, expired in the queue, or the end of what was believed to be over. Oldest first. None of which a later revision was
   * told since: it would take that back.
   */
  next(seq: number, since: number, limit: number): StoredEvent[] {
    return this.#some({ seq, since, limit, threads: null })
  }

  /** More of the same threads: what is decided together with its newer revision is not told before it. */
  alike(stored: readonly StoredEvent[], since: number, limit: number): StoredEvent[] {
    const last = stored.at(-1)
    const threads = JSON.stringify(stored.map(({ event }) => event.thread_id))
    return last === undefined ? [] : this.#some({ seq: last.seq, since, limit, threads })
  }

  #some({ seq, since, limit, threads }: Some): StoredEvent[] {
    return this.#db
      .sql(
        `WITH expired AS MATERIALIZED (SELECT s.value AS seq FROM deliveries d INDEXED BY deliveries_changed, json_each(d.event_seqs) s
           WHERE d.changed_at > ?2 AND d.state = 'expired')
         SELECT * FROM events WHERE seq > ?1 AND received_at > ?2
         ${threads === null ? '' : 'AND thread_id IN (SELECT value FROM json_each(?5))'} AND (
           reason IN (SELECT value FROM json_each(?3))
           OR (reason = 'nothing_to_cancel' AND EXISTS
               (SELECT 1 FROM json_each(trace) WHERE json_extract(value, '$.reason') = 'ended_before'))
           OR seq IN (SELECT seq FROM expired))
         AND NOT EXISTS (SELECT 1 FROM events n
           WHERE n.source = events.source AND n.id = events.id AND n.seq > events.seq AND n.decision = 'send'
             AND n.seq NOT IN (SELECT seq FROM expired))
         ORDER BY seq LIMIT ?4`
      )
      .all(seq, since, JSON.stringify(TIMELY), limit, ...(threads === null ? [] : [threads]))
      .map(storedFromRow)
  }

  /** True when rows of this file were lost, and its grave events may lack messages. */
  isRescued(): boolean {
    return this.#db.sql('SELECT 1 AS one FROM facts WHERE name = ?').get(RESCUED) !== undefined
  }

  /** The next grave events after `seq` that go on and were to be told: messages of theirs may be lost. Oldest first. */
  nextGrave(seq: number, now: number, limit: number): StoredEvent[] {
    return this.#db
      .sql(
        `WITH expired AS MATERIALIZED (SELECT s.value AS seq FROM deliveries d INDEXED BY deliveries_changed, json_each(d.event_seqs) s
           WHERE d.changed_at > ?2 AND d.state = 'expired')
         SELECT * FROM events WHERE seq > ?1 AND severity IN ('critical', 'immediate') AND decision = 'send'
           AND received_at > ?2 AND coalesce(expires_at, sent_at + ?3) > ?4 ORDER BY seq LIMIT ?5`
      )
      .all(seq, now - GRAVE_MS, UNTIL_FURTHER_NOTICE_MS, now, limit)
      .map(storedFromRow)
  }

  rescueDone(): void {
    this.#db.sql('DELETE FROM facts WHERE name = ?').run(RESCUED)
  }

  /**
   * Gives what came from ahead, or from a clock that was not set, the time of now, so that retention and order follow the true
   * clock; true when there is more.
   */
  putRight(now: number): boolean {
    const ahead = now + CLOCK_SLACK_MS
    const { changes } = this.#db
      .sql(
        `UPDATE events SET received_at = ?1, event = json_set(event, '$.received_at', ?2)
         WHERE seq IN (SELECT seq FROM events WHERE received_at > ?3 OR received_at < ?4 LIMIT ${AT_ONCE})`
      )
      .run(now, new Date(now).toISOString(), ahead, FIRST_SET_MS)
    this.#db.sql('UPDATE dedup SET seen_at = ?1 WHERE seen_at > ?2 OR seen_at < ?3').run(now, ahead, FIRST_SET_MS)
    return Number(changes) === AT_ONCE
  }
}
