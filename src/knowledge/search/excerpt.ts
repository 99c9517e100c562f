import { withAskedCells } from './asked-cells.ts'
import { ConceptReader, presenceOf } from './concepts.ts'
import { type Choice, isContradicted, isRival } from './contradiction.ts'
import { soundsLikeAnswer } from './cues.ts'
import {
  holdOf,
  holdsAll,
  inHead,
  inText,
  isOfKind,
  isThere,
  MARK,
  OF_FIGURE,
  type Read,
  THERE,
  type Wanted,
  weightOf,
  wordsOf
} from './evidence.ts'
import { figuresOf, isFigureWord, namesWithFigure } from './figures.ts'
import { languageOf } from './german.ts'
import type { LexicalRows } from './lexical.ts'
import { likelihoods } from './likelihood.ts'
import { isLikelyEnough, likeliest } from './likely.ts'
import { likeliestPlace } from './likely-place.ts'
import { type Nearest, nearestOf } from './nearest.ts'
import { numbersIn } from './numbers.ts'
import { isSentence, ofItself, withOwnNumbers } from './own-statements.ts'
import { isOnlyExcepted } from './qualifiers.ts'
import { amountAskedOf, hasNumber, hasQuantity, quantityAsked, substancesIn } from './quantities.ts'
import { leansBack, maySay } from './sayable.ts'
import { placedStatementsOf } from './statements.ts'
import { TextTable } from './text-table.ts'

/** How sure an answer is: `perhaps` is said without any number, or is a place to read. */
export type Confidence = 'found' | 'perhaps' | 'not_found'

/** The words of a passage that answer a question: whole sentences, or one whole item of a list. */
export interface Excerpt {
  /** The number of the passage. */
  n: number
  text: string
  /** The heading it stands under, where that has a word of the question which the text has not. */
  heading?: string
  /** The answer likely stands in it, a paragraph a line, beside whatever else is said there: it is to be read, and no radio tells it. */
  to_read?: true
}

interface Best {
  excerpt: Excerpt
  confidence: 'found' | 'perhaps'
}

/** A text in which an answer is looked for. */
interface ReadText {
  n: number
  title: string
  heading: string
  text: string
  score: number
}

const BARE_FIGURE = /^\p{N}+$/u
const WHEN = /\bwhen\b|\bwann\b/i
/** It asks what to do at all. */
const STEP = /\bwhat (?:do|should|can|must|to do|now|first)\b|\bfirst\b|\bwas (?:tun|muss|soll|mache)\b|\bzuerst\b/i
const MAX_LENGTH = 320
/** A passage is shorter; a text without any paragraph is not read to its end for one question. */
const MAX_READ = 20_000
/** The share of the question's weight that must be said; of a number that was not asked for, nearly all. */
const FOUND = 0.5
/** Without a figure of the kind asked for, words alone tell that it answers. */
const FOUND_WORDS = 0.66
const UNASKED = 0.85
/** The same where the text sounds like the answer. */
const UNASKED_FITTING = 0.7
/** A number that was not asked for stands with so much of the question in its own words. */
const OWN = 0.45
const PERHAPS = 0.5
/** Of words nearly as rare as the rarest none may be missing. */
const NEARLY = 0.75
/** A heading that says so much of the question is its answer's. */
const TOLD_BY_HEADING = 0.75

/** With the place of its first statement and that behind its last. */
type Said = Best & { from: number; to: number }
type Chosen = Choice & Said

/**
 * Chooses what may be said as the answer. `found`: the heaviest word of the question is in it, and most of its weight; a number
 * stands in the statement of what it is the amount of. `perhaps`: most of the weight, and no number at all; or a place to read.
 */
export class Excerpts {
  readonly #table: TextTable
  readonly #reader: ConceptReader

  private constructor(table: TextTable, library: ConstructorParameters<typeof ConceptReader>[1]) {
    this.#table = table
    this.#reader = new ConceptReader(table, library)
  }

  static async open(
    library: Pick<LexicalRows, 'frequency' | 'totals' | 'knows' | 'isInTitle' | 'dictionary'>
  ): Promise<Excerpts> {
    return new Excerpts(await TextTable.open(), library)
  }

