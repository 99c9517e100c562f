import { type Content, html } from './html.ts'

/** Longer questions mark only their first words. */
const MOST_WORDS = 24
const LETTERS = /[\p{L}\p{N}]+/gu

/** The stems of a question, as the lexical search compares words: without case and accents, common English endings off:
 * `pump` means `pumps`, `pumped` and `pumping` too. */
export function stemsOf(question: string): ReadonlySet<string> {
  const words = question.slice(0, 1000).match(LETTERS) ?? []
  return new Set(
    words
      .slice(0, MOST_WORDS)
      .map(fold)
      .filter((word) => word.length > 1)
      .map(stem)
  )
}

/** The text with the words of a question marked. */
export function marked(text: string, stems: ReadonlySet<string>): Content {
  if (stems.size === 0) return text
  const parts: Content[] = []
  let from = 0
  for (const found of text.matchAll(LETTERS)) {
    if (!isMeant(fold(found[0]), stems)) continue
    const end = found.index + found[0].length
    parts.push(text.slice(from, found.index), html`<mark>${found[0]}</mark>`)
    from = end
  }
  return from === 0 ? text : [parts, text.slice(from)]
}

function isMeant(word: string, stems: ReadonlySet<string>): boolean {
  return stems.has(word) || stems.has(stem(word))
}

function fold(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

function stem(word: string): string {
  return word.length < 5 ? word.replace(/(?<=..)s$/, '') : word.replace(/(?:ication|ation|ing|ies|es|ed|ly|s|e|y)$/, '')
}
