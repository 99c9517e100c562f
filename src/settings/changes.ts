import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, type JsonValue, memberOf } from '../platform/config/json.ts'
import { pointerOf, pointerTokens } from '../platform/config/locate.ts'
import { maskSecrets } from '../platform/config/masked.ts'

/** A place of the configuration that is not what it was. A value that was or is not there is left out. */
export interface SettingChange {
  /** JSON pointer. */
  pointer: string
  before?: JsonValue
  after?: JsonValue
}

/** As the audit log kept them; empty where it kept none. */
export function settingChanges(kept: JsonValue | undefined): SettingChange[] {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((one) => {
    const pointer = memberOf(one, 'pointer')
    if (typeof pointer !== 'string') return []
    const [before, after] = [memberOf(one, 'before'), memberOf(one, 'after')]
    return [{ pointer, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }]
  })
}

/** Every place where two documents differ, their secrets masked; lists are one place. A secret alone that changed is not told. */
export function changesBetween(before: JsonObject, after: JsonObject): SettingChange[] {
  return [...differences(maskSecrets(before), maskSecrets(after), [])]
}

function* differences(before: JsonObject, after: JsonObject, path: readonly string[]): Generator<SettingChange> {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [ownValue(before, key), ownValue(after, key)]
    if (isObject(was) && isObject(is)) yield* differences(was, is, [...path, key])
    else if (!isSame(was, is)) {
      yield {
        pointer: pointerOf([...path, key]),
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is })
      }
    }
  }
}

const ownValue = (parent: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(parent, key) ? parent[key] : undefined

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one === other || isDeepStrictEqual(one, other)

/** The places of these changes at which the document says something else by now. */
export function changedSince(changes: readonly SettingChange[], raw: JsonObject): string[] {
  const masked = maskSecrets(raw)
  return changes.filter(({ pointer, after }) => !isSame(valueAt(masked, pointer), after)).map(({ pointer }) => pointer)
}

/** The change that takes these back, as `POST /api/settings` takes it. */
export function takenBack(changes: readonly SettingChange[]): { set: Record<string, JsonValue>; remove: string[] } {
  const set: Record<string, JsonValue> = {}
  for (const { pointer, before } of changes) if (before !== undefined) set[pointer] = before
  return { set, remove: changes.filter(({ before }) => before === undefined).map(({ pointer }) => pointer) }
}

function valueAt(root: JsonObject, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const key of pointerTokens(pointer)) value = isObject(value) ? ownValue(value, key) : undefined
  return value
}
