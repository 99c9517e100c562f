import { because, type Reason, type ReasonCode } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { reasonText } from '../../platform/database/stored-reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobStore } from '../jobs/store.ts'
import { ScrapeFindings } from './findings.ts'
import { actionsOf, type ScrapeAction, type ScrapeJob, type ScrapeLimits, type ScrapeState } from './job.ts'
import { readScrapeJob } from './job-rows.ts'

/** The kind of the durable job behind a scrape job; its subject is the id as text. */
export const SCRAPE_KIND = 'scrape'
/** More than this do not wait: each may take hours. */
const MOST_WAITING = 100

export interface NewScrapeJob {
  url: string
  title: string
  language: string
  limits: ScrapeLimits
}

interface Parts {
  db: Database
  jobs: JobStore
  now: () => number
}

/**
 * The scrape jobs (contract §9): what may be done in which state is `actionsOf`, and every change of state is one statement
 * that names the states it starts from, so that two who act at once never both succeed.
 */
export class ScrapeJobs {
  readonly #db: Database
  readonly #jobs: JobStore
  readonly #now: () => number
  readonly findings: ScrapeFindings

  constructor({ db, jobs, now }: Parts) {
    this.#db = db
    this.findings = new ScrapeFindings(db)
    this.#jobs = jobs
    this.#now = now
  }

