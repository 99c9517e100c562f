import type { Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'

/** A page or document that is not in the archive. */
export interface Miss {
  address: string
  reason: Reason
}

/** Pages of one pattern that were left out. */
export interface Capped {
  /** Such as `/calendar/#-#?day=#`. */
  pattern: string
  /** Those that are in the archive. */
  kept: number
  /** Those that were known beside them. */
  pages: number
}

/** The fate of a linked PDF or EPUB: in the document library, there before, or not taken. */
export const DOCUMENT_STATES = ['taken', 'here', 'refused'] as const
export type DocumentState = (typeof DOCUMENT_STATES)[number]

export interface LinkedDocument {
  address: string
  state: DocumentState
  /** Of its content; null when it never came. */
  hash: string | null
  /** Of one that was refused. */
  reason: Reason | null
}

/** The pages a crawl left out, by address and by pattern. */
export interface Findings {
  missed: readonly Miss[]
  /** They are more than the list holds. */
  missedCount: number
  capped: readonly Capped[]
}

/** So many of each are kept of a job. */
export const MOST_FINDINGS = 200
export const ADDRESS_LENGTH = 500

/** The lists that belong to the scrape jobs. */
export class ScrapeFindings {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Takes the place of what an earlier run of the job found. */
  put(jobId: number, { missed, missedCount, capped }: Findings): void {
    this.#db.transaction(() => {
      this.#db.sql("DELETE FROM scrape_findings WHERE job_id = ? AND kind IN ('missed', 'capped')").run(jobId)
      const add = this.#db.sql(
        'INSERT OR IGNORE INTO scrape_findings (job_id, kind, address, reason, pages, kept) VALUES (?, ?, ?, ?, ?, ?)'
      )
      for (const { address, reason } of missed.slice(0, MOST_FINDINGS))
        add.run(jobId, 'missed', address.slice(0, ADDRESS_LENGTH), reasonText(reason), 0, 0)
      for (const { pattern, pages, kept } of capped.slice(0, MOST_FINDINGS))
        add.run(jobId, 'capped', pattern.slice(0, ADDRESS_LENGTH), null, pages, kept)
      this.#db
        .sql('UPDATE scrape_jobs SET missed_count = ?, capped_count = ? WHERE id = ?')
        .run(missedCount, capped.length, jobId)
    })
  }

  putDocument(jobId: number, { address, state, hash, reason }: LinkedDocument): void {
    this.#db.transaction(() => {
      this.#db
        .sql(
          `INSERT INTO scrape_findings (job_id, kind, address, reason, state, hash) VALUES (?, 'document', ?, ?, ?, ?)
             ON CONFLICT (job_id, kind, address) DO UPDATE SET reason = excluded.reason, state = excluded.state, hash = excluded.hash`
        )
        .run(jobId, address.slice(0, ADDRESS_LENGTH), reason === null ? null : reasonText(reason), state, hash)
      this.#db
        .sql(
          `UPDATE scrape_jobs SET document_count =
             (SELECT count(*) FROM scrape_findings WHERE job_id = ?1 AND kind = 'document') WHERE id = ?1`
        )
        .run(jobId)
    })
  }

  missed(jobId: number): Miss[] {
    return this.#rows(jobId, 'missed').flatMap(({ address, reason }) => (reason === null ? [] : { address, reason }))
  }

  capped(jobId: number): Capped[] {
    return this.#rows(jobId, 'capped').map(({ address, pages, kept }) => ({ pattern: address, pages, kept }))
  }

  documents(jobId: number): LinkedDocument[] {
    return this.#rows(jobId, 'document').map(({ address, reason, state, hash }) => ({
      address,
      // A value that the table does not allow does not stand in it.
      state: DOCUMENT_STATES.find((one) => one === state) ?? 'refused',
      hash,
      reason
    }))
  }

  /** A job that begins anew has found nothing yet. */
  clear(jobId: number): void {
    this.#db.sql('DELETE FROM scrape_findings WHERE job_id = ?').run(jobId)
  }

  #rows(jobId: number, kind: string) {
    return this.#db
      .sql('SELECT * FROM scrape_findings WHERE job_id = ? AND kind = ? ORDER BY address LIMIT 1000')
      .all(jobId, kind)
      .map((row) => ({
        address: String(row['address']),
        reason: storedReason(row['reason']),
        pages: Number(row['pages']),
        kept: Number(row['kept']),
        state: String(row['state']),
        hash: row['hash'] == null ? null : String(row['hash'])
      }))
  }
}
