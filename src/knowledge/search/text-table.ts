import { type Database, openDatabase } from '../../platform/database/database.ts'
import { TOKENIZER } from './schema.ts'

/** One place of a word in a text: `head` is its title and headings. */
interface WordPlace {
  row: number
  isHead: boolean
  /** Words before it. */
  at: number
}

const MAX_KNOWN = 5000

/**
 * Some texts for one question, in memory, with the tokenizer of the index: exactly those words are found in them that the index
 * finds, other endings of a word and without its accents.
 */
export class TextTable {
  readonly #db: Database
  readonly #stems = new Map<string, readonly string[]>()

  private constructor(db: Database) {
    this.#db = db
  }

  static async open(): Promise<TextTable> {
    const migrations = [
      `CREATE VIRTUAL TABLE texts USING fts5(head, body, tokenize = '${TOKENIZER}');
       CREATE VIRTUAL TABLE places USING fts5vocab(texts, instance);`
    ]
    return new TextTable(await openDatabase({ path: ':memory:', migrations, synchronous: 'NORMAL' }))
  }

  /** The stems of each text, in their order. */
  stems(texts: readonly string[]): (readonly string[])[] {
    const unknown = [...new Set(texts)].filter((text) => !this.#stems.has(text))
    if (this.#stems.size + unknown.length > MAX_KNOWN) this.#stems.clear()
    const wanted = this.#stems.size === 0 ? [...new Set(texts)] : unknown
    if (wanted.length > 0) this.#learn(wanted)
    return texts.map((text) => this.#stems.get(text) ?? [])
  }

  #learn(texts: readonly string[]): void {
    this.#db.transaction(() => {
      this.load(texts.map((body) => ({ head: '', body })))
      const found = texts.map((): string[] => [])
      for (const row of this.#db.sql('SELECT doc, term FROM places ORDER BY doc, offset').iterate())
        found[Number(row['doc']) - 1]?.push(String(row['term']))
      for (const [at, text] of texts.entries()) this.#stems.set(text, found[at] ?? [])
    })
  }

  /** Replaces all texts; `row` counts from 0. */
  load(texts: readonly { head: string; body: string }[]): void {
    this.#db.transaction(() => {
      this.#db.sql('DELETE FROM texts').run()
      const insert = this.#db.sql('INSERT INTO texts (rowid, head, body) VALUES (?, ?, ?)')
      for (const [at, { head, body }] of texts.entries()) insert.run(at + 1, head, body)
    })
  }

  /** Every place of a word, or of a phrase in this order. */
  places(stems: readonly string[]): WordPlace[] {
    const [first, ...rest] = stems
    if (first === undefined) return []
    const found = this.#placesOf(first)
    if (rest.length === 0) return found
    const key = ({ row, isHead, at }: WordPlace): string => `${row} ${isHead} ${at}`
    const others = rest.map((stem) => new Set(this.#placesOf(stem).map(key)))
    return found.filter((place) =>
      others.every((other, ahead) => other.has(key({ ...place, at: place.at + ahead + 1 })))
    )
  }

  #placesOf(stem: string): WordPlace[] {
    return this.#db
      .sql('SELECT doc, col, offset FROM places WHERE term = ?')
      .all(stem)
      .map((row) => ({ row: Number(row['doc']) - 1, isHead: row['col'] === 'head', at: Number(row['offset']) }))
  }

  close(): void {
    this.#db.close()
  }
}
