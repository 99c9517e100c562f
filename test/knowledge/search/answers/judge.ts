import { hashEmbedder } from '../../../../src/knowledge/enrich/embed/hash.ts'
import { tellingWords } from '../../../../src/knowledge/enrich/keywords.ts'
import { Asker } from '../../../../src/knowledge/search/ask.ts'
import { Excerpts } from '../../../../src/knowledge/search/excerpt.ts'
import { Searcher } from '../../../../src/knowledge/search/searcher.ts'
import type { AskAnswer } from '../../../../src/knowledge/search/service.ts'
import { ENGLISH } from '../../../../src/model/air-languages.ts'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { openDatabase } from '../../../../src/platform/database/database.ts'
import { radioTexts } from '../../../../src/warning/commands/question.ts'
import type { FiledLibrary } from './library.ts'
import type { Labelled } from './questions.ts'

/** The answer of the station to one question. */
export interface Said {
  answer: AskAnswer
  /** By the limit of bytes. */
  radio: ReadonlyMap<number, readonly string[]>
}

export interface Sums {
  questions: number
  /** The passage with the fact is among the first five. */
  recall: number
  /** The fact is in the best answer. */
  answered: number
  /** The fact is in the best answer, or in the passage shown where there is none. */
  shown: number
  /** The fact is in the radio text of 140, of 200 bytes. */
  radio: { short: number; long: number }
  found: number
  perhaps: number
  /** Places to read that were given for an answer, and those in which the fact stands. */
  places: { given: number; right: number }
  /** Radio texts with a number or a substance of something else. */
  wrong: string[]
}

export const LIMITS = { short: 140, long: 200 }
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty|half|quarter|twice|double|zwei|drei|vier|fünf|sechs|acht|neun|zehn|zwölf|zwanzig|halbe?)\b/i
/** It asks for a figure: any other one is a wrong one. */
const ASKS_AMOUNT =
  /\bhow (?:much|many|long|deep|far|fast|thick|often|old|soon|hot|big|steep|full|high|wide)\b|\b(?:dose|maximum|voltage|temperature|frequency|load|ratio|fine)\b|\bwie (?:viele?|lange|weit|hoch|tief|oft|schnell)\b|\bwelche Frequenz\b/i
const SUBSTANCES =
  /\b(?:bleach|chlorine|iodine|iodide|alum|moringa|paracetamol|ibuprofen|aspirin|zinc|doxycycline|artesunate|permethrin|DEET|lime|lye|zinc oxide|salt|sugar)\b/gi

/** Asks a library as the page, the API and the radio do. */
export async function asking(library: FiledLibrary): Promise<{ ask: (q: string) => Promise<Said>; close: () => void }> {
  const { knowledge, index } = library
  const clock = new VirtualClock(0)
  const { lexical, vectors } = index
  const searcher = await Searcher.open({ knowledge, lexical, vectors, embedder: () => hashEmbedder, clock })
  const excerpts = await Excerpts.open(lexical)
  const asker = new Asker({
    passages: (query) => searcher.passages(query),
    model: () => null,
    excerpts
  })
  return {
    ask: async (q) => {
      const answer = await asker.ask({ question: q, limit: 5 })
      const limits = Object.values(LIMITS)
      const radio = new Map(
        limits.map((limit) => [
          limit,
          radioTexts(answer, { codeOf: () => '7Q4M2' }, { limitBytes: limit, spoken: ENGLISH })
        ])
      )
      return { answer, radio }
    },
    close: () => {
      excerpts.close()
      searcher.close()
    }
  }
}

/** One text without the marks of its parts and without its source, which ends the last part or is all of it. */
export function spoken(parts: readonly string[]): string {
  const said = parts.map((part) => part.replace(/^[12]\/2 /, ''))
  const last = said.pop() ?? ''
  return [...said, last.slice(0, Math.max(0, last.lastIndexOf(' - ')))].join(' ').trim()
}

/** True when the passage is one of that article, and holds the fact. */
export function isGold(
  library: FiledLibrary,
  [, article, fact]: Labelled,
  { hash, page, text }: { hash: string; page: number; text: string }
): boolean {
  const book = library.books.get(hash)
  return new RegExp(fact, 'i').test(text) && [page, page + 1].some((one) => book?.chapterOf(one) === article)
}

