import { because, type Reason } from '../../model/reason.ts'
import { sha256Hex } from '../../platform/bytes/hash.ts'
import type { Database } from '../../platform/database/database.ts'
import { reasonText } from '../../platform/database/stored-reason.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Page } from '../catalogue/document.ts'
import type { NewDocument } from '../catalogue/rows.ts'
import { comparedWords } from '../enrich/simhash.ts'
import { cutPages } from '../enrich/text-pages.ts'
import type { EntryLine } from './archive-lines.ts'
import type { LibrarySource } from './source.ts'
import { isWanted, type LibrarySources } from './sources.ts'

const FILENAME_LENGTH = 120

interface Parts {
  db: Database
  catalogue: Catalogue
  sources: LibrarySources
  /** The domain of an article; intake/classify.ts. */
  domainOf: (article: { title: string; text: string }) => string
  now: () => number
}

/** The articles that were read, and where reading goes on. */
export interface Batch {
  lines: readonly EntryLine[]
  /** The checkpoint it was read from; another one means that somebody else has read on. */
  from: number
  /** The checkpoint afterwards. */
  to: number
  isEnd: boolean
}

/** An article ready to be stored: everything slow is done before the transaction. */
interface Prepared {
  line: EntryLine
  document: { row: NewDocument; pages: Page[]; textHash: string } | null
}

/** The hash a wiki document is known by: of archive and path, so that the same archive gives the same documents. */
export function articleHash(uuid: string, path: string): string {
  return sha256Hex(`zim:${uuid}:${path}`)
}

/** Stores what was read from an archive: documents with their pages and jobs, what became of each article, the checkpoint. */
export class ArchiveArticles {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * One transaction: all of it and the checkpoint, or nothing. False, and nothing stored, when ingest was turned off, the
   * source is missing or another archive by now, or somebody else has read on.
   */
  store(source: LibrarySource, batch: Batch): boolean {
    const prepared = batch.lines.map((line) => this.#prepare(source, line))
    const { catalogue, sources } = this.#parts
    return catalogue.transaction(() => {
      const now = sources.byId(source.id)
      if (!isWanted(now) || now.uuid !== source.uuid || now.checkpoint !== batch.from) return false
      for (const article of prepared) this.#storeOne(now, article)
      this.#advance(source.id, batch)
      return true
    })
  }

  #advance(id: number, { to, isEnd }: Batch): void {
    const now = this.#parts.now()
    this.#parts.db
      .sql(
        `UPDATE library_sources SET checkpoint = ?1, read_to_end = ?2, completed_at = CASE ?2 WHEN 1 THEN ?3 END,
           started_at = coalesce(started_at, ?3), changed_at = ?3 WHERE id = ?4`
      )
      .run(to, isEnd ? 1 : 0, now, id)
  }

  #prepare(source: LibrarySource, line: EntryLine): Prepared {
    if (line.kind !== 'article') return { line, document: null }
    const { title, text, path } = line
    const textHash = sha256Hex(comparedWords(text).join(' '))
    const pages = cutPages(text).map((page, at) => ({ number: at + 1, text: page, method: 'html', startSeconds: null }))
    const row: NewDocument = {
      hash: articleHash(source.uuid, path),
      kind: 'wiki',
      filename: `${title.replace(/[/\\\p{Cc}]/gu, ' ').slice(0, FILENAME_LENGTH)}.html`,
      title,
      author: '',
      edition: '',
      year: '',
      source: 'library',
      sourceId: source.id,
      category: source.category,
      url: path,
      sizeBytes: Buffer.byteLength(text),
      domain: this.#parts.domainOf({ title, text }),
      status: 'extracted',
      pageCount: pages.length,
      textHash
    }
    return { line, document: { row, pages, textHash } }
  }

  #storeOne(source: LibrarySource, { line, document }: Prepared): void {
    if (this.#isKnown(source.id, line.path)) return
    if (line.kind === 'skip' || line.kind === 'fail') {
      this.#put(source.id, line, { state: line.kind === 'skip' ? 'skipped' : 'failed', reason: line.reason })
    } else if (document !== null) this.#storeDocument(source, line, document)
  }

  #storeDocument(
    source: LibrarySource,
    line: EntryLine,
    { row, pages, textHash }: NonNullable<Prepared['document']>
  ): void {
    const { catalogue } = this.#parts
    const same = this.#sameText(source.id, textHash)
    const owner = catalogue.hashOwner(row.hash)
    if (same !== null || owner !== null) {
      const reason =
        same === null ? because('article_of_other_copy') : because('article_text_is_that_of', { path: same })
      this.#put(source.id, line, { state: 'duplicate', reason, textHash })
      return
    }
    // The category as it is now: it may have changed since the run began.
    const documentId = catalogue.add({ ...row, category: source.category })
    catalogue.setPages(documentId, pages)
    this.#put(source.id, line, { state: 'document', reason: null, documentId, textHash })
  }

  #isKnown(sourceId: number, path: string): boolean {
    return (
      this.#parts.db.sql('SELECT 1 FROM archive_articles WHERE source_id = ? AND path = ?').get(sourceId, path) !==
      undefined
    )
  }

  /** The path of an article of this source with this text, whatever became of it. */
  #sameText(sourceId: number, textHash: string): string | null {
    const row = this.#parts.db
      .sql('SELECT path FROM archive_articles WHERE source_id = ? AND text_hash = ? LIMIT 1')
      .get(sourceId, textHash)
    return row === undefined ? null : String(row['path'])
  }

  #put(
    sourceId: number,
    { path, title }: EntryLine,
    what: { state: string; reason: Reason | null; documentId?: number; textHash?: string }
  ): void {
    this.#parts.db
      .sql(
        `INSERT INTO archive_articles (source_id, path, title, state, reason, document_id, text_hash)
         VALUES (?, ?, ?, ?, ?, ?, ?)`
      )
      .run(sourceId, path, title, what.state, reasonText(what.reason), what.documentId ?? null, what.textHash ?? null)
  }
}
