import { byteLength, cutToBytes } from '../messages/budget.ts'
import { REPLIES } from '../messages/catalogue/replies.ts'
import { put } from '../messages/catalogue/words.ts'
import { sanitise } from '../messages/sanitise.ts'
import { type Answer, type Ask, type Library, type LibraryAnswer, type Passage, repliesTo } from './ask.ts'
import { refusal } from './rights.ts'

const MAX_TITLE_BYTES = 40
const MAX_QUESTION = 300
/** The first of two texts ends between words: so much of it may stay empty. */
const SLACK = 40
const BULLET = /^\s*(?:[-*+•‣◦▪●○–—]|\(?\d{1,3}[.)])\s+/
const MARKS = /\s*\[\d{1,2}\]/g

/**
 * `!ask QUESTION`: what the library says, in one text or two: the answer of the language model, or the sentence of a passage that says it; then
 * the work, the page and the code that opens the passage on the hotspot.
 */
export const question: Answer = (ask, context) => {
  const { words } = ask
  const { knowledge } = context
  const said = repliesTo(ask).library
  const refused = refusal('ask', ask)
  if (refused !== null) return refused
  if (knowledge === undefined) return said.none
  if (words.length === 0) return said.ask
  const documents = knowledge.documents()
  if (documents === null) return said.closed
  if (documents === 0) return said.empty
  return (signal) => answered(words.join(' ').slice(0, MAX_QUESTION), knowledge, { ask, signal })
}

async function answered(
  asked: string,
  library: Library,
  { ask, signal }: { ask: Pick<Ask, 'limitBytes' | 'spoken'>; signal: AbortSignal }
): Promise<readonly string[]> {
  return radioTexts(await library.ask(asked, signal), library, ask)
}

/** An answer of the library in one text or two of at most `limitBytes` bytes each: what it says first, then where it stands. */
export function radioTexts(
  { answer, confidence, citations, excerpt, passages }: LibraryAnswer,
  library: Pick<Library, 'codeOf'>,
  { limitBytes, spoken: { language } }: Pick<Ask, 'limitBytes' | 'spoken'>
): readonly string[] {
  const said = REPLIES[language].library
  const [nearest] = passages
  if (nearest === undefined) return [said.nothing]
  const of = (passage?: { n: number }): Passage | undefined => passages.find(({ n }) => n === passage?.n)
  const mark = confidence === 'perhaps' ? said.perhaps : ''
  const source = (passage: Passage): string => sourceOf(passage, put(said.page, String(passage.page)), library)
  const cited = answer === null ? undefined : of(citations[0])
  if (answer !== null && cited !== undefined)
    return framed(mark + sanitise(answer.replace(MARKS, '')), source(cited), limitBytes)
  const quoted = of(excerpt)
  // Its figures are told apart by whoever reads it, with what stands beside them.
  if (excerpt?.to_read === true && quoted !== undefined) return [`${said.perhaps}${source(quoted)}`]
  if (excerpt !== undefined && quoted !== undefined) {
    const heading = excerpt.heading === undefined ? '' : `${cutWords(sanitise(excerpt.heading), MAX_TITLE_BYTES)}, `
    return framed(`${mark}${sanitise(excerpt.text.replace(BULLET, ''))}`, `${heading}${source(quoted)}`, limitBytes)
  }
  return [put(said.notFound, source(nearest))]
}

/** `First Aid p12 /k/7Q4M2` */
function sourceOf(passage: Passage, page: string, library: Pick<Library, 'codeOf'>): string {
  const code = library.codeOf(passage)
  const title = cutWords(sanitise(passage.title), MAX_TITLE_BYTES)
  return `${title} ${page}${code === null ? '' : ` /k/${code}`}`
}

/**
 * One text when everything fits into it, else two that say so. Sentences that do not fit into two are left out whole; only of a
 * single one that is too long the beginning is said. All of it is on the page of the code.
 */
function framed(text: string, tail: string, limitBytes: number): readonly string[] {
  const sentences = text.split(/(?<=[.!?])\s+(?=[^\p{Ll}])/u)
  for (let count = sentences.length; count > 0; count--) {
    const more = count < sentences.length ? ' ...' : ''
    const texts = inTwo(`${sentences.slice(0, count).join(' ')}${more}`, tail, limitBytes)
    if (texts !== null) return texts
  }
  return (
    inTwo(`${cutWords(text, 2 * limitBytes - byteLength(`1/2 2/2 ... - ${tail}`) - SLACK)}...`, tail, limitBytes) ?? [
      tail
    ]
  )
}

/** Null when it does not fit. */
function inTwo(text: string, tail: string, limitBytes: number): readonly string[] | null {
  const whole = `${text} - ${tail}`
  if (byteLength(whole) <= limitBytes) return [whole]
  const first = cutWords(text, limitBytes - byteLength('1/2 '))
  const rest = text.slice(first.length).trim()
  if (byteLength(rest) > limitBytes - byteLength(`2/2  - ${tail}`)) return null
  return [`1/2 ${first}`, `2/2 ${rest === '' ? '' : `${rest} - `}${tail}`]
}

/** The longest beginning of at most `limit` bytes that ends between two words, where one word is not longer than that. */
function cutWords(text: string, limit: number): string {
  const cut = cutToBytes(text, limit)
  if (cut.length === text.length || /\s/.test(text[cut.length] ?? '')) return cut.trimEnd()
  const at = cut.lastIndexOf(' ')
  return (at > cut.length / 2 ? cut.slice(0, at) : cut).trimEnd()
}
