// English texts are their own keys.
import { fetchWords } from './fetch-words.js'
import { words } from './words.js'

/** Of the page, for dates and numbers. */
export const language = document.documentElement.lang || 'en'

/** For names and descriptions that come after the page, and that nobody could foresee. */
export async function moreWords() {
  Object.assign(words, await fetchWords())
}

/**
 * A name, description or sentence out of the program's own tables, such as the name of a setting; `{name}` replaced.
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
export function term(text, values = {}) {
  const said = Object.hasOwn(words, text) ? (words[text] ?? text) : text
  return said.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all))
}

/**
 * The text in the language of the page, `{name}` replaced. It stands written out where it is asked for: words of others
 * (titles, names) are shown as they are, and the type lets no string of unknown content in.
 * @template {string} T
 * @param {string extends T ? never : T} text
 * @param {Record<string, string | number>} [values]
 */
export function t(text, values = {}) {
  return term(text, values)
}
