import type { Concept, Presence } from './concepts.ts'
import { type Figure, figuresOf, holdsFigure } from './figures.ts'
import { hasNumber, hasQuantity, type Quantity } from './quantities.ts'
import type { PlacedStatement } from './statements.ts'

/** A question as far as its answer can be checked. */
export interface Wanted {
  question: string
  /** The figures it names: what is said with a number must be said of all of them. */
  figures: readonly Figure[]
  /** Names with a figure, as `channel 5`, which must stand there. */
  names: readonly RegExp[]
  /** The heaviest first: it must be in what is sent. */
  concepts: readonly Concept[]
  total: number
  /** The place in `concepts` of what an amount is asked of. */
  amountOf: number | null
  /** The kind of figure asked for. */
  quantity: Quantity | null
  /** It asks what to do at all: the beginning of a section says it. */
  asksForStep: boolean
  /** Substances the question names. */
  substances: readonly string[]
}

/** A statement of one of the texts, and what it has of the question. */
export interface Read extends PlacedStatement {
  /** No passage has more of the question. */
  isBest: boolean
  n: number
  title: string
  head: string
  score: number
  having: readonly Presence[]
}

/** A figure of the question is worth nearly as much as its rarest word. */
export const OF_FIGURE = 0.8
/** Other words of one thing count four fifths: a thing with less than that is not there. */
export const THERE = 0.7
const OWN_FIGURE = /\p{N}[\p{N}.,]*\s?(?:%|°\s?[cf]?|\p{L}+)?/giu
const OFTEN = /\bhow (?:often|many times)\b|\bwie (?:oft|häufig)\b|\b(?:interval|frequency|times)\b/iu
const PER_TIME =
  /(?<=(?:\b(?:lit(?:re|er)s?|millilit(?:re|er)s?|(?:kilo|milli)?grams?|kilos?|tablets?|pills?|drops?|cups?|spoons?|kilocalories|calories|cent(?:s|imet(?:re|er)s)?|met(?:re|er)s?|kilomet(?:re|er)s?|francs?|euros?|dollars?|times|meals?|litern?|gramm|tabletten?|tropfen|metern?|mal)|\p{N} ?(?:ml|l|mg|g|kg|kcal|mm|cm|m|km|kwh|wh))\s)(?:an?|per|each|every|pro|am|im|in der|je)\s(?:day|hour|minute|second|week|month|year|night|tag|stunde|minute|sekunde|woche|monat|jahr)(?!\p{L})/giu
/** Of an item of a list; its number is no figure. */
export const MARK = /^\s*(?:[-*+•‣◦▪●○–—]\s|\(?\d{1,3}[.)]\s)/u

export const inText = ({ having }: Read, concept: number): number => having[concept]?.value ?? 0
export const inHead = ({ having }: Read, concept: number): number => having[concept]?.head ?? 0
export const isThere = (one: Read, concept: number): boolean =>
  Math.max(inText(one, concept), inHead(one, concept)) >= THERE

/** The sum of the weights that these statements say; `withHead`: with their headings. */
export function weightOf(wanted: Wanted, said: readonly Read[], withHead: boolean): number {
  const { concepts, figures } = wanted
  const ofWords = concepts.reduce((sum, { weight }, at) => {
    const most = Math.max(...said.map((one) => Math.max(inText(one, at), withHead ? inHead(one, at) : 0)))
    return sum + weight * most
  }, 0)
  if (figures.length === 0) return ofWords
  const held = Math.max(...said.map((one) => holdOf(wanted, one)))
  return ofWords + held * figures.length * Math.max(...concepts.map(({ weight }) => weight)) * OF_FIGURE
}

/** The figures of the question stand in it or over it. */
export const holdsAll = (wanted: Wanted, one: Read): boolean => holdOf(wanted, one) > 0

/** 1: its figures themselves, less: ranges they lie in, 0: not all of them. */
export function holdOf({ figures, names }: Wanted, { head, text }: Read): number {
  if (!names.every((name) => name.test(text) || name.test(head))) return 0
  if (figures.length === 0) return 1
  const known = figuresOf(`${head}\n${text.replace(MARK, '')}`)
  return Math.min(...figures.map((figure) => holdsFigure(known, figure)))
}

export const wordsOf = (said: readonly Read[]): string => said.map((one) => one.text.replace(MARK, '')).join(' ')

/** A figure of the kind asked for, which is not one of the question's own. */
export function isOfKind({ question }: Wanted, said: readonly Read[], quantity: Quantity): boolean {
  const own = [...question.matchAll(OWN_FIGURE)].map(([figure]) => figure)
  const text = wordsOf(said)
  const rest = own.reduce((left, figure) => left.replace(figure, ' '), text)
  // Litres a day tell no time, but how often.
  const told = quantity === 'time' && !OFTEN.test(question) ? rest.replace(PER_TIME, ' ') : rest
  return hasNumber(told) && hasQuantity(told, quantity)
}