/** The sums of a set of questions. `show` sees every one. */
export async function judged(
  library: FiledLibrary,
  questions: readonly Labelled[],
  show: (labelled: Labelled, said: Said, right: boolean) => void = () => undefined
): Promise<Sums> {
  const { ask, close } = await asking(library)
  const sums: Sums = {
    questions: questions.length,
    recall: 0,
    answered: 0,
    shown: 0,
    radio: { short: 0, long: 0 },
    found: 0,
    perhaps: 0,
    places: { given: 0, right: 0 },
    wrong: []
  }
  for (const labelled of questions) {
    const [q, , pattern] = labelled
    const fact = new RegExp(pattern, 'i')
    const said = await ask(q)
    const { passages, excerpt, nearest } = said.answer
    if (passages.slice(0, 5).some((passage) => isGold(library, labelled, passage))) sums.recall++
    const isRight = fact.test(excerpt?.text ?? '')
    if (isRight) sums.answered++
    if (excerpt?.to_read === true) {
      sums.places.given++
      if (isRight) sums.places.right++
    }
    if (fact.test(excerpt?.text ?? nearest?.text ?? '')) sums.shown++
    const confidence = confidenceOf(said.answer)
    if (confidence === 'found') sums.found++
    if (confidence === 'perhaps') sums.perhaps++
    for (const [name, limit] of Object.entries(LIMITS) as ['short' | 'long', number][]) {
      const text = spoken(said.radio.get(limit) ?? [])
      if (fact.test(text)) sums.radio[name]++
      else if (isWrong(library, labelled, said.answer, text)) sums.wrong.push(`${q} → ${text}`)
    }
    show(labelled, said, isRight)
  }
  close()
  return sums
}

/**
 * A number where an amount was asked for, or is the fact, and this is not it; a number that is not of the article that answers; a substance
 * that neither the question nor the article names.
 */
function isWrong(
  library: FiledLibrary,
  [q, article, fact]: Labelled,
  { passages, excerpt }: AskAnswer,
  text: string
): boolean {
  const quoted = passages.find(({ n }) => n === excerpt?.n)
  if (quoted === undefined || text === '') return false
  const book = library.books.get(quoted.hash)
  const isOfArticle = [quoted.page, quoted.page + 1].some((one) => book?.chapterOf(one) === article)
  const asksAmount = ASKS_AMOUNT.test(q) || NUMBER.test(fact)
  if (NUMBER.test(text) && (asksAmount || !isOfArticle)) return true
  return !isOfArticle && [...text.matchAll(SUBSTANCES)].some(([word]) => !tellingWords(q).includes(word.toLowerCase()))
}

function confidenceOf(answer: AskAnswer): string {
  return answer.confidence
}

/** Questions without an answer: how often one was given nevertheless. */
export async function judgedNonsense(
  library: FiledLibrary,
  questions: readonly string[]
): Promise<{ found: string[]; perhaps: string[] }> {
  const { ask, close } = await asking(library)
  const found: string[] = []
  const perhaps: string[] = []
  for (const q of questions) {
    const { answer } = await ask(q)
    const line = `${q} → ${answer.excerpt?.text ?? answer.answer ?? ''}`
    const confidence = confidenceOf(answer)
    if (confidence === 'found') found.push(line)
    if (confidence === 'perhaps') perhaps.push(line)
  }
  close()
  return { found, perhaps }
}

/** Questions that a neighbour's figure would answer wrongly: the radio texts that say one, and how many places to read are given for them. */
export async function judgedUnanswered(
  library: FiledLibrary,
  questions: readonly string[]
): Promise<{ wrong: string[]; places: number }> {
  const { ask, close } = await asking(library)
  const wrong: string[] = []
  let places = 0
  for (const q of questions) {
    const { answer, radio } = await ask(q)
    const text = spoken(radio.get(LIMITS.short) ?? [])
    if (NUMBER.test(text)) wrong.push(`${q} → ${text}`)
    if (answer.excerpt?.to_read === true) places++
  }
  close()
  return { wrong, places }
}

/** How many of the questions have the fact among the first `k` passages of FTS5's own order, as plain as it comes. */
export async function plainRecall(
  library: FiledLibrary,
  questions: readonly Labelled[],
  { withStopWords = false, k = 5 } = {}
): Promise<number> {
  const db = await openDatabase({
    path: ':memory:',
    migrations: [`CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')`],
    synchronous: 'NORMAL'
  })
  const rows = library.knowledge
    .sql('SELECT items.id AS id, hash, first_page, content FROM items JOIN documents ON documents.id = document_id')
    .all()
  const passages = new Map(
    rows.map((row) => [
      Number(row['id']),
      { hash: String(row['hash']), page: Number(row['first_page']), text: String(row['content']) }
    ])
  )
  for (const [id, { text }] of passages) db.sql('INSERT INTO plain (rowid, text) VALUES (?, ?)').run(id, text)
  const best = db.sql('SELECT rowid AS id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain), rowid LIMIT ?')
  let recall = 0
  for (const labelled of questions) {
    const words = labelled[0].match(/[\p{L}\p{N}]+/gu) ?? []
    const chosen = withStopWords ? words : words.filter((word) => /\d/.test(word) || tellingWords(word).length > 0)
    const match = chosen.map((word) => `"${word}"`).join(' OR ')
    const hits = best.all(match, k).map((row) => passages.get(Number(row['id'])))
    if (hits.some((hit) => hit !== undefined && isGold(library, labelled, hit))) recall++
  }
  db.close()
  return recall
}
