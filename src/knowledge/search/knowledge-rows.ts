import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { Contents } from '../catalogue/contents.ts'
import { type Document, type Item, KINDS_OF_BADGE } from '../catalogue/document.ts'
import { documentFromRow } from '../catalogue/rows.ts'
import type { SearchQuery } from './service.ts'

export type Filter = Pick<SearchQuery, 'badge' | 'domain' | 'source' | 'document'>

/**
 * Documents whose items are to be found: enriched and everything after it, also while a later step runs or has failed.
 */
const SEARCHABLE = `(status IN ('enriched', 'embedding', 'complete') OR (status = 'failed' AND failed_stage = 'embed'))`

/** The search's view of `knowledge.db`; it writes nothing there. */
export class KnowledgeRows {
  readonly #db: Database
  readonly #contents: Contents

  constructor(db: Database) {
    this.#db = db
    this.#contents = new Contents(db)
  }

  /** Documents that pass the filter, or null when it leaves nothing out. */
  allowed({ badge, domain, source, document }: Filter): Set<number> | null {
    const conditions: string[] = []
    const values: SqlValue[] = []
    const add = (condition: string, ...given: SqlValue[]): void => {
      conditions.push(condition)
      values.push(...given)
    }
    if (badge !== undefined) add('kind IN (SELECT value FROM json_each(?))', JSON.stringify(KINDS_OF_BADGE[badge]))
    if (domain !== undefined) add('domain = ?', domain)
    if (document !== undefined) add('hash = ?', document)
    if (source !== undefined && /^\d{1,15}$/.test(source)) add('source_id = ?', Number(source))
    else if (source !== undefined) add('source = ?', source)
    if (conditions.length === 0) return null
    const rows = this.#db.sql(`SELECT id FROM documents WHERE ${conditions.join(' AND ')}`).all(...values)
    return new Set(rows.map((row) => Number(row['id'])))
  }

  document(id: number): Document | null {
    const row = this.#db.sql('SELECT * FROM documents WHERE id = ?').get(id)
    return row === undefined ? null : documentFromRow(row)
  }

  /** Those of the items that are still there, in the order asked for. */
  existing<Hit extends { itemId: number }>(hits: readonly Hit[]): Hit[] {
    const known = this.#db.sql('SELECT 1 FROM items WHERE id = ?')
    return hits.filter(({ itemId }) => known.get(itemId) !== undefined)
  }

  item(id: number): Item | null {
    return this.#contents.item(id)
  }

  /** All items of a document in order, so many at a time. */
  itemSlices(documentId: number, size: number): Generator<Item[]> {
    return this.#contents.itemSlices(documentId, size)
  }

  /** The number of items to be found by their words, and of those to be found by their vectors too. */
  itemCounts(): { words: number; vectors: number } {
    const row = this.#db
      .sql(
        `SELECT total(item_count) AS words, total(item_count) FILTER (WHERE status = 'complete') AS vectors FROM documents WHERE ${SEARCHABLE}`
      )
      .get()
    return { words: Number(row?.['words'] ?? 0), vectors: Number(row?.['vectors'] ?? 0) }
  }

  startSeconds(documentId: number, page: number): number | null {
    return this.#contents.page(documentId, page)?.startSeconds ?? null
  }

  /** Every document that is to be found, with its items: how many, and the sum of their ids, which together name the set. */
  searchable(): { id: number; complete: boolean; items: number; sum: number }[] {
    const rows = this.#db
      .sql(
        `SELECT documents.id AS id, status, count(items.id) AS items, total(items.id) AS sum
         FROM documents LEFT JOIN items ON items.document_id = documents.id
         WHERE ${SEARCHABLE} GROUP BY documents.id`
      )
      .all()
    return rows.map((row) => ({
      id: Number(row['id']),
      complete: row['status'] === 'complete',
      items: Number(row['items']),
      sum: Number(row['sum'])
    }))
  }
}
