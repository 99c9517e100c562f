import { formatTime } from '../../../model/time.ts'
import { feedDate } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { attributeOf, childrenOf, childText, childTexts, type Element } from '../reading/xml.ts'
import { addressOf, alertOf, authorOf, type CapIndex, descendant, type IndexEntry, urnIn } from './index-entry.ts'

/** The entries of an Atom feed (RFC 4287): CAP elements in them, or a whole alert as content. */
export function* readAtom(feed: Element, base: string | null): Generator<void, CapIndex> {
  const made = feedDate(childText(feed, 'updated'))
  return yield* readEntries(childrenOf(feed, 'entry'), feed, { base, made })
}

/** The items of an RSS 2.0 channel, or of RSS 1.0, where they stand beside it. */
export function* readRss(root: Element, base: string | null): Generator<void, CapIndex> {
  const [channel = root] = childrenOf(root, 'channel')
  const items = [...childrenOf(channel, 'item'), ...childrenOf(root, 'item')]
  const dates = ['lastBuildDate', 'pubDate', 'date'].map((name) => feedDate(childText(channel, name)))
  return yield* readEntries(items, channel, { base, made: dates.find((date) => date !== null) ?? null })
}

function* readEntries(
  list: readonly Element[],
  feed: Element,
  { base, made }: { base: string | null; made: number | null }
): Generator<void, CapIndex> {
  const index: CapIndex = { alerts: [], entries: [], skipped: [], updated: made === null ? null : formatTime(made) }
  const publisher = authorOf(feed) || oneLine(childText(feed, 'title'))
  yield* eachInTurn(list, (entry) => {
    const alert = descendant(entry, 'alert')
    if (alert !== null && childText(alert, 'identifier') !== '') index.alerts.push(alert)
    else index.entries.push(readEntry(entry, publisher, base))
  })
  return index
}

function readEntry(entry: Element, publisher: string, base: string | null): IndexEntry {
  const id = childText(entry, 'id') || childText(entry, 'guid')
  const link = linkOf(entry, base)
  const identifier = childText(entry, 'identifier') || urnIn(id)
  const times = ['sent', 'updated', 'published', 'pubDate', 'date'].map((name) => feedDate(childText(entry, name)))
  const sent = times.find((time) => time !== null) ?? null
  const alert = alertOf(entry, {
    identifier: identifier || id || (link ?? ''),
    sender: authorOf(entry) || publisher,
    sent: sent === null ? '' : formatTime(sent),
    headline: oneLine(childText(entry, 'title'))
  })
  return { identifier, link, id, alert }
}

/** A link that says that it leads to CAP, else the plain one. */
function linkOf(entry: Element, base: string | null): string | null {
  const links = [...childrenOf(entry, 'link'), ...childrenOf(entry, 'enclosure')]
  const target = (link: Element): string => attributeOf(link, 'href') || attributeOf(link, 'url') || link.text.trim()
  const isCap = (link: Element): boolean => /\bcap\b|common-alerting/i.test(attributeOf(link, 'type'))
  const plain = links.filter(
    (link) => link.name === 'link' && ['', 'alternate', 'self'].includes(attributeOf(link, 'rel'))
  )
  const candidates = [...links.filter(isCap).map(target), ...childTexts(entry, 'cap'), ...plain.map(target)]
  for (const candidate of candidates) {
    const address = candidate === '' ? null : addressOf(candidate, base)
    if (address !== null) return address
  }
  return null
}
