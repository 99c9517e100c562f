import { soundsLikeAnswer } from './cues.ts'
import {
  holdsAll,
  inHead,
  inText,
  isAround,
  isOfKind,
  isThere,
  MARK,
  type Read,
  THERE,
  type Wanted,
  weightAround,
  wordsOf
} from './evidence.ts'
import { hasNumber, hasQuantity, substancesIn } from './quantities.ts'

/** How sure an answer is: `perhaps` is said without any number. */
export type Confidence = 'found' | 'perhaps' | 'not_found'

/** Shares of the question's weight: with the headings, in the words alone, in those of the first statement. */
export interface Shares {
  all: number
  own: number
  first: number
}

const WHEN = /\bwhen\b|\bwann\b/i
/** The share of the question's weight that must be said; of a number that was not asked for, nearly all. */
const FOUND = 0.55
/** Without a figure of the kind asked for, words alone tell that it answers. */
const FOUND_WORDS = 0.66
const UNASKED = 0.85
/** The same where the text sounds like the answer. */
const UNASKED_FITTING = 0.7
/** A number that was not asked for stands with so much of the question in its own words. */
const OWN = 0.45
const PERHAPS = 0.5
/** Of words nearly as rare as the rarest none may be missing: where figures were let off this, held questions got wrong ones. */
const NEARLY = 0.75

/** How sure it is that these statements answer. */
export function confidenceOf(wanted: Wanted, said: readonly Read[], { all, own, first }: Shares): Confidence {
  if (!isOfSeveral(wanted, said)) return 'not_found'
  const { quantity, total } = wanted
  const enough = quantity === null ? FOUND_WORDS : FOUND
  const isEnough = isRarestSaid(wanted, said) && all + weightAround(wanted, said) / total >= enough
  if (isEnough && mayBeFound(wanted, said, { all, own, first })) return 'found'
  return all > PERHAPS && mayBePerhaps(wanted, said) ? 'perhaps' : 'not_found'
}

/** Of one word alone anything is said: two things of the question are needed, or the best passage, where a figure is asked for. */
function isOfSeveral(wanted: Wanted, said: readonly Read[]): boolean {
  const { question, concepts, figures, quantity } = wanted
  if (quantity !== null && said.some((one) => inText(one, 0) >= THERE && (inHead(one, 0) >= THERE || one.isBest)))
    return true
  const words = concepts.filter((_, at) => said.some((one) => isThere(one, at) || isAround(one, at))).length
  const fits = quantity === null && soundsLikeAnswer(question, wordsOf(said)) ? 1 : 0
  const held = said.some((one) => holdsAll(wanted, one)) ? figures.length : 0
  return words + fits + held >= Math.min(2, concepts.length)
}

function isRarestSaid({ concepts, quantity }: Wanted, said: readonly Read[]): boolean {
  const heaviest = concepts[0]?.weight ?? 0
  return concepts.every(({ weight }, at) => {
    const mayMiss = at > 0 && weight < NEARLY * heaviest
    return mayMiss || said.some((one) => isThere(one, at) || (quantity === null && at > 0 && isAround(one, at)))
  })
}

function mayBeFound(wanted: Wanted, said: readonly Read[], { all, own }: Shares): boolean {
  const { concepts, quantity } = wanted
  const text = wordsOf(said)
  const isTime = WHEN.test(wanted.question) && hasQuantity(text, 'time')
  const least = soundsLikeAnswer(wanted.question, text) ? UNASKED_FITTING : UNASKED
  const isStray = quantity === null && hasNumber(text) && (own < OWN || (!isTime && all < least))
  if (!said.some((one) => holdsAll(wanted, one))) return false
  // A single word stands everywhere; under a heading of its own it is what the place is about.
  const isSubject = concepts.length > 1 || quantity !== null || said.some((one) => inHead(one, 0) > 0)
  const isAnswer = quantity === null || isOfKind(wanted, said, quantity)
  // A word that was only guessed makes no answer sure.
  const isGuessed = concepts.some(
    (concept, at) => concept.isGuessed && (quantity !== null || said.some((one) => isThere(one, at)))
  )
  return isSubject && isAnswer && !isStray && !isGuessed
}

/** From the best passage alone; not where a figure was asked for, which it may not have. */
function mayBePerhaps({ quantity, substances }: Wanted, said: readonly Read[]): boolean {
  const [first] = said
  if (quantity !== null || first === undefined || !first.isBest) return false
  const text = said.map((one) => one.text).join(' ')
  const known = [...substances, ...substancesIn(first.head)]
  return !hasNumber(text.replace(MARK, '')) && substancesIn(text).every((name) => known.includes(name))
}
