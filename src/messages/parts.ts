import { byteLength, cutToBytes } from './budget.ts'

/** ` 1/2`: at the end, because the beginning is what notifications show. */
export const PART_SUFFIX_BYTES = 4

/**
 * `text` split at spaces into at most `maxParts` pieces of at most `room` bytes, no piece beginning with a character bots
 * react to; null when it does not fit.
 */
export function splitText(text: string, room: number, maxParts: number): string[] | null {
  const pieces: string[] = []
  let rest = text
  while (rest !== '') {
    if (pieces.length === maxParts) return null
    const piece = takePiece(rest, room)
    if (piece === '') return null
    pieces.push(piece)
    rest = rest.slice(piece.length).replace(/^[ /!@]+/, '')
  }
  return pieces
}

function takePiece(text: string, room: number): string {
  if (byteLength(text) <= room) return text
  const cut = cutToBytes(text, room)
  if (text[cut.length] === ' ') return cut.trimEnd()
  const space = cut.lastIndexOf(' ')
  // A word that alone fills a part (CJK, an address) is cut between graphemes.
  return space <= 0 ? cut : cut.slice(0, space).trimEnd()
}

/** The pieces with their numbers. */
export function numberParts(pieces: readonly string[]): string[] {
  return pieces.map((piece, index) => `${piece} ${index + 1}/${pieces.length}`)
}