  /** Null when no word of the question tells what it is about. */
  wanted(question: string): Wanted | null {
    const read = this.#reader.read(question)
    const words = read.filter(({ word }) => !BARE_FIGURE.test(word) && !isFigureWord(word))
    // Its figures are compared as figures.
    const concepts = words.length > 0 ? words : read
    if (concepts.length === 0) return null
    // A dose made from 5 % bleach is not made from more.
    const figures = figuresOf(question.replace(/\b(?:from|ab)\s+(?=\p{N})/giu, ''), { spelt: false })
    const heaviest = Math.max(...concepts.map(({ weight }) => weight))
    const total = concepts.reduce((sum, { weight }) => sum + weight, 0) + figures.length * heaviest * OF_FIGURE
    const amount = amountAskedOf(question)
    const amountOf = amount === null ? -1 : concepts.findIndex(({ word }) => word.split(' ').includes(amount))
    const substances = substancesIn(question)
    return {
      question,
      figures,
      names: namesWithFigure(question),
      concepts,
      total,
      amountOf: amountOf < 0 ? null : amountOf,
      quantity: quantityAsked(question),
      asksForStep: STEP.test(question),
      substances
    }
  }

  /** Whole sentences, items, rows and cells, of which one is chosen. */
  statements(wanted: Wanted, texts: readonly ReadText[]): Read[] {
    const sentences = withAskedCells(wanted, this.#read(wanted, texts)).filter(
      (one) => one.text.length <= MAX_LENGTH && isSentence(one)
    )
    return ofItself(withOwnNumbers(wanted, sentences))
  }

  /** The statement that answers by its words and headings, or else the likeliest. Null: nothing may be said. */
  best(wanted: Wanted, texts: readonly ReadText[]): Best | null {
    const isOther = ({ text }: ReadText): boolean => isOfOtherLanguage(wanted, text)
    const own = this.#bestOf(
      wanted,
      texts.filter((one) => !isOther(one))
    )
    if (own?.confidence === 'found') return own
    const other = inOtherLanguage(wanted, this.#bestOf(wanted, texts.filter(isOther)))
    return other?.confidence === 'found' ? other : (own ?? other)
  }