  /** Takes what `readSubmission` has checked, and puts it in the queue. @throws AppError `rate-limited`. */
  submit({ url, title, language, limits }: NewScrapeJob): ScrapeJob {
    return this.#db.transaction(() => {
      if (this.counts().pending >= MOST_WAITING)
        throw new AppError('rate-limited', because('too_many_sites_wait', { count: MOST_WAITING }))
      const { lastInsertRowid } = this.#db
        .sql(
          `INSERT INTO scrape_jobs (url, title, language, status, limits, created_at) VALUES (?, ?, ?, 'pending', ?, ?)`
        )
        .run(url, title, language, JSON.stringify(limits), this.#now())
      const id = Number(lastInsertRowid)
      this.#jobs.add(SCRAPE_KIND, String(id))
      return this.get(id)
    })
  }

  byId(id: number): ScrapeJob | null {
    const row = this.#db.sql('SELECT * FROM scrape_jobs WHERE id = ?').get(id)
    return row === undefined ? null : readScrapeJob(row)
  }

  /** @throws AppError `not-found`. */
  get(id: number): ScrapeJob {
    const found = this.byId(id)
    if (found === null) throw new AppError('not-found', because('no_such_scrape', { id }))
    return found
  }

  /** Newest first. */
  list({ status, limit = 500 }: { status?: ScrapeState | undefined; limit?: number } = {}): ScrapeJob[] {
    return this.#db
      .sql('SELECT * FROM scrape_jobs WHERE ?1 IS NULL OR status = ?1 ORDER BY id DESC LIMIT ?2')
      .all(status ?? null, limit)
      .map(readScrapeJob)
  }

  counts(): Record<ScrapeState, number> {
    const counts = { pending: 0, scraping: 0, registering: 0, completed: 0, failed: 0, cancelled: 0 }
    for (const row of this.#db.sql('SELECT status, count(*) AS count FROM scrape_jobs GROUP BY status').all()) {
      const status = String(row['status'])
      if (status in counts) counts[status as ScrapeState] = Number(row['count'])
    }
    return counts
  }

  /** True when something waits or is under way. */
  isActive(id: number): boolean {
    return isActive(this.byId(id))
  }

  /**
   * One that nobody works on is cancelled at once; for one under way it is asked for, and whoever works on it must be woken.
   * @throws AppError `not-found`, `conflict`.
   */
  cancel(id: number): ScrapeJob {
    return this.#db.transaction(() => {
      this.#offered(id, 'cancel')
      const work = this.#jobs.get(SCRAPE_KIND, String(id))
      if (this.get(id).status === 'pending' && work?.state !== 'running') {
        this.#jobs.remove(SCRAPE_KIND, String(id))
        this.cancelled(id)
      } else {
        this.#run(
          'UPDATE scrape_jobs SET cancel_requested = 1, message = ? WHERE id = ?',
          reasonText(because('is_being_cancelled')),
          id
        )
        // One that nobody works on now may be due much later, or have lost its place: somebody must tidy up soon.
        if (work?.state !== 'running') this.#jobs.remove(SCRAPE_KIND, String(id))
        this.#jobs.add(SCRAPE_KIND, String(id))
      }
      return this.get(id)
    })
  }

  /** A failed one begins anew, whatever way it went before. @throws AppError `not-found`, `conflict`. */
  retry(id: number): ScrapeJob {
    return this.#db.transaction(() => {
      this.#offered(id, 'retry')
      this.#run(
        `UPDATE scrape_jobs SET status = 'pending', crawl_mode = NULL, engine = NULL, message = NULL, page_count = 0,
           total = NULL, cancel_requested = 0, attempt = 0, started_at = NULL, completed_at = NULL, missed_count = 0,
           capped_count = 0, document_count = 0, resumed_pages = 0, resumed_after = NULL, resumed_times = 0 WHERE id = ?`,
        id
      )
      this.findings.clear(id)
      this.#jobs.add(SCRAPE_KIND, String(id))
      return this.get(id)
    })
  }

  /** The row alone; what came of it is `removeScrape`'s business. @throws AppError `not-found`, `conflict`. */
  delete(id: number): ScrapeJob {
    return this.#db.transaction(() => {
      this.#offered(id, 'delete')
      const found = this.get(id)
      this.#drop(id)
      return found
    })
  }

  /** @throws AppError `not-found`; `conflict` when a job in its state may not be deleted. */
  checkDeletable(id: number): ScrapeJob {
    this.#offered(id, 'delete')
    return this.get(id)
  }

  /** Failed and cancelled ones go. Answers how many. */
  clearFailed(): number {
    return this.#db.transaction(() => {
      const gone = [...this.list({ status: 'failed' }), ...this.list({ status: 'cancelled' })]
      for (const { id } of gone) this.#drop(id)
      return gone.length
    })
  }

  // The writes of the worker begin here.

  /** It is begun, by this engine. False when it is not to be begun any more. */
  begin(id: number, engine: NonNullable<ScrapeJob['engine']>): boolean {
    return this.#changed(
      `UPDATE scrape_jobs SET status = 'scraping', engine = ?2, crawl_mode = ?2, attempt = attempt + 1, message = NULL,
         started_at = coalesce(started_at, ?3) WHERE id = ?1 AND status IN ('pending', 'scraping', 'registering') AND cancel_requested = 0`,
      id,
      engine,
      this.#now()
    )
  }

  /** It waits again; `message` says for what. */
  wait(id: number, message: Reason): void {
    this.#run(
      `UPDATE scrape_jobs SET status = 'pending', message = ? WHERE id = ? AND status IN ('pending', 'scraping')`,
      reasonText(message),
      id
    )
  }

  progress(id: number, { done, total }: { done: number; total: number | null }): void {
    this.#run('UPDATE scrape_jobs SET page_count = ?, total = ? WHERE id = ?', done, total, id)
  }

  /** It was interrupted, and goes on with so many pages. */
  resumed(id: number, { pages, after }: { pages: number; after: Reason }): void {
    this.#run(
      'UPDATE scrape_jobs SET resumed_pages = ?, resumed_after = ?, resumed_times = resumed_times + 1 WHERE id = ?',
      pages,
      reasonText(after),
      id
    )
  }

  say(id: number, message: Reason | null): void {
    this.#run('UPDATE scrape_jobs SET message = ? WHERE id = ?', reasonText(message), id)
  }

  /** The archive is made and goes to this name: written before it is moved, so that a crash in between is seen. */
  registering(id: number, archive: string): void {
    this.#run(
      `UPDATE scrape_jobs SET status = 'registering', archive = ? WHERE id = ? AND status IN ('pending', 'scraping', 'registering')`,
      archive,
      id
    )
  }

  completed(id: number, sourceId: number): void {
    this.#end(id, 'completed', { source_id: sourceId, cancel_requested: 0 })
  }

  /** `archive: null`: what it had made is gone too. */
  cancelled(id: number): void {
    this.#end(id, 'cancelled', { message: null, archive: null, cancel_requested: 0 })
  }

  failed(id: number, message: Reason): void {
    this.#end(id, 'failed', { message: reasonText(message), cancel_requested: 0 })
  }

  isCancelRequested(id: number): boolean {
    const row = this.#db.sql('SELECT cancel_requested FROM scrape_jobs WHERE id = ?').get(id)
    // A job whose row is gone is not wanted any more either.
    return row === undefined || row['cancel_requested'] === 1
  }

  /** After a crash: whatever is not at an end has its durable job again. Answers how many had lost it (defect Z9). */
  requeueLost(): number {
    return this.#db.transaction(() => {
      const lost = this.#db
        .sql(
          `SELECT id FROM scrape_jobs WHERE status IN ('pending', 'scraping', 'registering') AND NOT EXISTS
             (SELECT 1 FROM jobs WHERE kind = '${SCRAPE_KIND}' AND subject = CAST(scrape_jobs.id AS TEXT) AND state <> 'dead')`
        )
        .all()
      for (const row of lost) this.#jobs.add(SCRAPE_KIND, String(row['id']))
      return lost.length
    })
  }

  #end(id: number, status: ScrapeState, changes: Record<string, SqlValue>): void {
    const names = Object.keys(changes).map((name) => `, ${name} = ?`)
    this.#run(
      `UPDATE scrape_jobs SET status = ?, completed_at = ?${names.join('')}
       WHERE id = ? AND status IN ('pending', 'scraping', 'registering')`,
      status,
      this.#now(),
      ...Object.values(changes),
      id
    )
  }

  #offered(id: number, action: ScrapeAction): void {
    const { status } = this.get(id)
    if (!actionsOf(status).includes(action)) throw new AppError('conflict', because(CANNOT[action], { status }))
  }

  #drop(id: number): void {
    this.#jobs.remove(SCRAPE_KIND, String(id))
    this.#run('DELETE FROM scrape_jobs WHERE id = ?', id)
  }

  #run(sql: string, ...values: SqlValue[]): void {
    this.#db.sql(sql).run(...values)
  }

  #changed(sql: string, ...values: SqlValue[]): boolean {
    return Number(this.#db.sql(sql).run(...values).changes) > 0
  }
}

/** The refusal of an action on a job in a state that does not offer it. */
const CANNOT = {
  cancel: 'scrape_not_cancelled',
  retry: 'scrape_not_retried',
  delete: 'scrape_not_deleted'
} as const satisfies Readonly<Record<ScrapeAction, ReasonCode>>

function isActive(job: ScrapeJob | null): boolean {
  return job !== null && ['pending', 'scraping', 'registering'].includes(job.status)
}
