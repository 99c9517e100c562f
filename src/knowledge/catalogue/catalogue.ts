import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { weightOf } from '../jobs/order.ts'
import type { JobStore } from '../jobs/store.ts'
import { Contents } from './contents.ts'
import { sameWork, similar } from './copies.ts'
import { type Document, type Domain, type Item, type Metadata, TAXONOMY } from './document.ts'
import {
  countDocuments,
  type ListQuery,
  listCategories,
  listDocuments,
  type Throughput,
  throughput
} from './listing.ts'
import { assignments, type Changes, completed, documentFromRow, type NewDocument } from './rows.ts'
import { type DocumentStatus, STAGE_TABLE, STAGES, type Stage } from './states.ts'
import { alike, type StoredSketch, storeSketch } from './text-sketches.ts'

/** The document that a hash belongs to. */
export interface HashOwner {
  documentId: number
  /** The document's own. */
  hash: string
  filename: string
  status: DocumentStatus
}

/** The rows that went with a document. */
export interface Removed {
  pages: number
  items: number
  hashes: number
}

interface Parts {
  db: Database
  jobs: JobStore
  now: () => number
}

/** The field that keeps the end of each stage. */
const DONE_AT: Readonly<Record<Stage, 'extractedAt' | 'enrichedAt' | 'completedAt'>> = {
  extract: 'extractedAt',
  enrich: 'enrichedAt',
  embed: 'completedAt'
}

/**
 * The documents: their rows, states and contents. A document whose state waits for a stage always has that stage's job:
 * both are written in one transaction, which joins the caller's.
 */
export class Catalogue extends Contents {
  readonly #db: Database
  readonly #jobs: JobStore
  readonly #now: () => number

