/**
 * Reasons in the language of a page. Workers write them in English, with their values in them, and so they are stored and
 * answered by the API; a page finds the sentence they were made from (`web/i18n/reasons/<language>.json`, `{1}` stands for a
 * value) and says that one. `web/lib/reasons.js` does the same for scripts.
 *
 * Crawlers, files and other programs speak through these sentences, so their cost is bounded whatever they say: a sentence is
 * found by comparing, not by an expression that could go back, each part is asked once, and so many parts at most.
 */
type Reasons = (text: string) => string

interface Pattern {
  /** Letters that are not values: what has more of them is the better match. */
  weight: number
  /** The fixed pieces before, between and behind its values. */
  fixed: readonly string[]
  said: string
  names: readonly string[]
}

/** The cost that one reason may have. */
interface Search {
  patterns: readonly Pattern[]
  /** Parts that were asked already: the borders of a text lead to the same ones again and again. */
  known: Map<string, string>
  left: number
}

/** Longer is no sentence of ours. */
const LONGEST = 300
/** A reason of six sentences asks for about thirty; what is left over stays English. */
const MOST_LOOKS = 48

export function reasonsOf(words: Readonly<Record<string, string>>): Reasons {
  const patterns = Object.entries(words)
    .map(([text, said]) => patternOf(text, said))
    .sort((a, b) => b.weight - a.weight)
  return (text) => whole(text, { patterns, known: new Map(), left: MOST_LOOKS })
}

function patternOf(text: string, said: string): Pattern {
  const fixed = text.replace(/\.$/, '').split(/\{\w+\}/)
  const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const weight = text.replace(/\{\w+\}/g, '').length
  return { weight, fixed, said: said.replace(/\.$/, ''), names }
}

function whole(text: string, search: Search): string {
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

/** The sentence the text was made from, its values said in their turn; null when no sentence of ours fits. */
function bySentence(text: string, search: Search): string | null {
  const stop = text.endsWith('.') ? '.' : ''
  const body = text.slice(0, text.length - stop.length)
  for (const { weight, fixed, said, names } of search.patterns) {
    // A sentence of more letters than the text has (and the stop that was taken off) cannot be in it.
    const found = weight > text.length + 1 ? null : valuesOf(body, fixed)
    if (found === null) continue
    const values = new Map(names.map((name, index) => [name, found[index] ?? '']))
    const filled = said.replace(/\{(\w+)\}/g, (all, name: string) => {
      const value = values.get(name) ?? all
      // A value that is the whole text would be asked for ever.
      return value.length < text.length ? whole(value, search) : value
    })
    const begun = /^\p{Lu}/u.test(text) ? filled.charAt(0).toUpperCase() + filled.slice(1) : filled
    return `${begun}${stop}`
  }
  return null
}

/**
 * The values in the gaps of a sentence, each as short as can be; null when the text is not made of it. To take the
 * first place of each fixed piece leaves the most for those behind it: where that fails, no other place does better.
 */
function valuesOf(text: string, [first = '', ...rest]: readonly string[]): string[] | null {
  if (!beginsWith(text, first)) return null
  const last = rest.pop()
  if (last === undefined) return text.length === first.length ? [] : null
  const end = text.length - last.length
  if (!text.endsWith(last)) return null
  const values: string[] = []
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

/** Whoever begins a sentence with it writes its first letter large. */
function beginsWith(text: string, first: string): boolean {
  if (text.startsWith(first)) return true
  const letter = first.charAt(0)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return /^[a-z]/i.test(letter) && text.charAt(0) === other && text.startsWith(first.slice(1), 1)
}

/** Several sentences, or what somebody says behind a colon. */
function byParts(text: string, search: Search): string {
  for (const border of [/(?<=[.!?]) (?=[\p{Lu}“"])/u, /(?<=;) /, /(?<=:) /]) {
    const at = text.search(border)
    if (at < 0) continue
    // The sign that ends the first part belongs to neither.
    const sign = /[;:]$/.exec(text.slice(0, at))?.[0] ?? ''
    const head = text.slice(0, at - sign.length)
    const said = `${whole(head, search)}${sign} ${whole(text.slice(at + 1), search)}`
    if (said !== text) return said
  }
  return text
}
