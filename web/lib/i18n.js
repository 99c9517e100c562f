// English texts are their own keys; other languages are in web/i18n/<language>.json, the same file the server reads.

/** @type {Record<string, string>} */
const words = JSON.parse(document.getElementById('words')?.textContent || '{}')

/** Of the page, for dates and numbers. */
export const language = document.documentElement.lang || 'en'

/**
 * The text in the language of the page, `{name}` replaced.
 * @param {string} text
 * @param {Record<string, string | number>} [values]
 */
export function t(text, values = {}) {
  const said = words[text] ?? text
  return said.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all))
}
