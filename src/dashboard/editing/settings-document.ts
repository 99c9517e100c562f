import * as v from 'valibot'
import { because, type Reason } from '../../model/reason.ts'
import { isObject, type JsonObject, type JsonValue, memberOf } from '../../platform/config/json.ts'
import { pointerTokens } from '../../platform/config/locate.ts'
import { isSecretPath, KEPT } from '../../platform/config/masked.ts'
import { record, strictObject } from '../../platform/config/object.ts'
import { AppError, issueOf } from '../../platform/errors.ts'
import { REDACTED, redactText } from '../../platform/log/secrets.ts'
import { describeSettings, type Setting, settingAt } from '../../settings/describe.ts'

const pointerSchema = v.pipe(
  v.string(),
  v.regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'a JSON pointer (RFC 6901) begins with /, such as /station/name'),
  v.maxLength(1000, 'a pointer has at most 1000 characters')
)

/** The body of `POST /api/settings`. */
export const settingsBody = strictObject({
  set: v.pipe(
    v.optional(record(pointerSchema, v.unknown()), {}),
    v.description(
      'Pointer into the configuration → new value; - as the last part adds to a list. {"$kept": pointer} keeps the secret that stands there.'
    )
  ),
  remove: v.pipe(
    v.optional(v.pipe(v.array(pointerSchema), v.maxLength(1000)), []),
    v.description('Pointers of what is taken away, so that the default is in force again; after `set`, last first.')
  )
})

export type SettingsChange = v.InferOutput<typeof settingsBody>

/** Names that JavaScript's objects keep for themselves. */
const RESERVED = new Set(['__proto__', 'prototype', 'constructor'])
/** RFC 6901 and 6902: an index, without zeros in front. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/

/**
 * The raw document with the change made; the schema has its say afterwards. Throws AppError `invalid` with the pointer of
 * a place that cannot be, of a reserved name, and of a secret that is not there.
 */
export function applyChange(raw: JsonObject, { set, remove }: SettingsChange): JsonObject {
  const before = structuredClone(raw)
  for (const [pointer, value] of Object.entries(set)) {
    const path = tokensOf(pointer)
    put(raw, path, restored(value, { before, path, pointer }), pointer)
  }
  // From behind: what is taken out of a list moves what stands behind it.
  const paths = remove.map((pointer) => ({ pointer, path: tokensOf(pointer) }))
  for (const { path, pointer } of paths.sort((a, b) => comparePaths(b.path, a.path))) takeAway(raw, path, pointer)
  return raw
}

/** True when the change names a secret that is kept: then the pointers in it mean one revision only. */
export function keepsSecrets(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, KEPT) || Object.values(value).some(keepsSecrets)
}

/** Those of the pointers whose new value is used from the next start on. */
export function needRestart(pointers: readonly string[], raw: JsonObject): string[] {
  return pointers.filter((pointer) => {
    const path = pointerTokens(pointer)
    const above = path.map((_, depth) => settingFor(path.slice(0, depth + 1), raw))
    return above.some((setting) => setting?.restart === true) || restartsBelow(above.at(-1) ?? null)
  })
}

function settingFor(path: readonly string[], raw: JsonObject): Setting | null {
  return settingAt(path, (depth) => {
    const source = valueAt(raw, path.slice(0, depth))
    return isObject(source) ? source['kind'] : null
  })
}

function restartsBelow(setting: Setting | null): boolean {
  return Object.values(setting?.members ?? {}).some((member) => member.restart === true || restartsBelow(member))
}

function tokensOf(pointer: string): string[] {
  const path = pointerTokens(pointer)
  const reserved = path.find((token) => RESERVED.has(token))
  if (reserved !== undefined) throw refused(pointer, because('no_name_here', { name: reserved }))
  const [section = ''] = path
  const sections = Object.keys(describeSettings().members ?? {})
  if (!sections.includes(section)) throw refused(pointer, because('no_such_section', { section, known: sections }))
  return path
}

function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (const [depth, token] of a.entries()) {
    const other = b[depth]
    if (other === undefined) return 1
    if (token !== other)
      return INDEX.test(token) && INDEX.test(other) ? Number(token) - Number(other) : token < other ? -1 : 1
  }
  return a.length - b.length
}

