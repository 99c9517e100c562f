import { holdOf, isOfKind, isThere, type Read, type Wanted, weightOf } from './evidence.ts'
import { numbersIn } from './numbers.ts'

/** An answer that may be said. `has`: for each word of the question, that it is said or stands over it. */
export interface Choice {
  has: readonly boolean[]
  /** How it has the question's figures. */
  held: number
  excerpt: { text: string }
  confidence: 'found' | 'perhaps'
  score: number
}

/** An answer with so little less is as good. */
const RIVAL = 0.1
/** The share of the question's weight with which another figure counts. */
const HALF = 0.5

/** Another answer that is as good gives another figure: neither is said. */
export function isRival({ quantity }: Wanted, other: Choice, best: Choice): boolean {
  if (quantity === null || other.confidence !== 'found' || other.score < best.score - RIVAL) return false
  return areApart(other.excerpt.text, best.excerpt.text)
}

/**
 * Another figure of the kind asked for stands with half of the question: with a word that the answer has not, or with the very figure
 * of which the answer has a range. `sayable`: what may be said.
 */
export function isContradicted(wanted: Wanted, best: Choice, sayable: readonly Read[]): boolean {
  const { quantity, concepts, total } = wanted
  if (quantity === null || (best.has.every((each) => each) && best.held === 1)) return false
  return sayable.some(
    (one) =>
      holdOf(wanted, one) >= best.held &&
      (holdOf(wanted, one) > best.held || concepts.some((_, at) => best.has[at] === false && isThere(one, at))) &&
      weightOf(wanted, [one], true) >= HALF * total &&
      isOfKind(wanted, [one], quantity) &&
      areApart(one.text, best.excerpt.text)
  )
}

function areApart(one: string, other: string): boolean {
  const figures = new Set(numbersIn(other))
  return !numbersIn(one).some((figure) => figures.has(figure))
}
