import { drain } from '../clock/slices.ts'

/** A place in a text: offset in UTF-16 code units, line and column counted from 1 as editors do. */
export interface Place {
  offset: number
  line: number
  column: number
}

/** A JSON value as written: where it begins and ends, and where its members are. Repeated keys are all listed. */
export interface JsonNode {
  kind: 'object' | 'array' | 'scalar'
  start: number
  end: number
  members: { key: string; keyStart: number; value: JsonNode }[]
  items: JsonNode[]
}

export type JsonText = { ok: true; value: unknown; root: JsonNode } | { ok: false; message: string; place: Place }

/** Deeper documents are refused, so that nothing that walks them runs out of stack. */
export const MAX_DEPTH = 100

/** So many values are read in one step: about a millisecond on a Raspberry Pi. */
const STEP = 500
/** Shared by all scalars: an outline has tens of thousands of them. */
const NONE: never[] = []
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z_]\w*/y
const LITERALS = new Set(['true', 'false', 'null'])
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** A fault of a JSON text, and its place. Internal: `readJson` turns it into an answer. */
class Fault extends Error {
  readonly offset: number

  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { offset, line: before.split('\n').length, column: offset - lineStart + 1 }
}

/** Reads strict JSON (RFC 8259). The same answer on every Node version: a wrong text is told with its exact place. */
export function readJson(text: string): JsonText {
  return drain(readJsonSteps(text))
}

/** The same in steps: an outline has tens of thousands of values. */
export function* readJsonSteps(text: string): Generator<void, JsonText> {
  try {
    const root = yield* new Scanner(text).document()
    yield
    return { ok: true, value: JSON.parse(text), root }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, message: error.message, place: placeOf(text, error.offset) }
    throw error
  }
}

/** Escapes one member name or index for a JSON pointer (RFC 6901). */
export function pointerToken(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The JSON pointer of a path; '' is the whole document. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((key) => `/${pointerToken(key)}`).join('')
}

