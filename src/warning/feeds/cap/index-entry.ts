import type { SkippedItem } from '../feed.ts'
import { oneLine } from '../reading/prose.ts'
import { attributeOf, childrenOf, childText, type Element } from '../reading/xml.ts'

/** One alert as an index names it: often per area or language, joined later. */
export interface IndexEntry {
  /** CAP identifier; '' when the index does not say. */
  identifier: string
  /** Address of the CAP document, or null. */
  link: string | null
  /** The name that the index itself gives the entry. */
  id: string
  /** The alert as CAP, as far as the index goes. */
  alert: Element
}

/** An index as read: whole alerts, entries that point to alerts, and what was neither. */
export interface CapIndex {
  alerts: Element[]
  entries: IndexEntry[]
  skipped: SkippedItem[]
  /** The time of its making, RFC 3339 UTC, or null. */
  updated: string | null
}

const ALERT_FIELDS = ['identifier', 'sender', 'sent', 'status', 'msgType', 'scope', 'references']
const INFO_FIELDS = ['language', 'category', 'event', 'responseType', 'urgency', 'severity', 'certainty', 'eventCode']
const INFO_MORE = ['effective', 'onset', 'expires', 'senderName', 'headline', 'description', 'instruction', 'parameter']
const AREA_FIELDS = ['areaDesc', 'geocode']
const INFO = new Set([...INFO_FIELDS, ...INFO_MORE])
/** Other spellings of CAP names in indexes. */
const ALIASES = new Map([
  ['message_type', 'msgType'],
  ['messageType', 'msgType']
])

/** An element with text only. */
export function leaf(name: string, text: string): Element {
  return { name, text, children: [] }
}

/** Facts an index states in its own words, where the entry has no CAP element for them. */
export interface Fallbacks {
  identifier: string
  sender: string
  sent: string
  headline: string
}

/**
 * The alert an entry of an Atom or RSS index stands for, from the CAP and GeoRSS elements in it, from categories such as
 * `severity=Moderate` (Canada) and from `fallbacks`.
 */
export function alertOf(entry: Element, fallbacks: Fallbacks): Element {
  const children = [...entry.children.flatMap(renamed), ...entry.children.flatMap(fromCategory)]
  const has = (name: string): boolean => children.some((child) => child.name === name && child.text.trim() !== '')
  const given = (name: 'identifier' | 'sender' | 'sent'): Element[] =>
    has(name) || fallbacks[name] === '' ? [] : [leaf(name, fallbacks[name])]
  const head = children.filter(({ name }) => ALERT_FIELDS.includes(name))
  const info = children.filter(({ name }) => INFO.has(name))
  if (!has('headline') && fallbacks.headline !== '') info.push(leaf('headline', fallbacks.headline))
  if (!has('event') && eventIn(fallbacks.headline) !== '') info.push(leaf('event', eventIn(fallbacks.headline)))
  const area = children.filter(({ name }) => AREA_FIELDS.includes(name) || name === 'polygon' || name === 'circle')
  if (area.length > 0) info.push({ name: 'area', text: '', children: area })
  const whole = [...head, ...given('identifier'), ...given('sender'), ...given('sent')]
  return { name: 'alert', text: '', children: [...whole, { name: 'info', text: '', children: info }] }
}

/** CAP elements under their CAP name; GeoRSS shapes (`lat lon lat lon`, metres) as CAP shapes; the rest falls away. */
function renamed(child: Element): Element[] {
  const name = ALIASES.get(child.name) ?? child.name
  if (name === 'polygon' || name === 'circle' || name === 'point') return shapeOf(name, child.text)
  if (name === 'category' && child.text.trim() === '') return []
  const known = ALERT_FIELDS.includes(name) || INFO.has(name) || AREA_FIELDS.includes(name)
  return known ? [{ ...child, name }] : []
}

function shapeOf(name: string, text: string): Element[] {
  if (text.includes(',')) return name === 'point' ? [] : [leaf(name, text)]
  const numbers = text.trim().split(/\s+/)
  if (name === 'polygon') {
    const pairs = numbers.flatMap((lat, at) => (at % 2 === 0 ? [`${lat},${numbers[at + 1] ?? ''}`] : []))
    return [leaf('polygon', pairs.join(' '))]
  }
  const [lat = '', lon = '', metres = '0'] = numbers
  return [leaf('circle', `${lat},${lon} ${Number(metres) / 1000}`)]
}

/** `<category term="status=Actual"/>`, the way of the Canadian index. */
function fromCategory(child: Element): Element[] {
  const [, name = '', value = ''] =
    /^(\w+)=(.+)$/.exec(child.name === 'category' ? attributeOf(child, 'term') : '') ?? []
  return ALERT_FIELDS.includes(name) || INFO.has(name) ? [leaf(name, value)] : []
}

/** `Air Quality Alert issued August 30 at …` names the event before it tells when. */
function eventIn(title: string): string {
  return oneLine(title.replace(/(?<!\s)\s+(?:issued|in effect|remains in effect|until|for)\b.*$/is, ''))
}

/** The URN in a name such as `tag:example.org,2026:feed.atom/urn:oid:2.49.0.1.124.1`; '' without one. */
export function urnIn(text: string): string {
  return /urn:oid:[\w.-]+/.exec(text)?.[0] ?? ''
}

/** An absolute address of HTTP or HTTPS, or null. `base` is where the index came from. */
export function addressOf(text: string, base: string | null): string | null {
  const url = URL.canParse(text, base ?? undefined) ? new URL(text, base ?? undefined) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null
}

/** The first element of this name anywhere below, or null. Not deeper than the reader of XML goes. */
export function descendant(element: Element, name: string): Element | null {
  for (const child of element.children) {
    const found = child.name === name ? child : descendant(child, name)
    if (found !== null) return found
  }
  return null
}

/** The name of the author, RSS or Atom; '' without one. */
export function authorOf(element: Element): string {
  const [author] = childrenOf(element, 'author')
  if (author === undefined) return childText(element, 'creator')
  return oneLine(childText(author, 'name') || author.text)
}
