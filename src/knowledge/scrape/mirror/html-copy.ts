import { Parser } from 'htmlparser2'
import { rewriteCss } from './css-links.ts'
import { type Attributes, type LinkRules, rewriteAttributes } from './html-attributes.ts'

const VOID = new Set(
  'area base br col embed frame hr img input link meta param source track wbr basefont bgsound keygen'.split(' ')
)
/** Gone with everything in them. */
const REMOVED = new Set(['script', 'template', 'applet', 'portal'])
/** Gone themselves; what they hold for readers without them stays. */
const UNWRAPPED = new Set([
  'noscript',
  'object',
  'video',
  'audio',
  'picture',
  'canvas',
  'base',
  'embed',
  'source',
  'track',
  'param'
])

const KEPT_LINKS = /\b(?:stylesheet|icon|apple-touch-icon)\b/i
const DROPPED_META =
  /^(?:content-security-policy(?:-report-only)?|set-cookie|content-type|refresh|x-ua-compatible|origin-trial)$/i
const REFRESH = /^[\s\d.]*[;,]\s*(?:url\s*=\s*)?["']?([^"'>\s]+)/i

/** No browser nests deeper. */
const MOST_OPEN = 512

export interface PageCopy {
  html: string
  /** The page asks robots not to follow its links. */
  nofollow: boolean
}

/**
 * A page as it stands in a copy: in UTF-8, with the links `rules` give, without scripts, frames of other sites, and whatever
 * else would load something from the network or needs a server. Written as it is read: neither depth nor length of a page
 * needs more than its own size. `onBase` hears of a `<base href>`.
 */
export function copyPage(
  html: string,
  rules: LinkRules,
  onBase: (address: string) => void = () => undefined
): PageCopy {
  const writer = new PageWriter(rules, onBase)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        writer.open(name, attributes)
        forgetOutermost(parser)
      },
      onclosetag: (name) => writer.close(name),
      ontext: (text) => writer.text(text),
      onprocessinginstruction: (name, data) => writer.declaration(name, data)
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true, recognizeSelfClosing: false }
  )
  parser.end(html)
  return { html: writer.written(), nofollow: writer.nofollow }
}

/**
 * The parser looks through all open elements at every tag: without this a page of broken tags costs the square of its length.
 * Whatever is forgotten is not closed in the copy, which a browser does.
 */
function forgetOutermost(parser: Parser): void {
  for (const name of ['stack', 'foreignContext']) {
    const open: unknown = Reflect.get(parser, name)
    // Of an element that changes the context the parser takes away an entry: there is always one more than there are elements.
    if (Array.isArray(open) && open.length > 2 * MOST_OPEN) open.length = MOST_OPEN + (name === 'stack' ? 0 : 1)
  }
}

class PageWriter {
  readonly #rules: LinkRules
  readonly #onBase: (address: string) => void
  readonly #out: string[] = []
  /** The element that is left out, and how deep we are in others of its name. */
  #removed: { name: string; depth: number } | null = null
  #raw = ''
  #hasBase = false
  #charsetTold = false
  nofollow = false

  constructor(rules: LinkRules, onBase: (address: string) => void) {
    this.#rules = rules
    this.#onBase = onBase
  }

  written(): string {
    return this.#out.join('')
  }

  declaration(name: string, data: string): void {
    if (name.toLowerCase() === '!doctype' && this.#out.length === 0) this.#out.push(`<${data.slice(0, 300)}>`)
  }

  open(name: string, attributes: Attributes): void {
    if (this.#removed !== null) {
      if (this.#removed.name === name) this.#removed.depth++
      return
    }
    if (REMOVED.has(name)) {
      this.#removed = { name, depth: 0 }
      return
    }
    if (name === 'base') this.#base(attributes)
    if (UNWRAPPED.has(name) || !isName(name)) return
    this.#tellCharset(name)
    const kept = this.#attributesOf(name, attributes)
    if (kept === null) return
    if (name === 'style') this.#raw = name
    const text = Object.entries(kept).map(([key, value]) => (isName(key) ? ` ${key}="${quoted(value)}"` : ''))
    this.#out.push(`<${name}${text.join('')}>`)
    if (name === 'head') this.#tellCharset('meta')
  }

  close(name: string): void {
    if (this.#removed !== null) {
      if (this.#removed.name === name && this.#removed.depth-- === 0) this.#removed = null
      return
    }
    if (UNWRAPPED.has(name) || VOID.has(name) || REMOVED.has(name) || !isName(name)) return
    if (name === this.#raw) this.#raw = ''
    this.#out.push(`</${name}>`)
  }

  text(text: string): void {
    if (this.#removed !== null) return
    // A style sheet comes as a whole piece.
    if (this.#raw === 'style') this.#out.push(withoutTags(rewriteCss(text, this.#rules.part)))
    else this.#out.push(text.replace(/[&<>]/g, (letter) => ESCAPES[letter] ?? letter))
  }

  /** The attributes; null for an element that is left out. */
  #attributesOf(name: string, given: Attributes): Attributes | null {
    if (name === 'meta') return this.#meta(given)
    if (name === 'link' && !KEPT_LINKS.test(given['rel'] ?? '')) return null
    const kept = rewriteAttributes(name, given, this.#rules)
    if (name === 'link' && kept['href'] === undefined) return null
    if ((name === 'iframe' || name === 'frame') && kept['src'] === undefined) kept['hidden'] = ''
    return kept
  }

  #meta(given: Attributes): Attributes | null {
    if (given['charset'] !== undefined) return null
    if (/^robots$/i.test(given['name'] ?? '') && /\b(?:nofollow|none)\b/i.test(given['content'] ?? ''))
      this.nofollow = true
    const kind = given['http-equiv']
    if (kind === undefined) return given
    if (/^refresh$/i.test(kind.trim())) return this.#refresh(given['content'] ?? '')
    return DROPPED_META.test(kind.trim()) ? null : given
  }

  /** A page that sends its readers on does so in the copy too, when the other one is there. */
  #refresh(content: string): Attributes | null {
    const address = REFRESH.exec(content)?.[1]
    const link = address === undefined ? null : this.#rules.frame(address)
    return link === null ? null : { 'http-equiv': 'refresh', content: `0;url=${link}` }
  }

  #base({ href }: Attributes): void {
    if (href === undefined || this.#hasBase) return
    this.#hasBase = true
    this.#onBase(href)
  }

  #tellCharset(name: string): void {
    if (this.#charsetTold || name === 'html' || name === 'head') return
    this.#charsetTold = true
    this.#out.push('<meta charset="utf-8">')
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * In an SVG a browser reads tags in a style sheet too (HTML §13.2.6.5), a script among them: what could begin one is written as CSS
 * escapes it. The marks of a comment around an old sheet mean nothing in CSS.
 */
function withoutTags(css: string): string {
  return css.replaceAll('<!--', '').replace(/<(?=[a-z!/?])/gi, '\\3c ')
}

function quoted(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/"/g, '&quot;')
}

function isName(key: string): boolean {
  return /^[a-z_:][\w:.-]*$/i.test(key)
}
