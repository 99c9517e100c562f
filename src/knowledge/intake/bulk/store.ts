import { because, type Reason } from '../../../model/reason.ts'
import type { Database, Row } from '../../../platform/database/database.ts'
import type { SqlValue } from '../../../platform/database/sqlite-driver.ts'
import { reasonText, storedReason } from '../../../platform/database/stored-reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { JobStore } from '../../jobs/store.ts'
import {
  actionsOf,
  BULK_STATES,
  type Bulk,
  type BulkAction,
  type BulkEntry,
  type BulkState,
  ENTRY_STATES,
  type EntryEnd,
  type EntryState,
  MOST_KEPT,
  MOST_OPEN
} from './bulk.ts'

/** The kind of the durable job behind a list or folder; its subject is the id as text. */
export const BULK_KIND = 'bulk'
const OVER = "('stopped', 'done', 'failed')"

interface Parts {
  db: Database
  jobs: JobStore
  now: () => number
}

interface NewBulk {
  kind: Bulk['kind']
  place: string
  disk: string | null
  category: string
  /** Of addresses: one a line, as they came. */
  list: string
}

/** An entry of a list or folder; `end`: nothing more needs to be looked at. */
export interface Found {
  what: string
  end?: { state: 'refused' | 'failed'; reason: Reason }
}

/** An end of one entry. */
export interface Settled {
  state: EntryEnd
  hash?: string | null
  duplicateOf?: string | null
  reason?: Reason | null
}

/** Lists and folders that are taken in, entry by entry: every outcome is in the row, with its count, before the next one is begun. */
export class BulkStore {
  readonly #db: Database
  readonly #jobs: JobStore
  readonly #now: () => number

  constructor({ db, jobs, now }: Parts) {
    this.#db = db
    this.#jobs = jobs
    this.#now = now
  }

