import { SaxesParser } from 'saxes'
import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import { stripMark } from './json.ts'

/** An XML element by its local name; namespaces are not looked at. */
export interface Element {
  name: string
  text: string
  children: Element[]
  /** By local name; missing where there are none. */
  attributes?: Record<string, string>
}

const MAX_DEPTH = 64
/** Read in one go, characters: a few milliseconds. */
const AT_ONCE = 32 * 1024
/** Decoded in one go: about a millisecond. */
const BYTES_AT_ONCE = 256 * 1024

/**
 * The root element. Throws AppError `bad-input` for what is not well-formed, for a document type declaration and
 * for entities of its own: nothing that comes from a feed may define what it is read as.
 */
export function parseXml(body: string, feed: string): Element {
  return drain(xmlSteps(body, feed))
}

/** `parseXml`, a little at a time. */
export function* xmlSteps(body: string, feed: string): Generator<void, Element> {
  const text = stripMark(body).trimStart()
  if (text === '') throw new AppError('bad-input', because('body_is_empty', { feed }))
  try {
    return yield* readTree(text, feed)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('bad-input', because('body_not_xml', { feed, said: errorText(cause) }), { cause })
  }
}

function* readTree(text: string, feed: string): Generator<void, Element> {
  const parser = new SaxesParser({ xmlns: false })
  const document: Element = { name: '', text: '', children: [] }
  const open: Element[] = [document]
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', (type) => {
    if (/^\s*html\b/i.test(type)) throw new AppError('bad-input', because('web_page_for_feed', { feed }))
    throw new AppError('bad-input', because('body_has_doctype', { feed }))
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MAX_DEPTH) throw new AppError('bad-input', because('body_too_deep', { feed }))
    const element: Element = { name: localName(name), text: '', children: [], ...attributesOf(attributes) }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const append = (more: string): void => {
    const current = open.at(-1)
    if (current !== undefined) current.text += more
  }
  parser.on('text', append)
  parser.on('cdata', append)
  for (let at = 0; at < text.length; at += AT_ONCE) {
    if (at > 0) yield
    parser.write(text.slice(at, at + AT_ONCE))
  }
  parser.close()
  const [root] = document.children
  if (root === undefined) throw new AppError('bad-input', because('body_no_element', { feed }))
  return root
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function attributesOf(attributes: Record<string, string>): Pick<Element, 'attributes'> {
  const names = Object.keys(attributes)
  if (names.length === 0) return {}
  if (!names.some((name) => name.includes(':'))) return { attributes: { ...attributes } }
  return { attributes: Object.fromEntries(names.map((name) => [localName(name), attributes[name] ?? ''])) }
}

/** The text without comments and processing instructions. One that never ends takes the rest with it, at one look: no parser reads on behind it either. */
export const withoutComments = (text: string): string => text.replace(/<\?[\s\S]*?(?:\?>|$)|<!--[\s\S]*?(?:-->|$)/g, '')

/** The trimmed value of an attribute, by its local name; '' without it. */
export function attributeOf(element: Element, name: string): string {
  const { attributes = {} } = element
  return Object.hasOwn(attributes, name) ? (attributes[name]?.trim() ?? '') : ''
}

/** The trimmed text of the first child of this name, '' without one. */
export function childText(element: Element, name: string): string {
  return element.children.find((child) => child.name === name)?.text.trim() ?? ''
}

/** The trimmed, non-empty texts of all children of this name. */
export function childTexts(element: Element, name: string): string[] {
  return childrenOf(element, name)
    .map((child) => child.text.trim())
    .filter((text) => text !== '')
}

export function childrenOf(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name)
}

/**
 * The text of a file or body: by its byte order mark, else by the encoding its XML declaration names, else UTF-8.
 * Throws AppError `bad-input` for an encoding that is not known here.
 */
export function decodeText(bytes: Uint8Array): string {
  return drain(decodeSteps(bytes))
}

/** `decodeText`, a little at a time. */
export function* decodeSteps(bytes: Uint8Array): Generator<void, string> {
  const decoder = decoderOf(bytes)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    if (at > 0) yield
    parts.push(decoder.decode(bytes.subarray(at, at + BYTES_AT_ONCE), { stream: true }))
  }
  parts.push(decoder.decode())
  return stripMark(parts.join(''))
}

function decoderOf(bytes: Uint8Array): InstanceType<typeof TextDecoder> {
  const label = markOf(bytes) ?? declaredEncoding(bytes) ?? 'utf-8'
  try {
    return new TextDecoder(label)
  } catch (cause) {
    throw new AppError('bad-input', because('encoding_unknown', { label }), { cause })
  }
}

/** By the mark, or by the `<` in front of a document without one (XML 1.0, appendix F). */
function markOf([first, second]: Uint8Array): string | null {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0) ? 'utf-16le' : null
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  const label = /^[\s\u00EF\u00BB\u00BF]*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1] ?? null
  // A text that can be read a byte at a time is not UTF-16, though many a program writes so and sends UTF-8.
  return label !== null && /^(?:utf-?16|ucs-?2|utf-?32)/i.test(label) ? null : label
}
