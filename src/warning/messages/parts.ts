import { byteLength } from './budget.ts'
import { beginningOf, splitSentences } from './sentences.ts'

/** ` 1/2`: at the end, because the beginning is what notifications show. */
export const PART_SUFFIX_BYTES = 4

/**
 * `text` in at most `maxParts` pieces that each can be read alone: sentences stay whole where that leaves no part half empty, and a
 * break never stands in a word or between a number and what it counts. No piece begins with a character bots react to; null when
 * it does not fit. `further`: the room of all but the first.
 */
export function splitText(text: string, room: number, maxParts: number, further: number = room): string[] | null {
  const pieces: string[] = []
  let rest = text
  while (rest !== '') {
    if (pieces.length === maxParts) return null
    const piece = takePiece(rest, pieces.length === 0 ? room : further)
    if (piece === '') return null
    pieces.push(piece)
    rest = rest.slice(piece.length).replace(/^[ /!@]+/, '')
  }
  return pieces
}

/** A part that a whole sentence leaves emptier than this takes the beginning of the next one. */
const LEAST_FILLED = 0.6

function takePiece(text: string, room: number): string {
  if (byteLength(text) <= room) return text
  const sentences = sentencesWithin(text, room)
  return byteLength(sentences) >= room * LEAST_FILLED ? sentences : beginningOf(text, room)
}

function sentencesWithin(text: string, room: number): string {
  const [first = '', ...rest] = splitSentences(text)
  if (byteLength(first) > room) return ''
  let lead = first
  for (const sentence of rest) {
    const longer = `${lead} ${sentence}`
    if (byteLength(longer) > room || !text.startsWith(longer)) break
    lead = longer
  }
  return text.startsWith(lead) ? lead : ''
}
/** The pieces with their numbers. */
export function numberParts(pieces: readonly string[]): string[] {
  return pieces.map((piece, index) => `${piece} ${index + 1}/${pieces.length}`)
}