  /** Puts it in the queue. @throws AppError `rate-limited` when too many are open. */
  create({ kind, place, disk, category, list }: NewBulk): Bulk {
    return this.#db.transaction(() => {
      const open = this.#db.sql(`SELECT count(*) AS n FROM bulk_jobs WHERE state NOT IN ${OVER}`).get()
      if (Number(open?.['n']) >= MOST_OPEN)
        throw new AppError('rate-limited', because('too_many_bulks', { count: MOST_OPEN }))
      this.#run(
        `DELETE FROM bulk_jobs WHERE state IN ${OVER} AND id NOT IN
           (SELECT id FROM bulk_jobs WHERE state IN ${OVER} ORDER BY id DESC LIMIT ${MOST_KEPT - 1})`
      )
      const now = this.#now()
      const { lastInsertRowid } = this.#db
        .sql(
          `INSERT INTO bulk_jobs (kind, place, disk, list, category, state, created_at, changed_at)
           VALUES (?, ?, ?, ?, ?, 'waiting', ?, ?)`
        )
        .run(kind, place, disk, list, category, now, now)
      const id = Number(lastInsertRowid)
      this.#jobs.add(BULK_KIND, String(id))
      return this.get(id)
    })
  }

  byId(id: number): Bulk | null {
    const row = this.#db.sql('SELECT * FROM bulk_jobs WHERE id = ?').get(id)
    return row === undefined ? null : readBulk(row)
  }

  /** @throws AppError `not-found`. */
  get(id: number): Bulk {
    const found = this.byId(id)
    if (found === null) throw new AppError('not-found', because('no_such_bulk', { id }))
    return found
  }

  /** Newest first. */
  list(): Bulk[] {
    return this.#db
      .sql('SELECT * FROM bulk_jobs ORDER BY id DESC LIMIT ?')
      .all(MOST_OPEN + MOST_KEPT)
      .map(readBulk)
  }

  /** In the order of the list, from behind the entry `after` on. */
  entries(
    id: number,
    { state, after, limit }: { state?: EntryState | undefined; after: number; limit: number }
  ): BulkEntry[] {
    const rows =
      state === undefined
        ? this.#db
            .sql('SELECT * FROM bulk_entries WHERE bulk_id = ? AND id > ? ORDER BY id LIMIT ?')
            .all(id, after, limit)
        : this.#db
            .sql('SELECT * FROM bulk_entries WHERE bulk_id = ? AND state = ? AND id > ? ORDER BY id LIMIT ?')
            .all(id, state, after, limit)
    return rows.map(readEntry)
  }

  /** The orders of a person. @throws AppError `not-found`; `conflict` when its state does not offer it. */
  act(id: number, action: BulkAction): Bulk {
    return this.#db.transaction(() => {
      const found = this.get(id)
      if (!actionsOf(found).includes(action)) throw new AppError('conflict', because('bulk_not_now'))
      if (action === 'stop') this.#stop(id)
      else if (action === 'delete') this.#run('DELETE FROM bulk_jobs WHERE id = ?', id)
      else this.#goOn(id, action === 'retry')
      return action === 'delete' ? found : this.get(id)
    })
  }

  /** Whoever works on it sees it within a second; of one that nobody works on, that was all. */
  #stop(id: number): void {
    const work = this.#jobs.get(BULK_KIND, String(id))
    if (work?.state === 'running') this.#run('UPDATE bulk_jobs SET stop_asked = 1 WHERE id = ?', id)
    else {
      this.#jobs.remove(BULK_KIND, String(id))
      this.end(id, 'stopped')
    }
  }

  #goOn(id: number, withFailed: boolean): void {
    this.#run(
      `UPDATE bulk_jobs SET state = 'waiting', reason = NULL, stop_asked = 0, retry_asked = ?, waits = 0, ended_at = NULL, changed_at = ?
       WHERE id = ?`,
      withFailed ? 1 : 0,
      this.#now(),
      id
    )
    this.#jobs.remove(BULK_KIND, String(id))
    this.#jobs.add(BULK_KIND, String(id))
  }

  // The reads and writes of the worker begin here: those of thousands of rows.

  /** The list of addresses as it came. */
  listOf(id: number): string {
    return String(this.#db.sql('SELECT list FROM bulk_jobs WHERE id = ?').get(id)?.['list'] ?? '')
  }

  /** When somebody has asked for it, everything that failed is left again, and a folder is looked through once more: some of it may have been closed. */
  retryAsked(id: number): void {
    this.#db.transaction(() => {
      const { changes } = this.#db
        .sql("UPDATE bulk_jobs SET retry_asked = 0, listed = (kind = 'addresses') WHERE id = ? AND retry_asked = 1")
        .run(id)
      if (Number(changes) === 0) return
      const closed = this.#db
        .sql(
          "DELETE FROM bulk_entries WHERE bulk_id = ? AND state = 'failed' AND what LIKE '%/' AND what NOT LIKE 'http%'"
        )
        .run(id)
      this.#run('UPDATE bulk_jobs SET failed = 0, found = found - ? WHERE id = ?', Number(closed.changes), id)
      this.#run(
        `UPDATE bulk_entries SET state = 'left', reason = NULL, attempts = 0, due_at = 0 WHERE bulk_id = ? AND state = 'failed'`,
        id
      )
    })
  }

  /** Removes entries whose list was deleted, some at a time; false when there are no more. */
  sweep(): boolean {
    const { changes } = this.#db
      .sql(
        `DELETE FROM bulk_entries WHERE id IN
           (SELECT id FROM bulk_entries WHERE bulk_id NOT IN (SELECT id FROM bulk_jobs) LIMIT 1000)`
      )
      .run()
    return Number(changes) > 0
  }

  /** Entries that were found; one that is known already is left as it is. Answers how many are new. */
  add(id: number, found: readonly Found[]): number {
    return this.#db.transaction(() => {
      const ended = { refused: 0, failed: 0 }
      let count = 0
      for (const { what, end } of found) {
        const { changes } = this.#db
          .sql('INSERT OR IGNORE INTO bulk_entries (bulk_id, what, state, reason) VALUES (?, ?, ?, ?)')
          .run(id, what, end?.state ?? 'left', reasonText(end?.reason ?? null))
        count += Number(changes)
        if (end !== undefined) ended[end.state] += Number(changes)
      }
      this.#run(
        'UPDATE bulk_jobs SET found = found + ?, refused = refused + ?, failed = failed + ?, changed_at = ? WHERE id = ?',
        count,
        ended.refused,
        ended.failed,
        this.#now(),
        id
      )
      return count
    })
  }

  /** All of it is in the rows. */
  listed(id: number, { leftOut = 0, repeated = 0 }: { leftOut?: number; repeated?: number }): void {
    this.#run(
      "UPDATE bulk_jobs SET listed = 1, list = '', left_out = ?, repeated = ? WHERE id = ?",
      leftOut,
      repeated,
      id
    )
  }

  say(id: number, state: BulkState, reason: Reason | null = null): void {
    this.#run(
      'UPDATE bulk_jobs SET state = ?, reason = ?, changed_at = ? WHERE id = ?',
      state,
      reasonText(reason),
      this.#now(),
      id
    )
  }

  /** It waits for something from outside. */
  wait(id: number, reason: Reason): void {
    this.#run('UPDATE bulk_jobs SET waits = waits + 1, current = NULL WHERE id = ?', id)
    this.say(id, 'paused', reason)
  }

  /** The stick or folder that it waited for is there. */
  isBack(id: number): void {
    this.#run('UPDATE bulk_jobs SET waits = 0 WHERE id = ? AND waits > 0', id)
  }

  isStopAsked(id: number): boolean {
    const row = this.#db.sql('SELECT stop_asked FROM bulk_jobs WHERE id = ?').get(id)
    // One whose row is gone is not wanted any more either.
    return row === undefined || row['stop_asked'] === 1
  }

  /** Goes on with a run of its own. Joins the caller's transaction. */
  again(id: number): void {
    this.#jobs.add(BULK_KIND, String(id))
  }

  /** The next entry that is due; null when none is. */
  nextLeft(id: number): BulkEntry | null {
    const row = this.#db
      .sql("SELECT * FROM bulk_entries WHERE bulk_id = ? AND state = 'left' AND due_at <= ? ORDER BY id LIMIT 1")
      .get(id, this.#now())
    return row === undefined ? null : readEntry(row)
  }

  /** The earliest time at which an entry that is left is to be tried again; null: none is left. */
  nextDue(id: number): number | null {
    const row = this.#db.sql("SELECT min(due_at) AS at FROM bulk_entries WHERE bulk_id = ? AND state = 'left'").get(id)
    return typeof row?.['at'] === 'number' ? row['at'] : null
  }

  /** It is being taken now: counted before, so that one that ends the process is not begun for ever. */
  begin(id: number, { id: entry, what }: BulkEntry): void {
    this.#db.transaction(() => {
      this.#run('UPDATE bulk_entries SET attempts = attempts + 1 WHERE id = ?', entry)
      this.#run(
        "UPDATE bulk_jobs SET state = 'taking', reason = NULL, current = ?, changed_at = ? WHERE id = ?",
        what,
        this.#now(),
        id
      )
    })
  }

  /** Its bytes are known and about to be taken in: after a crash they are known again. */
  noteHash(entry: number, hash: string): void {
    this.#run('UPDATE bulk_entries SET hash = ? WHERE id = ?', hash, entry)
  }

  /** An entry of the same list, other than this one, that had the same bytes. */
  sameBytes(id: number, entry: number, hash: string): BulkEntry | null {
    const row = this.#db
      .sql("SELECT * FROM bulk_entries WHERE bulk_id = ? AND hash = ? AND id <> ? AND state = 'taken' LIMIT 1")
      .get(id, hash, entry)
    return row === undefined ? null : readEntry(row)
  }

  /** Nothing has come of this try and the entry is not to blame: it does not count. */
  putBack(entry: number): void {
    this.#run('UPDATE bulk_entries SET attempts = max(0, attempts - 1) WHERE id = ?', entry)
  }

  tryLater(entry: number, reason: Reason, dueAt: number): void {
    this.#run('UPDATE bulk_entries SET reason = ?, due_at = ? WHERE id = ?', reasonText(reason), dueAt, entry)
  }

  settle(id: number, entry: number, { state, hash = null, duplicateOf = null, reason = null }: Settled): void {
    this.#db.transaction(() => {
      const { changes } = this.#db
        .sql(
          "UPDATE bulk_entries SET state = ?, hash = coalesce(?, hash), duplicate_of = ?, reason = ? WHERE id = ? AND state = 'left'"
        )
        .run(state, hash, duplicateOf, reasonText(reason), entry)
      if (Number(changes) > 0)
        this.#run(`UPDATE bulk_jobs SET ${state} = ${state} + 1, changed_at = ? WHERE id = ?`, this.#now(), id)
    })
  }

  end(id: number, state: 'stopped' | 'done' | 'failed', reason: Reason | null = null): void {
    this.#run(
      `UPDATE bulk_jobs SET state = ?, reason = ?, current = NULL, stop_asked = 0, ended_at = ?, changed_at = ? WHERE id = ?`,
      state,
      reasonText(reason),
      this.#now(),
      this.#now(),
      id
    )
  }

  #run(sql: string, ...values: SqlValue[]): void {
    this.#db.sql(sql).run(...values)
  }
}

