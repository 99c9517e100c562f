import type { LexicalRows } from './lexical.ts'
import { type Question, wordMatch } from './question.ts'

/** Shorter words have too many neighbours. */
const MIN_LENGTH = 4
const MAX_ALTERNATIVES = 3
/** Words of the dictionary that are looked at for one question. */
const MAX_LOOKED_AT = 300_000

interface Candidate {
  word: string
  distance: number
  documents: number
}

type Dictionary = Pick<LexicalRows, 'knows' | 'dictionary'> & {
  /** One noisy document has thousands of words that nobody writes: those of several documents, and those of titles, are words. */
  isWord: (word: string, documents: number) => boolean
}

/** Nothing noisy begins with so many letters that somebody typed. */
const BEGINNING = 5

/**
 * For each word of the question that no document has: up to three that several documents or a title have and that are one or two slips away
 * (a letter too many, too few, another one, two swapped), or that begin with it. Best first.
 */
export function nearbyWords(question: Question, index: Dictionary): Map<string, string[]> {
  const found = new Map<string, string[]>()
  let left = MAX_LOOKED_AT
  for (const word of question.words) {
    const folded = fold(word)
    if (folded.length < MIN_LENGTH || /\p{N}/u.test(folded) || index.knows(wordMatch(word))) continue
    // Most slips spare the first letter; looking at all words is for those that do not.
    const first = closest(
      folded,
      { ...index, dictionary: index.dictionary(folded.slice(0, 1), after(folded.slice(0, 1))) },
      left
    )
    left -= first.lookedAt
    const all =
      first.words.length > 0
        ? first
        : closest(folded, { ...index, dictionary: index.dictionary('', '\u{10FFFF}') }, left)
    left -= all === first ? 0 : all.lookedAt
    if (all.words.length > 0) found.set(word, all.words)
  }
  return found
}

/** The question with the best of the nearby words in the place of unknown ones. */
export function correctedText(text: string, nearby: ReadonlyMap<string, readonly string[]>): string {
  let corrected = text
  for (const [word, [best = word]] of nearby) corrected = corrected.replaceAll(word, best)
  return corrected
}

function closest(
  word: string,
  { dictionary, isWord }: Pick<Dictionary, 'isWord'> & { dictionary: Iterable<{ word: string; documents: number }> },
  most: number
): { words: string[]; lookedAt: number } {
  const limit = word.length < 7 ? 1 : 2
  const candidates: Candidate[] = []
  let lookedAt = 0
  for (const entry of dictionary) {
    if (lookedAt++ >= most) break
    const distance = entry.word.startsWith(word) ? 0 : slips(word, entry.word, limit)
    if (distance > limit) continue
    const isBegun = word.length >= BEGINNING && fold(entry.word).startsWith(word)
    if (isBegun || isWord(entry.word, entry.documents)) candidates.push({ ...entry, distance })
  }
  candidates.sort((a, b) => a.distance - b.distance || b.documents - a.documents || (a.word < b.word ? -1 : 1))
  const [best] = candidates
  return {
    words: candidates
      .filter(({ distance }) => distance === best?.distance)
      .slice(0, MAX_ALTERNATIVES)
      .map((candidate) => candidate.word),
    lookedAt
  }
}

/**
 * Optimal string alignment: letters added, left out, replaced, or swapped with their neighbour. Answers `limit + 1` for
 * everything further apart.
 */
export function slips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, { i, last, before })
    if (Math.min(...row) > limit) return limit + 1
    before = last
    last = row
  }
  return Math.min(last[b.length] ?? 0, limit + 1)
}

function nextRow(a: string, b: string, { i, last, before }: { i: number; last: number[]; before: number[] }): number[] {
  const row = [i]
  for (let j = 1; j <= b.length; j++) {
    const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
    const cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced)
    const swapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
    row.push(swapped ? Math.min(cost, (before[j - 2] ?? 0) + 1) : cost)
  }
  return row
}

/** As words stand in the dictionary: lower case, without accents. */
function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}

/** The smallest text after all that begin with this letter. */
function after(letter: string): string {
  return `${letter}\u{10FFFF}`
}
