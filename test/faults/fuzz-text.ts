import type { Chance } from './fuzz-chance.ts'

/** Texts broken along their own seams: words, tags, lines and numbers are taken out, doubled, swapped, and put in from elsewhere. */

/** A valid text and the pieces it is made of. */
export type Pieces = readonly string[]

const SEAM = /(?<=[\s,;:<>[\]{}"'/=.&!*$-])|(?=[\s,;:<>[\]{}"'/=.&!*$-])/

export const piecesOf = (text: string): Pieces => text.split(SEAM)

/** Programs stumble over these, wherever they stand. */
const ODD: readonly string[] = [
  '',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '\u2028',
  '\u00a0',
  '\ufeff',
  '\u202e',
  '\ud83d',
  '\udc00',
  '😀',
  'ß',
  'İ',
  'e\u0301\u0301',
  '-1',
  '0',
  '-0',
  '1e999',
  '1e-7',
  '9007199254740993',
  '99999999999999999999',
  '4294967296',
  '2147483648',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T25:61:61+99:99',
  '%',
  '%00',
  '%ff',
  '&amp;',
  '&#x0;',
  '&#55555;',
  '<![CDATA[',
  ']]>',
  '<!--',
  '"',
  "'",
  '\\',
  '\\u0000',
  '../',
  '//',
  '$&',
  '*',
  '(',
  '['
]

const NUMBERS = [
  '-1',
  '0',
  '00',
  '1',
  '7',
  '60',
  '90.0001',
  '-180.5',
  '366',
  '999',
  '65536',
  '1e9',
  '123456789012',
  '١٢'
]

function change(pieces: string[], chance: Chance, others: readonly Pieces[], words: readonly string[]): void {
  const at = chance.below(pieces.length + 1)
  const long = 1 + chance.below(chance.onceIn(4) ? 24 : 3)
  switch (chance.below(11)) {
    case 0:
      pieces.splice(at, long)
      break
    case 1:
      pieces.splice(at, 0, ...pieces.slice(at, at + long))
      break
    case 2: {
      const moved = pieces.splice(at, long)
      pieces.splice(chance.below(pieces.length + 1), 0, ...moved)
      break
    }
    case 3: {
      const other = chance.of(others)
      const from = chance.below(other.length + 1)
      pieces.splice(at, chance.below(3), ...other.slice(from, from + long))
      break
    }
    case 4:
      pieces.splice(at, chance.below(2), chance.of(ODD))
      break
    case 5:
      if (words.length > 0) pieces.splice(at, chance.below(2), chance.of(words))
      break
    case 6:
      if (chance.onceIn(3)) pieces.length = at
      else pieces.splice(at, 1, (pieces[at] ?? '').repeat(1 + chance.below(9)))
      break
    case 7:
      renumber(pieces, at, chance)
      break
    case 8: {
      const piece = pieces[at] ?? ''
      pieces[at] = chance.onceIn(2) ? piece.toUpperCase() : piece.toLowerCase()
      break
    }
    default:
      spoilLetter(pieces, at, chance)
  }
}

/** The next number from here on becomes another. */
function renumber(pieces: string[], at: number, chance: Chance): void {
  const found = pieces.findIndex((piece, index) => index >= at && /\d/.test(piece))
  if (found >= 0) pieces[found] = (pieces[found] ?? '').replace(/\d+/, chance.of(NUMBERS))
}

function spoilLetter(pieces: string[], at: number, chance: Chance): void {
  const piece = pieces[at] ?? ''
  const place = chance.below(piece.length + 1)
  const put = chance.onceIn(3) ? '' : String.fromCharCode(chance.onceIn(8) ? chance.below(65536) : chance.below(128))
  pieces[at] = piece.slice(0, place) + put + piece.slice(place + chance.below(2))
}

/** `base` changed once to six times, with pieces of the corpus too, no longer than `most`. Once in fifty it is as it was. */
export function brokenText(
  chance: Chance,
  { base, corpus, words, most }: { base: Pieces; corpus: readonly Pieces[]; words: readonly string[]; most: number }
): string {
  const pieces = [...base]
  const changes = chance.onceIn(50) ? 0 : 1 + chance.below(chance.onceIn(3) ? 6 : 2)
  for (let done = 0; done < changes; done++) change(pieces, chance, corpus, words)
  return pieces.join('').slice(0, most)
}

/** The seed of an input that grows: the same beginning and end around a piece that is repeated, numbered half of the time. */
export function pumpOfText(
  chance: Chance,
  { corpus, words }: { corpus: readonly Pieces[]; words: readonly string[] }
): (size: number) => string {
  const base = chance.of(corpus)
  const cut = chance.below(base.length + 1)
  const end = chance.onceIn(3) ? base.length : cut + chance.below(base.length - cut + 1)
  const head = chance.onceIn(4) ? '' : base.slice(0, cut).join('')
  const tail = chance.onceIn(3) ? '' : base.slice(end).join('')
  const piece = pieceOf(chance, base, words) + (chance.onceIn(3) ? chance.of(ODD) : '')
  const numbered = chance.onceIn(3)
  return (size) => {
    const room = Math.max(1, size - head.length - tail.length)
    const one = piece === '' ? 'a' : piece
    const count = Math.max(1, Math.floor(room / (one.length + (numbered ? 4 : 0))))
    const body = numbered
      ? Array.from({ length: count }, (_, nth) => one + nth.toString(36)).join('')
      : one.repeat(count)
    return `${head}${body}${tail}`
  }
}

function pieceOf(chance: Chance, base: Pieces, words: readonly string[]): string {
  const kind = chance.below(5)
  if (kind === 0 && words.length > 0) return chance.of(words)
  if (kind === 1) return chance.of(ODD)
  if (kind === 2) return String.fromCharCode(32 + chance.below(95))
  const at = chance.below(base.length + 1)
  return base.slice(at, at + 1 + chance.below(12)).join('')
}
