import { type Database, openDatabase } from '../../platform/database/database.ts'
import { tellingWords } from '../enrich/keywords.ts'
import type { LexicalRows } from './lexical.ts'
import { parseQuestion, wordMatch } from './question.ts'
import { TOKENIZER } from './schema.ts'
import { type Statement, statementsOf } from './statements.ts'

/** The words of a passage that answer a question: whole sentences, or one whole item of a list. */
export interface Excerpt {
  /** The number of the passage. */
  n: number
  text: string
}

/** The telling words of a question, the rarest of the library first. */
export interface Wanted {
  words: readonly { word: string; weight: number }[]
  /** The word whose amount is asked for: bleach in "how much bleach", "how many drops of bleach". */
  amountOf: string | null
}

const MAX_LENGTH = 320
/** A passage is shorter; a text without any paragraph is not read to its end for one question. */
const MAX_READ = 20_000
const AMOUNT =
  /(?:\bhow (?:much|many)|\b(?:dose|dosage|amount) of|\bwie ?viele?|\bdosis)\s+(?:\p{L}+ (?:of|von) )?(\p{L}[\p{L}\p{M}]*)/iu
const NUMBER =
  /\p{N}|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|half|quarter|third|double|twice|dozen|hundred|thousand|ein(?:e[rmn]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|halbe?|doppelt|hundert|tausend)\b/iu
/** Words of questions: rare in books, and nothing an answer is about. */
const ASKING = new Set(
  `best bit far happen happens help know long mean means need needs often old please right tell thing want way
  bitte brauche lange oft viel viele welche welcher wieviel wie was wo warum wann muss soll ich mein meine`.split(/\s+/)
)

/**
 * Chooses what may be said as the answer: nothing in which the rarest word of the question is missing, and no number
 * without the word whose amount is asked for, or else the next rarest. Two substances of one list share most of their words.
 */
export class Excerpts {
  readonly #db: Database
  readonly #library: Pick<LexicalRows, 'frequency' | 'totals'>

  private constructor(db: Database, library: Pick<LexicalRows, 'frequency' | 'totals'>) {
    this.#db = db
    this.#library = library
  }

  static async open(library: Pick<LexicalRows, 'frequency' | 'totals'>): Promise<Excerpts> {
    const migrations = [`CREATE VIRTUAL TABLE statements USING fts5(text, tokenize = '${TOKENIZER}')`]
    return new Excerpts(await openDatabase({ path: ':memory:', migrations, synchronous: 'NORMAL' }), library)
  }

  /** Null when no word of the question tells what it is about. */
  wanted(question: string): Wanted | null {
    const { words, phrases } = parseQuestion(question)
    const all = [...new Set([...words, ...phrases.flat()].map((word) => word.toLowerCase()))]
    const telling = all.filter((word) => !ASKING.has(word) && (/\p{N}/u.test(word) || tellingWords(word).length > 0))
    if (telling.length === 0) return null
    const { items } = this.#library.totals()
    const counted = telling.map((word) => ({ word, count: this.#library.frequency(wordMatch(word)) }))
    counted.sort((one, other) => one.count - other.count)
    const amount = AMOUNT.exec(question)?.[1]?.toLowerCase()
    return {
      words: counted.map(({ word, count }) => ({ word, weight: Math.log(1 + items / (1 + count)) })),
      amountOf: amount !== undefined && telling.includes(amount) ? amount : null
    }
  }

  /** The statement of these texts with the most of the question; of equal ones the first. Null: none may be said. */
  best(wanted: Wanted, texts: readonly { n: number; text: string }[]): Excerpt | null {
    let best: { excerpt: Excerpt; score: number } | null = null
    for (const { n, text } of texts) {
      const statements = statementsOf(text.slice(0, MAX_READ))
      const having = this.#having(wanted, statements)
      const isSaid = (at: number): boolean => maySay(wanted, statements[at], having[at])
      for (const at of statements.keys()) {
        const score = wanted.words.reduce((sum, { word, weight }) => sum + (having[at]?.has(word) ? weight : 0), 0)
        if (!isSaid(at) || (best !== null && score <= best.score)) continue
        best = { excerpt: { n, text: withNext(statements, at, isSaid) }, score }
      }
    }
    return best?.excerpt ?? null
  }

  /** All statements of a text that may be said alone. */
  sayable(wanted: Wanted, text: string): string[] {
    const statements = statementsOf(text.slice(0, MAX_READ))
    const having = this.#having(wanted, statements)
    return statements.flatMap((statement, at) => (maySay(wanted, statement, having[at]) ? [statement.text] : []))
  }

  /** The words of the question that each statement has, cut and stemmed as in the index. */
  #having({ words }: Wanted, statements: readonly Statement[]): ReadonlySet<string>[] {
    return this.#db.transaction(() => {
      this.#db.sql('DELETE FROM statements').run()
      const insert = this.#db.sql('INSERT INTO statements (rowid, text) VALUES (?, ?)')
      for (const [at, { text }] of statements.entries()) insert.run(at + 1, text)
      const having = statements.map(() => new Set<string>())
      const find = this.#db.sql('SELECT rowid AS id FROM statements WHERE statements MATCH ?')
      for (const { word } of words)
        for (const row of find.all(wordMatch(word))) having[Number(row['id']) - 1]?.add(word)
      return having
    })
  }

  close(): void {
    this.#db.close()
  }
}

function maySay(
  { words, amountOf }: Wanted,
  statement: Statement | undefined,
  having: ReadonlySet<string> = new Set()
): boolean {
  if (statement === undefined) return false
  const [rarest, next] = words.map(({ word }) => word)
  const subject = amountOf ?? (NUMBER.test(statement.text) ? next : undefined)
  return [rarest, subject].every((word) => word === undefined || having.has(word))
}

/** The sentences after it in its paragraph, as far as there is room: one with a number only if it could be said alone. */
function withNext(statements: readonly Statement[], from: number, isSaid: (at: number) => boolean): string {
  const first = statements[from]
  let text = first?.text ?? ''
  for (let at = from + 1; at < statements.length; at++) {
    const next = statements[at]
    if (next === undefined || next.paragraph !== first?.paragraph) break
    if ((NUMBER.test(next.text) && !isSaid(at)) || text.length + 1 + next.text.length > MAX_LENGTH) break
    text = `${text} ${next.text}`
  }
  return text
}
