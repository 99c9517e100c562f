import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { reasonText } from '../../platform/database/stored-reason.ts'
import { AppError } from '../../platform/errors.ts'
import { oneLine } from '../../platform/text.ts'
import type { JobStore } from '../jobs/store.ts'
import type { ArchiveFacts } from './archive-lines.ts'
import type { LibrarySource, SourceCounts } from './source.ts'
import { sourceFromRow, uniqueCategory } from './source-rows.ts'

/** The job that reads an archive; its subject is the id of the source. */
export const INGEST = 'ingest-archive'

/** The file of an archive as it lies in the folder. */
export interface ArchiveFile {
  /** `wikem_2026-05.zim`, also for one in parts. */
  filename: string
  sizeBytes: number
  /** Epoch milliseconds, whole. */
  mtime: number
}

/** The archives of the library. Every method joins the caller's transaction; a toggle brings or takes the job with it. */
export class LibrarySources {
  readonly #db: Database
  readonly #jobs: JobStore
  readonly #now: () => number

  constructor({ db, jobs, now }: { db: Database; jobs: JobStore; now: () => number }) {
    this.#db = db
    this.#jobs = jobs
    this.#now = now
  }

  /** By category. */
  list(): LibrarySource[] {
    return this.#db.sql('SELECT * FROM library_sources ORDER BY category COLLATE NOCASE, id').all().map(sourceFromRow)
  }

  byId(id: number): LibrarySource | null {
    const row = this.#db.sql('SELECT * FROM library_sources WHERE id = ?').get(id)
    return row === undefined ? null : sourceFromRow(row)
  }

  byFilename(filename: string): LibrarySource | null {
    const row = this.#db.sql('SELECT * FROM library_sources WHERE filename = ?').get(filename)
    return row === undefined ? null : sourceFromRow(row)
  }

