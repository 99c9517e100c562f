import { isTooDeep } from '../../model/depth.ts'
import { familyKeys } from '../../model/families.ts'
import { because } from '../../model/reason.ts'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { AppError } from '../../platform/errors.ts'
import { eventFromFeature } from '../events/feature.ts'
import { parseEventInput } from '../events/input.ts'
import { parseCap } from './cap/parse.ts'
import type { ParsedFeed, ParseOptions } from './feed.ts'
import { parseNwsAlerts } from './nws/parse.ts'
import { asBag, stripMark } from './reading/json.ts'
import { decodeText, withoutComments } from './reading/xml.ts'
import { parseUsgsQuakes } from './usgs/usgs.ts'

export const FEED_KINDS = ['nws', 'usgs', 'cap', 'events'] as const
export type FeedKind = (typeof FEED_KINDS)[number]

const NAMED = { known: FEED_KINDS }

export interface DetectOptions extends ParseOptions {
  /** One of `FEED_KINDS`; without it the content decides. */
  as?: string
  /** Families events may name; default the built-in ones. */
  families?: ReadonlySet<string>
}

/**
 * A recorded feed file or a file of Events, read by the parser of its kind. Throws AppError `bad-input`, naming the kinds,
 * when the kind is unknown or the content tells nothing, and whatever the parser throws for a broken body.
 */
export function parseFeedFile(content: string | Uint8Array, options: DetectOptions): ParsedFeed {
  const text = typeof content === 'string' ? stripMark(content) : decodeText(content)
  const kind = options.as === undefined ? detectKind(text) : namedKind(options.as)
  switch (kind) {
    case 'nws':
      return parseNwsAlerts(text, options)
    case 'usgs':
      return parseUsgsQuakes(text, options)
    case 'cap':
      return parseCap(text, options)
    default:
      return parseEvents(text, options)
  }
}

function namedKind(name: string): FeedKind {
  const kind = FEED_KINDS.find((known) => known === name.toLowerCase())
  if (kind === undefined) throw new AppError('bad-input', because('unknown_kind', { kind: name, ...NAMED }))
  return kind
}

/** The kind of a file by its content. Throws AppError `bad-input` when nothing in it tells. */
export function detectKind(text: string): FeedKind {
  const start = text.trimStart()
  if (start === '') throw new AppError('bad-input', because('feed_file_empty', NAMED))
  if (start.startsWith('<')) return kindOfXml(start)
  if (!start.startsWith('{') && !start.startsWith('[')) throw unknown()
  const whole = jsonOr(undefined, start)
  // Several lines, each an object: no single JSON value, but Events one by one.
  if (whole === undefined) return kindOfLines(start)
  if (Array.isArray(whole)) return kindOfList(whole)
  const bag = asBag(whole)
  const kind = bag === null ? null : kindOfObject(bag)
  if (kind === null) throw unknown()
  return kind
}

/** An empty list is a list of no events; a list of anything else than events is some other feed's. */
function kindOfList(list: readonly unknown[]): FeedKind {
  if (list.length === 0 || list.some(looksLikeEvent)) return 'events'
  throw unknown()
}

function looksLikeEvent(value: unknown): boolean {
  const bag = asBag(value)
  return bag !== null && (bag['type'] === 'Feature' || 'title' in bag)
}

function unknown(): AppError {
  return new AppError('bad-input', because('feed_file_unknown', NAMED))
}

function kindOfXml(text: string): FeedKind {
  const root = /<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)[\s/>]/.exec(withoutComments(text))?.[1]
  if (root === 'alert') return 'cap'
  throw new AppError('bad-input', because('feed_file_not_cap', { root: root ?? '?', ...NAMED }))
}

function kindOfObject(bag: Record<string, unknown>): FeedKind | null {
  if ('id' in bag && 'source' in bag && 'title' in bag) return 'events'
  if (Array.isArray(bag['@graph'])) return 'nws'
  if (bag['type'] === 'Feature') return looksLikeAlert(bag) ? 'nws' : 'events'
  if (bag['type'] !== 'FeatureCollection' || !Array.isArray(bag['features'])) return null
  const [first] = bag['features']
  const properties = asBag(asBag(first)?.['properties'])
  if (looksLikeAlert(asBag(first)) || JSON.stringify(bag['@context'] ?? '').includes('api.weather.gov')) return 'nws'
  const isQuakes = String(asBag(bag['metadata'])?.['url'] ?? '').includes('earthquake')
  return isQuakes || (properties !== null && 'mag' in properties && 'magType' in properties) ? 'usgs' : null
}

function looksLikeAlert(feature: Record<string, unknown> | null): boolean {
  const properties = asBag(feature?.['properties'])
  return (
    properties?.['@type'] === 'wx:Alert' ||
    (properties !== null && 'messageType' in properties && 'event' in properties)
  )
}

function kindOfLines(text: string): FeedKind {
  const first = jsonOr(undefined, text.split('\n', 1)[0] ?? '')
  if (asBag(first) === null) {
    throw new AppError('bad-input', because('feed_file_not_json', NAMED))
  }
  return 'events'
}

/** Events, or Features, as a JSON array, a single object or one per line. A refused one is skipped with its reason. */
function parseEvents(text: string, { receivedAt, families = familyKeys() }: DetectOptions): ParsedFeed {
  const feed: ParsedFeed = { kind: 'events', events: [], skipped: [], updated: null }
  for (const { name, value } of itemsOf(text)) {
    try {
      if (isTooDeep(value)) throw new AppError('bad-input', because('nested_too_deep'))
      const isFeature = asBag(value)?.['type'] === 'Feature'
      const event = isFeature
        ? eventFromFeature(value, { now: receivedAt })
        : parseEventInput(value, { now: receivedAt, families })
      // A Feature may name no family: `explain` tells of its place alone.
      if (event.family !== '' && !families.has(event.family)) {
        throw new AppError('bad-input', because('family_unknown', { family: event.family }))
      }
      feed.events.push(event)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      feed.skipped.push({ id: name, reason: error.reason })
    }
  }
  return feed
}

function itemsOf(text: string): { name: string; value: unknown }[] {
  const whole = jsonOr(undefined, text)
  if (Array.isArray(whole)) return whole.map((value, index) => ({ name: `item ${index + 1}`, value }))
  if (whole !== undefined) return [{ name: 'item 1', value: whole }]
  const lines = text.split('\n').map((line, index) => ({ name: `line ${index + 1}`, line: line.trim() }))
  const items = lines
    .filter(({ line }) => line !== '')
    .map(({ name, line }) => ({ name, value: jsonOr(undefined, line) }))
  if (items.every(({ value }) => asBag(value) === null)) {
    throw new AppError('bad-input', because('events_no_list'))
  }
  return items
}
