import { holdsAll, inHead, inText, isThere, MARK, type Read, THERE, type Wanted } from './evidence.ts'
import { isOfOtherCase, isOfOtherEnd, isOfOtherUse } from './qualifiers.ts'
import { hasNumber, hasQuantity, substancesIn } from './quantities.ts'

/** Such a sentence is about something that the one before it names. */
const OF_BEFORE = /^\W*(?:\p{L}+\s+){0,2}(?:it|its|they|them|their|this|these|those|er|ihn|dies\p{L}*)(?!\p{L})/iu

/** Its figures are of what the question names: the same figures, whom and what it is for, the beginning or the end. */
const isOfThisCase = (wanted: Wanted, one: Read): boolean =>
  !one.isLoose &&
  holdsAll(wanted, one) &&
  !isOfOtherCase(wanted.question, { text: one.text, under: one.head }) &&
  !isOfOtherEnd(wanted.question, one.text) &&
  !(wanted.quantity === 'time' && isOfOtherUse(wanted.question, { text: one.text, under: one.headings.join('\n') }))

/** `first`: the statement it is said after, or itself. A number needs its subject, and something of the question beside it. */
export function maySay(wanted: Wanted, one: Read, first: Read): boolean {
  if (!mayStand(wanted, one)) return false
  const { concepts, amountOf, quantity } = wanted
  if (!hasNumber(one.text.replace(MARK, ''))) return true
  const named = substancesIn(one.text)
  const isWhole = concepts.every((_, at) => inText(one, at) >= THERE)
  if (one === first && !isWhole && one.isContinued && OF_BEFORE.test(one.text)) return false
  const subject = amountOf ?? 0
  const isOfSubject =
    inText(one, subject) >= THERE || (named.length === 0 && isThere(first, subject)) || inHead(one, subject) >= THERE
  const saysSome = wanted.figures.length > 0 || concepts.some((_, at) => inText(one, at) >= THERE)
  return isOfSubject && (saysSome || (quantity !== null && quantity !== 'number' && hasQuantity(one.text, quantity)))
}

/** False when it is of another substance, or its number of another case. */
function mayStand(wanted: Wanted, one: Read): boolean {
  const { substances } = wanted
  const known = [...substances, ...substancesIn(one.head)]
  const named = substancesIn(one.text)
  const isForeign = substances.length > 0 && named.length > 0 && !named.some((name) => known.includes(name))
  return !isForeign && (!hasNumber(one.text.replace(MARK, '')) || isOfThisCase(wanted, one))
}
