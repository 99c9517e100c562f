import type { Metadata } from '../catalogue/document.ts'
import {
  editionIn,
  looksLikeName,
  manualNumber,
  oneFact,
  titleCased,
  usableAuthor,
  usableTitle,
  yearIn
} from './title-text.ts'

const MAX_TEXT = 20_000
const MAX_LINES = 40
const MAX_TITLE_LINES = 3
const MAX_TITLE = 120
/** Lines of a title page that are not its title. */
const NOT_A_TITLE =
  /^(?:contents|table of contents|copyright|©|isbn|page|chapter|part|section|volume|vol\.|by\b|edited by|written by|translated by|illustrated by|published|publisher|printed|all rights|department of|headquarters|distribution|approved for|washington|dedicat|for my|foreword|preface|acknowledg|introduction$|the project gutenberg|produced by|www\.|https?:|e-?mail|tel|fax|dear\b|to:|from:|date:|subject:)/i
/** A heading of Markdown, by its level. */
const MARKED = /^(#{1,6}) +(?=\S)/
/** A line of running text. */
const [PROSE, SENTENCE_END] = [80, /[.!?]["'”’»)]*$/]
const BY = /^(?:(?:written|compiled|edited)\s+)?by:?\s+(.+)$/i
const YEARS = [
  /(?:©|\(c\)|copyright)[^\n]{0,40}?(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)/i,
  /(?:published|printed|first edition|reprinted|revised|issued)[^\n]{0,30}?(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)/i,
  /^[^\n]{0,40}\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b[^\n\d]{0,4}(?:\d{1,2},?\s+)?((?:1[5-9]|20)\d\d)\s*$/im,
  /^\s*((?:1[5-9]|20)\d\d)\s*$/m
]

/**
 * The facts on the first pages about the book: pages stand apart by form feeds. The title and the author come from the
 * first page alone. Careful rather than complete: a line of running text is no title.
 */
export function readFirstPages(text: string): Metadata {
  const front = text.slice(0, MAX_TEXT)
  const [first = ''] = front.split('\f').filter((page) => /\p{L}/u.test(page))
  const lines = first
    .split('\n', 400)
    .map(oneFact)
    .filter((line) => line !== '')
    .slice(0, MAX_LINES)
  const author = authorOf(lines)
  return {
    title: titleOf(lines, author),
    author,
    edition: editionIn(front)?.edition ?? '',
    year: yearOf(front)
  }
}

function titleOf(marked: readonly string[], author: string): string {
  const text = marked.findIndex((line) => line.length > PROSE && SENTENCE_END.test(line))
  const lines = marked.map((line) => line.replace(MARKED, ''))
  const at = lines.slice(0, 12).findIndex((line, nth) => {
    const level = MARKED.exec(marked[nth] ?? '')?.[1]?.length ?? null
    // A heading below running text is one of a part.
    if (level !== null && text >= 0 && text < nth) return false
    return (level === 1 && nth === 0 && line.length <= MAX_TITLE) || (isTitleLine(line) && mayBeTitle(line, author))
  })
  if (at < 0) return ''
  // A mark ends what stands before it.
  if (MARKED.test(marked[at] ?? '')) return usableTitle(titleCased(lines[at] ?? ''))
  const taken = [lines[at] ?? '']
  while (taken.length < MAX_TITLE_LINES && continues(taken.at(-1) ?? '', lines[at + taken.length] ?? '')) {
    taken.push(lines[at + taken.length] ?? '')
  }
  const title = taken.join(' ')
  // Under a manual's number stands its name.
  const manual = manualNumber(title)
  const rest = manual === null ? title : title.replace(manual.words, manual.number)
  return title.length > MAX_TITLE ? '' : usableTitle(titleCased(rest))
}

/** `Root Cellaring` reads like a name too: it is a title once somebody else is known to be the author. */
function mayBeTitle(line: string, author: string): boolean {
  if (!looksLikeName(isCapitals(line) ? titleCased(line) : line)) return true
  return author !== '' && line.toLowerCase() !== author.toLowerCase()
}

function isTitleLine(line: string): boolean {
  if (line.length > MAX_TITLE || NOT_A_TITLE.test(line) || /^[^\p{L}]*$/u.test(line)) return false
  if (manualNumber(line) !== null) return true
  if (line.split(' ').length > 14) return false
  return line.replace(/[^\p{L}]/gu, '').length >= 4 && !/[.!?;,]$/.test(line) && looksSet(line)
}

/** Set as a heading: capitals throughout, or every longer word with one. */
function looksSet(line: string): boolean {
  const long = line.split(' ').filter((word) => /^\P{L}*\p{L}{4,}/u.test(word))
  const capital = long.filter((word) => /^\P{L}*\p{Lu}/u.test(word))
  return capital.length > 0 && capital.length >= long.length * 0.75
}

/** The next line belongs to the title: both in capitals, the number of a manual goes before, or the line ends in the middle. */
function continues(line: string, next: string): boolean {
  if (next === '' || NOT_A_TITLE.test(next) || looksLikeName(titleCased(next)) || !/\p{L}/u.test(next)) return false
  if (/(?::|-|–|—|&|\b(?:and|of|the|for|to|in|on|with|a|an))$/i.test(line)) return next.length <= MAX_TITLE
  const number = manualNumber(line)
  if (number !== null && number.words.length >= line.length - 2) return isTitleLine(next)
  return isCapitals(line) && isCapitals(next) && isTitleLine(next)
}

function isCapitals(line: string): boolean {
  return /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line)
}

function authorOf(lines: readonly string[]): string {
  for (const [at, line] of lines.entries()) {
    const same = BY.exec(line)?.[1]
    const name = same ?? (/^(?:(?:written|compiled|edited)\s+)?by:?$/i.test(line) ? lines[at + 1] : undefined)
    if (name === undefined) continue
    const written = isCapitals(name) ? titleCased(name) : name
    if (looksLikeName(written)) return usableAuthor(written)
  }
  return ''
}

function yearOf(text: string): string {
  for (const shape of YEARS) {
    const found = shape.exec(text)?.[1]
    if (found !== undefined) return yearIn(found)
  }
  return ''
}
