import { soundsLikeAnswer } from './cues.ts'
import { holdOf, inHead, inText, isOfKind, isThere, type Read, THERE, type Wanted } from './evidence.ts'
import { mayStand } from './sayable.ts'

/** Statements before and after one that are near it. */
const NEAR = 3
/** More words of the question tell nothing more. */
const MOST_WORDS = 3

/**
 * How much each sign tells that a statement answers a question: fitted on the open halves of the questions by `scripts/fit-answers.ts`, which prints such
 * a table (fitted again since, it differed by hundredths and answered no better: docs/decisions/0070). A value is 0…1 but for counts of words, the logarithm of the rivals and hundreds of letters.
 */
const WEIGHTS = {
  always: -5.31,
  oneWord: -1.43,
  twoWords: -1.19,
  said: 2.07,
  told: 1.41,
  before: 3.6,
  around: 0.27,
  nowhere: -1.49,
  missed: -0.54,
  words: 1.55,
  subject: 0.33,
  kind: 0.55,
  unit: 1.27,
  otherKind: -2.05,
  rivals: -0.21,
  held: 4.11,
  unheld: -1.69,
  passage: 1.11,
  best: 0.91,
  cue: 1.89,
  step: 0.47,
  length: -0.09
} as const

/** By the names of `WEIGHTS`, in its order. */
export type Features = Readonly<Record<string, number>>

/** For each statement the chance, 0…1, that it is the answer; the rest of 1 is the chance that none is. `read`: all that could be said. */
export function likelihoods(wanted: Wanted, read: readonly Read[]): number[] {
  const odds = featuresOf(wanted, read).map((features, at) => {
    const one = read[at]
    if (one === undefined || !mayStand(wanted, one)) return 0
    return Math.exp(Object.entries(WEIGHTS).reduce((sum, [name, weight]) => sum + weight * (features[name] ?? 0), 0))
  })
  const all = 1 + odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / all)
}

/** The signs of each statement. */
export function featuresOf(wanted: Wanted, read: readonly Read[]): Features[] {
  const { quantity } = wanted
  const ofKind = read.map((one) => quantity !== null && isOfKind(wanted, [one], quantity))
  const rivals = Math.log(1 + ofKind.filter((each) => each).length)
  return read.map((one, at) => ({
    ...ofQuestion(wanted),
    ...ofWords(wanted, one, { before: before(read, at), around: around(read, at) }),
    ...ofFigures(wanted, one, { isKind: ofKind[at] === true, rivals }),
    passage: one.score,
    best: one.isBest ? 1 : 0,
    cue: soundsLikeAnswer(wanted.question, one.text) ? 1 : 0,
    step: wanted.asksForStep && one.isFirst ? 1 : 0,
    length: one.text.length / 100
  }))
}

const ofQuestion = ({ concepts }: Wanted): Features => ({
  always: 1,
  oneWord: concepts.length === 1 ? 1 : 0,
  twoWords: concepts.length === 2 ? 1 : 0
})

/** Shares of the weight of the question's words: said, said or over it, near it, nowhere near. */
function ofWords(
  { concepts }: Wanted,
  one: Read,
  { before: last, around: near }: { before: readonly Read[]; around: readonly Read[] }
): Features {
  const all = concepts.reduce((sum, { weight }) => sum + weight, 0) || 1
  const share = (worth: (at: number) => number): number =>
    concepts.reduce((sum, { weight }, at) => sum + weight * worth(at), 0) / all
  const most = (others: readonly Read[], at: number): number => Math.max(0, ...others.map((other) => inText(other, at)))
  const isMissing = (at: number): boolean => !isThere(one, at)
  const missing = concepts.filter((_, at) => isMissing(at)).map(({ weight }) => weight)
  return {
    said: share((at) => inText(one, at)),
    told: share((at) => Math.max(inText(one, at), inHead(one, at))),
    before: share((at) => (isMissing(at) ? most(last, at) : 0)),
    around: share((at) => (isMissing(at) ? most(near, at) : 0)),
    nowhere: share((at) => (isMissing(at) && most(near, at) < THERE ? 1 : 0)),
    missed: Math.max(0, ...missing) / (concepts[0]?.weight || 1),
    words: Math.min(MOST_WORDS, concepts.length - missing.length),
    subject: inText(one, 0) >= THERE ? 1 : 0
  }
}

function ofFigures(wanted: Wanted, one: Read, { isKind, rivals }: { isKind: boolean; rivals: number }): Features {
  const { quantity, figures } = wanted
  const isSpecific = quantity !== null && quantity !== 'number' && quantity !== 'amount'
  const held = holdOf(wanted, one)
  return {
    kind: isKind ? 1 : 0,
    unit: isKind && isSpecific ? 1 : 0,
    otherKind: quantity !== null && !isKind ? 1 : 0,
    rivals: isKind ? rivals : 0,
    held: figures.length > 0 ? held : 0,
    unheld: figures.length > 0 && held === 0 ? 1 : 0
  }
}

/** The sentence of its paragraph before it. */
function before(read: readonly Read[], at: number): readonly Read[] {
  const [last, one] = [read[at - 1], read[at]]
  return last !== undefined && last.n === one?.n && last.paragraph === one.paragraph ? [last] : []
}

/** The statements near it under the same headings. */
function around(read: readonly Read[], at: number): readonly Read[] {
  const one = read[at]
  const from = Math.max(0, at - NEAR)
  return read
    .slice(from, at + NEAR + 1)
    .filter((other, away) => one !== undefined && from + away !== at && other.n === one.n && isUnderSame(one, other))
}

const isUnderSame = ({ headings }: Read, other: Read): boolean =>
  headings.length === other.headings.length && headings.every((each, at) => each === other.headings[at])