  constructor({ db, jobs, now }: Parts) {
    super(db)
    this.#db = db
    this.#jobs = jobs
    this.#now = now
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work)
  }

  /**
   * A new document that all these hashes, and its own, belong to; with the job of the stage it waits for. Answers its id.
   * @throws AppError `conflict` when another document has one of the hashes: nothing is stored then.
   */
  add(doc: NewDocument, hashes: readonly string[] = []): number {
    return this.#db.transaction(() => {
      const all = [...new Set([doc.hash, ...hashes])]
      for (const hash of all) this.#checkFree(hash)
      const { columns, values } = assignments(completed(doc, this.#now()))
      const { lastInsertRowid } = this.#db
        .sql(`INSERT INTO documents (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
        .run(...values)
      const id = Number(lastInsertRowid)
      for (const hash of all) this.addHash(id, hash)
      this.#addJob(id, doc.status)
      return id
    })
  }

  /** One more hash this document answers to. @throws AppError `conflict` when it is another one's. */
  addHash(id: number, hash: string): void {
    const owner = this.hashOwner(hash)
    if (owner?.documentId === id) return
    this.#checkFree(hash)
    this.#db.sql('INSERT INTO document_hashes (hash, document_id) VALUES (?, ?)').run(hash, id)
  }

  #checkFree(hash: string): void {
    const owner = this.hashOwner(hash)
    if (owner !== null) throw new AppError('conflict', because('in_catalogue_already', { filename: owner.filename }))
  }

  byId(id: number): Document | null {
    const row = this.#db.sql('SELECT * FROM documents WHERE id = ?').get(id)
    return row === undefined ? null : documentFromRow(row)
  }

  /** By the hash of what was uploaded, or of what it was converted to. */
  byHash(hash: string): Document | null {
    const row = this.#db
      .sql(
        'SELECT documents.* FROM document_hashes JOIN documents ON documents.id = document_id WHERE document_hashes.hash = ?'
      )
      .get(hash)
    return row === undefined ? null : documentFromRow(row)
  }

  hashOwner(hash: string): HashOwner | null {
    const found = this.byHash(hash)
    return found === null
      ? null
      : { documentId: found.id, hash: found.hash, filename: found.filename, status: found.status }
  }

  /** Every hash it answers to. */
  hashesOf(id: number): string[] {
    return this.#db
      .sql('SELECT hash FROM document_hashes WHERE document_id = ? ORDER BY hash')
      .all(id)
      .map((row) => String(row['hash']))
  }

  /** Newest first. */
  list(query: ListQuery): { documents: Document[]; next: number | null } {
    return listDocuments(this.#db, query)
  }

  counts(): Record<DocumentStatus, number> {
    return countDocuments(this.#db)
  }

  /** Items and vectors of all documents together. */
  totals(): { items: number; vectors: number } {
    const row = this.#db.sql('SELECT sum(item_count) AS items, sum(vector_count) AS vectors FROM documents').get()
    return { items: Number(row?.['items'] ?? 0), vectors: Number(row?.['vectors'] ?? 0) }
  }

  /** The number of documents that wait for somebody's decision. */
  countReview(): number {
    return Number(this.#db.sql('SELECT count(*) AS n FROM documents WHERE review IS NOT NULL').get()?.['n'] ?? 0)
  }

  countsBySource(sourceId: number): Record<DocumentStatus, number> {
    return countDocuments(this.#db, sourceId)
  }

  categories(): { name: string; count: number }[] {
    return listCategories(this.#db)
  }

  throughput(): Throughput {
    return throughput(this.#db, this.#now())
  }

  /** Of a document that is gone, nothing happens. */
  update(id: number, changes: Changes): void {
    const { sql, values } = assignments({ ...changes, changedAt: this.#now() })
    this.#db.sql(`UPDATE documents SET ${sql} WHERE id = ?`).run(...values, id)
  }

  /** @throws AppError `invalid` when the document is gone or does not wait for this stage: trying again is of no use. */
  begin(id: number, stage: Stage): Document {
    const { from, during } = STAGE_TABLE[stage]
    const found = this.byId(id)
    if (found === null) throw new AppError('invalid', because('document_gone', { id }))
    if (found.status !== from && found.status !== during)
      throw new AppError('invalid', because('document_nothing_to_do', { id, status: found.status, stage }))
    if (found.status !== during) this.update(id, { status: during })
    return { ...found, status: during }
  }

  /** The stage is done: its state, its time, and the job of the next one. For the transaction that ends the job. */
  finishStage(id: number, stage: Stage, changes: Changes = {}): void {
    const { to } = STAGE_TABLE[stage]
    this.#db.transaction(() => {
      const done = { status: to, reason: null, failedStage: null, [DONE_AT[stage]]: this.#now() }
      this.update(id, { ...done, ...changes })
      this.#addJob(id, to)
    })
  }

  /** The stage cannot go on for now (its job is held): the document waits for it again, and says why. */
  release(id: number, stage: Stage, reason: Reason | null = null): void {
    const found = this.byId(id)
    if (found?.status === STAGE_TABLE[stage].during) this.update(id, { status: STAGE_TABLE[stage].from, reason })
  }

  /** Left out on purpose, such as for its language: settled, no failure. */
  skip(id: number, reason: Reason, changes: Changes = {}): void {
    this.update(id, { ...changes, status: 'skipped', reason, failedStage: null })
  }

  /** A stage has given up. A document that is past the stage, or gone, stays as it is. */
  fail(id: number, stage: Stage, reason: Reason): void {
    const { from, during } = STAGE_TABLE[stage]
    const status = this.byId(id)?.status
    if (status === from || status === during) this.update(id, { status: 'failed', failedStage: stage, reason })
  }

  /** Back to the stage that failed, or, of a skipped one, to the look at its language. False: it is neither. */
  retry(id: number): boolean {
    const found = this.byId(id)
    if (found === null || (found.status !== 'failed' && found.status !== 'skipped')) return false
    this.again(id, found.status === 'skipped' ? 'enrich' : (found.failedStage ?? 'extract'))
    return true
  }

  /** Every failed document back to the stage that failed; skipped ones stay. Answers how many. */
  retryAll(): number {
    return this.#db.transaction(() => {
      const rows = this.#db.sql("SELECT id FROM documents WHERE status = 'failed' ORDER BY id").all()
      return rows.filter((row) => this.retry(Number(row['id']))).length
    })
  }

  /** The document waits for this stage (again), with its job. */
  again(id: number, stage: Stage): void {
    this.#db.transaction(() => {
      this.update(id, { status: STAGE_TABLE[stage].from, reason: null, failedStage: null })
      this.#addJob(id, STAGE_TABLE[stage].from)
    })
  }

  #addJob(id: number, status: DocumentStatus): void {
    const next = STAGES.find((stage) => STAGE_TABLE[stage].from === status)
    const found = next === undefined ? null : this.byId(id)
    if (next !== undefined) this.#jobs.add(next, String(id), found === null ? {} : { weight: weightOf(found) })
  }

  /** The document that is probably the same book; see copies.ts. */
  sameWork(meta: Metadata, exceptHash = ''): Document | null {
    return sameWork(this.#db, meta, exceptHash)
  }

  /** The document with the same or nearly the same text; see copies.ts. */
  similar(simhash: string, textHash: string, exceptHash = ''): Document | null {
    return similar(this.#db, simhash, textHash, exceptHash)
  }

  /** The documents whose texts may have much in common with this one; see text-sketches.ts. */
  alike(sketch: StoredSketch, exceptHash = ''): ReturnType<typeof alike> {
    return alike(this.#db, sketch, exceptHash)
  }

  setSketch(id: number, sketch: StoredSketch): void {
    storeSketch(this.#db, id, sketch)
  }

  /** Somebody has decided where it belongs. Its file stays where it is: the path is no identity. */
  decideDomain(id: number, domain: Domain): void {
    const found = this.byId(id)
    if (found === null) return
    const review = found.review?.duplicate_of == null ? null : { ...found.review, candidates: [] }
    this.update(id, { domain, taxonomy: TAXONOMY, review })
  }

  /** A probable copy is a document of its own after all: it goes on as if nobody had doubted it. */
  keep(id: number): void {
    const found = this.byId(id)
    if (found === null) return
    this.#db.transaction(() => {
      this.update(id, { review: null })
      if (found.status === 'needs_review') this.again(id, 'extract')
    })
  }

  /** Removes everything of it, in the background. */
  discard(id: number): void {
    this.#jobs.add('remove', String(id))
  }

  /** A probable copy takes the place of the one it copies, which is removed in the background. */
  replace(id: number): void {
    this.#db.transaction(() => {
      const other = this.byHash(this.byId(id)?.review?.duplicate_of ?? '')
      if (other !== null && other.id !== id) this.discard(other.id)
      this.keep(id)
    })
  }

  isBeingRemoved(id: number): boolean {
    const job = this.#jobs.get('remove', String(id))
    return job !== null && job.state !== 'dead'
  }

  /** The rows of a document: pages, items, hashes, its upload record and its jobs but `remove`. Files are the caller's part. */
  removeRows(id: number): Removed {
    return this.#db.transaction(() => {
      const count = (table: 'pages' | 'items' | 'document_hashes'): number =>
        Number(this.#db.sql(`SELECT count(*) AS n FROM ${table} WHERE document_id = ?`).get(id)?.['n'] ?? 0)
      const removed = { pages: count('pages'), items: count('items'), hashes: count('document_hashes') }
      for (const hash of this.hashesOf(id)) {
        this.#db.sql('DELETE FROM uploads WHERE hash = ?').run(hash)
        this.#jobs.remove('dispatch', hash)
      }
      for (const stage of STAGES) this.#jobs.remove(stage, String(id))
      this.#db.sql('DELETE FROM documents WHERE id = ?').run(id)
      return removed
    })
  }

  /** Items by their ids, in the order asked for; those that are gone are left out. */
  itemsById(ids: readonly number[]): Item[] {
    return ids.flatMap((id) => this.item(id) ?? [])
  }
}
