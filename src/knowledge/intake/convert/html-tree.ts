import { MOST_OPEN, ShallowParser } from './shallow-parser.ts'

/** An element with what is in it, in order. */
export interface Element {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: (Element | string)[]
}

/** A page with more elements is no page to read. */
const MAX_ELEMENTS = 300_000
/**
 * The depth below which everything is put into the deepest element there is: browsers do the same, and nothing may run
 * out of stack.
 */
const MAX_DEPTH = 200
/** Elements whose content is no text of the page; scripts of type ld+json tell facts. */
const SILENT = new Set(
  'script style noscript template svg math canvas iframe object embed applet audio video map select datalist button textarea dialog head'.split(
    ' '
  )
)
const KEPT_IN_HEAD = new Set(['title', 'meta', 'link', 'base'])

/** The words of a page about itself besides its text. */
export interface Head {
  title: string
  /** `og:title` → content; the first one counts. Names in small letters. */
  meta: Map<string, string>
  /** Bodies of JSON-LD scripts. */
  linkedData: string[]
  /** `rel` of a link → href. */
  links: Map<string, string>
}

/** The elements of a page, well formed or not, without what is never shown; bounded in size and depth. */
export function readTree(html: string): { root: Element; head: Head } {
  const builder = new Builder()
  const parser = new ShallowParser(
    {
      onopentag: (tag, attributes) => builder.open(tag, attributes),
      ontext: (text) => builder.text(text),
      onclosetag: (tag) => builder.close(tag)
    },
    (tag) => builder.isTooDeep(tag)
  )
  parser.end(html)
  return { root: builder.root, head: builder.head }
}

class Builder {
  readonly root: Element = { tag: 'html', attributes: {}, children: [] }
  readonly head: Head = { title: '', meta: new Map(), linkedData: [], links: new Map() }
  readonly #stack: Element[] = [this.root]
  #elements = 0
  /** Tags that are open within something silent, or deeper than the deepest: they have no element. */
  readonly #unkept: string[] = []
  #silent = 0
  #collecting: 'title' | 'data' | null = null
  #collected = ''

  /** An element that is never shown is opened at any depth: its content would be shown. */
  isTooDeep(tag: string): boolean {
    const isFull = this.#stack.length + this.#unkept.length > MOST_OPEN
    return isFull && (this.#silent > 0 || !SILENT.has(tag))
  }

  open(tag: string, attributes: Record<string, string>): void {
    if (KEPT_IN_HEAD.has(tag)) this.#openInHead(tag, attributes)
    if (tag === 'script' && /^application\/ld\+json/i.test(attributes['type'] ?? '')) this.#collect('data')
    const isSilent = SILENT.has(tag)
    if (this.#silent > 0 || isSilent || this.#stack.length > MAX_DEPTH || this.#elements >= MAX_ELEMENTS) {
      this.#unkept.push(tag)
      if (isSilent) this.#silent++
      return
    }
    this.#elements++
    const element: Element = { tag, attributes, children: [] }
    this.#stack.at(-1)?.children.push(element)
    this.#stack.push(element)
  }

  text(text: string): void {
    if (this.#collecting !== null) {
      if (this.#collected.length < 200_000) this.#collected += text
    } else if (this.#silent === 0) this.#stack.at(-1)?.children.push(text)
  }

  /** The parser closes in order what it has opened. */
  close(tag: string): void {
    if (this.#collecting !== null && (tag === 'title' || tag === 'script')) this.#collectedAll()
    const open = this.#unkept.at(-1)
    if (open !== undefined) {
      if (open !== tag) return
      this.#unkept.pop()
      if (SILENT.has(tag)) this.#silent--
    } else if (this.#stack.length > 1 && this.#stack.at(-1)?.tag === tag) this.#stack.pop()
  }

  #openInHead(tag: string, attributes: Record<string, string>): void {
    if (tag === 'title' && this.head.title === '' && this.#silent <= 1) this.#collect('title')
    const name = (attributes['property'] ?? attributes['name'] ?? attributes['itemprop'] ?? '').toLowerCase()
    const content = (attributes['content'] ?? '').trim()
    if (tag === 'meta' && name !== '' && content !== '' && !this.head.meta.has(name)) this.head.meta.set(name, content)
    const rel = (attributes['rel'] ?? '').toLowerCase()
    if (tag === 'link' && rel !== '' && !this.head.links.has(rel)) this.head.links.set(rel, attributes['href'] ?? '')
  }

  #collect(what: 'title' | 'data'): void {
    this.#collecting = what
    this.#collected = ''
  }

  #collectedAll(): void {
    if (this.#collecting === 'title') this.head.title = this.#collected.replace(/\s+/g, ' ').trim()
    else if (this.head.linkedData.length < 20) this.head.linkedData.push(this.#collected)
    this.#collecting = null
  }
}

/** Every element, in order, itself first; without recursion. */
export function* elementsOf(root: Element): Generator<Element> {
  const stack: Element[] = [root]
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    yield element
    for (let at = element.children.length - 1; at >= 0; at--) {
      const child = element.children[at]
      if (typeof child === 'object') stack.push(child)
    }
  }
}
