import { oneLine } from '../../platform/text.ts'
import { BULLET, blocksOf, CELLS } from '../enrich/blocks.ts'
import { splitSentences } from '../enrich/sentences.ts'

/** A sentence, or an item of a list: the least of a text that may be said alone without changing its sense. */
export interface Statement {
  text: string
  /** Statements of one paragraph share it: only those may be said one after the other. */
  paragraph: number
}

/** A statement with the headings it stands under, the outermost first. */
export interface PlacedStatement extends Statement {
  headings: readonly string[]
  /** The sentence that its list begins with: `Give this to drink:`. */
  lead: string
  /** Nothing stands between it and its heading. */
  isFirst: boolean
}

/** A longer item of a list is said by its sentences. */
const MAX_ITEM = 320
/** A line that was only wrapped is about as wide as its page. */
const WRAPPED = 50
const ENDS = /[.!?:;…。！？]["'”’»)\]]*$/u
/** A list that lost its lines: `… in a canteen. - Use 2 drops`. */
const INLINE_MARK = /\s(?=[•‣◦▪●○]\s|[-–—*]\s\p{Lu})/u
const MARKED = /^(#{1,6}) /
/** A heading without a mark is the innermost. */
const INNERMOST = 7
const MOST_HEADINGS = 3

/** The sentences and the items of lists of a text, in order; rows of a table and headings stand alone. */
export function statementsOf(text: string): Statement[] {
  return paragraphsOf(text).flatMap((lines, paragraph) => {
    const whole = oneLine(lines)
    const parts = BULLET.test(whole) && whole.length <= MAX_ITEM ? [whole] : splitSentences(whole)
    return parts.flatMap((part) => (/\p{L}/u.test(part) ? [{ text: part.trim(), paragraph }] : []))
  })
}

/** The same without the headings, each with those it stands under. `heading`: of the text before its first one. */
export function placedStatementsOf(text: string, heading: string): PlacedStatement[] {
  const headings = new Set(
    blocksOf({ number: 1, text }).flatMap((block) => (block.kind === 'heading' ? [block.text] : []))
  )
  let under: { text: string; level: number }[] = heading === '' ? [] : [{ text: heading, level: INNERMOST }]
  let isFirst = true
  let lead = ''
  const placed: PlacedStatement[] = []
  for (const statement of statementsOf(text)) {
    if (!headings.has(statement.text)) {
      const isItem = BULLET.test(statement.text)
      if (!isItem) lead = ''
      placed.push({ ...statement, headings: under.map((one) => one.text), lead, isFirst })
      if (!isItem && statement.text.endsWith(':')) lead = statement.text
      isFirst = false
      continue
    }
    const plain = statement.text.replace(MARKED, '')
    const level = MARKED.exec(statement.text)?.[1]?.length ?? INNERMOST
    // Two headings in a row belong to one another.
    const outer = isFirst && placed.length > 0 ? under : under.filter((one) => one.level < level)
    under = [...outer.filter((one) => one.text !== plain), { text: plain, level }].slice(-MOST_HEADINGS)
    lead = ''
    isFirst = true
  }
  return placed
}

function paragraphsOf(text: string): string[] {
  const found: string[] = []
  let last = ''
  for (const line of text.split(/\r?\n|\f|\u2029/)) {
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
  if (trimmed === '' || !/\S/.test(line) || BULLET.test(line) || CELLS.test(before) || CELLS.test(line)) return false
  return !ENDS.test(trimmed) && (/^\s*\p{Ll}/u.test(line) || trimmed.length >= WRAPPED)
}
