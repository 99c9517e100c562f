/** A line this long, measured against the longest of its page, was broken because the paper ended. */
const FULL_LINE = 0.7
const SHORT_PAGE = 40

/** A stretch of text; of a table set with blanks every blank counts. */
export interface Paragraph {
  text: string
  isTable: boolean
}

/**
 * The text of a page as paragraphs for any width: lines that were broken by the width of the paper are joined, words cut by
 * a hyphen too. Lists and headings keep their lines, tables their columns.
 */
export function paragraphs(text: string): Paragraph[] {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\f\v]/g, '\n\n')
    .split(/\n(?:[ \t]*\n)+/)
    .map((block) =>
      isTable(block) ? { text: outdented(block), isTable: true } : { text: joined(block), isTable: false }
    )
    .filter((paragraph) => paragraph.text.trim() !== '')
}

const COLUMN = /\S {3,}\S/

function isTable(block: string): boolean {
  const lines = block.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 1 && lines.filter((line) => COLUMN.test(line)).length > lines.length / 2
}

/** Without the blanks that every line begins with. */
function outdented(block: string): string {
  const lines = block.split('\n').map((line) => line.trimEnd())
  const indents = lines.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  return lines.map((line) => line.slice(indent)).join('\n')
}

function joined(block: string): string {
  const lines = block.split('\n').map((line) => line.trimEnd())
  const width = Math.max(SHORT_PAGE, ...lines.map((line) => line.length))
  const parts: string[] = []
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const last = parts.at(-1)
    if (before === undefined || last === undefined || !goesOn(before, line, width)) parts.push(line.trim())
    else if (/\p{L}-$/u.test(last) && /^\s*\p{Ll}/u.test(line))
      parts[parts.length - 1] = last.slice(0, -1) + line.trim()
    else parts[parts.length - 1] = `${last} ${line.trim()}`
  }
  return parts.join('\n').trim()
}

/** True when `line` is the rest of the sentence of the line before. */
function goesOn(before: string, line: string, width: number): boolean {
  const isColumn = COLUMN.test(before) || COLUMN.test(line)
  const isEntry = /^\s*(?:[-–•*▪●]|\(?\d{1,3}[.)]|\(?[a-z]\))\s/i.test(line)
  return !isColumn && !isEntry && before.length >= width * FULL_LINE
}
