import type { Reason } from '../../model/reason.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'
import { MOST_WAIT_MS } from './follow.ts'
import type { Job, JobState } from './job.ts'
import { LONE_AFTER, TURN } from './order.ts'
import { waitOfJob } from './waits.ts'

/** A job begun this often whose process died each time steps back behind the others before it is begun again. */
const PATIENT_STARTS = 2
const MAX_STEP_BACK_MS = 10_000

/** After these a row is claimed again at once; `lost` runs step back, see above. */
const RELEASE = `UPDATE jobs SET state = 'waiting', lease_owner = NULL, lease_until = NULL, progress = NULL, changed_at = ?1,
  due_at = ?1 + CASE WHEN attempts <= ${PATIENT_STARTS} THEN 0 ELSE min(${MAX_STEP_BACK_MS}, 1000 * attempts) END
  WHERE state = 'running'`

/** The station itself counts them while radios wait. */
const MOST_COUNTED = 1000

/** Not those that run alone. */
const NOT_LONE = `deaths < ${LONE_AFTER}`

const TAKE = `UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_owner = ?2, lease_until = ?3,
  reason = NULL, progress = NULL, changed_at = ?4 WHERE id = ?1 RETURNING *`

const OF_KINDS = '(?1 IS NULL OR kind IN (SELECT value FROM json_each(?1)))'

/**
 * The durable jobs: a row is work that is left. Several processes may use one table: every step is one short transaction,
 * and whoever lost the lease changes nothing. A job leaves only by `finish` (together with what it found) or `remove`.
 */
export class JobStore {
  readonly #db: Database
  readonly #now: () => number

  constructor({ db, now }: { db: Database; now: () => number }) {
    this.#db = db
    this.#now = now
  }

  /**
   * Joins the caller's transaction. One row per kind and subject: a dead or held one waits again with all its attempts,
   * a waiting or running one is left alone.
   */
  add(kind: string, subject: string, options: { dueAt?: number; weight?: number } = {}): void {
    const now = this.#now()
    this.#db
      .sql(
        `INSERT INTO jobs (kind, subject, state, due_at, created_at, changed_at, weight)
           VALUES (?1, ?2, 'waiting', ?3, ?4, ?4, ?5)
         ON CONFLICT (kind, subject) DO UPDATE SET state = 'waiting', attempts = 0, due_at = excluded.due_at, reason = NULL,
           deaths = CASE WHEN state = 'dead' THEN 0 ELSE deaths END, weight = coalesce(excluded.weight, weight),
           changed_at = excluded.changed_at WHERE state IN ('dead', 'held')`
      )
      .run(kind, subject, options.dueAt ?? now, now, options.weight ?? null)
  }

