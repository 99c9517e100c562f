import type { LookoutEvent } from '../../../model/event.ts'
import { familyKeys } from '../../../model/families.ts'
import { because, shortened } from '../../../model/reason.ts'
import { revisionOf } from '../../../platform/bytes/canonical-json.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import { parseEventInput } from '../../events/input.ts'
import type { SkippedItem } from '../feed.ts'
import type { SourceReading } from '../source.ts'
import { asBag, type Bag, stripMark } from './json.ts'
import { jsonSteps } from './json-steps.ts'
import { looseText } from './loose.ts'
import { mapFields, type Origins } from './mapped-event.ts'
import { refusal } from './mapped-field.ts'
import { constantsOf, type MappingSettings } from './mapping-settings.ts'
import { valueAt } from './pointer.ts'
import { clip } from './prose.ts'
import { eachInTurn } from './steps.ts'
import { decodeText } from './xml.ts'

/** The knowledge besides the message that making events needs. */
export interface MapTools {
  /** `source` of events that name none. */
  source: string
  /** Epoch milliseconds. */
  receivedAt: number
  /** Families events may name; default the built-in ones. Those a mapping names itself are always among them. */
  families?: ReadonlySet<string>
}

const MAX_ITEMS = 5000
const MAX_DEPTH = 64

/**
 * The events of a message from anywhere: by a mapping, or without one Events as `POST /api/events` takes them (one, a
 * list, one a line, or GeoJSON Features with an event's fields as properties). An item that cannot be one is skipped with
 * the pointer that is to blame. Throws AppError `bad-input` when the message is no JSON, nested deeper than 64, longer
 * than 5000 items, or has no list where the mapping says.
 */
export function readMessage(
  body: string | Uint8Array,
  mapping: MappingSettings | undefined,
  tools: MapTools
): SourceReading {
  return drain(messageSteps(body, mapping, tools))
}

/** `readMessage`, a little at a time. */
export function* messageSteps(
  body: string | Uint8Array,
  mapping: MappingSettings | undefined,
  tools: MapTools
): Generator<void, SourceReading> {
  const text = (typeof body === 'string' ? stripMark(body) : decodeText(body)).trim()
  const items = mapping === undefined ? yield* nativeItems(text) : mappedItems(yield* parseJson(text), mapping)
  if (items.length > MAX_ITEMS) throw new AppError('bad-input', because('message_many_items', { most: MAX_ITEMS }))
  const families = familiesOf(mapping, tools)
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  let index = 0
  yield* eachInTurn(items, (item) => {
    index++
    try {
      events.push(
        mapping === undefined ? nativeEvent(item, tools, families) : mappedEvent(item, mapping, tools, families)
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      skipped.push({ id: nameOf(item) || `item ${index}`, reason: shortened(error.reason, 300) })
    }
  })
  return { kind: 'events', items: items.length, events, skipped, updated: null }
}

function* parseJson(text: string): Generator<void, unknown> {
  if (text === '') throw new AppError('bad-input', because('message_empty'))
  if (text.startsWith('<')) throw new AppError('bad-input', because('message_not_json_at_all'))
  try {
    const value = yield* jsonSteps(text)
    if (isDeeper(value, MAX_DEPTH)) throw new AppError('bad-input', because('message_too_deep', { most: MAX_DEPTH }))
    return value
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new AppError('bad-input', because('message_not_json'), { cause })
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

function mappedItems(body: unknown, { format, list }: MappingSettings): unknown[] {
  const bag = asBag(body)
  const isCollection = format === 'geojson' && Array.isArray(bag?.['features'])
  const pointer = list ?? (isCollection ? '/features' : '')
  const found = valueAt(body, pointer)
  if (Array.isArray(found)) return found
  if (list === undefined && format === 'geojson' && bag?.['type'] !== 'Feature') {
    throw refusal('/features', because('no_features_here'))
  }
  if (asBag(found) === null) throw refusal(pointer, because('no_list_nor_object'))
  return [found]
}

/** Events as a list, a GeoJSON collection, one object, or one a line. */
function* nativeItems(text: string): Generator<void, unknown[]> {
  const whole = yield* wholeJson(text)
  if (whole === undefined) return yield* lineItems(text)
  if (Array.isArray(whole)) return whole
  const bag = asBag(whole)
  const features = bag?.['type'] === 'FeatureCollection' ? bag['features'] : null
  return Array.isArray(features) ? features : [whole]
}

/** Undefined for several objects, one a line. Throws for everything else that is not JSON. */
function* wholeJson(text: string): Generator<void, unknown> {
  try {
    return yield* parseJson(text)
  } catch (error) {
    const [first = '', second = ''] = text.split('\n', 2)
    const areLines = first.trim().endsWith('}') && second.trim().startsWith('{')
    if (areLines && error instanceof AppError && error.cause instanceof SyntaxError) return undefined
    throw error
  }
}

function* lineItems(text: string): Generator<void, unknown[]> {
  const items: unknown[] = []
  yield* eachInTurn(text.split('\n'), (line) => {
    if (line.trim() !== '') items.push(lineItem(line))
  })
  return items
}

/** A broken line is an item that can be no event. */
function lineItem(line: string): unknown {
  try {
    return drain(parseJson(line.trim()))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function nativeEvent(item: unknown, tools: MapTools, families: ReadonlySet<string>): LookoutEvent {
  const bag = asBag(item)
  const input = bag?.['type'] === 'Feature' ? fromFeature(bag) : bag
  if (input === null) throw new AppError('bad-input', because('is_not_object'))
  return parseEventInput({ ...input, source: input['source'] ?? tools.source }, { now: tools.receivedAt, families })
}

function fromFeature(feature: Bag): Bag {
  const properties = asBag(feature['properties']) ?? {}
  return { ...properties, id: looseText(properties['id'] ?? feature['id']), geometry: feature['geometry'] ?? null }
}

/** Without a revision of its own it is a digest of what is told, not of when: a repeat is a repeat. */
function mappedEvent(
  item: unknown,
  mapping: MappingSettings,
  { source, receivedAt }: MapTools,
  families: ReadonlySet<string>
): LookoutEvent {
  const { input, origins } = mapFields(item, mapping)
  const { sent_at: _sentAt, ...told } = input
  try {
    const revision = input['revision'] ?? revisionOf(withoutInfinities(told))
    return parseEventInput({ ...input, source, revision }, { now: receivedAt, families })
  } catch (error) {
    throw error instanceof AppError ? blamed(error, origins) : error
  }
}

/** JSON may hold `1e999`, which is read as a number that JSON cannot write. */
function withoutInfinities(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The refusal of an event, told by the pointers of the mapping. */
function blamed(error: AppError, origins: Origins): AppError {
  const [issue] = error.issues
  if (issue === undefined) return error
  const field = issue.path.slice(1)
  const pointer = origins.get(issue.path) ?? ''
  if (origins.has(issue.path) && issue.code === 'required')
    return refusal(pointer, because('nothing_is_here', { field }))
  const why = issue.reason ?? because('note', { text: issue.message })
  return refusal(
    pointer,
    pointer === '' ? because('at_pointer', { pointer: field, why }) : because('of_field', { why, field })
  )
}

function familiesOf(mapping: MappingSettings | undefined, { families = familyKeys() }: MapTools): ReadonlySet<string> {
  const named = constantsOf(mapping?.fields.family).filter((family) => typeof family === 'string')
  return named.length === 0 ? families : new Set([...families, ...named])
}

function nameOf(item: unknown): string {
  const bag = asBag(item)
  return clip(looseText(bag?.['id']) || looseText(asBag(bag?.['properties'])?.['id']), 80)
}
