import { because, type Reason } from '../../model/reason.ts'
import type { Detector, Guess } from './detector.ts'
import { languageName, sameLanguage, UNDETERMINED } from './language-codes.ts'

/** Contract §8: what is looked at, and how much there must be of it. Characters. */
const SAMPLE = 1500
const FEWEST = 50
/** Digits, signs and rules of a table say nothing about a language. */
const FEWEST_LETTERS = 20
/** lid.176 is above 0.9 for a paragraph of prose; below this it is guessing. */
const SURE = 0.5
/** Two close languages (Danish and Norwegian) share the weight between them. */
const LIKELY = 0.25
/** The allowed languages together are this likely at most when a text is refused on a weak verdict. */
const HARDLY = 0.1

export interface LanguageRules {
  filter: boolean
  /** ISO 639-1 or 639-3. */
  allowed: readonly string[]
}

/**
 * The text by which the language is judged: the first page when it has 1500 characters, else the pages that follow as well: a title page
 * says too little, and often in another language. Blanks do not count.
 */
export function sampleOf(pages: Iterable<{ text: string }>): string {
  const taken: string[] = []
  let length = 0
  for (const { text } of pages) {
    taken.push(text)
    length += countOf(/\S/gu, text)
    if (length >= SAMPLE) break
  }
  return taken.join('\n').replace(/\s+/g, ' ')
}

export interface LanguageVerdict {
  /** ISO 639-1 where there is one, else 639-3; `und`: nobody can say. */
  language: string
  /** The reason why the document is not read; null lets it through. */
  skip: Reason | null
}

/**
 * The language gate (contract §8): the first 1500 characters of what `sampleOf` gives. Fewer than 50 non-blank characters, an
 * undetermined result, or no working detector let the text through as `und`. Without the filter nothing is skipped, and the
 * language is told all the same (L8).
 */
export async function judgeLanguage(
  text: string,
  { filter, allowed }: LanguageRules,
  detector: Detector
): Promise<LanguageVerdict> {
  const sample = [...text.slice(0, SAMPLE * 2)].slice(0, SAMPLE).join('')
  const letters = readable(sample)
  if (countOf(/\S/gu, sample) < FEWEST || countOf(/\p{L}/gu, letters) < FEWEST_LETTERS) return through
  const guesses = await detector.guess(letters)
  const language = guesses === null ? null : determined(guesses, allowed)
  if (language === null) return through
  if (!filter || allowed.some((code) => sameLanguage(code, language))) return { language, skip: null }
  const wanted = allowed.join(', ')
  return {
    language,
    skip: because('language_not_allowed', { language: languageName(language), code: language, allowed: wanted })
  }
}

const through: LanguageVerdict = { language: UNDETERMINED, skip: null }

/** One line, without addresses and figures; a cover in capitals is read as small letters, which detectors have learnt. */
function readable(text: string): string {
  const plain = text
    .replace(/\bhttps?:\/\/\S+|\bwww\.\S+|(?<!\S)\S+@\S+/gi, ' ')
    .replace(/[\p{P}\p{S}]{2,}|\d+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return countOf(/\p{Lu}/gu, plain) > countOf(/\p{Ll}/gu, plain) ? plain.toLowerCase() : plain
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0
}

function determined(guesses: readonly Guess[], allowed: readonly string[]): string | null {
  const [best] = guesses
  if (best === undefined) return null
  if (best.share >= SURE) return best.code
  const wanted = guesses.filter(({ code }) => allowed.some((one) => sameLanguage(one, code)))
  const share = wanted.reduce((sum, guess) => sum + guess.share, 0)
  return best.share >= LIKELY && share < HARDLY ? best.code : null
}
