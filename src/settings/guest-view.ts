import { isObject, type JsonObject, type JsonValue } from '../platform/config/json.ts'
import { pointerOf } from '../platform/config/locate.ts'
import { KEPT } from '../platform/config/masked.ts'
import { redactText } from '../platform/log/secrets.ts'
import { describeSettings, type Setting } from './describe.ts'

type Path = readonly string[]

/**
 * The document as somebody may see it who may not change it. Numbers, switches and choices are shown; a text only where
 * the schema says that it is public, of an address scheme and host. Whatever else is set becomes `{"$kept": pointer}`, and
 * what the schema does not know is left out: a new key is hidden until somebody decides otherwise.
 */
export function guestView(raw: JsonObject): JsonObject {
  return membersSeen(raw, describeSettings().members ?? {}, [])
}

function membersSeen(value: JsonObject, members: Readonly<Record<string, Setting>>, path: Path): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const setting = Object.hasOwn(members, key) ? members[key] : undefined
      return setting === undefined ? [] : [[key, seen(member, setting, [...path, key])]]
    })
  )
}

function seen(value: JsonValue, setting: Setting, path: Path): JsonValue {
  const hidden = { [KEPT]: pointerOf(path) }
  if (value === null || value === '') return value
  if (setting.secret === true) return hidden
  switch (setting.type) {
    case 'switch':
      return typeof value === 'boolean' ? value : hidden
    case 'number':
      return typeof value === 'number' ? value : hidden
    case 'choice':
      return typeof value !== 'object' && setting.choices?.includes(value) === true ? value : hidden
    case 'text':
      return textSeen(value, setting) ?? hidden
    case 'json':
      return numbersOnly(value) ? value : hidden
    default:
      return partsSeen(value, setting, path) ?? hidden
  }
}

/** Null where it is not for everybody. */
function textSeen(value: JsonValue, { public: to }: Setting): JsonValue | null {
  if (to === true) return typeof value === 'string' ? redactText(value) : typeof value === 'number' ? value : null
  return to === 'origin' && typeof value === 'string' ? originOf(value) : null
}

/** `https://example.org`, without user, path and query; null for what is no address with a host. */
export function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host } = new URL(text)
  return host === '' ? null : `${protocol}//${host}`
}

/** Null where none of it is for everybody. */
function partsSeen(value: JsonValue, setting: Setting, path: Path): JsonValue | null {
  const { type, members = {}, items, kinds = {}, public: to } = setting
  if (type === 'list' && items !== undefined && Array.isArray(value))
    return itemsSeen(value, to === undefined ? items : { ...items, public: to }, path)
  if (!isObject(value)) return null
  if (type === 'object') return membersSeen(value, members, path)
  if (type === 'map') return mapSeen(value, setting, path)
  const { kind } = value
  return typeof kind === 'string' && Object.hasOwn(kinds, kind)
    ? membersSeen(value, kinds[kind]?.members ?? {}, path)
    : null
}

function mapSeen(value: JsonObject, { values, names: choices, public_names }: Setting, path: Path): JsonObject | null {
  const names = Object.keys(value)
  if (names.length === 0) return value
  if (values === undefined || (choices === undefined && public_names !== true)) return null
  const shown = names.filter((name) => choices?.includes(name) ?? true)
  return membersSeen(value, Object.fromEntries(shown.map((name) => [name, values])), path)
}

/** A list of texts that are all hidden is hidden as one. */
function itemsSeen(value: JsonValue[], items: Setting, path: Path): JsonValue | null {
  const all = value.map((item, index) => seen(item, items, [...path, String(index)]))
  const plain = items.type === 'text' || items.type === 'json'
  return plain && all.length > 0 && all.some((item) => isObject(item)) ? null : all
}

function numbersOnly(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.every(numbersOnly)
  return typeof value === 'number' || typeof value === 'boolean'
}
