/** Read in one go, characters: about a millisecond. */
const AT_ONCE = 64 * 1024
/** No listing is deeper; each level takes a frame of the stack. */
const MAX_DEPTH = 64

/**
 * As `JSON.parse`, some members at a time: a listing of several megabytes holds up no radio (contract §6, *Warnings before work*).
 * Throws SyntaxError.
 */
export function* jsonSteps(text: string): Generator<void, unknown> {
  if (text.length <= AT_ONCE) return JSON.parse(text)
  const reader = new Reader(text)
  const value = yield* reader.value(0)
  reader.expectEnd()
  return value
}

/** The near part of a container, as far as one go reaches. */
interface Ahead {
  /** Of the last comma between two members, -1 without one. */
  comma: number
  /** Of the bracket that closes the container, -1 when it lies further ahead. */
  close: number
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  *value(depth: number): Generator<void, unknown> {
    if (depth > MAX_DEPTH) throw new SyntaxError('nested too deep')
    this.#skipBlanks()
    const first = this.#text[this.#at]
    if (first === '[') return yield* this.#list(depth)
    if (first === '{') return yield* this.#object(depth)
    return this.#scalar()
  }

  expectEnd(): void {
    this.#skipBlanks()
    if (this.#at < this.#text.length) throw new SyntaxError('something follows the value')
  }

  *#list(depth: number): Generator<void, unknown[]> {
    const list: unknown[] = []
    for (const few of this.#members(']')) {
      if (few === null) list.push(yield* this.value(depth + 1))
      else for (const entry of JSON.parse(`[${few}]`) as unknown[]) list.push(entry)
      yield
    }
    return list
  }

  *#object(depth: number): Generator<void, Record<string, unknown>> {
    const members: [string, unknown][][] = []
    for (const few of this.#members('}')) {
      if (few === null) members.push([[this.#key(), yield* this.value(depth + 1)]])
      else members.push(Object.entries(JSON.parse(`{${few}}`) as Record<string, unknown>))
      yield
    }
    return Object.fromEntries(members.flat())
  }

  /** The members of a container, as many at a time as fit one go; null: the next one is longer and is to be read by itself. */
  *#members(bracket: ']' | '}'): Generator<string | null> {
    this.#at++
    for (let isFirst = true; ; isFirst = false) {
      this.#skipBlanks()
      const few = this.#few(isFirst)
      if (few !== '') yield few
      if (few === null) this.#skipBlanks()
      const next = this.#text[this.#at++]
      if (next === bracket) return
      if (next !== ',') throw new SyntaxError('neither a comma nor the end')
    }
  }

  /** Up to a comma or the end of the container; '' where it is empty, null when not even one member fits. */
  #few(isFirst: boolean): string | null {
    const { comma, close } = this.#ahead()
    const end = close === -1 ? comma : close
    if (end === -1) return null
    const few = this.#text.slice(this.#at, end).trim()
    if (few === '' && !(isFirst && close !== -1)) throw new SyntaxError('a member is missing')
    this.#at = end
    return few
  }

  #ahead(): Ahead {
    const text = this.#text
    const until = Math.min(text.length, this.#at + AT_ONCE)
    let [depth, comma] = [0, -1]
    for (let at = this.#at; at < until; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          at = this.#endOfText(at)
          break
        case OPEN_LIST:
        case OPEN_OBJECT:
          depth++
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          if (depth === 0) return { comma, close: at }
          depth--
          break
        case COMMA:
          if (depth === 0) comma = at
          break
      }
    }
    return { comma, close: -1 }
  }

  /** Of the quote that ends the text which begins at `from`. */
  #endOfText(from: number): number {
    const text = this.#text
    for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
      let slashes = 0
      while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
      if (slashes % 2 === 0) return at
    }
    throw new SyntaxError('a text does not end')
  }

  #key(): string {
    this.#skipBlanks()
    if (this.#text[this.#at] !== '"') throw new SyntaxError('a member has no name')
    const key = String(this.#scalar())
    this.#skipBlanks()
    if (this.#text[this.#at++] !== ':') throw new SyntaxError('a name without a colon')
    return key
  }

  #scalar(): unknown {
    const from = this.#at
    if (this.#text[from] === '"') this.#at = this.#endOfText(from) + 1
    else while (this.#at < this.#text.length && !/[\s,:\]}]/.test(this.#text[this.#at] ?? '')) this.#at++
    return JSON.parse(this.#text.slice(from, this.#at))
  }

  #skipBlanks(): void {
    while (BLANKS.has(this.#text.charCodeAt(this.#at))) this.#at++
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
/** RFC 8259 §2. */
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d])
