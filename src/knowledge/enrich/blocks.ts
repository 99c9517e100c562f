import { oneLine } from '../../platform/text.ts'
/** A part of a page that stands together. `lines`: a table or a list, whose lines mean something. */
export interface Block {
  page: number
  kind: 'heading' | 'prose' | 'lines'
  text: string
}

const MAX_HEADING = 100
export const BULLET = /^\s*(?:[-*+•‣◦▪●○–—]\s|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]\s)/i
export const CELLS = /\S(?: {3,}|\t| \| )\S/
/** `At night: 3.760 MHz`: a line with a name of its own, which is no part of the line before it. */
export const LABELLED = /^\s*[\p{Lu}\p{N}][^.;:!?]{0,50}:\s+\S/u
const DIVISION = /^(?:chapter|part|section|appendix|annex|article|unit|lesson|kapitel|chapitre|capítulo)\b/i
const NUMBERED = /^\d{1,2}(?:[.-]\d{1,3}){0,4}\.?\s+\p{Lu}/u
const SMALL_WORDS =
  /^(?:a|an|and|as|at|by|for|from|in|into|of|on|or|the|to|with|without|de|des|du|et|la|le|und|der|die|das|von|y|el|\W+|\d+)$/i

/**
 * A page in its blocks, in order: headings, paragraphs (their lines joined), tables and lists (line by line). Every word
 * of the page is in one block, in its place.
 */
export function blocksOf(page: { number: number; text: string }): Block[] {
  const found: Block[] = []
  for (const group of page.text.split(/\r?\n[^\S\n]*\n|\f|\u2029/)) {
    const lines = group
      .split(/\r?\n/)
      .map((line) => line.trimEnd())
      .filter((line) => /\S/.test(line))
    found.push(...blocksOfLines(lines, page.number))
  }
  return found
}

function blocksOfLines(lines: readonly string[], page: number): Block[] {
  const found: Block[] = []
  let at = 0
  for (; at < lines.length; at++) {
    const [line = '', next] = [lines[at], lines[at + 1]]
    // Of a list that begins at once, no line is a heading.
    if ((next !== undefined && BULLET.test(line) && BULLET.test(next)) || !isHeading(line, next !== undefined)) break
    found.push({ page, kind: 'heading', text: oneLine(line) })
  }
  const rest = at === 0 ? lines : lines.slice(at)
  if (rest.length === 0) return found
  if (isTabular(rest)) found.push({ page, kind: 'lines', text: rest.map(keepColumns).join('\n') })
  else found.push({ page, kind: 'prose', text: rest.map((one) => oneLine(one)).join(' ') })
  return found
}

function isTabular(lines: readonly string[]): boolean {
  if (lines.length < 2) return false
  const count = (test: RegExp): number => lines.filter((line) => test.test(line)).length
  if (count(BULLET) * 3 >= lines.length || count(CELLS) * 2 >= lines.length) return true
  return count(LABELLED) * 3 >= lines.length * 2
}

/** A line before a paragraph without a blank line between them must say more clearly that it is a heading. */
function isHeading(line: string, glued: boolean): boolean {
  const text = line.trim()
  if (text.length > MAX_HEADING) return false
  if (/^#{1,6}\s+\S/.test(text)) return true
  if (!/\p{L}{2}/u.test(text) || /[.,;:…]$|\.{3}|\s\|\s/.test(text)) return false
  if (/^[-*+•‣◦▪●○]\s/.test(text) || CELLS.test(text)) return false
  if (isDivision(text) || NUMBERED.test(text)) return true
  if (isCapital(text)) return true
  return !glued && isTitleCase(text)
}

/** `Chapter 4`, `Appendix B: Knots`. */
export function isDivision(heading: string): boolean {
  return DIVISION.test(heading.trim())
}

function isCapital(text: string): boolean {
  return /\p{Lu}.*\p{Lu}.*\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text)
}

function isTitleCase(text: string): boolean {
  if (!/^["'“‘(]?[\p{Lu}\d]/u.test(text)) return false
  const words = text.split(/\s+/).filter((word) => !SMALL_WORDS.test(word))
  return words.length > 0 && words.length <= 12 && words.every((word) => /^["'“‘(]?[\p{Lu}\d]/u.test(word))
}

/** Blanks between cells are two, those at the beginning are kept up to eight: lists within lists. */
function keepColumns(line: string): string {
  const indent = Math.min(8, line.length - line.trimStart().length)
  return ' '.repeat(indent) + line.trim().replace(/[^\S ]+|\s{3,}/g, '  ')
}
