/** A question as somebody typed it, in the form in which it is searched. */
export interface Question {
  /** Single words, as typed; every item with at least one of them is found, those with more and rarer ones first. */
  words: string[]
  /** From quotation marks: these words in this order must be there. */
  phrases: string[][]
}

/** Nobody types more; what is pasted is cut. */
const MAX_LENGTH = 1000
const MAX_WORDS = 32
/** The letters that FTS5's unicode61 takes for parts of words: everything else separates. */
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu

/** Say nothing of their own beside other words, but are in nearly every passage: scanning them all costs time. */
const COMMON = new Set(
  `a about an and are as at be been but by can could did do does for from get had has have how i if in into is it its
  me my no not of on one or our shall should so some than that the their them then there these they this those to too
  up use was we were what when where which while who why will with would you your`.split(/\s+/)
)

/** Any text is a question: nothing in it is syntax but quotation marks, and a single one of them is none either. */
export function parseQuestion(text: string): Question {
  const phrases: string[][] = []
  const rest = text.slice(0, MAX_LENGTH).replace(/["“”„«»]([^"“”„«»]*)["“”„«»]/gu, (_, inside: string) => {
    const words = wordsOf(inside).slice(0, MAX_WORDS)
    if (words.length > 0 && phrases.length < MAX_WORDS) phrases.push(words)
    return ' '
  })
  const all = [...new Map(wordsOf(rest).map((word) => [word.toLowerCase(), word])).values()]
  const telling = all.filter((word) => !COMMON.has(word.toLowerCase()))
  return { words: (telling.length > 0 || phrases.length > 0 ? telling : all).slice(0, MAX_WORDS), phrases }
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

/** One word as an FTS5 expression: letters and digits in quotation marks, which no reader of FTS5 takes for syntax. */
export function wordMatch(word: string): string {
  return `"${word}"`
}

/** All phrases, or null when there are none. */
export function phraseMatch({ phrases }: Question): string | null {
  return phrases.length === 0 ? null : phrases.map((words) => `"${words.join(' ')}"`).join(' AND ')
}

/**
 * The question as an FTS5 expression, or null when it has no word. `nearby`: words that stand in for one that is in no
 * document.
 */
export function fullMatch(
  question: Question,
  nearby: ReadonlyMap<string, readonly string[]> = new Map()
): string | null {
  const words = question.words.flatMap((word) => [word, ...(nearby.get(word) ?? [])]).map(wordMatch)
  const phrases = phraseMatch(question)
  if (phrases === null) return words.length === 0 ? null : words.join(' OR ')
  // The words beside the phrases are not demanded, but count for the order.
  return words.length === 0 ? phrases : `(${phrases} AND (${words.join(' OR ')})) OR (${phrases})`
}
