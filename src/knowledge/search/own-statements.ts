import { inHead, inText, MARK, type Read, type Wanted } from './evidence.ts'
import { hasNumber } from './quantities.ts'

/** Code and links are no sentences. */
const MARKUP = /`|\]\(|https?:/
/** A shorter line without an end is a heading of its own kind, or a cell. */
const MIN_WORDS = 5
/** A heading with so much of the question is what it is about: no number comes from elsewhere. */
const OF_HEADING = 0.9

export function isSentence({ text, kind }: Read): boolean {
  if (kind !== 'prose') return !MARKUP.test(text)
  return !MARKUP.test(text) && (/[.!?:;…]["'”’»)\]]*$/u.test(text) || text.split(' ').length >= MIN_WORDS)
}

/** Where headings name the whole of a question, no number of another place is said. */
export function withOwnNumbers(wanted: Wanted, read: readonly Read[]): Read[] {
  const isNamed = (one: Read): boolean =>
    wanted.concepts.reduce((sum, { weight }, at) => sum + weight * inHead(one, at), 0) >= OF_HEADING * wanted.total
  return read.some(isNamed) ? read.filter((one) => !hasNumber(one.text) || isNamed(one)) : [...read]
}

/** A list with an item of the thing itself, and another of what is also called so, tells two things apart: no number of the other is said. */
export function ofItself(read: readonly Read[]): Read[] {
  const place = ({ n, headings, lead }: Read): string => JSON.stringify([n, headings, lead])
  const isItem = ({ kind, text }: Read): boolean => kind !== 'prose' || MARK.test(text)
  const own = new Set(read.filter((one) => isItem(one) && inText(one, 0) === 1).map(place))
  const isOther = (one: Read): boolean => isItem(one) && inText(one, 0) > 0 && inText(one, 0) < 1 && own.has(place(one))
  return read.filter((one) => !isOther(one) || !hasNumber(one.text.replace(MARK, '')))
}
