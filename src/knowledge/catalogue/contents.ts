import type { Reason } from '../../model/reason.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'
import type { Item, ItemDetails, NewItem, Page } from './document.ts'
import { pageFromRow } from './rows.ts'

/** Pages that were given to the enricher together, and what became of them; makes a long document resumable. */
export interface Window {
  /** From 0. */
  number: number
  firstPage: number
  lastPage: number
  state: 'done' | 'failed'
  reason: Reason | null
  /** The writer of its items: `extract`, or the name of a model. */
  provider: string
}

/** Pages read at once by whoever goes through all of them: less than a megabyte, whatever the document. */
const PAGES_AT_ONCE = 20

/** The contents of documents: pages, windows, items. Every method joins the caller's transaction. */
export class Contents {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  setPages(id: number, pages: readonly Page[]): void {
    this.#db.transaction(() => {
      this.#db.sql('DELETE FROM pages WHERE document_id = ?').run(id)
      this.putPages(id, pages)
    })
  }

  /** Adds pages, or puts them in the place of those of their numbers. */
  putPages(id: number, pages: readonly Page[]): void {
    this.#db.transaction(() => {
      const insert = this.#db.sql(
        'INSERT OR REPLACE INTO pages (document_id, number, text, method, start_seconds) VALUES (?, ?, ?, ?, ?)'
      )
      for (const { number, text, method, startSeconds } of pages) insert.run(id, number, text, method, startSeconds)
    })
  }

  pages(id: number, range: { from: number; to: number } = { from: 1, to: Number.MAX_SAFE_INTEGER }): Page[] {
    return this.#db
      .sql('SELECT * FROM pages WHERE document_id = ? AND number BETWEEN ? AND ? ORDER BY number')
      .all(id, range.from, range.to)
      .map(pageFromRow)
  }

  /** The numbers of all pages, in order. */
  pageNumbers(id: number): { number: number }[] {
    const rows = this.#db.sql('SELECT number FROM pages WHERE document_id = ? ORDER BY number').all(id)
    return rows.map((row) => ({ number: Number(row['number']) }))
  }

  /** All pages in order, of which a few are in memory at a time. */
  *eachPage(id: number): Generator<Page> {
    const next = this.#db.sql('SELECT * FROM pages WHERE document_id = ? AND number > ? ORDER BY number LIMIT ?')
    for (let last = Number.MIN_SAFE_INTEGER; ; ) {
      const pages = next.all(id, last, PAGES_AT_ONCE).map(pageFromRow)
      yield* pages
      if (pages.length < PAGES_AT_ONCE) return
      last = pages.at(-1)?.number ?? last
    }
  }

  page(id: number, number: number): Page | null {
    const row = this.#db.sql('SELECT * FROM pages WHERE document_id = ? AND number = ?').get(id, number)
    return row === undefined ? null : pageFromRow(row)
  }

  replaceItems(id: number, window: number, origin: NewItem['origin'], items: readonly NewItem[]): Item[] {
    return this.#db.transaction(() => {
      this.#db.sql('DELETE FROM items WHERE document_id = ? AND window = ? AND origin = ?').run(id, window, origin)
      return items.map((item) => this.#insert(id, { ...item, window, origin }))
    })
  }

  #insert(documentId: number, item: NewItem): Item {
    const { lastInsertRowid } = this.#db
      .sql(
        `INSERT INTO items (document_id, window, ordinal, origin, first_page, last_page, title, summary, content, details)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
      )
      .run(
        documentId,
        item.window,
        item.ordinal,
        item.origin,
        item.firstPage,
        item.lastPage,
        item.title,
        item.summary,
        item.content,
        JSON.stringify(item.details)
      )
    return { ...item, id: Number(lastInsertRowid), documentId }
  }

  items(id: number, { after = null, limit = -1 }: { after?: Item | null; limit?: number } = {}): Item[] {
    const [window, ordinal, itemId] = after === null ? [-1, -1, -1] : [after.window, after.ordinal, after.id]
    return this.#db
      .sql(
        `SELECT * FROM items WHERE document_id = ?1 AND (window, ordinal, id) > (?2, ?3, ?4)
         ORDER BY window, ordinal, id LIMIT ?5`
      )
      .all(id, window, ordinal, itemId, limit)
      .map(itemFromRow)
  }

  /** All items in order, so many at a time. */
  *itemSlices(id: number, size: number): Generator<Item[]> {
    for (let after: Item | null = null; ; ) {
      const slice: Item[] = this.items(id, { after, limit: size })
      if (slice.length > 0) yield slice
      if (slice.length < size) return
      after = slice.at(-1) ?? after
    }
  }

  /** The items that one writer made of a window, in order. */
  itemsOfWindow(id: number, window: number, origin: NewItem['origin']): Item[] {
    return this.#db
      .sql('SELECT * FROM items WHERE document_id = ? AND window = ? AND origin = ? ORDER BY ordinal')
      .all(id, window, origin)
      .map(itemFromRow)
  }

  /** The windows one writer made items of. */
  windowsWritten(id: number, origin: NewItem['origin']): number[] {
    return this.#db
      .sql('SELECT DISTINCT window FROM items WHERE document_id = ? AND origin = ? ORDER BY window')
      .all(id, origin)
      .map((row) => Number(row['window']))
  }

  /** Items that have something of this page, at most `limit`. */
  itemsOn(id: number, page: number, limit: number): Item[] {
    return this.#db
      .sql(
        `SELECT * FROM items WHERE document_id = ?1 AND first_page <= ?2 AND last_page >= ?2
         ORDER BY window, ordinal, id LIMIT ?3`
      )
      .all(id, page, limit)
      .map(itemFromRow)
  }

  item(itemId: number): Item | null {
    const row = this.#db.sql('SELECT * FROM items WHERE id = ?').get(itemId)
    return row === undefined ? null : itemFromRow(row)
  }

  countItems(id: number): number {
    return Number(this.#db.sql('SELECT count(*) AS n FROM items WHERE document_id = ?').get(id)?.['n'] ?? 0)
  }

  windows(id: number): Window[] {
    return this.#db.sql('SELECT * FROM windows WHERE document_id = ? ORDER BY number').all(id).map(windowFromRow)
  }

  setWindow(id: number, { number, firstPage, lastPage, state, reason, provider }: Window): void {
    this.#db
      .sql(
        `INSERT INTO windows (document_id, number, first_page, last_page, state, reason, provider)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (document_id, number) DO UPDATE SET first_page = excluded.first_page, last_page = excluded.last_page,
           state = excluded.state, reason = excluded.reason, provider = excluded.provider`
      )
      .run(id, number, firstPage, lastPage, state, reasonText(reason), provider)
  }

  /** Everything the enricher wrote, for doing it again from the first window. Answers how many items went. */
  clearEnrichment(id: number): number {
    return this.#db.transaction(() => {
      this.#db.sql('DELETE FROM windows WHERE document_id = ?').run(id)
      return Number(this.#db.sql('DELETE FROM items WHERE document_id = ?').run(id).changes)
    })
  }
}

function itemFromRow(row: Row): Item {
  return {
    id: Number(row['id']),
    documentId: Number(row['document_id']),
    window: Number(row['window']),
    ordinal: Number(row['ordinal']),
    origin: row['origin'] === 'llm' ? 'llm' : 'extract',
    firstPage: Number(row['first_page']),
    lastPage: Number(row['last_page']),
    title: String(row['title']),
    summary: String(row['summary']),
    content: String(row['content']),
    details: JSON.parse(String(row['details'])) as ItemDetails
  }
}

function windowFromRow(row: Row): Window {
  return {
    number: Number(row['number']),
    firstPage: Number(row['first_page']),
    lastPage: Number(row['last_page']),
    state: row['state'] === 'failed' ? 'failed' : 'done',
    reason: storedReason(row['reason']),
    provider: String(row['provider'])
  }
}
