import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../platform/database/database.ts'
import type { Item } from '../catalogue/document.ts'
import type { IndexFacts, LexicalIndex } from './ports.ts'

/**
 * The weights of a word in the title, the text and the keywords; measured on the labelled questions
 * (docs/decisions/0010).
 */
const WEIGHTS = '3.0, 1.0, 1.5'
const FIRST_READ = 1000
/** One book with more passages about a question than this hides the others. */
const MOST_READ = 20_000
/** Shorter words are all within reach of each other; longer ones are no words. */
const DICTIONARY_WORD = /^(?=.*\p{L})[\p{L}\p{N}\p{M}]{3,40}$/u
/** Of one document; a large encyclopaedia has fewer, a log with an address in every line has no end of them. */
const MOST_WORDS = 100_000
const NO_WORD = /[^\p{L}\p{N}\p{M}]+/u

export interface LexicalHit {
  itemId: number
  documentId: number
}

/** The words of items: FTS5 without a copy of the text. What nobody asks for any more is really gone from it. */
export class LexicalRows implements LexicalIndex {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  put(documentId: number, items: readonly Item[], facts: IndexFacts): void {
    const dictionary = new Set<string>()
    this.#db.transaction(() => {
      this.#forget(documentId)
      this.#insert(documentId, items, { facts, dictionary })
      this.#insertWords(documentId, dictionary)
    })
  }

  async putSlices(
    documentId: number,
    slices: Iterable<readonly Item[]>,
    facts: IndexFacts,
    signal?: AbortSignal
  ): Promise<void> {
    const dictionary = new Set<string>()
    const all = slices[Symbol.iterator]()
    for (let slice = all.next(), isFirst = true; ; isFirst = false) {
      const items = slice.done === true ? [] : slice.value
      slice = slice.done === true ? slice : all.next()
      const isLast = slice.done === true
      this.#db.transaction(() => {
        if (isFirst) this.#forget(documentId)
        this.#insert(documentId, items, { facts, dictionary })
        if (isLast) this.#insertWords(documentId, dictionary)
      })
      if (isLast) return
      await nextTurn()
      signal?.throwIfAborted()
    }
  }

  #insert(
    documentId: number,
    items: readonly Item[],
    { facts, dictionary }: { facts: IndexFacts; dictionary: Set<string> }
  ): void {
    const known = this.#db.sql('INSERT INTO indexed (item_id, document_id) VALUES (?, ?)')
    const insert = this.#db.sql('INSERT INTO lexical (rowid, title, content, keywords) VALUES (?, ?, ?, ?)')
    for (const item of items) {
      const { title, content, keywords } = fieldsOf(item, facts)
      known.run(item.id, documentId)
      insert.run(item.id, title, content, keywords)
      for (const text of [title, content, keywords]) collectWords(text, dictionary)
    }
  }

  #insertWords(documentId: number, dictionary: ReadonlySet<string>): void {
    if (dictionary.size === 0) return
    this.#db.sql('INSERT INTO words (rowid, word) VALUES (?, ?)').run(documentId, [...dictionary].join(' '))
  }

  remove(documentId: number): number {
    return this.#db.transaction(() => this.#forget(documentId))
  }

  #forget(documentId: number): number {
    this.#db
      .sql('DELETE FROM lexical WHERE rowid IN (SELECT item_id FROM indexed WHERE document_id = ?)')
      .run(documentId)
    this.#db.sql('DELETE FROM words WHERE rowid = ?').run(documentId)
    return Number(this.#db.sql('DELETE FROM indexed WHERE document_id = ?').run(documentId).changes)
  }

  count(documentId: number): number {
    return Number(this.#db.sql('SELECT count(*) AS n FROM indexed WHERE document_id = ?').get(documentId)?.['n'] ?? 0)
  }

  totals(): { documents: number; items: number } {
    const row = this.#db.sql('SELECT count(*) AS items, count(DISTINCT document_id) AS documents FROM indexed').get()
    return { documents: Number(row?.['documents'] ?? 0), items: Number(row?.['items'] ?? 0) }
  }

  /**
   * The indexed items of every document: `items` how many, `sum` of their ids. Ids are never used twice, so both name
   * the set.
   */
  documents(): Map<number, { items: number; sum: number }> {
    const rows = this.#db
      .sql('SELECT document_id, count(*) AS items, total(item_id) AS sum FROM indexed GROUP BY document_id')
      .all()
    return new Map(
      rows.map((row) => [Number(row['document_id']), { items: Number(row['items']), sum: Number(row['sum']) }])
    )
  }

  /**
   * Items that match an FTS5 expression, best first, equals by id; read only as far as the caller goes. `allowed`: of these
   * documents only.
   */
  *ranked(match: string, allowed: ReadonlySet<number> | null = null): Generator<LexicalHit> {
    const first = this.#best(match, allowed, { limit: FIRST_READ, offset: 0 })
    yield* first
    // SQLite keeps the best of a known number at a third of the cost of ordering all of them.
    if (first.length === FIRST_READ) yield* this.#best(match, allowed, { limit: MOST_READ, offset: FIRST_READ })
  }

  #best(
    match: string,
    allowed: ReadonlySet<number> | null,
    { limit, offset }: { limit: number; offset: number }
  ): LexicalHit[] {
    const only = allowed === null ? '' : 'AND owner.document_id IN (SELECT value FROM json_each(?))'
    const owner = allowed === null ? '' : 'JOIN indexed AS owner ON owner.item_id = lexical.rowid'
    const rows = this.#db
      .sql(
        `SELECT item_id, document_id FROM (
           SELECT lexical.rowid AS id, bm25(lexical, ${WEIGHTS}) AS score FROM lexical ${owner}
           WHERE lexical MATCH ? ${only} ORDER BY score, id LIMIT ? OFFSET ?
         ) JOIN indexed ON item_id = id ORDER BY score, id`
      )
      .all(match, ...(allowed === null ? [] : [JSON.stringify([...allowed])]), limit, offset)
    return rows.map((row) => ({ itemId: Number(row['item_id']), documentId: Number(row['document_id']) }))
  }

  matches(match: string, itemId: number): boolean {
    return this.#db.sql('SELECT 1 FROM lexical WHERE lexical MATCH ? AND rowid = ?').get(match, itemId) !== undefined
  }

  /** How many items match; more than can matter are not counted. */
  frequency(match: string): number {
    const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM lexical WHERE lexical MATCH ? LIMIT ${MOST_READ})`
    return Number(this.#db.sql(sql).get(match)?.['n'] ?? 0)
  }

  /** True when any item matches. */
  knows(match: string): boolean {
    return this.#db.sql('SELECT 1 FROM lexical WHERE lexical MATCH ? LIMIT 1').get(match) !== undefined
  }

  /** True when the word stands in the title of any item or document. */
  isInTitle(word: string): boolean {
    return this.knows(`title : "${word}"`)
  }

  /** Words of all documents from `from` up to, not including, `to`, as they were written, with how many documents use each. */
  *dictionary(from: string, to: string): Generator<{ word: string; documents: number }> {
    const rows = this.#db.sql('SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?').iterate(from, to)
    for (const row of rows) yield { word: String(row['term']), documents: Number(row['doc']) }
  }
}

/** The title of the document is part of every item: a question that names the book finds its passages. */
function fieldsOf(item: Item, facts: IndexFacts): { title: string; content: string; keywords: string } {
  const { keywords, subdomain } = item.details
  return {
    title: item.title === facts.title ? item.title : `${item.title}\n${facts.title}`,
    content: item.content.includes(item.summary) ? item.content : `${item.summary}\n${item.content}`,
    keywords: [...keywords, ...subdomain, facts.author].join('\n')
  }
}

function collectWords(text: string, into: Set<string>): void {
  if (into.size >= MOST_WORDS) return
  for (const word of text.toLowerCase().split(NO_WORD)) if (DICTIONARY_WORD.test(word)) into.add(word)
}