  /**
   * Takes the job of these kinds whose turn it is (order.ts), held ones whose time has come included; null without one. `most`: of this
   * weight at most, and known to be. `lone`: of those alone that run alone; without it, of all others.
   */
  claim(
    kinds: readonly string[],
    { owner, leaseMs, ...which }: { owner: string; leaseMs: number } & Which
  ): Job | null {
    // Most looks find nothing, and a look must not wait for whoever writes.
    if (this.#first(kinds, which) === null) return null
    return this.#db.transaction(() => {
      const now = this.#now()
      const first = this.#first(kinds, which)
      if (first === null) return null
      const row = this.#db.sql(TAKE).get(first.id, owner, now + leaseMs, now)
      return row === undefined ? null : readJob(row)
    })
  }

  #first(kinds: readonly string[], { most = null, lone = false }: Which): Turn | null {
    const now = this.#now()
    const found = ['waiting', 'held'].flatMap((state) =>
      kinds.flatMap((kind) => {
        const row = this.#db
          .sql(
            `SELECT id, ${TURN} AS turn FROM jobs WHERE state = '${state}' AND kind = ?1 AND due_at <= ?2
               AND ${lone ? `NOT ${NOT_LONE}` : NOT_LONE} AND (?3 IS NULL OR weight <= ?3) ORDER BY ${TURN}, id LIMIT 1`
          )
          .get(kind, now, most)
        return row === undefined ? [] : [{ id: Number(row['id']), turn: Number(row['turn']) }]
      })
    )
    return found.sort((a, b) => a.turn - b.turn || a.id - b.id)[0] ?? null
  }

  /** True when a job (of these kinds) is due that need not run alone. */
  isAnyDue(kinds: readonly string[]): boolean {
    return this.#first(kinds, {}) !== null
  }

  /** False: the lease was lost, somebody else may be at work; end and commit nothing. */
  renew(id: number, owner: string, leaseMs: number, progress?: Reason): boolean {
    const now = this.#now()
    return this.#changed(
      `UPDATE jobs SET lease_until = ?, progress = coalesce(?, progress), changed_at = ?
       WHERE id = ? AND state = 'running' AND lease_owner = ?`,
      now + leaseMs,
      reasonText(progress ?? null),
      now,
      id,
      owner
    )
  }

  /**
   * One transaction: the row goes and `commit` stores what was found. False, and nothing stored, when the lease was lost.
   * `commit` may add the same kind and subject again. Whatever it throws undoes all of it.
   */
  finish(id: number, owner: string, commit: () => void): boolean {
    return this.#db.transaction(() => {
      const held = this.#changed("DELETE FROM jobs WHERE id = ? AND state = 'running' AND lease_owner = ?", id, owner)
      if (held) commit()
      return held
    })
  }

  /** Puts it aside until `retryAt` or `releaseHeld`; the run does not count as an attempt. False when the lease was lost. */
  hold(
    id: number,
    owner: string,
    { reason, retryAt, commit }: { reason: Reason; retryAt: number; commit?: () => void }
  ): boolean {
    return this.#db.transaction(() => {
      const held = this.#end(id, owner, { state: 'held', reason, dueAt: retryAt, refund: 1 })
      if (held) commit?.()
      return held
    })
  }

  /** Waits again until `dueAt`. `counts: false`: the run was interrupted by us, not failed. False when the lease was lost. */
  retryLater(
    id: number,
    owner: string,
    { reason, dueAt, counts = true }: { reason: Reason | null; dueAt: number; counts?: boolean }
  ): boolean {
    return this.#end(id, owner, { state: 'waiting', reason, dueAt, refund: counts ? 0 : 1 })
  }

  /** Gives it up; `commit` runs in the same transaction. False, and nothing stored, when the lease was lost. */
  die(id: number, owner: string, reason: Reason, commit: () => void): boolean {
    return this.#db.transaction(() => {
      const held = this.#end(id, owner, { state: 'dead', reason, dueAt: this.#now(), refund: 0 })
      if (held) commit()
      return held
    })
  }

  #end(
    id: number,
    owner: string,
    { state, reason, dueAt, refund }: { state: JobState; reason: Reason | null; dueAt: number; refund: number }
  ): boolean {
    return this.#changed(
      `UPDATE jobs SET state = ?, reason = ?, due_at = ?, attempts = max(0, attempts - ?), lease_owner = NULL,
         lease_until = NULL, progress = NULL, changed_at = ? WHERE id = ? AND state = 'running' AND lease_owner = ?`,
      state,
      reasonText(reason),
      dueAt,
      refund,
      this.#now(),
      id,
      owner
    )
  }

  /** Makes held jobs (of one kind) due now: what was missing is there. Answers how many. */
  releaseHeld(kind?: string): number {
    const now = this.#now()
    return this.#count(
      `UPDATE jobs SET state = 'waiting', due_at = ?1, reason = NULL, changed_at = ?1
       WHERE state = 'held' AND (?2 IS NULL OR kind = ?2)`,
      now,
      kind ?? null
    )
  }

  /** Somebody wants it tried again: a dead or held job is due now with all its attempts. False when there is none. */
  retry(kind: string, subject: string): boolean {
    return this.#changed(
      `UPDATE jobs SET state = 'waiting', attempts = 0, deaths = 0, due_at = ?1, reason = NULL, changed_at = ?1
       WHERE kind = ?2 AND subject = ?3 AND state IN ('dead', 'held')`,
      this.#now(),
      kind,
      subject
    )
  }

  /** The work is not wanted any more; a run that goes on loses its lease. */
  remove(kind: string, subject: string): void {
    this.#db.sql('DELETE FROM jobs WHERE kind = ? AND subject = ?').run(kind, subject)
  }

  /** Leases of a process known to be gone: its jobs wait again. Answers how many. */
  releaseOwner(owner: string): number {
    return this.#count(`${RELEASE} AND lease_owner = ?2`, this.#now(), owner)
  }

  /**
   * The process whose leases begin with `holder` ended by itself, while we that started it go on. Each of its jobs waits again, and that
   * is remembered of it: one that ran alone is to blame, one of several may be. Answers them.
   */
  died(holder: string, how: Reason): Job[] {
    return this.#db.transaction(() => {
      const now = this.#now()
      const held = "state = 'running' AND substr(lease_owner, 1, length(?1)) = ?1"
      const count = Number(this.#db.sql(`SELECT count(*) AS n FROM jobs WHERE ${held}`).get(holder)?.['n'] ?? 0)
      return this.#db
        .sql(
          `UPDATE jobs SET state = 'waiting', lease_owner = NULL, lease_until = NULL, progress = NULL, changed_at = ?2, due_at = ?2,
             deaths = CASE WHEN ?3 = 1 THEN deaths + 1 ELSE max(deaths, min(${LONE_AFTER}, deaths + 1)) END, death = ?4
           WHERE ${held} RETURNING *`
        )
        .all(holder, now, count, reasonText(how))
        .map(readJob)
    })
  }

  /** The reason why a job that is left waits; null while it runs, and when it is the next. */
  waitsFor(job: Job): Reason | null {
    return waitOfJob(job, { now: this.#now(), ahead: () => this.#ahead(job) })
  }

  /** Of each kind the jobs that are next, in their order, with what they wait for. */
  queue(kinds: readonly string[], limit: number): { job: Job; waits: Reason | null }[] {
    const now = this.#now()
    return kinds.flatMap((kind) => {
      const running = this.#runningOf(kind)
      const jobs = this.#db
        .sql(`SELECT * FROM jobs WHERE state = 'waiting' AND kind = ? ORDER BY ${TURN}, id LIMIT ?`)
        .all(kind, limit)
        .map(readJob)
      return jobs.map((job, index) => ({ job, waits: waitOfJob(job, { now, ahead: () => running + index }) }))
    })
  }

  /** The number of jobs of its kind that run, or have their turn before it. */
  #ahead({ id, kind }: Job): number {
    const row = this.#db
      .sql(
        `SELECT count(*) AS n FROM (SELECT 1 FROM jobs WHERE state = 'waiting' AND kind = ?2 AND due_at <= ?3 AND ${NOT_LONE}
           AND (${TURN}, id) < (SELECT ${TURN}, id FROM jobs WHERE id = ?1) LIMIT ${MOST_COUNTED})`
      )
      .get(id, kind, this.#now())
    return this.#runningOf(kind) + Number(row?.['n'] ?? 0)
  }

  #runningOf(kind: string): number {
    return Number(
      this.#db.sql("SELECT count(*) AS n FROM jobs WHERE state = 'running' AND kind = ?").get(kind)?.['n'] ?? 0
    )
  }

  /**
   * Leases nobody renewed in time: the jobs wait again. So do jobs, and leases, whose time is so far ahead that only a clock
   * that was wrong can have told it. Answers how many.
   */
  releaseExpired(): number {
    const now = this.#now()
    const stray = this.#count(
      `UPDATE jobs SET due_at = ?1, changed_at = ?1 WHERE state IN ('waiting', 'held') AND due_at > ?1 + ${MOST_WAIT_MS}`,
      now
    )
    return stray + this.#count(`${RELEASE} AND (lease_until <= ?1 OR lease_until > ?1 + ${MOST_WAIT_MS})`, now)
  }

  /** The holders of leases (on jobs of these kinds). */
  owners(kinds?: readonly string[]): string[] {
    const rows = this.#db
      .sql(`SELECT DISTINCT lease_owner FROM jobs WHERE state = 'running' AND ${OF_KINDS}`)
      .all(kinds === undefined ? null : JSON.stringify(kinds))
    return rows.map((row) => String(row['lease_owner']))
  }

  get(kind: string, subject: string): Job | null {
    const row = this.#db.sql('SELECT * FROM jobs WHERE kind = ? AND subject = ?').get(kind, subject)
    return row === undefined ? null : readJob(row)
  }

  /** Last changed first. */
  list({ state, kind, limit }: { state?: JobState; kind?: string; limit: number }): Job[] {
    return this.#db
      .sql(
        `SELECT * FROM jobs WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR kind = ?2)
         ORDER BY changed_at DESC, id DESC LIMIT ?3`
      )
      .all(state ?? null, kind ?? null, limit)
      .map(readJob)
  }

  counts(): { kind: string; state: JobState; count: number }[] {
    const rows = this.#db
      .sql('SELECT kind, state, count(*) AS count FROM jobs GROUP BY kind, state ORDER BY kind, state')
      .all()
    return rows.map((row) => ({
      kind: String(row['kind']),
      state: readState(row['state']),
      count: Number(row['count'])
    }))
  }

  /**
   * The time by which somebody must look at the latest (of these kinds): the earliest time at which a job is due, or a
   * lease ends unless it is renewed. Null: nothing is left but dead jobs.
   */
  nextDue(kinds?: readonly string[]): number | null {
    const row = this.#db
      .sql(
        `SELECT min(at) AS at FROM (
           SELECT min(due_at) AS at FROM jobs WHERE state = 'waiting' AND ${OF_KINDS}
           UNION ALL SELECT min(due_at) FROM jobs WHERE state = 'held' AND ${OF_KINDS}
           UNION ALL SELECT min(lease_until) FROM jobs WHERE state = 'running' AND ${OF_KINDS})`
      )
      .get(kinds === undefined ? null : JSON.stringify(kinds))
    return typeof row?.['at'] === 'number' ? row['at'] : null
  }

  #count(sql: string, ...values: SqlValue[]): number {
    return Number(this.#db.sql(sql).run(...values).changes)
  }

  #changed(sql: string, ...values: SqlValue[]): boolean {
    return this.#count(sql, ...values) > 0
  }
}

/** Which jobs are looked for. */
interface Which {
  most?: number | null
  lone?: boolean
}

interface Turn {
  id: number
  turn: number
}

function readState(value: SqlValue | undefined): JobState {
  return value === 'running' || value === 'held' || value === 'dead' ? value : 'waiting'
}

function readJob(row: Row): Job {
  const text = (name: string): string | null => (row[name] == null ? null : String(row[name]))
  return {
    id: Number(row['id']),
    kind: String(row['kind']),
    subject: String(row['subject']),
    state: readState(row['state']),
    attempts: Number(row['attempts']),
    dueAt: Number(row['due_at']),
    leaseOwner: text('lease_owner'),
    leaseUntil: row['lease_until'] == null ? null : Number(row['lease_until']),
    reason: storedReason(row['reason']),
    progress: storedReason(row['progress']),
    weight: row['weight'] == null ? null : Number(row['weight']),
    deaths: Number(row['deaths']),
    death: storedReason(row['death']),
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at'])
  }
}
