import type { Metadata } from '../catalogue/document.ts'
import { type FrontLine, frontLines } from './front-lines.ts'
import { peopleIn, teamIn } from './person-names.ts'
import { statedYear } from './stated-year.ts'
import { editionIn, looksLikeName, manualNumber, oneFact, titleCased, usableAuthor, usableTitle } from './title-text.ts'

const [MAX_TEXT, MAX_PAGES] = [20_000, 3]
const MAX_LINES = 400
const BY_LINES = 40
const MAX_TITLE_LINES = 3
const MAX_TITLE = 120
const MAX_AUTHOR = 200
/** A line as long as this was broken where the page ends, not where the title ends. */
const FULL_LINE = 36
const REST_OF_LINE = 26
/** A kind of book names no work by itself: `User’s Manual` below `expEYES Junior`. */
const BOOK_WORD = /\b(?:manual|guide|handbook|documentation|release notes)\b/i
const BY = /^(?:(?:written|compiled|original documentation|documentation|created)\s+)?by:?\s+(.+)$/i
const EDITED_BY = /^edited by:?\s+(.+)$/i

/**
 * The facts on the first pages about the book: pages stand apart by form feeds. The title comes from the first page
 * alone. Careful rather than complete: a line of running text is no title, and two words are a name only where an author stands.
 */
export function readFirstPages(text: string): Metadata {
  const front = text.slice(0, MAX_TEXT).split('\f', MAX_PAGES).join('\f')
  const pages = front.split('\f').filter((page) => /\p{L}/u.test(page))
  const lines = frontLines(pages[0] ?? '')
  const second = frontLines(pages[1] ?? '')
  const told = authorToldBy(pages[0] ?? '') || authorToldBy(pages[1] ?? '')
  const title = titleOf(lines, told)
  const written = told || authorsAround(lines, title.taken) || authorsIn(second, 2) || editor(lines)
  const all = linesOf(front)
  const fronts = [lines, second, frontLines(pages[2] ?? '')]
    .flat()
    .flatMap(({ kind, text }) => (kind === 'end' ? [] : [text]))
  return {
    title: title.text,
    author: written || holderOf(all),
    edition: editionIn(front)?.edition ?? '',
    year: statedYear(all, fronts)
  }
}

function linesOf(text: string): string[] {
  return text
    .split(/[\n\f]/, MAX_LINES)
    .map(oneFact)
    .filter((line) => line !== '')
}

function titleOf(lines: readonly FrontLine[], author: string): { text: string; taken: number } {
  const end = lines.findIndex(({ kind }) => kind === 'end')
  const front = end < 0 ? lines : lines.slice(0, end)
  const heading = front.findIndex(({ kind }) => kind === 'heading')
  const first = heading >= 0 ? heading : firstTitle(front, author)
  if (first < 0) return { text: '', taken: 0 }
  const start = front[first]
  if (start === undefined) return { text: '', taken: 0 }
  if (start.kind === 'heading') return { text: usable(start.text), taken: first + 1 }
  const taken = [start]
  while (taken.length < MAX_TITLE_LINES) {
    const next = front[first + taken.length]
    const last = taken.at(-1)
    if (next === undefined || last === undefined || !continues(last, next, taken.length)) break
    taken.push(next)
  }
  return { text: usable(taken.map(({ text }) => text).join(' ')), taken: first + taken.length }
}

function usable(title: string): string {
  // Under a manual's number stands its name.
  const manual = manualNumber(title)
  const rest = (manual === null ? title : title.replace(manual.words, manual.number)).replace(/[\s∗*†‡:]+$/u, '')
  return rest.length > MAX_TITLE ? '' : usableTitle(titleCased(rest))
}

/** The first line that may be one. Two words that may be a name are it when no better line follows, or the author is known to be another. */
function firstTitle(front: readonly FrontLine[], author: string): number {
  const named =
    front[0]?.kind === 'plain' && isProgram(front[0].text) && front[1] !== undefined && front[1].kind !== 'plain'
  if (named) return 0
  const at = front.findIndex((line) => (line.kind === 'plain' && mayBeTitle(line.text)) || line.kind === 'people')
  const line = front[at]
  if (line?.kind !== 'people') return at
  if (line.text.toLowerCase().includes(author.toLowerCase()) && author !== '')
    return front.findIndex(({ kind, text }) => kind === 'plain' && mayBeTitle(text))
  if (author !== '') return at
  const next = front.findIndex(({ kind, text }, nth) => nth > at && kind === 'plain' && mayBeTitle(text))
  const others = front.slice(at + 1, next < 0 ? undefined : next).some(({ kind }) => kind !== 'plain')
  if (line.people?.sure === 2) return next
  return next < 0 || others ? at : next
}

/** `gputils 1.4.0`: programs are written small. */
function isProgram(line: string): boolean {
  return /^[\p{L}][\p{L}\p{N}+._-]{2,}(?:\s+v?[\d.]+\w*)?$/u.test(line)
}

