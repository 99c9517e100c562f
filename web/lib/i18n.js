// English texts are their own keys; the words of another language are fetched once, from the same catalogue the server reads.

/** Of the page, for dates and numbers. */
export const language = document.documentElement.lang || 'en'

/** @type {Record<string, string>} */
const words = await fetchWords(document.documentElement.dataset['words'])

/**
 * The address holds the revision of the words, so a browser asks once. Without an answer the page is in English: better
 * than no page.
 * @param {string | undefined} address
 */
async function fetchWords(address) {
  if (!address) return {}
  try {
    const answer = await fetch(address)
    return answer.ok ? await answer.json() : {}
  } catch {
    return {}
  }
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
