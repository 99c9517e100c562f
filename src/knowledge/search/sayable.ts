import { holdsFigureAsked } from './asked-figure.ts'
import { holdsAll, inHead, inText, isThere, MARK, type Read, THERE, type Wanted } from './evidence.ts'
import {
  isOfNoPatient,
  isOfNoPregnancy,
  isOfOtherCase,
  isOfOtherEnd,
  isOfOtherUse,
  needsWhatIsLacking
} from './qualifiers.ts'
import { hasNumber, hasQuantity, substancesIn } from './quantities.ts'

/** Such a sentence is about something that the one before it names. */
const OF_BEFORE = /^\W*(?:\p{L}+\s+){0,2}(?:it|its|they|them|their|this|these|those|er|ihn|dies\p{L}*)(?!\p{L})/iu

/** Its subject is in the sentence before: `They alone kill it.` */
const LEANS = /^\W*(?:they|these|those|this|it|he|she|diese\p{L}*|er)(?!\p{L})/iu
/** `It is forbidden to …`, `It takes two men to …` lean on nothing. */
const BARE_IT = /^\W*it(?:'s| is| was| takes| may be| can be)\s+(?:\p{L}+\s+){1,3}(?:to|that|when|if)\b/iu
/** The answer to it is the very thing that such a sentence does not name. */
const ASKS_WHAT = /^\W*(?:what|which|who|was|welche\p{L}*|wer|womit)(?!\p{L})/iu

/** Said after the sentence before it, or not at all. */
export const leansBack = ({ isContinued, text }: Read): boolean =>
  isContinued && LEANS.test(text) && !BARE_IT.test(text)

/** Its figures are of what the question names: the same figures, whom and what it is for, the beginning or the end. */
const isOfThisCase = (wanted: Wanted, one: Read): boolean =>
  !one.isLoose &&
  holdsAll(wanted, one) &&
  holdsFigureAsked(wanted.question, { text: one.text, under: one.head }) &&
  !isOfOtherCase(wanted.question, { text: one.text, under: one.head }) &&
  !isOfNoPatient(wanted.question, { text: one.text, under: one.head }) &&
  !isOfNoPregnancy(wanted.question, { text: one.text, under: one.head }) &&
  !isOfOtherEnd(wanted.question, one.text) &&
  !(wanted.quantity === 'time' && isOfOtherUse(wanted.question, { text: one.text, under: one.headings.join('\n') }))

/** `first`: the statement it is said after, or itself. A number needs its subject, and something of the question beside it. */
export function maySay(wanted: Wanted, one: Read, first: Read): boolean {
  if (!mayStand(wanted, one)) return false
  if (one === first && ASKS_WHAT.test(wanted.question) && leansBack(one)) return false
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
export function mayStand(wanted: Wanted, one: Read): boolean {
  const { substances } = wanted
  const known = [...substances, ...substancesIn(one.head)]
  const named = substancesIn(one.text)
  const isForeign = substances.length > 0 && named.length > 0 && !named.some((name) => known.includes(name))
  if (needsWhatIsLacking(wanted.question, { text: one.text, under: one.head })) return false
  return !isForeign && (!hasNumber(one.text.replace(MARK, '')) || isOfThisCase(wanted, one))
}