  #bestOf(wanted: Wanted, texts: readonly ReadText[]): Best | null {
    if (texts.length === 0) return null
    const read = this.statements(wanted, texts)
    const chances = likelihoods(wanted, read)
    const best = bestByWords(wanted, read)
    const byWords = best !== null && isLikelyEnough(best, read, chances) ? best : null
    if (byWords?.confidence === 'found') return byWords
    const likely = likeliest(wanted, read, chances)
    const one = likely === null ? undefined : read[likely.at]
    if (likely !== null && one !== undefined)
      return { excerpt: excerptOf(wanted, [one]), confidence: likely.confidence }
    if (byWords !== null) return byWords
    const place = likeliestPlace(wanted, read, chances)
    return place === null ? null : { excerpt: { ...place, to_read: true }, confidence: 'perhaps' }
  }

  /** Words of a text that may be read in their place, where none may be said. */
  nearest(wanted: Wanted, text: ReadText): Nearest | null {
    return nearestOf(wanted, this.#read(wanted, [text]))
  }

  /** All statements of a text that may be said alone. */
  sayable(
    wanted: Wanted,
    { title = '', heading = '', text }: { title?: string; heading?: string; text: string }
  ): string[] {
    const read = this.#read(wanted, [{ n: 1, title, heading, text, score: 0 }])
    return read.filter((one) => isThere(one, 0) && maySay(wanted, one, one)).map((one) => one.text)
  }

  #read({ concepts }: Wanted, texts: readonly ReadText[]): Read[] {
    const most = Math.max(0, ...texts.map(({ score }) => score))
    const placed = texts.flatMap(({ n, title, heading, text, score }) =>
      placedStatementsOf(text.slice(0, MAX_READ), heading === title ? '' : heading).map((statement) => ({
        ...statement,
        n,
        title,
        score,
        isBest: score >= most,
        head: [title, ...statement.headings, statement.lead].join('\n')
      }))
    )
    this.#table.load(placed.map(({ head, text }) => ({ head, body: text })))
    const having = concepts.map((concept) => presenceOf(this.#table, concept, placed.length))
    return placed.map((statement, at) => ({
      ...statement,
      having: having.map((each) => each[at] ?? { value: 0, at: [], head: 0 })
    }))
  }

  close(): void {
    this.#table.close()
  }
}

/** The language of neither counts for both: a table, a list of names. */
function isOfOtherLanguage({ question }: Wanted, text: string): boolean {
  const [asked, said] = [languageOf(question), languageOf(text)]
  return asked !== null && said !== null && asked !== said
}

/**
 * Another language has words of a question by chance: `Gift` is a present, `Not` says no. Such an answer is not sure, and says no number,
 * but where the question names a substance, which is called the same.
 */
function inOtherLanguage({ substances }: Wanted, best: Best | null): Best | null {
  if (best === null || substancesIn(best.excerpt.text).some((name) => substances.includes(name))) return best
  return hasNumber(best.excerpt.text) ? null : { ...best, confidence: 'perhaps' }
}

/** The statements with the most of the question; of equal ones the first. Null: none may be said. */
function bestByWords(wanted: Wanted, read: readonly Read[]): Said | null {
  const choices = [...read.keys()].flatMap((at) => choiceAt(wanted, read, at) ?? [])
  const [first, ...others] = choices
  if (first === undefined) return null
  const best = others.reduce((chosen, choice) => (isBetter(choice, chosen) ? choice : chosen), first)
  const sayable = read.filter((one) => maySay(wanted, one, one))
  if (isContradicted(wanted, best, sayable)) return null
  const rivals = nearestOfEach(
    choices.filter((other) => isRival(wanted, other, best)),
    best
  )
  return rivals.length === 0 ? best : together(wanted, [best, ...rivals], read)
}

const isBetter = (one: Chosen, other: Chosen): boolean =>
  one.confidence === other.confidence ? one.score > other.score : one.confidence === 'found'

/** Of rivals with the same figures, which say it again elsewhere, the one nearest to the answer. */
function nearestOfEach(rivals: readonly Chosen[], best: Chosen): Chosen[] {
  const nearest = new Map<string, Chosen>()
  for (const rival of rivals) {
    const figures = [...new Set(numbersIn(rival.excerpt.text))].sort().join(' ')
    const known = nearest.get(figures)
    const isNearer = known === undefined || Math.abs(rival.from - best.from) < Math.abs(known.from - best.from)
    if (isNearer) nearest.set(figures, rival)
  }
  return [...nearest.values()]
}

/** A rule and its exception in one paragraph are said together; null where they stand apart, or one may not be said. */
function together(wanted: Wanted, choices: readonly [Chosen, ...Chosen[]], read: readonly Read[]): Said | null {
  const from = Math.min(...choices.map((one) => one.from))
  const to = Math.max(...choices.map((one) => one.to))
  const said = read.slice(from, to)
  const [first] = said
  const text = said.map((one) => one.text).join(' ')
  const isOne = said.every(
    (one) => one.n === first?.n && one.paragraph === first.paragraph && one.kind === 'prose' && maySay(wanted, one, one)
  )
  if (first === undefined || !isOne || text.length > MAX_LENGTH) return null
  return { excerpt: excerptOf(wanted, said), confidence: choices[0].confidence, from, to }
}

function excerptOf(wanted: Wanted, said: readonly Read[]): Excerpt {
  const heading = neededHeading(wanted, said)
  const text = said.map((one) => one.text).join(' ')
  return { n: said[0]?.n ?? 0, text, ...(heading === '' ? {} : { heading }) }
}

function choiceAt(wanted: Wanted, read: readonly Read[], from: number): Chosen | null {
  const first = read[from]
  if (first === undefined || !maySay(wanted, first, first)) return null
  let best: Chosen | null = null
  const said = [first]
  for (let at = from + 1; ; at++) {
    const choice = judged(wanted, said, from)
    if (choice !== null && (best === null || isBetter(choice, best))) best = choice
    const next = read[at]
    const length = said.reduce((sum, { text }) => sum + text.length + 1, 0)
    if (next === undefined || next.n !== first.n || next.paragraph !== first.paragraph) break
    if (length + next.text.length > MAX_LENGTH || !maySay(wanted, next, first)) break
    said.push(next)
  }
  return best
}

/** Shares of the question's weight: with the headings, in the words alone, in those of the first statement. */
interface Shares {
  all: number
  own: number
  first: number
}

function judged(wanted: Wanted, said: readonly Read[], from: number): Chosen | null {
  const { total, quantity, asksForStep, concepts } = wanted
  const [first] = said
  if (first === undefined) return null
  if (quantity !== null && concepts.some(({ word }) => isOnlyExcepted(word, wordsOf(said)))) return null
  const shares = {
    all: weightOf(wanted, said, true) / total,
    own: weightOf(wanted, said, false) / total,
    first: weightOf(wanted, [first], false) / total
  }
  const isTold = first.isFirst && shares.all >= TOLD_BY_HEADING
  const [, second] = said
  if (shares.first === 0 && !isTold && (second === undefined || !leansBack(second))) return null
  const confidence = confidenceOf(wanted, said, shares)
  if (confidence === 'not_found') return null
  const text = said.map((one) => one.text).join(' ')
  const isFigure = quantity !== null && isOfKind(wanted, said, quantity)
  const extra =
    (isFigure ? 0.35 : 0) + (asksForStep && isTold ? 0.8 : 0) + (soundsLikeAnswer(wanted.question, text) ? 0.2 : 0)
  const late = 0.03 * said.length + 0.0005 * from
  const score = shares.all + 0.5 * shares.own + 0.25 * shares.first + 0.2 * first.score + extra - late
  const held = Math.max(...said.map((one) => holdOf(wanted, one)))
  const has = wanted.concepts.map((_, at) => said.some((one) => isThere(one, at)))
  return {
    excerpt: excerptOf(wanted, said),
    confidence,
    score,
    has,
    held,
    from,
    to: from + said.length
  }
}

function confidenceOf(wanted: Wanted, said: readonly Read[], { all, own, first }: Shares): Confidence {
  const { concepts, figures, quantity } = wanted
  const isSaid = concepts.map((_, at) => said.some((one) => isThere(one, at)))
  const things = isSaid.filter((each) => each).length + (said.some((one) => holdsAll(wanted, one)) ? figures.length : 0)
  const isNamed =
    quantity !== null && said.some((one) => inText(one, 0) >= THERE && (inHead(one, 0) >= THERE || one.isBest))
  const isSeveral = isNamed || things >= Math.min(2, concepts.length)
  if (!isSeveral) return 'not_found'
  const heaviest = concepts[0]?.weight ?? 0
  const isRarestSaid = concepts.every(({ weight }, at) => (at > 0 && weight < NEARLY * heaviest) || isSaid[at])
  if (isRarestSaid && all >= (quantity === null ? FOUND_WORDS : FOUND) && mayBeFound(wanted, said, { all, own, first }))
    return 'found'
  return all > PERHAPS && mayBePerhaps(wanted, said) ? 'perhaps' : 'not_found'
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
  return isSubject && isAnswer && !isStray && !concepts.some(({ isGuessed }) => isGuessed)
}

/** From the best passage alone; not where a figure was asked for, which it may not have. */
function mayBePerhaps({ quantity, substances }: Wanted, said: readonly Read[]): boolean {
  const [first] = said
  if (quantity !== null || first === undefined || !first.isBest) return false
  const text = said.map((one) => one.text).join(' ')
  const known = [...substances, ...substancesIn(first.head)]
  return !hasNumber(text.replace(MARK, '')) && substancesIn(text).every((name) => known.includes(name))
}

/** The headings, where they have a word of the question that the text has not; empty where it needs none. */
function neededHeading({ concepts }: Wanted, said: readonly Read[]): string {
  const [first] = said
  if (first === undefined) return ''
  const isNeeded = concepts.some((_, at) => inHead(first, at) > 0 && said.every((one) => inText(one, at) === 0))
  const headings = [...first.headings, first.lead].filter((each) => each !== first.title && each !== '')
  return isNeeded ? headings.join(': ') : ''
}
