import { jsonOr } from '../../platform/bytes/json-or.ts'

/** Deeper is no answer anybody asked for. */
const MAX_DEPTH = 32

interface Read {
  value: unknown
  /** False: the text ended inside it. */
  complete: boolean
}

/**
 * The JSON in an answer of a language model, mended: fences and words around it, raw control characters, wrong escapes,
 * single quotes, trailing commas, literals of Python. Of a text that was cut off, arrays keep their complete elements and
 * the last, broken one goes. Undefined when there is no object or array in it. Never throws; linear time.
 */
export function repairJson(text: string): unknown {
  const strict = jsonOr(undefined, text)
  if (typeof strict === 'object' && strict !== null) return strict
  const start = text.search(/[[{]/)
  if (start === -1) return undefined
  return new Reader(text, start).read()
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f']
])
const LITERALS: readonly [RegExp, unknown][] = [
  [/true\b/iy, true],
  [/false\b/iy, false],
  [/(?:null|none|undefined|NaN)\b/iy, null],
  [/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy, 0]
]
const BLANK = /(?:\s|\/\/[^\n]*)*/y
const BARE = /[\w$-]+/y
/** A quote ends a string where JSON could go on after it; else it was meant as a character. */
const AFTER_STRING = /\s*(?:[,:\]}]|$)/y

class Reader {
  readonly #text: string
  #at: number

  constructor(text: string, start: number) {
    this.#text = text
    this.#at = start
  }

  read(): unknown {
    return this.#value(0)?.value
  }

  /** Null: nothing that could be a value stands here. */
  #value(depth: number): Read | null {
    this.#skip()
    const first = this.#text[this.#at]
    if (first === undefined || depth > MAX_DEPTH) return null
    if (first === '[') return this.#array(depth)
    if (first === '{') return this.#object(depth)
    if (first === '"' || first === "'") return this.#string(first)
    return this.#literal()
  }

  #array(depth: number): Read {
    const value: unknown[] = []
    this.#at++
    for (;;) {
      const end = this.#next(']')
      if (end !== 'more') return { value, complete: end === 'closed' }
      const element = this.#value(depth + 1)
      if (element === null) this.#at++
      else if (element.complete) value.push(element.value)
    }
  }

  #object(depth: number): Read {
    // No prototype: a key may be any word.
    const value: Record<string, unknown> = Object.create(null)
    this.#at++
    for (;;) {
      const end = this.#next('}')
      if (end !== 'more') return { value, complete: end === 'closed' }
      const key = this.#key()
      if (key === null) {
        this.#at++
        continue
      }
      const member = this.#value(depth + 1)
      if (member !== null && (member.complete || Array.isArray(member.value))) value[key] = member.value
    }
  }

  /** Over blanks and commas to the next element, the end, or the end of the text. */
  #next(closing: string): 'more' | 'closed' | 'cut off' {
    for (;;) {
      this.#skip()
      const char = this.#text[this.#at]
      if (char === undefined) return 'cut off'
      if (char === closing) {
        this.#at++
        return 'closed'
      }
      // The other bracket: somebody forgot ours. It belongs to whoever is outside.
      if (char === ']' || char === '}') return 'closed'
      if (char !== ',') return 'more'
      this.#at++
    }
  }

  #key(): string | null {
    const first = this.#text[this.#at]
    const name = first === '"' || first === "'" ? this.#string(first) : { value: this.#match(BARE), complete: true }
    this.#skip()
    if (typeof name.value !== 'string' || this.#text[this.#at] !== ':') return null
    this.#at++
    return name.value
  }

  #string(quote: string): Read {
    let value = ''
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      const char = this.#text[at] ?? ''
      if (char === '\\') {
        const [meant, length] = this.#escape(at)
        value += meant
        at += length
      } else if (char === quote && this.#closes(at + 1)) {
        this.#at = at + 1
        return { value, complete: true }
      } else value += char
    }
    this.#at = this.#text.length
    return { value, complete: false }
  }

  #closes(at: number): boolean {
    AFTER_STRING.lastIndex = at
    return AFTER_STRING.test(this.#text)
  }

  /** The meaning of an escape, and how many characters follow the backslash. A wrong one stands for itself. */
  #escape(at: number): [meant: string, length: number] {
    const next = this.#text[at + 1] ?? ''
    if (next === 'u') {
      const hex = this.#text.slice(at + 2, at + 6)
      return /^[\da-f]{4}$/i.test(hex) ? [String.fromCharCode(Number.parseInt(hex, 16)), 5] : ['', 0]
    }
    if (/["'\\/]/.test(next)) return [next, 1]
    const meant = ESCAPES.get(next)
    return meant === undefined ? ['\\', 0] : [meant, 1]
  }

  #literal(): Read | null {
    for (const [pattern, meaning] of LITERALS) {
      const found = this.#match(pattern)
      if (found === null) continue
      // A number at the very end may have been cut in two.
      return { value: meaning === 0 ? Number(found) : meaning, complete: this.#at < this.#text.length }
    }
    return null
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found === '' ? null : found
  }

  #skip(): void {
    this.#match(BLANK)
  }
}
