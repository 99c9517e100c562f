import { oneLine } from '../../platform/text.ts'
import { BULLET, blocksOf, LABELLED } from '../enrich/blocks.ts'
import { splitSentences } from '../enrich/sentences.ts'
import { isRow, isRule, rowsOf } from './tables.ts'

/** A sentence, or an item of a list: the least of a text that may be said alone without changing its sense. */
export interface Statement {
  text: string
  /** Statements of one paragraph share it: only those may be said one after the other. */
  paragraph: number
  /**
   * A question is answered by what follows it. Of a table: a whole row, then each of its cells with the heads of its row and its column.
   */
  kind: 'prose' | 'question' | 'row' | 'cell'
  /** A row whose columns have no heads: its figures could be anything. */
  isLoose: boolean
  /** The head of the column that names the rows, of a cell also that of its own; empty where there is none. */
  column: string
}

/** A statement with the headings it stands under, the outermost first. */
export interface PlacedStatement extends Statement {
  headings: readonly string[]
  /** The sentence that its list begins with: `Give this to drink:`. */
  lead: string
  /** Nothing stands between it and its heading. */
  isFirst: boolean
  /** A sentence of its paragraph stands before it. */
  isContinued: boolean
}

/** A longer item of a list is said by its sentences. */
const MAX_ITEM = 320
/** A line that was only wrapped is about as wide as its page. */
const WRAPPED = 50
const ENDS = /[.!?:;…。！？]["'”’»)\]]*$/u
/** A list that lost its lines: `… in a canteen. - Use 2 drops`. */
const INLINE_MARK = /\s(?=[•‣◦▪●○]\s|[-–—*]\s\p{Lu}|\(\d{1,2}\)\s\p{Lu}|(?:[QAF]|Question|Answer|Frage|Antwort):\s)/u
/** Questions people asked, and what was answered: `Q: … A: …`. */
const ASKED = /^(?:Q|F|Question|Frage)\s?[:.]\s+/
const ANSWERED = /^(?:A|Answer|Antwort)\s?[:.]\s+/
const MARKED = /^(#{1,6}) /
/** A heading without a mark is the innermost. */
const INNERMOST = 7
const MOST_HEADINGS = 3

/** The sentences and the items of lists of a text, in order; rows of a table and headings stand alone. */
export function statementsOf(text: string): Statement[] {
  let paragraph = 0
  let heads: readonly string[] | null = null
  return partsOf(text).flatMap(({ lines, isTable }): Statement[] => {
    if (!isTable) {
      heads = null
      return paragraphsOf(lines).flatMap((one) => proseOf(one, paragraph++))
    }
    const table = rowsOf(lines, heads)
    heads = table.heads
    const column = heads?.[0] ?? ''
    return table.rows.flatMap(({ whole, cells, isLoose }) => [
      { text: whole, paragraph: paragraph++, kind: 'row' as const, isLoose, column },
      ...cells.map(({ text, head }) => ({ text, paragraph: paragraph++, kind: 'cell' as const, isLoose, column: head }))
    ])
  })
}

function proseOf(lines: string, paragraph: number): Statement[] {
  const whole = oneLine(lines)
  const of = (text: string, kind: Statement['kind']): Statement[] =>
    /\p{L}/u.test(text) ? [{ text: text.trim(), paragraph, kind, isLoose: false, column: '' }] : []
  if (ASKED.test(whole)) return of(whole.replace(ASKED, ''), 'question')
  const parts = BULLET.test(whole) && whole.length <= MAX_ITEM ? [whole] : splitSentences(whole)
  return parts.flatMap((part) => of(part.replace(ANSWERED, ''), /\?["'”’»)\]]*\s*$/u.test(part) ? 'question' : 'prose'))
}

/** Tables, of two rows or more, and what stands between them; blank lines end a table and do not part two halves of it. */
function partsOf(text: string): { lines: string[]; isTable: boolean }[] {
  const parts: { lines: string[]; isTable: boolean }[] = []
  const lines = text.split(/\r?\n|\f|\u2029/)
  const isOfTable = (line: string | undefined): boolean =>
    line !== undefined && (isRule(line) || (isRow(line) && !BULLET.test(line)))
  for (let at = 0; at < lines.length; ) {
    let end = at
    while (isOfTable(lines[end])) end++
    const isTable = end - at > 1
    const taken = lines.slice(at, isTable ? end : Math.max(end, at + 1))
    const last = parts.at(-1)
    if (isTable) parts.push({ lines: taken, isTable })
    else if (last?.isTable === false) last.lines.push(...taken)
    else if (taken.some((line) => /\S/.test(line))) parts.push({ lines: taken, isTable })
    at += taken.length
  }
  return parts
}

/** The same without the headings, each with those it stands under. `heading`: of the text before its first one. */
export function placedStatementsOf(text: string, heading: string): PlacedStatement[] {
  const headings = new Set(
    blocksOf({ number: 1, text }).flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
  )
  const placing = new Placing(heading)
  for (const statement of statementsOf(text))
    if (statement.kind === 'question') placing.ask(statement)
    else if (statement.kind === 'prose' && headings.has(statement.text)) placing.head(statement.text)
    else placing.place(statement)
  return placing.placed
}

class Placing {
  readonly placed: PlacedStatement[] = []
  #under: { text: string; level: number }[]
  #isFirst = true
  #lead = ''
  /** The last paragraph that may answer the question before it. */
  #answered = -1

  constructor(heading: string) {
    this.#under = heading === '' ? [] : [{ text: heading, level: INNERMOST }]
  }

  ask({ text, paragraph }: Statement): void {
    this.#lead = text
    this.#answered = paragraph + 1
  }

  place(statement: Statement): void {
    const { text, paragraph, column, kind } = statement
    const isItem = BULLET.test(text) || kind !== 'prose'
    if (!isItem && paragraph > this.#answered) this.#lead = ''
    const headings = this.#under.map((one) => one.text)
    const lead = [this.#lead, column].filter((part) => part !== '').join(' ')
    this.placed.push({
      ...statement,
      headings,
      lead,
      isFirst: this.#isFirst,
      isContinued: this.placed.at(-1)?.paragraph === paragraph
    })
    if (!isItem && text.endsWith(':')) this.#lead = text
    this.#isFirst = false
  }

  head(text: string): void {
    const plain = text.replace(MARKED, '')
    const level = MARKED.exec(text)?.[1]?.length ?? INNERMOST
    // Two headings in a row belong to one another.
    const outer = this.#isFirst && this.placed.length > 0 ? this.#under : this.#under.filter((one) => one.level < level)
    this.#under = [...outer.filter((one) => one.text !== plain), { text: plain, level }].slice(-MOST_HEADINGS)
    this.#lead = ''
    this.#answered = -1
    this.#isFirst = true
  }
}

function paragraphsOf(lines: readonly string[]): string[] {
  const found: string[] = []
  let last = ''
  for (const line of lines) {
    const [first = '', ...items] = line.split(INLINE_MARK)
    if (found.length > 0 && goesOn(last, first)) found.push(`${found.pop() ?? ''} ${first.trim()}`)
    else if (/\S/.test(first)) found.push(first)
    found.push(...items)
    last = items.at(-1) ?? first
  }
  return found
}

/** Two items are never taken for one: a line in doubt stands alone. */
function goesOn(before: string, line: string): boolean {
  const trimmed = before.trim()
  if (trimmed === '' || !/\S/.test(line) || BULLET.test(line) || isRow(before) || isRow(line) || LABELLED.test(line))
    return false
  return !ENDS.test(trimmed) && (/^\s*\p{Ll}/u.test(line) || trimmed.length >= WRAPPED)
}
