import { because } from '../../../model/reason.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { feedDate, looseTime } from '../reading/loose.ts'
import { oneLine, withoutTags } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { attributeOf, childrenOf, childText, type Element } from '../reading/xml.ts'

/** One entry of a feed, as far as every feed says it. */
export interface FeedItem {
  /** `guid` or `id`, else the link. */
  id: string
  title: string
  /** Without HTML, in lines. */
  text: string
  categories: string[]
  /** BCP 47, '' when neither the item nor the feed says. */
  language: string
  /** Epoch milliseconds; null when it does not say, or says what cannot be. */
  sent: number | null
  element: Element
}

export interface Feed {
  title: string
  items: FeedItem[]
  skipped: SkippedItem[]
  /** Epoch milliseconds, or null. */
  updated: number | null
}

const MAX_ITEMS = 5000
const MAX_ID = 256
const MAX_TEXT = 20_000
/** Of a text with its tags, characters. */
const MAX_HTML = 10 * MAX_TEXT
/** No feed is older; clocks without a battery begin in 1970. */
const EARLIEST = Date.UTC(1995, 0)

/** RSS 2.0, RSS 1.0 or Atom, a few items at a time. @throws AppError `bad-input` for another document, or one with more than 5000 items. */
export function* feedSteps(root: Element, name: string): Generator<void, Feed> {
  const { head, list } = partsOf(root, name)
  if (list.length > MAX_ITEMS)
    throw new AppError('bad-input', because('body_too_many_items', { feed: name, most: MAX_ITEMS }))
  const language = childText(head, 'language') || attributeOf(root, 'lang')
  const skipped: SkippedItem[] = []
  const items: FeedItem[] = []
  let number = 0
  yield* eachInTurn(list, (element) => {
    number++
    const item = itemOf(element, language)
    if (item.id !== '' && (item.title !== '' || item.text !== '')) items.push(item)
    else
      skipped.push({
        id: item.id || `item ${number}`,
        reason: item.id === '' ? because('no_id_no_link') : because('no_title')
      })
  })
  return {
    title: oneLine(childText(head, 'title')),
    items: newestOnly(items, skipped),
    skipped,
    updated: firstTime(head, ['lastBuildDate', 'updated', 'pubDate', 'date'])
  }
}

function partsOf(root: Element, name: string): { head: Element; list: Element[] } {
  if (root.name === 'feed') return { head: root, list: childrenOf(root, 'entry') }
  const [channel] = root.name === 'rss' || root.name === 'RDF' ? childrenOf(root, 'channel') : []
  if (channel === undefined)
    throw new AppError('bad-input', because('body_no_rss_nor_atom', { feed: name, root: root.name }))
  return { head: channel, list: [...childrenOf(channel, 'item'), ...childrenOf(root, 'item')] }
}

function itemOf(element: Element, usual: string): FeedItem {
  const texts = ['description', 'summary', 'content', 'encoded'].map((name) => plainText(childText(element, name)))
  return {
    id: shortId(childText(element, 'guid') || childText(element, 'id') || linkOf(element)),
    title: oneLine(childText(element, 'title')).slice(0, 500),
    text: (texts.find((text) => text !== '') ?? '').slice(0, MAX_TEXT),
    categories: childrenOf(element, 'category')
      .map((category) => oneLine(attributeOf(category, 'label') || attributeOf(category, 'term') || category.text))
      .filter((category) => category !== ''),
    language: childText(element, 'language') || attributeOf(element, 'lang') || usual,
    sent: firstTime(element, ['updated', 'date', 'pubDate', 'published', 'issued', 'time']),
    element
  }
}

function linkOf(element: Element): string {
  const [link] = childrenOf(element, 'link')
  return link === undefined ? '' : attributeOf(link, 'href') || link.text.trim()
}

function shortId(id: string): string {
  return id.length <= MAX_ID ? id : sha256Hex(id)
}

/** Blocks of HTML end a line. */
function plainText(html: string): string {
  const lines = withoutTags(html.slice(0, MAX_HTML).replace(/<\/(?:p|div|li|tr|h\d)\s*>/gi, '\n')).split('\n')
  return lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

function firstTime(element: Element, names: readonly string[]): number | null {
  for (const name of names) {
    const text = childText(element, name)
    const time = feedDate(text) ?? looseTime(text)
    if (time !== null && time >= EARLIEST) return time
  }
  return null
}

/** An id listed twice is one thing: the newest stays, of two as old the first. */
function newestOnly(items: readonly FeedItem[], skipped: SkippedItem[]): FeedItem[] {
  const kept = new Map<string, FeedItem>()
  for (const item of items) {
    const other = kept.get(item.id)
    if (other !== undefined) skipped.push({ id: item.id, reason: because('listed_twice') })
    if (other === undefined || (item.sent ?? 0) > (other.sent ?? 0)) kept.set(item.id, item)
  }
  return [...kept.values()]
}
