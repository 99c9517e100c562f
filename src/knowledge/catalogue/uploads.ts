import { because, type Reason } from '../../model/reason.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobStore } from '../jobs/store.ts'
import type { Upload } from './document.ts'
import type { UploadState } from './states.ts'

export type NewUpload = Omit<Upload, 'state' | 'reason' | 'duplicateOf' | 'receivedAt' | 'changedAt'>

/** States that have come to an end: such a file may come again, one under way or filed may not. */
const FRESH_TRY: ReadonlySet<UploadState> = new Set(['rejected', 'duplicate'])

/** Records of files that came in: one row per hash, which is the claim to that file. */
export class UploadStore {
  readonly #db: Database
  readonly #jobs: JobStore
  readonly #now: () => number

  constructor({ db, jobs, now }: { db: Database; jobs: JobStore; now: () => number }) {
    this.#db = db
    this.#jobs = jobs
    this.#now = now
  }

  /**
   * A file has arrived: its record, `pending`, and the job that looks at it, in one transaction.
   * @throws AppError `conflict` when the same file is under way or filed.
   */
  add(upload: NewUpload): void {
    this.#db.transaction(() => {
      const known = this.get(upload.hash)
      if (known !== null && !FRESH_TRY.has(known.state))
        throw new AppError('conflict', because('file_came_already', { filename: known.filename }))
      this.put({ ...upload, state: 'pending', reason: null, duplicateOf: null })
      this.#jobs.add('dispatch', upload.hash, { weight: upload.size })
    })
  }

  /** A record as it is, whatever stood there; no job. */
  put(upload: Omit<Upload, 'receivedAt' | 'changedAt'>): void {
    const now = this.#now()
    this.#db
      .sql(
        `INSERT OR REPLACE INTO uploads (hash, filename, extension, size, category, title, source, source_type, sidecar,
           state, reason, duplicate_of, received_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      )
      .run(
        upload.hash,
        upload.filename,
        upload.extension,
        upload.size,
        upload.category,
        upload.title,
        upload.source,
        upload.source_type,
        JSON.stringify(upload.sidecar),
        upload.state,
        reasonText(upload.reason),
        upload.duplicateOf,
        now,
        now
      )
  }

  get(hash: string): Upload | null {
    const row = this.#db.sql('SELECT * FROM uploads WHERE hash = ?').get(hash)
    return row === undefined ? null : uploadFromRow(row)
  }

  /** Sees to it that its job is there. */
  expect(hash: string): void {
    const weight = this.get(hash)?.size
    this.#jobs.add('dispatch', hash, weight === undefined ? {} : { weight })
  }

  dropJob(hash: string): void {
    this.#jobs.remove('dispatch', hash)
  }

  /** True when its job is still going to run, or runs. */
  isUnderWay(hash: string): boolean {
    const job = this.#jobs.get('dispatch', hash)
    return job !== null && job.state !== 'dead'
  }

  setState(
    hash: string,
    state: UploadState,
    { reason = null, duplicateOf = null }: { reason?: Reason | null; duplicateOf?: string | null } = {}
  ): void {
    this.#db
      .sql('UPDATE uploads SET state = ?, reason = ?, duplicate_of = ?, changed_at = ? WHERE hash = ?')
      .run(state, reasonText(reason), duplicateOf, this.#now(), hash)
  }

  /** Newest first. */
  list({ state, limit }: { state?: UploadState; limit: number }): Upload[] {
    const rows =
      state === undefined
        ? this.#db.sql('SELECT * FROM uploads ORDER BY received_at DESC, hash LIMIT ?').all(limit)
        : this.#db
            .sql('SELECT * FROM uploads WHERE state = ? ORDER BY received_at DESC, hash LIMIT ?')
            .all(state, limit)
    return rows.map(uploadFromRow)
  }

  counts(): Partial<Record<UploadState, number>> {
    const rows = this.#db.sql('SELECT state, count(*) AS n FROM uploads GROUP BY state').all()
    return Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['n'])]))
  }

  /** As if it had never come; its job goes with it. */
  forget(hash: string): void {
    this.#db.transaction(() => {
      this.#db.sql('DELETE FROM uploads WHERE hash = ?').run(hash)
      this.#jobs.remove('dispatch', hash)
    })
  }
}

function uploadFromRow(row: Row): Upload {
  const nullable = (value: unknown): string | null => (value === null ? null : String(value))
  return {
    hash: String(row['hash']),
    filename: String(row['filename']),
    extension: String(row['extension']),
    size: Number(row['size']),
    category: String(row['category']),
    title: String(row['title']),
    source: String(row['source']),
    source_type: String(row['source_type']),
    sidecar: JSON.parse(String(row['sidecar'])) as Record<string, unknown>,
    state: String(row['state']) as UploadState,
    reason: storedReason(row['reason']),
    duplicateOf: nullable(row['duplicate_of']),
    receivedAt: Number(row['received_at']),
    changedAt: Number(row['changed_at'])
  }
}
