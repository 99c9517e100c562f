import { soundsLikeAnswer } from './cues.ts'
import { isOfKind, type Read, type Wanted, weightOf } from './evidence.ts'

/** Enough to see what the sentence is about, and short enough to be read on a phone. Characters. */
const MAX_LENGTH = 600
/** With less of the question it is about something else. */
const LEAST = 0.25
/** A figure of the kind asked for is worth so much beside the weight of the question. */
const OF_KIND = 0.35
const SOUNDS_SO = 0.2

/** Words of a passage, to be read in their place. */
export interface Nearest {
  /** The number of the passage. */
  n: number
  /** Whole sentences and items, one paragraph a line. */
  text: string
  /** The headings it stands under, the outermost first; absent where there are none. */
  heading?: string
}

/**
 * Where nothing may be said as an answer: what stands around the statement with most of the question, under the same headings. It proves
 * nothing; whoever reads it sees what it is about (contract §8). Null where it has next to nothing of the question.
 */
export function nearestOf(wanted: Wanted, passage: readonly Read[]): Nearest | null {
  const read = passage.filter(({ kind }) => kind !== 'cell')
  const worth = read.map((one) => worthOf(wanted, one))
  const at = worth.indexOf(Math.max(...worth))
  const best = read[at]
  return best === undefined || weightOf(wanted, [best], true) < LEAST * wanted.total ? null : placeAt(read, at).nearest
}

/** A statement and what stands around it under the same headings. */
export interface PlaceToRead {
  /** Its first statement, and the one behind its last. */
  from: number
  to: number
  nearest: Nearest
}

type Together = (one: Read, other: Read) => boolean

/** `read`: without cells, which are read in their rows. `areTogether`: of two neighbours under the same headings. */
export function placeAt(read: readonly Read[], at: number, areTogether: Together = () => true): PlaceToRead {
  const [from, to] = around(read, at, areTogether)
  const best = read[at]
  const heading = [...(best?.headings ?? []), best?.lead ?? '']
    .filter((each) => each !== best?.title && each !== '')
    .join(': ')
  const text = linesOf(read.slice(from, to))
  return { from, to, nearest: { n: best?.n ?? 0, text, ...(heading === '' ? {} : { heading }) } }
}

function worthOf(wanted: Wanted, one: Read): number {
  const share = weightOf(wanted, [one], true) + 0.5 * weightOf(wanted, [one], false)
  const isFigure = wanted.quantity !== null && isOfKind(wanted, [one], wanted.quantity)
  return share / wanted.total + (isFigure ? OF_KIND : 0) + (soundsLikeAnswer(wanted.question, one.text) ? SOUNDS_SO : 0)
}

/** Two statements behind it for one in front, as far as there is room: the text that follows tells more. */
function around(read: readonly Read[], at: number, areTogether: Together): [number, number] {
  const place = (one: Read | undefined): string => [one?.n, ...(one?.headings ?? []), one?.lead].join('\n')
  const own = place(read[at])
  let [from, to] = [at, at + 1]
  let length = read[at]?.text.length ?? 0
  const take = (next: number): boolean => {
    const [one, neighbour] = [read[next], read[next < from ? from : to - 1]]
    if (one === undefined || neighbour === undefined || place(one) !== own || !areTogether(neighbour, one)) return false
    if (length + one.text.length + 1 > MAX_LENGTH) return false
    length += one.text.length + 1
    from = Math.min(from, next)
    to = Math.max(to, next + 1)
    return true
  }
  for (let mayGoOn = true; mayGoOn; ) {
    const isBehind = take(to) && take(to)
    mayGoOn = take(from - 1) || isBehind
  }
  return [from, to]
}

function linesOf(said: readonly Read[]): string {
  return said.reduce((text, one, at) => {
    const before = said[at - 1]
    if (before === undefined) return one.text
    return `${text}${before.paragraph === one.paragraph ? ' ' : '\n'}${one.text}`
  }, '')
}
