import { type Choice, isContradicted } from './contradiction.ts'
import { holdOf, inHead, inText, isOfKind, isThere, MARK, type Read, THERE, type Wanted, weightOf } from './evidence.ts'
import { isOnlyExcepted } from './qualifiers.ts'
import { hasNumber, substancesIn } from './quantities.ts'
import { maySay } from './sayable.ts'

/** A statement that is likely to be the answer, by its place in what was read. */
export interface Likely {
  at: number
  confidence: 'found' | 'perhaps'
}

/**
 * The least chance with which it is said: a number, and words alone. A chance is one: of ten numbers with chances from 0.6 to 0.9 one or two
 * are wrong, and were (docs/measurements.md).
 */
const LEAST = { number: 0.9, words: 0.25 }
/** The least chance of what words and headings alone have found: less, and it is about the thing but answers another question. */
const LEAST_BY_WORDS = { number: 0.3, words: 0.15, perhaps: 0.1 }
/** A longer one is cut by radio, perhaps before its figure. */
const LONGEST = 200
/** The share of the question's weight that what is found has, or its headings. */
const HALF = 0.5
/** Letters of a word that its other endings share, and those of an ending. */
const [MIN_STEM, MOST_ENDING] = [4, 3]
/** Mostly a pronoun. */
const ONE = /\b(?:one|once|eins?|einmal)\b/i
/** Less likely ones are no answers. */
const MOST = 3
/** How something is done: its verb. */
const HOW_TO = /\b(?:how (?:do|can|should|must|could|would) (?:i|we|you|they|one)|how to)\s+(\p{L}+)/iu

/** False where what words have found is not likely to be the answer, wherever it is said. `chances`: of each statement, 0…1. */
export function isLikelyEnough(
  { confidence, from, to }: { confidence: 'found' | 'perhaps'; from: number; to: number },
  read: readonly Read[],
  chances: readonly number[]
): boolean {
  const said = read.slice(from, to)
  const texts = new Set(said.map(({ text }) => text))
  const chance = chances.reduce((sum, one, at) => sum + (texts.has(read[at]?.text ?? '') ? one : 0), 0)
  const found = said.some(mayCount) ? LEAST_BY_WORDS.number : LEAST_BY_WORDS.words
  return chance >= (confidence === 'found' ? found : LEAST_BY_WORDS.perhaps)
}

/**
 * The statement that most likely answers, where words and headings alone do not tell; null where none is likely. With a number it is
 * `found` or not said; without one it is `perhaps`. `chances`: of each statement, 0…1.
 */
export function likeliest(wanted: Wanted, read: readonly Read[], chances: readonly number[]): Likely | null {
  const order = [...chances.keys()].sort((one, other) => (chances[other] ?? 0) - (chances[one] ?? 0)).slice(0, MOST)
  for (const at of order) {
    const one = read[at]
    if (one === undefined || (chances[at] ?? 0) < leastOf(wanted, one)) continue
    if (!namesKnown(wanted, one)) continue
    if (!mayCount(one)) return { at, confidence: 'perhaps' }
    if (mayBeItsNumber(wanted, one, { read, score: chances[at] ?? 0 })) return { at, confidence: 'found' }
  }
  return null
}

function leastOf(wanted: Wanted, one: Read): number {
  const { quantity } = wanted
  if (quantity !== null && !isOfKind(wanted, [one], quantity)) return Infinity
  return mayCount(one) ? LEAST.number : LEAST.words
}

/** A number stands in it, or a word that may be one. */
const mayCount = ({ text }: Read): boolean => hasNumber(text.replace(MARK, '')) || ONE.test(text)

/** Its substances are those of the question or of its headings. */
function namesKnown({ substances }: Wanted, { text, head }: Read): boolean {
  const known = [...substances, ...substancesIn(head)]
  return substancesIn(text).every((name) => known.includes(name))
}

/** The word stands in it or over it; in the title of the whole document alone only where it has no heading of its own. */
const isNamed = ({ concepts }: Wanted, one: Read, at: number): boolean =>
  isThere(one, at) && !isOfTitle(one, concepts[at]?.word ?? '', at)

/** The rarest word of the question is there, a second one, half of its weight, and every word that the library does not know. */
function isOfQuestion(wanted: Wanted, one: Read): boolean {
  const { concepts, total } = wanted
  const named = concepts.map((_, at) => isNamed(wanted, one, at))
  const ofTitle = concepts.reduce(
    (sum, { weight }, at) => sum + (isThere(one, at) && named[at] !== true ? weight : 0),
    0
  )
  return (
    isThere(one, 0) &&
    named.filter((each) => each).length >= Math.min(2, concepts.length) &&
    weightOf(wanted, [one], true) - ofTitle >= HALF * total &&
    concepts.every(({ isGuessed, isUnknown }, at) => isThere(one, at) || !(isGuessed || isUnknown))
  )
}

/** The verb that a question asks about is that of its answer. */
function isDone({ concepts, question }: Wanted, one: Read): boolean {
  const verb = HOW_TO.exec(question)?.[1]?.toLowerCase()
  return concepts.every(({ word }, at) => word !== verb || isThere(one, at))
}

/** No other figure has words of the question that this one has not. */
function mayBeItsNumber(wanted: Wanted, one: Read, { read, score }: { read: readonly Read[]; score: number }): boolean {
  const { concepts, quantity } = wanted
  if (one.text.length > LONGEST || !isOfQuestion(wanted, one) || !isDone(wanted, one)) return false
  if (quantity === null) return true
  if (concepts.some(({ word }) => isOnlyExcepted(word, one.text))) return false
  const has = concepts.map((_, at) => isThere(one, at))
  const choice: Choice = { has, held: holdOf(wanted, one), excerpt: { text: one.text }, confidence: 'found', score }
  return !isContradicted(
    wanted,
    choice,
    read.filter((other) => maySay(wanted, other, other))
  )
}

/** Under a heading of its own it has the word of the title of the whole document alone, which stands over everything in it. */
function isOfTitle(one: Read, word: string, at: number): boolean {
  if (one.headings.length === 0 || inText(one, at) >= THERE || inHead(one, at) < THERE) return false
  const heads = [...one.headings, one.lead].join('\n').toLowerCase()
  return !heads.includes(word.slice(0, Math.max(MIN_STEM, word.length - MOST_ENDING)))
}
