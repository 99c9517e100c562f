// Reasons in the language of the page, for scripts: what src/http/reasons.ts does for pages. test/http/reasons.test.ts compares both.

/** @typedef {{ weight: number, form: RegExp, said: string, names: string[] }} Pattern */

const LONGEST = 2000

/** @type {((text: string) => string) | null} */
let known = null

/** Of a worker, in the language of the page; English while the words cannot be had. @param {string} text */
export function reason(text) {
  return known === null ? text : known(text)
}

/** @param {Record<string, string>} words sentences with `{1}` for a value, and how the language says them */
export function reasonsOf(words) {
  const patterns = Object.entries(words)
    .map(([text, said]) => patternOf(text, said))
    .sort((a, b) => b.weight - a.weight)
  /** @param {string} text @returns {string} */
  const whole = (text) => {
    if (text.length > LONGEST) return text
    const core = text.trim()
    if (core === '') return text
    const said = bySentence(patterns, core, whole) ?? byParts(core, whole)
    return said === core ? text : text.replace(core, () => said)
  }
  return whole
}

/** @param {string} text @param {string} said @returns {Pattern} */
function patternOf(text, said) {
  /** @type {string[]} */
  const names = []
  const [first = '', ...rest] = text.replace(/\.$/, '').split(/(\{\w+\})/)
  const start = /^[a-z]/i.test(first)
    ? `[${first.charAt(0).toLowerCase()}${first.charAt(0).toUpperCase()}]${escaped(first.slice(1))}`
    : escaped(first)
  const form = rest.map((part) => {
    if (!/^\{\w+\}$/.test(part)) return escaped(part)
    names.push(part.slice(1, -1))
    return '(.*?)'
  })
  const weight = text.replace(/\{\w+\}/g, '').length
  return { weight, form: new RegExp(`^${start}${form.join('')}(\\.?)$`, 's'), said: said.replace(/\.$/, ''), names }
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** @param {Pattern[]} patterns @param {string} text @param {(text: string) => string} whole */
function bySentence(patterns, text, whole) {
  for (const { form, said, names } of patterns) {
    const found = form.exec(text)
    if (found === null) continue
    const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']))
    const filled = said.replace(/\{(\w+)\}/g, (all, name) => {
      const value = values.get(name) ?? all
      return value.length < text.length ? whole(value) : value
    })
    const begun = /^\p{Lu}/u.test(text) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled
    return `${begun}${found.at(-1) ?? ''}`
  }
  return null
}

/** @param {string} text @param {(text: string) => string} whole */
function byParts(text, whole) {
  for (const border of [/(?<=[.!?]) (?=[\p{Lu}“"])/u, /(?<=;) /, /(?<=:) /]) {
    const at = text.search(border)
    if (at < 0) continue
    const sign = /[;:]$/.exec(text.slice(0, at))?.[0] ?? ''
    const said = `${whole(text.slice(0, at - sign.length))}${sign} ${whole(text.slice(at + 1))}`
    if (said !== text) return said
  }
  return text
}

/** The words are asked for once, beside those of the page. */
async function fetchReasons() {
  const address = globalThis.document?.documentElement.dataset['words']
  if (!address) return
  try {
    const answer = await fetch(address.replace('.json', '.reasons.json'))
    if (answer.ok) known = reasonsOf(await answer.json())
  } catch {
    // Without them reasons stay English: better than none.
  }
}

await fetchReasons()
