import { isDrill, type LookoutEvent } from '../../model/event.ts'
import { SEVERITIES } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'
import type { TraceStep } from '../routing/decision.ts'
import { CellWeek } from './cell-week.ts'
import { ThreadCodes } from './codes.ts'
import { CommsLog } from './comms-log.ts'
import { COVERED } from './covered.ts'
import { DemoRows } from './demo-rows.ts'
import { type EventPage, type EventSearch, searchEvents, storedFromRow } from './event-search.ts'
import { goingOn, UNTIL_FURTHER_NOTICE_MS } from './going-on.ts'
import { identityOf } from './heard-log.ts'
import { Incidents } from './incidents.ts'
import { LastDay } from './last-day.ts'
import { NewestSent } from './newest-sent.ts'
import { Results } from './results.ts'
import { isOlder } from './retention.ts'
import { type EventHead, headsOf, StandingThreads } from './standing.ts'
import type { EventQuery, StoredEvent } from './stored-event.ts'

const DAY_MS = 86_400_000
const PRUNED_AT_ONCE = 200
const ACTIVE_DAYS = 7
/** Threads of one severity that may go on, the newest first; whether something of them has ended. */
const IN_FORCE = `
  SELECT e.seq, e.thread_id, e.expires_at, EXISTS (
    SELECT 1 FROM events AS o WHERE o.thread_id = e.thread_id AND o.received_at > ?2 AND o.${COVERED}
      AND o.lifecycle NOT IN ('new', 'update')) AS has_ended
  FROM events AS e INDEXED BY events_in_force
  WHERE e.severity = ?1 AND e.lifecycle IN ('new', 'update') AND coalesce(e.expires_at, e.sent_at + ?3) > ?4
    AND e.received_at > ?2 AND e.${COVERED} AND NOT EXISTS (
      SELECT 1 FROM events AS n WHERE n.thread_id = e.thread_id AND n.seq > e.seq AND n.received_at > ?2 AND n.${COVERED}
        AND n.lifecycle IN ('new', 'update'))
  ORDER BY e.seq DESC`
/** Source by source, each found by one look into the index that has id and revision behind it. */
const OF_ID = `
  WITH RECURSIVE sources (name) AS (
    SELECT min(source) FROM events
    UNION ALL SELECT (SELECT min(source) FROM events WHERE source > name) FROM sources WHERE name IS NOT NULL)
  SELECT events.* FROM sources CROSS JOIN events WHERE events.source = name AND events.id = ? ORDER BY seq DESC LIMIT 50`
/** Few: some events carry shapes of half a megabyte. */
const SPAN_ROWS = 8
const NAMES = 4000
/** A message whose retention is over. */
const OVER = `SELECT id FROM deliveries WHERE ${isOlder({ table: 'deliveries', number: 'id', stamp: 'created_at' })}
  AND state NOT IN ('queued', 'held', 'transmitting')`

type Identity = Pick<LookoutEvent, 'source' | 'id' | 'revision'>

/** The decision on an event, as it is stored. */
interface Outcome {
  kind: string
  reason: string
  trace: readonly unknown[]
}
const PENDING: Outcome = { kind: 'pending', reason: '', trace: [] }

/** Everything that was heard, with what became of it and why. Contract §4 rule 7. */
export class Ledger {
  readonly codes: ThreadCodes
  /** The results of messages. */
  readonly results: Results
  /** The last 24 hours. */
  readonly day: LastDay
  /** The messages of the cells of the matrix. */
  readonly cells: CellWeek
  /** The rows that the demo left. */
  readonly demo: DemoRows
  /** The recent troubles. */
  readonly incidents: Incidents
  /** The radio traffic, for the files. */
  readonly comms: CommsLog
  /** The message sent last of each thread. */
  readonly newest: NewestSent
  readonly #db: Database
  readonly #alsoKnown: (event: Identity) => boolean
  readonly #standing: StandingThreads
  /** Threads by name. */
  readonly #names: Remembered<string>
  readonly #anyLost: Remembered<boolean>
  #lastActive: { mark: string; now: number; limit: number; found: WeakRef<readonly StoredEvent[]> } | null = null

