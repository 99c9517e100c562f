import { byteLength, cutToBytes } from '../messages/budget.ts'
import { sanitise } from '../messages/sanitise.ts'
import type { Answer, Library, LibraryAnswer, Passage } from './ask.ts'
import { refusal } from './rights.ts'

const MAX_TITLE_BYTES = 40
const MAX_QUESTION = 300
const MARKS = /\s*\[\d{1,2}\]/g

/**
 * `!ask QUESTION`: what the library says, in one text or two: the answer of the language model, or the sentence of a passage that says it; then
 * the work, the page and the code that opens the passage on the hotspot.
 */
export const question: Answer = (ask, context) => {
  const { words, limitBytes } = ask
  const { knowledge } = context
  const refused = refusal('ask', ask)
  if (refused !== null) return refused
  if (knowledge === undefined) return 'This station keeps no library.'
  if (words.length === 0) return 'What do you want to know? !ask how do I make water safe'
  const documents = knowledge.documents()
  if (documents === null) return 'The library of this station cannot be opened at present.'
  if (documents === 0) return 'The library of this station is empty.'
  return (signal) => answered(words.join(' ').slice(0, MAX_QUESTION), knowledge, { limitBytes, signal })
}

async function answered(
  asked: string,
  library: Library,
  { limitBytes, signal }: { limitBytes: number; signal: AbortSignal }
): Promise<readonly string[]> {
  return radioTexts(await library.ask(asked, signal), library, limitBytes)
}

/** An answer of the library in one text or two of at most `limitBytes` bytes each. */
export function radioTexts(
  { answer, citations, excerpt, passages }: LibraryAnswer,
  library: Pick<Library, 'codeOf'>,
  limitBytes: number
): readonly string[] {
  const [nearest] = passages
  if (nearest === undefined) return ['The library has nothing about that.']
  const of = (passage?: { n: number }): Passage | undefined => passages.find(({ n }) => n === passage?.n)
  const cited = answer === null ? undefined : of(citations[0])
  if (answer !== null && cited !== undefined)
    return framed(sanitise(answer.replace(MARKS, '')), source(cited, library), limitBytes)
  const quoted = of(excerpt)
  if (excerpt !== undefined && quoted !== undefined)
    return framed(sanitise(excerpt.text), source(quoted, library), limitBytes)
  return [`Not found. Nearest: ${source(nearest, library)}`]
}

/** `First Aid p12 /k/7Q4M2` */
function source(passage: Passage, library: Pick<Library, 'codeOf'>): string {
  const code = library.codeOf(passage)
  const title = cutWords(sanitise(passage.title), MAX_TITLE_BYTES)
  return `${title} p${passage.page}${code === null ? '' : ` /k/${code}`}`
}

/** One text when everything fits into it, else two that say so; what does not fit into two is on the page of the code. */
function framed(text: string, tail: string, limitBytes: number): readonly string[] {
  const whole = `${text} - ${tail}`
  if (byteLength(whole) <= limitBytes) return [whole]
  const first = cutWords(text, limitBytes - byteLength('1/2 '))
  const rest = text.slice(first.length).trim()
  const room = limitBytes - byteLength(`2/2  - ${tail}`)
  const second = byteLength(rest) <= room ? rest : `${cutWords(rest, room - 3)}...`
  return [`1/2 ${first}`, `2/2 ${second === '' ? '' : `${second} - `}${tail}`]
}

/** The longest beginning of at most `limit` bytes that ends between two words, where one word is not longer than that. */
function cutWords(text: string, limit: number): string {
  const cut = cutToBytes(text, limit)
  if (cut.length === text.length || /\s/.test(text[cut.length] ?? '')) return cut.trimEnd()
  const at = cut.lastIndexOf(' ')
  return (at > cut.length / 2 ? cut.slice(0, at) : cut).trimEnd()
}