function put(raw: JsonObject, path: readonly string[], value: JsonValue, pointer: string): void {
  let parent: JsonValue = raw
  for (const [depth, token] of path.slice(0, -1).entries()) {
    const child = childOf(parent, token)
    // null stands where an object was meant to be, such as a mapping that is none yet.
    if (child === undefined || child === null) putMember(parent, token, path[depth + 1] === '-' ? [] : {}, pointer)
    parent = childOf(parent, parentToken(parent, token)) ?? null
  }
  putMember(parent, path.at(-1) ?? '', value, pointer)
}

/** The entry that was added to a list is its last one. */
function parentToken(parent: JsonValue, token: string): string {
  return token === '-' && Array.isArray(parent) ? String(parent.length - 1) : token
}

function putMember(parent: JsonValue, token: string, value: JsonValue, pointer: string): void {
  if (Array.isArray(parent)) {
    const index = token === '-' ? parent.length : INDEX.test(token) ? Number(token) : -1
    if (index < 0 || index > parent.length) throw refused(pointer, because('no_place_in_list', { token }))
    parent[index] = value
  } else if (isObject(parent)) parent[token] = value
  else throw refused(pointer, because('nothing_below_plain'))
}

function takeAway(raw: JsonObject, path: readonly string[], pointer: string): void {
  const parent = valueAt(raw, path.slice(0, -1))
  const token = path.at(-1) ?? ''
  if (Array.isArray(parent)) {
    if (!INDEX.test(token) || Number(token) >= parent.length)
      throw refused(pointer, because('no_place_in_list', { token }))
    parent.splice(Number(token), 1)
  } else if (isObject(parent)) Reflect.deleteProperty(parent, token)
}

function valueAt(raw: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, token) => (at === undefined ? undefined : childOf(at, token)), raw)
}

function childOf(value: JsonValue, token: string): JsonValue | undefined {
  if (Array.isArray(value)) return INDEX.test(token) ? value[Number(token)] : undefined
  return memberOf(value, token)
}

interface Place {
  before: JsonObject
  path: readonly string[]
  pointer: string
}

/** The posted value with the secrets it keeps. It came as JSON, so that it holds nothing else. */
function restored(value: unknown, place: Place): JsonValue {
  if (typeof value === 'string') return value.includes(REDACTED) ? unredacted(value, place) : value
  if (typeof value !== 'object' || value === null) return value as JsonValue
  if (Object.hasOwn(value, KEPT)) return keptSecret(Reflect.get(value, KEPT), place)
  if (Array.isArray(value))
    return value.map((item, index) => restored(item, { ...place, path: [...place.path, String(index)] }))
  const reserved = Object.keys(value).find((key) => RESERVED.has(key))
  if (reserved !== undefined) throw refused(place.pointer, because('no_name_here', { name: reserved }))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, restored(member, { ...place, path: [...place.path, key] })])
  )
}

/** Only from one secret place to another of the same name: no secret comes to light by being moved. */
function keptSecret(from: unknown, { before, path, pointer }: Place): JsonValue {
  const source = typeof from === 'string' ? pointerTokens(from) : []
  const secret = valueAt(before, source)
  const mayMove = isSecretPath(source) && isSecretPath(path) && source.at(-1) === path.at(-1)
  if (!mayMove || (typeof secret !== 'string' && typeof secret !== 'number'))
    throw refused(
      pointer,
      because('no_secret_to_keep', { from: typeof from === 'string' ? from : JSON.stringify(from) })
    )
  return secret
}

/** An address that was shown without its password and comes back unchanged is the stored one. */
function unredacted(shown: string, { before, pointer }: Place): string {
  const found = new Set(textsOf(before).filter((text) => text === shown || redactText(text) === shown))
  const [only] = found
  if (only === undefined || found.size > 1) throw refused(pointer, because('write_secret_again', { mark: REDACTED }))
  return only
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function refused(path: string, why: Reason): AppError {
  return new AppError('invalid', because('at_pointer', { pointer: path, why }), {
    issues: [issueOf(path, 'rule', why)]
  })
}