  /** `alsoKnown`: what is not in the database, while not all of a failing file is in memory yet. */
  constructor(db: Database, alsoKnown: (event: Identity) => boolean = () => false) {
    this.#db = db
    this.#alsoKnown = alsoKnown
    this.#standing = new StandingThreads(db)
    this.#names = new Remembered(db, NAMES)
    this.#anyLost = new Remembered(db, 1)
    this.codes = new ThreadCodes(db)
    this.results = new Results(db)
    this.day = new LastDay(db)
    this.cells = new CellWeek(db)
    this.demo = new DemoRows(db)
    this.incidents = new Incidents(db)
    this.comms = new CommsLog(db)
    this.newest = new NewestSent(db)
  }

  /** Stores the event, with what was decided of it where that is known; null when `(source, id, revision)` is known: a repeat, whatever its content (contract §2). */
  add(event: LookoutEvent, decided: Outcome = PENDING): number | null {
    const sentAt = Date.parse(event.sent_at)
    const receivedAt = Date.parse(event.received_at)
    const { changes, lastInsertRowid } = this.#db
      .sql(
        `INSERT INTO events (source, id, revision, thread_id, family, category, severity, lifecycle, sent_at, received_at, expires_at, decision, reason, event, trace)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
      )
      .run(
        event.source,
        event.id,
        event.revision,
        event.thread_id,
        event.family,
        event.category,
        event.severity,
        event.lifecycle,
        sentAt,
        receivedAt,
        event.expires === null ? null : Date.parse(event.expires),
        decided.kind,
        decided.reason,
        JSON.stringify(event),
        JSON.stringify(decided.trace)
      )
    if (Number(changes) === 0) return null
    this.newest.added(event.thread_id, sentAt)
    this.codes.codeOf(event.thread_id, receivedAt)
    return Number(lastInsertRowid)
  }

  /** True when exactly this message has been stored before. */
  knows(event: Identity): boolean {
    const { source, id, revision } = event
    const row = this.#db
      .sql('SELECT 1 AS one FROM events WHERE source = ? AND id = ? AND revision = ?')
      .get(source, id, revision)
    return row !== undefined || (this.#isAnyLost() && this.#wasHeard(event)) || this.#alsoKnown(event)
  }

  /** Its row was lost with a damaged page. */
  #wasHeard(event: Identity): boolean {
    return this.#db.sql('SELECT 1 AS one FROM heard WHERE identity = ?').get(identityOf(event)) !== undefined
  }

  /** On nearly every station none is: no name is made then. */
  #isAnyLost(): boolean {
    const known = this.#anyLost.get('')
    if (known !== undefined) return known
    const any = this.#db.sql('SELECT 1 AS one FROM heard LIMIT 1').get() !== undefined
    this.#anyLost.set('', any)
    return any
  }

  /** True when this `(source, id)` has been stored with another revision. */
  knowsId({ source, id }: Pick<LookoutEvent, 'source' | 'id'>): boolean {
    return this.#db.sql('SELECT 1 AS one FROM events WHERE source = ? AND id = ? LIMIT 1').get(source, id) !== undefined
  }

  decide(seq: number, outcome: Outcome): void {
    this.#db
      .sql('UPDATE events SET decision = ?, reason = ?, trace = ? WHERE seq = ?')
      .run(outcome.kind, outcome.reason, JSON.stringify(outcome.trace), seq)
  }

  /** The thread this name (an alert id, a network's quake id) belongs to. */
  threadOf(name: string): string | null {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const row = this.#db.sql('SELECT thread_id FROM thread_names WHERE name = ?').get(name)
    if (row === undefined) return null
    const threadId = String(row['thread_id'])
    this.#names.set(name, threadId)
    return threadId
  }

  nameThread(name: string, threadId: string, now: number): void {
    this.#db
      .sql('INSERT INTO thread_names VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at')
      .write(name, threadId, now)
    this.#names.delete(name)
  }

  get(seq: number): StoredEvent | null {
    return this.#db.guarded(() => {
      const row = this.#db.sql('SELECT * FROM events WHERE seq = ?').get(seq)
      return row === undefined ? null : storedFromRow(row)
    })
  }

  /** Every stored revision of this id, newest first; ids of different sources may be equal. */
  find(id: string): StoredEvent[] {
    return this.#db.guarded(() => this.#db.sql(OF_ID).all(id).map(storedFromRow))
  }

  thread(threadId: string): StoredEvent[] {
    const asked = 'SELECT * FROM events WHERE thread_id = ? ORDER BY seq DESC LIMIT 200'
    return this.#db.guarded(() => this.#db.sql(asked).all(threadId).map(storedFromRow))
  }

  list({ since = 0, family, severity, before, limit }: EventQuery): StoredEvent[] {
    const rows = (): Row[] =>
      this.#db
        .sql(
          `SELECT * FROM events WHERE received_at >= max(?, 1) AND (? IS NULL OR family = ?) AND (? IS NULL OR severity = ?) AND (? IS NULL OR seq < ?)
         ORDER BY seq DESC LIMIT ?`
        )
        .all(
          since,
          family ?? null,
          family ?? null,
          severity ?? null,
          severity ?? null,
          before ?? null,
          before ?? null,
          limit
        )
    return this.#db.guarded(() => rows().map(storedFromRow))
  }

  /** One page for people: by decision and by words as well. A typed code finds the events of its thread. */
  search(query: Omit<EventSearch, 'thread'>): EventPage {
    const thread = query.text === undefined ? null : this.codes.threadOf(query.text)
    return this.#db.guarded(() => searchEvents(this.#db, { ...query, thread }))
  }

  /** The newest events since a time, at most `limit`, oldest first. */
  since(time: number, limit: number): StoredEvent[] {
    return this.list({ since: time, limit }).reverse()
  }

  /** The newest message of a thread that still goes on somewhere; null when it is over, cancelled or unknown. */
  goesOn(threadId: string, now: number): StoredEvent | null {
    const seq = this.#standing.newest(threadId, now)
    return seq === null ? null : this.get(seq)
  }

  /** Those of the threads of which nothing goes on. */
  over(threadIds: readonly string[], now: number): ReadonlySet<string> {
    return this.#db.guarded(() => this.#standing.over(threadIds, now))
  }

  /** Of each list the newest event that is stored, by what decides its place among others; null where none is. */
  heads(lists: readonly (readonly number[])[]): (EventHead | null)[] {
    return this.#db.guarded(() => headsOf(this.#db, lists))
  }

  /** The newest message of each source about a thread that goes on somewhere by what that source says. */
  toldBy(threadId: string, now: number): { source: string; id: string }[] {
    const bySource = new Map<string, StoredEvent[]>()
    for (const row of this.thread(threadId).reverse())
      bySource.set(row.event.source, [...(bySource.get(row.event.source) ?? []), row])
    return [...bySource.values()]
      .flatMap((rows) => goingOn(rows, now))
      .map(({ event: { source, id } }) => ({ source, id }))
  }

  /** Adds what happened after the decision to the trace of an event. */
  note(seq: number, step: TraceStep): void {
    this.#db
      .sql("UPDATE events SET trace = json_insert(trace, '$[#]', json(?)) WHERE seq = ?")
      .run(JSON.stringify(step), seq)
  }

  /** Stored events of a span of the sources' own time, oldest first, read by the page: nothing stays open in between. */
  *span(since: number, until: number): Iterable<StoredEvent> {
    let [at, seq] = [since, 0]
    for (;;) {
      const rows = this.#db
        .sql(
          `SELECT * FROM events WHERE received_at >= ?1 AND received_at < ?2 AND (received_at > ?1 OR seq > ?3)
           ORDER BY received_at, seq LIMIT ${SPAN_ROWS}`
        )
        .all(at, until, seq)
      yield* rows.map(storedFromRow)
      const last = rows.at(-1)
      if (last === undefined || rows.length < SPAN_ROWS) return
      ;[at, seq] = [Number(last['received_at']), Number(last['seq'])]
    }
  }

  /**
   * The newest message of every event that goes on somewhere in the covered areas: worst first. Several pages ask for it between two
   * changes: it is read once a second for them, and kept for no longer than the next large collection.
   */
  active(now: number, limit: number): readonly StoredEvent[] {
    const mark = this.#db.mark()
    const last = this.#lastActive
    const isSame =
      last !== null && last.mark === mark && last.limit === limit && now >= last.now && now < last.now + 1000
    const known = isSame ? last.found.deref() : undefined
    if (known?.every(({ event: { expires } }) => expires === null || Date.parse(expires) > now)) return known
    const found = this.#readActive(now, limit)
    this.#lastActive = { mark, now, limit, found: new WeakRef(found) }
    return found
  }

  #readActive(now: number, limit: number): StoredEvent[] {
    const since = now - ACTIVE_DAYS * DAY_MS
    const active: StoredEvent[] = []
    for (const severity of SEVERITIES.toReversed()) {
      // By columns alone, of each thread the last message, and no further than is asked for: half of what is stored may be in force.
      const told = this.#db.sql(IN_FORCE).iterate(severity, since, UNTIL_FURTHER_NOTICE_MS, now)
      for (const row of told) {
        const isSure = row['expires_at'] !== null && row['has_ended'] === 0
        const known = isSure ? this.get(Number(row['seq'])) : this.#covered(String(row['thread_id']), now)
        if (known !== null && !isDrill(known.event)) active.push(known)
        if (active.length >= limit) return active
      }
    }
    return active
  }

  /** The event of a thread that concerns somebody here and goes on, where its zones, or what it says of its end, have to be read. */
  #covered(threadId: string, now: number): StoredEvent | null {
    const rows = this.#db
      .sql(`SELECT * FROM events WHERE thread_id = ? AND ${COVERED} ORDER BY seq DESC LIMIT 200`)
      .all(threadId)
      .map(storedFromRow)
    return goingOn(rows.reverse(), now).at(-1) ?? null
  }

  fact(name: string): string | null {
    const row = this.#db.sql('SELECT value FROM facts WHERE name = ?').get(name)
    return row === undefined ? null : String(row['value'])
  }

  setFact(name: string, value: string): void {
    this.#db
      .sql('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
      .run(name, value)
  }

  /**
   * Removes what is older than its retention, at most `PRUNED_AT_ONCE` rows of each kind, so that the end of a storm's
   * retention holds nothing up; true when there is more. Deliveries that still wait are never removed.
   */
  prune(now: number, days: { events: number; deliveries: number; traces: number }): boolean {
    const deliveries = now - days.deliveries * DAY_MS
    const slices: [string, number][] = [
      [
        `DELETE FROM events WHERE seq IN
         (SELECT seq FROM events WHERE ${isOlder({ table: 'events', number: 'seq', stamp: 'received_at' })} LIMIT ?2)`,
        now - days.events * DAY_MS
      ],
      [
        `UPDATE events SET trace = '[]' WHERE seq IN
         (SELECT seq FROM events WHERE received_at < ? AND trace <> '[]' LIMIT ?)`,
        now - days.traces * DAY_MS
      ],
      [
        'DELETE FROM thread_names WHERE name IN (SELECT name FROM thread_names WHERE seen_at < ? LIMIT ?)',
        now - Math.max(30, days.events) * DAY_MS
      ],
      [
        `DELETE FROM delivery_pieces WHERE id IN
         (SELECT p.id FROM (${OVER}) AS d CROSS JOIN delivery_pieces AS p ON p.merged_into = d.id LIMIT ?2)`,
        deliveries
      ],
      // After what joined them: a piece is never left without its message.
      [
        `DELETE FROM deliveries WHERE id IN
         (${OVER} AND NOT EXISTS (SELECT 1 FROM delivery_pieces AS p WHERE p.merged_into = deliveries.id) LIMIT ?2)`,
        deliveries
      ],
      [
        'DELETE FROM heard WHERE identity IN (SELECT identity FROM heard WHERE seen_at < ? LIMIT ?)',
        now - Math.max(30, days.events) * DAY_MS
      ],
      ['DELETE FROM delivery_steps WHERE rowid IN (SELECT rowid FROM delivery_steps WHERE at < ? LIMIT ?)', deliveries],
      ['DELETE FROM airtime WHERE rowid IN (SELECT rowid FROM airtime WHERE at < ? LIMIT ?)', now - 2 * 3_600_000]
    ]
    return this.#db.transaction(() => {
      this.#db.outdate()
      const changed = slices.map(([sql, before]) => this.#db.sql(sql).run(before, PRUNED_AT_ONCE).changes)
      return changed.some((rows) => Number(rows) === PRUNED_AT_ONCE)
    })
  }
}
