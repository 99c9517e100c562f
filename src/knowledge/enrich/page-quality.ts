const ENOUGH_CHARACTERS = 50
const WORD_SHARE = 0.6
const GLUED_SHARE = 0.1
const WORD = /\p{L}[^\p{L}]*\p{L}/u
const GLUED = /\p{Ll}\p{Lu}/gu

/**
 * The use of a page's text as it is: `empty`, `short` (under 50 characters), `garbled` (fewer than 60 % of the words
 * have two letters), `glued` (more than 10 % run into each other, as in `theWater`), else `good`.
 */
export type PageQuality = 'good' | 'empty' | 'short' | 'garbled' | 'glued'

export function pageQuality(text: string): PageQuality {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return 'empty'
  if (text.trim().length < ENOUGH_CHARACTERS) return 'short'
  if (!hasRealWords(text)) return 'garbled'
  const joins = text.match(GLUED)?.length ?? 0
  return joins > words.length * GLUED_SHARE ? 'glued' : 'good'
}

/** Of a picture without writing, OCR makes a few letters among many signs. */
const NOISE_LETTERS = 30

/** True when the second reading of a page should replace the first: good against not good, else clearly more letters. */
export function isBetterText(second: string, first: string): boolean {
  const [a, b] = [letters(second), letters(first)]
  const quality = pageQuality(second)
  if (quality === 'good' && pageQuality(first) !== 'good') return a * 2 >= b
  return a > b * 1.5 && (a > NOISE_LETTERS || hasRealWords(second))
}

function hasRealWords(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '')
  return words.filter((word) => WORD.test(word)).length >= words.length * WORD_SHARE
}

function letters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0
}

/** Signs nobody sees: directions, soft hyphens, controls. */
const INVISIBLE = /\p{Cf}|[^\P{Cc}\n\t]/gu
/** Typographic ligatures, and the shapes of Arabic and Hebrew letters that PDFs hold: left as they are, nobody would find `fire`, nor a word typed as usual. */
const SHAPES = /[\ufb00-\ufdff\ufe70-\ufefc]/g

/** The text of a page as it is stored: composed characters, no invisible signs, at most one empty line in a row. */
export function cleanPageText(text: string): string {
  return text
    .replace(/\r\n?|\f|\v|\u2028|\u2029/g, '\n')
    .replace(INVISIBLE, '')
    .replace(SHAPES, (sign) => sign.normalize('NFKC'))
    .normalize('NFC')
    .replace(/(?<![ \t\u00a0])[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
