/** Hebrew, Arabic and their neighbours: written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const LETTER = /\p{L}/u
/** Scripts without spaces between words: a line may end after every sign. */
const SIGN = /[\u2e80-\u9fff\ua000-\ua4cf\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u
const LONGEST_WORD = 40

/** The pieces of a text between which a line may end; a piece keeps the space after it. Longer ones are cut. */
export function* piecesOf(text: string): Generator<string> {
  for (const word of text.match(/[^ ]+ ?| /g) ?? []) {
    if (word.length <= LONGEST_WORD && !SIGN.test(word)) yield word
    else yield* cut(word)
  }
}

function* cut(word: string): Generator<string> {
  let piece = ''
  for (const sign of word) {
    const single = SIGN.test(sign)
    if (piece !== '' && (single || piece.length >= LONGEST_WORD)) {
      yield piece
      piece = ''
    }
    piece += sign
    if (single) {
      yield piece
      piece = ''
    }
  }
  if (piece !== '') yield piece
}

/** Fills lines as far as they go (greedy). `width` measures a piece in the units of `available`. */
export function* linesOf(text: string, available: number, width: (piece: string) => number): Generator<string[]> {
  let line: string[] = []
  let used = 0
  for (const piece of piecesOf(text)) {
    const size = width(piece)
    if (line.length > 0 && used + width(piece.trimEnd()) > available) {
      yield line
      line = []
      used = 0
    }
    line.push(piece)
    used += size
  }
  if (line.length > 0) yield line
}

/** True when there is something that is written from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** True when the first letter of the text is written from right to left: such a paragraph begins at the right. */
export function isRightToLeft(text: string): boolean {
  const first = LETTER.exec(text)
  return first !== null && RIGHT_TO_LEFT.test(first[0])
}

/**
 * A line as it is seen, from left to right: a simple form of the Unicode bidirectional algorithm (UAX #9) on whole words.
 * Letters within a word are ordered by the font's shaping.
 */
export function seenOrder(line: readonly string[], rightToLeft: boolean): string {
  if (!line.some(hasRightToLeft)) return line.join('')
  const words = line.join('').trimEnd().split(' ')
  const directions = words.map((word) => directionOf(word))
  const base = rightToLeft ? 'right' : 'left'
  const runs: { right: boolean; words: string[] }[] = []
  words.forEach((word, at) => {
    const right = (directions[at] ?? neutralBetween(directions, at, base)) === 'right'
    const run = runs.at(-1)
    if (run !== undefined && run.right === right) run.words.push(word)
    else runs.push({ right, words: [word] })
  })
  const ordered = runs.map((run) => (run.right ? run.words.reverse() : run.words))
  return (rightToLeft ? ordered.reverse() : ordered).flat().join(' ')
}

type Direction = 'left' | 'right'

function directionOf(piece: string): Direction | null {
  const letter = LETTER.exec(piece)
  if (letter === null) return null
  return RIGHT_TO_LEFT.test(letter[0]) ? 'right' : 'left'
}

/** A number or a sign goes with its neighbours when both agree, else with the paragraph. */
function neutralBetween(directions: readonly (Direction | null)[], at: number, base: Direction): Direction {
  const before = directions.slice(0, at).findLast((one) => one !== null) ?? base
  const after = directions.slice(at + 1).find((one) => one !== null) ?? base
  return before === after ? before : base
}
