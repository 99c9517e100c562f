import { because, type Reason } from '../../../model/reason.ts'
import { formatTime, isTime } from '../../../model/time.ts'
import { geometryOf, looseNumber, looseTime } from './loose.ts'
import { type Found, findField, plainText, refusal } from './mapped-field.ts'
import type { MappingRule, MappingSettings } from './mapping-settings.ts'
import { clip } from './prose.ts'

type FieldName = Exclude<keyof MappingSettings['fields'], 'data'>
type Read = (found: Found) => unknown

const MAX_CODES = 500
/** A time in milliseconds from 1973 on; in seconds, the year 5138. */
const MILLISECONDS_FROM = 1e11

const READERS: Record<FieldName, Read> = {
  id: text(256),
  title: text(500, true),
  category: text(128),
  family: text(128),
  summary: text(20_000, true),
  body: text(20_000, true),
  revision: text(256),
  thread_id: text(512),
  severity: word,
  lifecycle: word,
  onset: time,
  expires: time,
  sent_at: time,
  lat: number,
  lon: number,
  radius_km: number,
  bbox: ({ value, pointer }) =>
    Array.isArray(value) && value.length === 4
      ? value.map((one) => number({ value: one, pointer }))
      : refuse(pointer, because('is_not_bbox')),
  geometry: ({ value, pointer }) => geometryOf(value) ?? refuse(pointer, because('is_not_geometry')),
  zones: codes,
  same: codes,
  regions: ({ value, pointer }) => list(Array.isArray(value) ? value : [value], pointer)
}

const GEOJSON_FIELDS: Partial<Record<FieldName, MappingRule>> = {
  id: ['/id', '/properties/id', '/properties/@id'],
  title: ['/properties/title', '/properties/headline', '/properties/event', '/properties/name'],
  geometry: '/geometry'
}

/** The origin of each field, for the refusal of what it holds. */
export type Origins = Map<string, string>

/**
 * The fields of an event, in the form `POST /api/events` takes, that a mapping finds in an item. Throws AppError
 * `bad-input`, naming the pointer, for a value that is not what its field wants.
 */
export function mapFields(
  item: unknown,
  { format, fields }: MappingSettings
): { input: Record<string, unknown>; origins: Origins } {
  const { data = {}, ...given } = fields
  const rules: Partial<Record<FieldName, MappingRule>> = format === 'geojson' ? { ...GEOJSON_FIELDS, ...given } : given
  const origins: Origins = new Map()
  const input = new Map<string, unknown>()
  for (const name of fieldNames()) {
    const rule = rules[name]
    const found = rule === undefined ? undefined : findField(item, rule)
    if (found === undefined) continue
    origins.set(`/${name}`, found.pointer)
    if (found.value !== undefined) input.set(name, READERS[name](found))
  }
  const facts = Object.entries(data).flatMap(([key, rule]) => {
    const found = findField(item, rule)
    origins.set(`/data/${key}`, found.pointer)
    return found.value === undefined ? [] : [[key, fact(key, found)] as const]
  })
  return { input: { ...placed(input, origins), data: Object.fromEntries(facts) }, origins }
}

function fieldNames(): FieldName[] {
  return Object.keys(READERS).filter(isField)
}

function isField(name: string): name is FieldName {
  return Object.hasOwn(READERS, name)
}

/** `radius_km` beside a position is a circle. */
function placed(input: Map<string, unknown>, origins: Origins): Record<string, unknown> {
  const { radius_km, ...rest } = Object.fromEntries(input)
  if (radius_km === undefined) return rest
  const { lat, lon } = rest
  if (lat === undefined || lon === undefined)
    throw refusal(origins.get('/radius_km') ?? '', because('radius_needs_position'))
  return { ...rest, circle: { lat, lon, radius_km } }
}

function refuse(pointer: string, why: Reason): never {
  throw refusal(pointer, why)
}

function text(most: number, mayClip = false): Read {
  return ({ value, pointer }) => {
    const found = plainText(value)
    if (found === '') return refuse(pointer, because('is_not_text'))
    return mayClip ? clip(found, most) : found
  }
}

function word({ value, pointer }: Found): string {
  return plainText(value).toLowerCase() || refuse(pointer, because('is_not_text'))
}

function number({ value, pointer }: Found): number {
  return looseNumber(value) ?? refuse(pointer, because('is_not_number'))
}

/** ISO 8601 in its usual spellings, else epoch seconds or milliseconds, also as text. */
function time({ value, pointer }: Found): string {
  const epoch = looseNumber(value)
  const ms = epoch === null ? looseTime(value) : epoch * (Math.abs(epoch) < MILLISECONDS_FROM ? 1000 : 1)
  if (ms === null || !isTime(ms)) return refuse(pointer, because('is_not_time'))
  return formatTime(Math.round(ms))
}

function codes({ value, pointer }: Found): string[] {
  const given = typeof value === 'string' ? value.split(/[\s,;]+/).filter((code) => code !== '') : value
  return list(Array.isArray(given) ? given : [given], pointer)
}

function list(values: readonly unknown[], pointer: string): string[] {
  if (values.length > MAX_CODES) return refuse(pointer, because('has_more_entries', { most: MAX_CODES }))
  return values.map((one) => plainText(one) || refuse(pointer, because('is_not_texts')))
}

const NUMBER_FACTS = new Set(['magnitude', 'depth_km'])
const TEXT_FACTS = new Set([
  'event_name',
  'detail',
  'instruction',
  'attribution',
  'short_text',
  'origin_time',
  'material'
])

/** Facts texts are composed from get their type; others stay texts, numbers, truth values or lists of them. */
function fact(key: string, found: Found): unknown {
  if (NUMBER_FACTS.has(key)) return number(found)
  if (TEXT_FACTS.has(key)) return text(20_000, true)(found)
  const { value, pointer } = found
  if (key === 'places') return list(Array.isArray(value) ? value : [value], pointer)
  if (Array.isArray(value)) return list(value, pointer)
  if (typeof value === 'object') return refuse(pointer, because('is_not_fact'))
  return value
}
