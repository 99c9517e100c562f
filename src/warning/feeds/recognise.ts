import { jsonOr } from '../../platform/bytes/json-or.ts'
import type { FeedMarks } from './definition.ts'
import { asBag } from './reading/json.ts'
import { withoutComments } from './reading/xml.ts'
import { FEEDS } from './settings.ts'

/** Formats that many providers publish in come last: what a provider puts into them tells more. */
const MARKED: readonly [kind: string, marks: FeedMarks][] = FEEDS.flatMap(({ schema, marks }): [string, FeedMarks][] =>
  marks === undefined ? [] : [[schema.entries.kind.literal, marks]]
).sort(([, a], [, b]) => Number(a.generic ?? false) - Number(b.generic ?? false))

const HEAD = 20_000

/** The source whose answer this looks like, by the marks of each kind; null when only the simple kinds are left. */
export function sourceKindOf(text: string): string | null {
  const start = text.trimStart()
  const head = start.slice(0, HEAD)
  const told = kindWhere(({ text: isIts }) => isIts?.(head))
  if (told !== null) return told
  if (start.startsWith('<')) return kindOfXml(start)
  return start.startsWith('{') || start.startsWith('[') ? kindOfJson(start) : null
}

function kindWhere(fits: (marks: FeedMarks) => boolean | undefined): string | null {
  return MARKED.find(([, marks]) => fits(marks))?.[0] ?? null
}

function kindOfXml(text: string): string | null {
  const bare = withoutComments(text.slice(0, HEAD))
  const root = /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/.exec(bare)?.[1] ?? ''
  // A list of links to alerts says nothing of CAP itself.
  if (root === 'rss' || root === 'feed' || root === 'RDF')
    return kindWhere(({ syndication }) => syndication?.(bare)) ?? 'cap'
  // An alert in an envelope: EDXL-DE, SOAP.
  return (
    kindWhere(({ roots }) => roots?.includes(root)) ??
    (text.includes('urn:oasis:names:tc:emergency:cap:') ? 'cap' : null)
  )
}

function kindOfJson(text: string): string | null {
  const value = jsonOr(undefined, text)
  if (value === undefined) return null
  return Array.isArray(value) ? kindOfList(value) : kindOfObject(value)
}

function kindOfList(list: readonly unknown[]): string | null {
  return kindWhere(({ value }) => value?.(list)) ?? kindByKeys(list[0], 'list')
}

function kindOfObject(value: unknown): string | null {
  const bag = asBag(value)
  if (bag === null) return null
  const found =
    kindWhere(({ value: isIts }) => isIts?.(bag)) ??
    kindByKeys(bag, 'object') ??
    kindByKeys(bag['value'], 'object') ??
    kindByKeys(bag['report'], 'object')
  if (found !== null) return found
  const { collection, features } = bag
  if (Array.isArray(collection)) return kindOfList(collection)
  const feature = Array.isArray(features) ? asBag(features[0]) : bag
  return kindByKeys(feature?.['properties'], 'feature')
}

function kindByKeys(value: unknown, where: 'list' | 'object' | 'feature'): string | null {
  const bag = asBag(value)
  return bag === null ? null : kindWhere((marks) => marks[where]?.some((key) => key in bag))
}