/** The keys a JSON pointer names, unescaped. */
export function pointerTokens(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The place of the value at `pointer`; for one that is missing, that of the nearest value around it. */
export function locatePointer(text: string, root: JsonNode, pointer: string): Place {
  let node = root
  let offset = root.start
  for (const token of pointerTokens(pointer)) {
    // Of a repeated key the last one counts, as for JSON.parse.
    const member = node.members.findLast(({ key }) => key === token)
    const next = member?.value ?? (/^\d+$/.test(token) ? node.items[Number(token)] : undefined)
    if (next === undefined) break
    node = next
    offset = member?.keyStart ?? next.start
  }
  return placeOf(text, offset)
}

/** Keys that stand twice in one object, as pointers: JSON keeps only the last of them. */
export function repeatedKeys(root: JsonNode): { path: string; offset: number }[] {
  const found: { path: string; offset: number }[] = []
  const visit = (node: JsonNode, pointer: string): void => {
    const seen = new Set<string>()
    for (const { key, keyStart, value } of node.members) {
      const path = `${pointer}/${pointerToken(key)}`
      if (seen.has(key)) found.push({ path, offset: keyStart })
      seen.add(key)
      visit(value, path)
    }
    for (const [index, item] of node.items.entries()) visit(item, `${pointer}/${index}`)
  }
  visit(root, '')
  return found
}

class Scanner {
  readonly #text: string
  #at = 0
  #left = STEP

  constructor(text: string) {
    this.#text = text
  }

  *document(): Generator<void, JsonNode> {
    this.#skip()
    if (this.#at === this.#text.length) throw new Fault(this.#at, 'the file is empty')
    const root = yield* this.#value(0)
    this.#skip()
    if (this.#at < this.#text.length) throw this.#unexpected('the end of the file')
    return root
  }

  *#value(depth: number): Generator<void, JsonNode> {
    if (--this.#left <= 0) {
      this.#left = STEP
      yield
    }
    if (depth > MAX_DEPTH) throw new Fault(this.#at, `nested more than ${MAX_DEPTH} levels deep`)
    const start = this.#at
    const first = this.#text[start]
    if (first === '{') return yield* this.#object(depth)
    if (first === '[') return yield* this.#array(depth)
    return this.#leaf()
  }

  /** Read without a generator of its own, except where a step is over. */
  #isLeaf(depth: number): boolean {
    const first = this.#text[this.#at]
    return first !== '[' && first !== '{' && depth <= MAX_DEPTH && --this.#left > 0
  }

  #leaf(): JsonNode {
    const start = this.#at
    if (this.#text[start] === '"') this.#string()
    else this.#scalar()
    return { kind: 'scalar', start, end: this.#at, members: NONE, items: NONE }
  }

  *#object(depth: number): Generator<void, JsonNode> {
    const node: JsonNode = { kind: 'object', start: this.#at++, end: 0, members: [], items: [] }
    this.#skip()
    if (!this.#take('}')) {
      do {
        this.#skip()
        const keyStart = this.#at
        if (this.#text[keyStart] !== '"') throw this.#unexpected('a name in double quotes')
        const key = this.#string()
        this.#skip()
        if (!this.#take(':')) throw this.#unexpected('":"')
        this.#skip()
        node.members.push({ key, keyStart, value: yield* this.#value(depth + 1) })
        this.#skip()
      } while (this.#take(','))
      if (!this.#take('}')) throw this.#unexpected('"," or "}"')
    }
    node.end = this.#at
    return node
  }

  *#array(depth: number): Generator<void, JsonNode> {
    const node: JsonNode = { kind: 'array', start: this.#at++, end: 0, members: [], items: [] }
    this.#skip()
    if (!this.#take(']')) {
      do {
        this.#skip()
        node.items.push(this.#isLeaf(depth + 1) ? this.#leaf() : yield* this.#value(depth + 1))
        this.#skip()
      } while (this.#take(','))
      if (!this.#take(']')) throw this.#unexpected('"," or "]"')
    }
    node.end = this.#at
    return node
  }

  #string(): string {
    const start = this.#at++
    for (let char = this.#text[this.#at]; char !== '"'; char = this.#text[this.#at]) {
      if (char === undefined) throw new Fault(start, 'this text has no closing quote: the file ends inside of it')
      if (char < ' ')
        throw new Fault(this.#at, 'a line break or control character inside of a text: is a quote missing?')
      if (char === '\\') {
        if (!this.#match(ESCAPE)) throw new Fault(this.#at, 'not a JSON escape: write \\\\ for a backslash')
      } else this.#at++
    }
    this.#at++
    const value: unknown = JSON.parse(this.#text.slice(start, this.#at))
    return String(value)
  }

  #scalar(): void {
    const start = this.#at
    if (this.#match(NUMBER)) {
      const written = this.#text.slice(start, this.#at)
      if (!Number.isFinite(Number(written))) throw new Fault(start, `${written} is too large a number`)
      return
    }
    const word = this.#match(WORD)
    if (word !== null && LITERALS.has(word)) return
    this.#at = start
    throw this.#unexpected('a value')
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at = pattern.lastIndex
    return found[0]
  }

  /** White space of JSON: space, tab, line feed, carriage return. */
  #skip(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at++
    }
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #unexpected(wanted: string): Fault {
    const rest = this.#text.slice(this.#at)
    if (rest === '') return new Fault(this.#at, `the file ends here, but ${wanted} should follow: it is cut off`)
    if (rest.startsWith('//') || rest.startsWith('/*')) return new Fault(this.#at, 'JSON has no comments: remove it')
    const found = /^(?:[\w.+-]{1,20}|.)/su.exec(rest)?.[0] ?? ''
    const hint = /^[}\]]/.test(rest) ? ' (is there a comma too many before it?)' : ''
    return new Fault(this.#at, `expected ${wanted}, found ${JSON.stringify(found)}${hint}`)
  }
}
