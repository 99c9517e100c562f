import { type Database, openDatabase } from '../../platform/database/database.ts'
import { TOKENIZER } from './schema.ts'

export interface Snippet {
  text: string
  /** The places of matched words: [from, to) in UTF-16 units, ascending, never overlapping. */
  matches: [number, number][]
}

const WORDS = 36
const MAX_LENGTH = 320
const [OPEN, CLOSE] = ['\u0002', '\u0003']

/**
 * Finds the part of a text that a question is about. The texts pass through a table in memory with the tokenizer of the
 * index, so that exactly those words are marked that were found: other endings of a word, and without its accents.
 */
export class SnippetMaker {
  readonly #db: Database

  private constructor(db: Database) {
    this.#db = db
  }

  static async open(): Promise<SnippetMaker> {
    const migrations = [`CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = '${TOKENIZER}')`]
    return new SnippetMaker(await openDatabase({ path: ':memory:', migrations, synchronous: 'NORMAL' }))
  }

  /** `match`: an FTS5 expression; null marks nothing. */
  make(text: string, match: string | null): Snippet {
    const plain = text
      .replace(/\p{Cc}+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const marked = match === null ? undefined : this.#marked(plain, match)
    return marked === undefined ? { text: clip(plain), matches: [] } : clipped(read(marked))
  }

  #marked(text: string, match: string): string | undefined {
    this.#db.sql('DELETE FROM texts').run()
    this.#db.sql('INSERT INTO texts (rowid, text) VALUES (1, ?)').run(text)
    const row = this.#db
      .sql(`SELECT snippet(texts, 0, ?, ?, '…', ${WORDS}) AS snippet FROM texts WHERE texts MATCH ?`)
      .get(OPEN, CLOSE, match)
    return row === undefined ? undefined : String(row['snippet'])
  }

  close(): void {
    this.#db.close()
  }
}

function read(marked: string): Snippet {
  const matches: [number, number][] = []
  let text = ''
  let from = 0
  for (const char of marked) {
    if (char === OPEN) from = text.length
    else if (char === CLOSE) matches.push([from, text.length])
    else text += char
  }
  return { text, matches }
}

/** A word may be as long as a book where nobody leaves blanks: the piece around the first match is what counts. */
function clipped({ text, matches }: Snippet): Snippet {
  if (text.length <= MAX_LENGTH) return { text, matches }
  const [[first] = [0]] = matches
  const from = Math.max(0, Math.min(first - MAX_LENGTH / 4, text.length - MAX_LENGTH))
  const start = from === 0 || !isLowSurrogate(text, from) ? from : from + 1
  const end = isLowSurrogate(text, from + MAX_LENGTH) ? from + MAX_LENGTH - 1 : Math.min(text.length, from + MAX_LENGTH)
  const shown = matches
    .map(([a, b]): [number, number] => [Math.max(a, start) - start, Math.min(b, end) - start])
    .filter(([a, b]) => b > a)
  return { text: text.slice(start, end), matches: shown }
}

function clip(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const cut = text.slice(0, isLowSurrogate(text, MAX_LENGTH) ? MAX_LENGTH - 1 : MAX_LENGTH)
  const blank = cut.lastIndexOf(' ')
  return `${blank > MAX_LENGTH / 2 ? cut.slice(0, blank) : cut} …`
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff
}
