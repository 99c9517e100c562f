/** A row of a table as it may be said: `adults: Single dose: 1000 mg; Again after: 4 hours`, and each cell as `adults, Again after: 4 hours`. */
export interface TableRow {
  whole: string
  cells: readonly { text: string; head: string }[]
  /** The heads of its columns are not known, and it has more than one figure's place: no number of it may be said. */
  isLoose: boolean
}

/** Two blanks are what is left of the columns of a page; after a sentence they are its end. */
const GAP = /[^\s.!?:;](?: {2,}|\t+)\S|\S(?:\t| \| )\S|^\s*\|.*\|/
const BETWEEN = /\t+| {2,}/
const RULE_CELL = /^:?-{2,}:?$/
const BETWEEN_RULES = /[\s|+]+/
const FIGURE = /\p{N}/u

/** True for a line with cells side by side. */
export function isRow(line: string): boolean {
  return GAP.test(line)
}

/** True for the line of dashes under the heads of a table. */
export function isRule(line: string): boolean {
  return line.includes('--') && line.split(BETWEEN_RULES).every((cell) => cell === '' || RULE_CELL.test(cell))
}

/**
 * The rows of a table without its heads, each cell with the head of its column; of a table without heads the second of two cells stands
 * alone behind the first. `before`: the heads of the table of which this one may be the rest.
 */
export function rowsOf(
  lines: readonly string[],
  before: readonly string[] | null = null
): {
  rows: TableRow[]
  heads: readonly string[] | null
} {
  const isRuled = lines[1] !== undefined && isRule(lines[1])
  const table = lines.filter((line) => !isRule(line)).map(cellsOf)
  const [first = [], ...rest] = table
  const own = rest.length > 0 && (isRuled || isHead(first, rest)) ? first : null
  const heads = own ?? (before !== null && before.length === first.length ? before : null)
  const body = own === null ? table : rest
  return { rows: body.map((cells) => rowOf(cells, heads)), heads }
}

function cellsOf(line: string): string[] {
  const trimmed = line.trim()
  const cells = /^\||\s\|\s/.test(trimmed) ? trimmed.replace(/^\||\|$/g, '').split('|') : trimmed.split(BETWEEN)
  return cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
}

/** Heads are words above figures, or figures of another kind than those below: `10 mm` above `2,100 kg`. */
function isHead(first: readonly string[], rest: readonly string[][]): boolean {
  const like = rest.filter((cells) => cells.length === first.length)
  return first.some((cell, at) => {
    const below = like.map((cells) => cells[at] ?? '')
    const areFigures = below.filter((each) => FIGURE.test(each)).length * 2 > below.length
    return areFigures && (!FIGURE.test(cell) || (at > 0 && below.every((each) => unitOf(each) !== unitOf(cell))))
  })
}

const unitOf = (cell: string): string => /\p{N}\s*([^\p{N}\s.,]*)$/u.exec(cell)?.[1] ?? ''

function rowOf(cells: readonly string[], heads: readonly string[] | null): TableRow {
  const [name = '', ...values] = cells
  if (heads === null || heads.length !== cells.length)
    return values.length === 1
      ? { whole: `${name}: ${values[0] ?? ''}`, cells: [], isLoose: false }
      : { whole: cells.filter((cell) => cell !== '').join(', '), cells: [], isLoose: true }
  // A bare figure is told by what it counts: Channel 16.
  const label = /\p{L}/u.test(name) ? name : `${heads[0] ?? ''} ${name}`.trim()
  const said = values.flatMap((value, at) => {
    const head = heads[at + 1] ?? ''
    return /[\p{L}\p{N}]/u.test(value) ? [{ head, text: head === '' ? value : `${head}: ${value}` }] : []
  })
  return {
    whole: `${label}: ${said.map(({ text }) => text).join('; ')}`,
    cells: said.length > 1 ? said.map(({ text, head }) => ({ text: `${label}, ${text}`, head })) : [],
    isLoose: said.length === 0
  }
}
