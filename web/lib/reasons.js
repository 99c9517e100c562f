// Reasons in the language of the page, for scripts: what src/dashboard/words/reasons.ts does for pages. test/dashboard/reasons.test.ts compares both.

/** @typedef {{ weight: number, fixed: string[], said: string, names: string[] }} Pattern */
/** @typedef {{ patterns: Pattern[], known: Map<string, string>, left: number }} Search */

const LONGEST = 300
const MOST_LOOKS = 48

/** @type {((text: string) => string) | null} */
let known = null

/** Of a worker, in the language of the page; English while the words cannot be had. @param {string} text */
export function reason(text) {
  return known === null ? text : known(text)
}

/**
 * @param {Record<string, string>} words sentences with `{1}` for a value, and how the language says them
 * @returns {(text: string) => string}
 */
export function reasonsOf(words) {
  const patterns = Object.entries(words)
    .map(([text, said]) => patternOf(text, said))
    .sort((a, b) => b.weight - a.weight)
  return (text) => whole(text, { patterns, known: new Map(), left: MOST_LOOKS })
}

/** @param {string} text @param {string} said @returns {Pattern} */
function patternOf(text, said) {
  const fixed = text.replace(/\.$/, '').split(/\{\w+\}/)
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const weight = text.replace(/\{\w+\}/g, '').length
  return { weight, fixed, said: said.replace(/\.$/, ''), names }
}

/** @param {string} text @param {Search} search @returns {string} */
function whole(text, search) {
  if (text.length > LONGEST) return text
  const core = text.trim()
  if (core === '') return text
  let said = search.known.get(core)
  if (said === undefined) {
    if (search.left-- <= 0) return text
    said = bySentence(core, search) ?? byParts(core, search)
    search.known.set(core, said)
  }
  const found = said
  return found === core ? text : text.replace(core, () => found)
}

/** @param {string} text @param {Search} search */
function bySentence(text, search) {
  const stop = text.endsWith('.') ? '.' : ''
  const body = text.slice(0, text.length - stop.length)
  for (const { weight, fixed, said, names } of search.patterns) {
    const found = weight > text.length + 1 ? null : valuesOf(body, fixed)
    if (found === null) continue
    const values = new Map(names.map((name, index) => [name, found[index] ?? '']))
    const filled = said.replace(/\{(\w+)\}/g, (all, name) => {
      const value = values.get(name) ?? all
      return value.length < text.length ? whole(value, search) : value
    })
    const begun = /^\p{Lu}/u.test(text) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled
    return `${begun}${stop}`
  }
  return null
}

/** @param {string} text @param {string[]} fixed @returns {string[] | null} */
function valuesOf(text, [first = '', ...rest]) {
  if (!beginsWith(text, first)) return null
  const last = rest.pop()
  if (last === undefined) return text.length === first.length ? [] : null
  const end = text.length - last.length
  if (!text.endsWith(last)) return null
  /** @type {string[]} */
  const values = []
  let from = first.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at < 0) return null
    values.push(text.slice(from, at))
    from = at + piece.length
  }
  if (from > end) return null
  values.push(text.slice(from, end))
  return values
}

/** @param {string} text @param {string} first */
function beginsWith(text, first) {
  if (text.startsWith(first)) return true
  const letter = first.charAt(0)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return /^[a-z]/i.test(letter) && text.charAt(0) === other && text.startsWith(first.slice(1), 1)
}

/** @param {string} text @param {Search} search */
function byParts(text, search) {
  for (const border of [/(?<=[.!?]) (?=[\p{Lu}“"])/u, /(?<=;) /, /(?<=:) /]) {
    const at = text.search(border)
    if (at < 0) continue
    const sign = /[;:]$/.exec(text.slice(0, at))?.[0] ?? ''
    const said = `${whole(text.slice(0, at - sign.length), search)}${sign} ${whole(text.slice(at + 1), search)}`
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