  /**
   * Takes up the facts of an archive that was read just now: a new source (ingest off), or a known one, which is
   * present again. Of another archive under the same name reading begins anew: its documents must be gone by then.
   */
  record(file: ArchiveFile, facts: ArchiveFacts): LibrarySource {
    return this.#db.transaction(() => {
      const known = this.byFilename(file.filename)
      const id = known?.id ?? this.#insert(file)
      if (known === null || known.uuid !== facts.uuid) this.#describe(id, file, facts)
      this.#db
        .sql(
          `UPDATE library_sources SET size_bytes = ?, mtime = ?, changed_at = ?, reason = NULL, claimed_uuid = '',
             state = CASE state WHEN 'removing' THEN state ELSE 'present' END WHERE id = ?`
        )
        .run(file.sizeBytes, file.mtime, this.#now(), id)
      this.expectJob(id)
      return this.#must(id)
    })
  }

  #insert({ filename, sizeBytes, mtime }: ArchiveFile): number {
    const name = stem(filename)
    const category = uniqueCategory(name, '', (text) => this.#isTaken(text, null))
    const { lastInsertRowid } = this.#db
      .sql(
        `INSERT INTO library_sources (filename, uuid, title, description, language, category, size_bytes, mtime,
           article_count, state, detected_at, changed_at) VALUES (?1, '', ?2, '', '', ?3, ?4, ?5, 0, 'missing', ?6, ?6)`
      )
      .run(filename, name, category, sizeBytes, mtime, this.#now())
    return Number(lastInsertRowid)
  }

  #describe(id: number, { filename }: ArchiveFile, facts: ArchiveFacts): void {
    const title = oneLine(facts.title, MAX_LINE) || stem(filename)
    const category = uniqueCategory(title, facts.date, (text) => this.#isTaken(text, id))
    this.#db
      .sql(
        `UPDATE library_sources SET uuid = ?, title = ?, description = ?, language = ?, category = ?, article_count = ?,
           checkpoint = 0, read_to_end = 0, started_at = NULL, completed_at = NULL WHERE id = ?`
      )
      .run(facts.uuid, title, oneLine(facts.description, MAX_LINE), facts.language, category, facts.articleCount, id)
    this.#db.sql('DELETE FROM archive_articles WHERE source_id = ?').run(id)
  }

  #isTaken(category: string, exceptId: number | null): boolean {
    return (
      this.#db
        .sql('SELECT 1 FROM library_sources WHERE category = ?1 AND (?2 IS NULL OR id <> ?2)')
        .get(category, exceptId) !== undefined
    )
  }

  /**
   * The same archive as one whose file is damaged has come under another name: its documents and its checkpoint are those of
   * the good file now. The damaged file stays where it is, as one that nothing was ever read from.
   */
  adopt(damaged: LibrarySource, file: ArchiveFile, facts: ArchiveFacts): LibrarySource {
    return this.#db.transaction(() => {
      this.#db.sql('UPDATE library_sources SET filename = ? WHERE id = ?').run(file.filename, damaged.id)
      if (damaged.reason !== null) this.damage(damaged, { reason: damaged.reason, claimedUuid: facts.uuid })
      return this.record(file, facts)
    })
  }

  /** A file that cannot be used: kept out of the library, shown with the reason, looked at again when it changes. */
  refuse(file: ArchiveFile, reason: Reason): LibrarySource {
    return this.#keepOut(file, 'missing', reason)
  }

  /** The same, where it is the file that is broken. */
  damage(file: ArchiveFile, { reason, claimedUuid }: { reason: Reason; claimedUuid: string }): LibrarySource {
    return this.#db.transaction(() => {
      const { id } = this.#keepOut(file, 'damaged', reason)
      this.#db.sql('UPDATE library_sources SET claimed_uuid = ? WHERE id = ?').run(claimedUuid, id)
      return this.#must(id)
    })
  }

  #keepOut(file: ArchiveFile, state: 'damaged' | 'missing', reason: Reason): LibrarySource {
    return this.#db.transaction(() => {
      const id = this.byFilename(file.filename)?.id ?? this.#insert(file)
      this.#db
        .sql('UPDATE library_sources SET size_bytes = ?, mtime = ? WHERE id = ?')
        .run(file.sizeBytes, file.mtime, id)
      this.setState(id, state, reason)
      return this.#must(id)
    })
  }

  /** A source that is being removed stays so. */
  setState(id: number, state: LibrarySource['state'], reason: Reason | null): void {
    this.#db
      .sql(
        `UPDATE library_sources SET reason = ?2, changed_at = ?3,
           state = CASE state WHEN 'removing' THEN state ELSE ?1 END WHERE id = ?4`
      )
      .run(state, reasonText(reason), this.#now(), id)
  }

  setReason(id: number, reason: Reason | null): void {
    this.#db
      .sql('UPDATE library_sources SET reason = ?, changed_at = ? WHERE id = ?')
      .run(reasonText(reason), this.#now(), id)
  }

  /**
   * Turns ingest on or off, with its job; a run under way hears of it within a second. @throws AppError `not-found`,
   * `conflict` when the source is being removed.
   */
  setIngest(id: number, enabled: boolean): LibrarySource {
    return this.#db.transaction(() => {
      const found = this.#must(id)
      if (found.state === 'removing')
        throw new AppError('conflict', because('source_being_removed', { title: found.title }))
      const reason = found.state === 'present' ? null : found.reason
      this.#db
        .sql('UPDATE library_sources SET ingest_enabled = ?, reason = ?, changed_at = ? WHERE id = ?')
        .run(enabled ? 1 : 0, reasonText(reason), this.#now(), id)
      if (enabled) this.expectJob(id)
      // A run under way ends by itself: its job is what a toggle back within that time goes on with.
      else if (this.#jobs.get(INGEST, String(id))?.state !== 'running') this.#jobs.remove(INGEST, String(id))
      return this.#must(id)
    })
  }

  /** Nothing is read any more; whoever removes the source goes on from here. False: there is none. */
  beginRemoval(id: number): boolean {
    return this.#db.transaction(() => {
      this.#jobs.remove(INGEST, String(id))
      const { changes } = this.#db
        .sql("UPDATE library_sources SET state = 'removing', ingest_enabled = 0, changed_at = ? WHERE id = ?")
        .run(this.#now(), id)
      return Number(changes) > 0
    })
  }

  /** The row goes, with what is known of its articles; its documents must be gone. */
  forget(id: number): void {
    this.#jobs.remove(INGEST, String(id))
    this.#db.sql('DELETE FROM library_sources WHERE id = ?').run(id)
  }

  /** Sees to it that what is to be read has its job; a dead one stays dead unless somebody asked (`setIngest`, `retry`). */
  expectJob(id: number): void {
    if (isWanted(this.byId(id))) this.#jobs.add(INGEST, String(id))
  }

  /** Reads again what failed: the articles that could not be read, and the reading itself. @throws AppError `not-found`. */
  retry(id: number): LibrarySource {
    return this.#db.transaction(() => {
      const found = this.#must(id)
      const { changes } = this.#db.sql("DELETE FROM archive_articles WHERE source_id = ? AND state = 'failed'").run(id)
      // Articles with a row are passed over, so that only those without one are stored.
      if (Number(changes) > 0)
        this.#db
          .sql('UPDATE library_sources SET checkpoint = 0, read_to_end = 0, completed_at = NULL WHERE id = ?')
          .run(id)
      if (found.state === 'present') this.setReason(id, null)
      this.expectJob(id)
      return this.#must(id)
    })
  }

  /** The sums of a source, its documents counted by its id. */
  counts(id: number): SourceCounts {
    const rows = this.#db.sql('SELECT status, count(*) AS n FROM documents WHERE source_id = ? GROUP BY status').all(id)
    return this.#counts(id, new Map(rows.map((row) => [String(row['status']), Number(row['n'])])))
  }

  /** The same, its documents counted by its category: equal, as long as categories are unique. */
  countsByCategory(id: number): SourceCounts {
    const rows = this.#db
      .sql(`SELECT status, count(*) AS n FROM documents WHERE source = 'library' AND category = ? GROUP BY status`)
      .all(this.#must(id).category)
    return this.#counts(id, new Map(rows.map((row) => [String(row['status']), Number(row['n'])])))
  }

  #counts(id: number, documents: ReadonlyMap<string, number>): SourceCounts {
    const rows = this.#db
      .sql('SELECT state, count(*) AS n FROM archive_articles WHERE source_id = ? GROUP BY state')
      .all(id)
    const articles = new Map(rows.map((row) => [String(row['state']), Number(row['n'])]))
    const all = [...documents.values()].reduce((sum, count) => sum + count, 0)
    const skipped = documents.get('skipped') ?? 0
    return {
      articles: this.byId(id)?.articleCount ?? 0,
      extracted: articles.get('document') ?? 0,
      total: all - skipped,
      in_vector_store: documents.get('complete') ?? 0,
      skipped: skipped + (articles.get('skipped') ?? 0) + (articles.get('duplicate') ?? 0),
      failed: (documents.get('failed') ?? 0) + (articles.get('failed') ?? 0)
    }
  }

  #must(id: number): LibrarySource {
    const found = this.byId(id)
    if (found === null) throw new AppError('not-found', because('no_such_source_inside'))
    return found
  }
}

/** True when there is something to read. */
export function isWanted(source: LibrarySource | null): source is LibrarySource {
  return source?.state === 'present' && source.ingestEnabled && !source.readToEnd
}

const MAX_LINE = 1000

function stem(filename: string): string {
  return filename.replace(/\.zim$/i, '')
}
