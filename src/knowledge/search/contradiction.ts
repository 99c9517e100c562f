import { holdOf, isOfKind, isThere, type Read, type Wanted, weightOf } from './evidence.ts'
import { unitOf } from './figures.ts'
import { numbersIn } from './numbers.ts'

/** An answer that may be said. `has`: for each word of the question, that it is said or stands over it. */
export interface Choice {
  has: readonly boolean[]
  /** How it has the question's figures. */
  held: number
  excerpt: { text: string }
  confidence: 'found' | 'perhaps'
  score: number
  /** The score without what the place of its figure adds: a rule is no better than its exception for that. */
  plain: number
}

const NUMBER_AND_NEXT = /(\p{N}[\p{N}.,\u00A0\u202F]*|\p{L}+)(?:[\s-]?(?=([%°\p{L}]+)))?/gu
/** An answer with so little less is as good. */
const RIVAL = 0.1
/** The share of the question's weight with which another figure counts. */
const HALF = 0.5

/** Another answer that is as good gives another figure: neither is said. */
export function isRival({ quantity }: Wanted, other: Choice, best: Choice): boolean {
  if (quantity === null || other.confidence !== 'found' || other.plain < best.plain - RIVAL) return false
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
  const known = unitsOfNumbers(other)
  return ![...unitsOfNumbers(one)].some(([number, units]) => {
    const others = known.get(number)
    return others !== undefined && [...units].some((unit) => unit === '' || others.has(unit) || others.has(''))
  })
}

/** Each number with the units it stands before; empty: before none. 20 seconds are not 20 minutes. */
function unitsOfNumbers(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [, number = '', next = ''] of text.matchAll(NUMBER_AND_NEXT))
    for (const digits of numbersIn(number)) {
      const units = found.get(digits) ?? new Set()
      found.set(digits, units.add(unitOf(next) ?? ''))
    }
  return found
}