function mayBeTitle(line: string): boolean {
  if (manualNumber(line) !== null) return true
  if (line.length > MAX_TITLE || line.split(' ').length > 16) return false
  const letters = line.replace(/[^\p{L}]/gu, '')
  // A line that goes on from another begins small; names of programs such as `expEYES` have their capitals inside.
  const begins = /^[^\p{L}]*(?:\p{Lu}|\p{Ll}+\p{Lu}|\d)/u.test(line)
  // Of a font without names of its letters come signs.
  const isWriting = letters.length >= line.replace(/\s/g, '').length * 0.5
  return isWriting && letters.length >= 3 && begins && /\p{Lu}/u.test(line) && !/[.!;,]$/.test(line)
}

/** A line that ends like this is only the beginning of a title. */
const UNFINISHED = /(?::|-|–|—|&|\b(?:and|of|the|for|to|in|on|with|a|an|or|from|by|using|into))$/i

/** The next line belongs to the title: the number of a manual goes before, both are in capitals, or the line ends in the middle. */
function continues(last: FrontLine, next: FrontLine, count: number): boolean {
  if (next.text.length > MAX_TITLE) return false
  // Two words are no name where the line before wants one more word.
  if (next.kind === 'people') return next.people?.sure === 1 && UNFINISHED.test(last.text)
  return next.kind === 'plain' && goesOn(last, next, count)
}

function goesOn(last: FrontLine, next: FrontLine, count: number): boolean {
  const [line, rest] = [last.text, next.text]
  if (UNFINISHED.test(line) || /^(?:and|or|of|for|&)$/i.test(rest)) return true
  const number = manualNumber(line)
  if (number !== null && number.words.length >= line.length - 2) return mayBeTitle(rest)
  if (isCapitals(line) && isCapitals(rest)) return mayBeTitle(rest)
  return next.block === last.block && isWrapped(line, rest, count)
}

/** Within a block: the line was broken where the page ends, or a kind of book stands below what it is of. */
function isWrapped(line: string, rest: string, count: number): boolean {
  if (/^(?:\p{Ll}|&)/u.test(rest) && (/\s/.test(rest) || line.length > 2 * FULL_LINE)) return !/[.;]$/.test(rest)
  if (count === 1 && BOOK_WORD.test(rest) && !BOOK_WORD.test(line)) return true
  return line.length >= FULL_LINE && rest.length <= REST_OF_LINE && mayBeTitle(rest)
}

function isCapitals(line: string): boolean {
  return /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line)
}

/** The author whom a line names after `by`. */
function authorToldBy(page: string): string {
  const lines = linesOf(page).slice(0, BY_LINES)
  for (const [at, text] of lines.entries()) {
    const same = BY.exec(text)?.[1]
    const name = same ?? (/^(?:(?:written|compiled)\s+)?by:?$/i.test(text) ? lines[at + 1] : undefined)
    if (name === undefined) continue
    const written = isCapitals(name) ? titleCased(name) : name
    if (looksLikeName(written)) return usableAuthor(written)
    const people = peopleIn(written)
    if (people !== null) return usableAuthor(people.names.join(', '))
  }
  return ''
}

function editor(lines: readonly FrontLine[]): string {
  for (const { text } of lines) {
    const people = peopleIn(EDITED_BY.exec(text)?.[1] ?? '')
    if (people !== null) return usableAuthor(people.names.join(', '))
  }
  return ''
}

/** The people, else the team, named below the title, before anything else begins; or above it when nobody is below. */
function authorsAround(lines: readonly FrontLine[], from: number): string {
  return authorsIn(lines.slice(from)) || authorsIn(lines.slice(0, from), 2)
}

function authorsIn(lines: readonly FrontLine[], atLeast: 1 | 2 = 1): string {
  const names: string[] = []
  let team = ''
  for (const { kind, people, text } of lines) {
    if (kind === 'end') break
    if (kind === 'people' && people !== null && people.sure >= atLeast) names.push(...people.names)
    else if (kind === 'team') team ||= teamIn(text)
    else if (names.length > 0 && kind !== 'place') break
  }
  const all = [...new Set(names)]
  const said = all.length > 0 ? all.join(', ') : team
  return said.length > MAX_AUTHOR ? '' : usableAuthor(said)
}

/** The person who holds the copyright, where nobody else is named. */
function holderOf(lines: readonly string[]): string {
  for (const line of lines) {
    const holder = /(?:©|\(c\)|copyright c?)[\s\d,–-]*(?:by\s+)?(\p{L}.{3,120})$/iu.exec(line)?.[1] ?? ''
    const people = peopleIn(holder.replace(/,?\s*all rights.*$/i, '').replace(/\.$/, ''))
    if (people !== null) return usableAuthor(people.names.join(', '))
  }
  return ''
}