function readBulk(row: Row): Bulk {
  const text = (name: string): string | null => (row[name] == null ? null : String(row[name]))
  const count = (name: string): number => Number(row[name])
  const [found, taken, duplicate, refused, failed] = ['found', 'taken', 'duplicate', 'refused', 'failed'].map(count)
  const ends = { taken: taken ?? 0, duplicate: duplicate ?? 0, refused: refused ?? 0, failed: failed ?? 0 }
  const over = ends.taken + ends.duplicate + ends.refused + ends.failed
  return {
    id: count('id'),
    kind: row['kind'] === 'folder' ? 'folder' : 'addresses',
    place: String(row['place']),
    disk: text('disk'),
    category: String(row['category']),
    // A value that the table does not allow does not stand in it.
    state: BULK_STATES.find((state) => state === row['state']) ?? 'failed',
    reason: storedReason(row['reason']),
    current: text('current'),
    stopAsked: row['stop_asked'] === 1,
    waits: count('waits'),
    listed: row['listed'] === 1,
    repeated: count('repeated'),
    leftOut: count('left_out'),
    counts: { ...ends, found: found ?? 0, left: Math.max(0, (found ?? 0) - over) },
    createdAt: count('created_at'),
    changedAt: count('changed_at'),
    endedAt: row['ended_at'] == null ? null : count('ended_at')
  }
}

function readEntry(row: Row): BulkEntry {
  const text = (name: string): string | null => (row[name] == null ? null : String(row[name]))
  return {
    id: Number(row['id']),
    what: String(row['what']),
    state: ENTRY_STATES.find((state) => state === row['state']) ?? 'failed',
    hash: text('hash'),
    duplicateOf: text('duplicate_of'),
    reason: storedReason(row['reason']),
    attempts: Number(row['attempts'])
  }
}
