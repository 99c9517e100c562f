/**
 * Reasons in the language of a page. Workers write them in English, with their values in them, and so they are stored and
 * answered by the API; a page finds the sentence they were made from (`web/i18n/reasons/<language>.json`, `{1}` stands for a
 * value) and says that one. `web/lib/reasons.js` does the same for scripts.
 */
type Reasons = (text: string) => string

interface Pattern {
  /** Letters that are not values: what has more of them is the better match. */
  weight: number
  form: RegExp
  said: string
  names: readonly string[]
}

/** Longer is no sentence of ours. */
const LONGEST = 2000

export function reasonsOf(words: Readonly<Record<string, string>>): Reasons {
  const patterns = Object.entries(words)
    .map(([text, said]) => patternOf(text, said))
    .sort((a, b) => b.weight - a.weight)
  const whole: Reasons = (text) => {
    if (text.length > LONGEST) return text
    const core = text.trim()
    if (core === '') return text
    const said = bySentence(patterns, core, whole) ?? byParts(core, whole)
    return said === core ? text : text.replace(core, () => said)
  }
  return whole
}

function patternOf(text: string, said: string): Pattern {
  const names: string[] = []
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

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** The sentence the text was made from, its values said in their turn; null when no sentence of ours fits. */
function bySentence(patterns: readonly Pattern[], text: string, whole: Reasons): string | null {
  for (const { form, said, names } of patterns) {
    const found = form.exec(text)
    if (found === null) continue
    const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']))
    const filled = said.replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = values.get(name) ?? all
      // A value that is the whole text would be asked for ever.
      return value.length < text.length ? whole(value) : value
    })
    const begun = /^\p{Lu}/u.test(text) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled
    return `${begun}${found.at(-1) ?? ''}`
  }
  return null
}

/** Several sentences, or what somebody says behind a colon. */
function byParts(text: string, whole: Reasons): string {
  for (const border of [/(?<=[.!?]) (?=[\p{Lu}“"])/u, /(?<=;) /, /(?<=:) /]) {
    const at = text.search(border)
    if (at < 0) continue
    // The sign that ends the first part belongs to neither.
    const sign = /[;:]$/.exec(text.slice(0, at))?.[0] ?? ''
    const head = text.slice(0, at - sign.length)
    const said = `${whole(head)}${sign} ${whole(text.slice(at + 1))}`
    if (said !== text) return said
  }
  return text
}
