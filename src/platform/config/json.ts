/** Whatever JSON can say. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

/** Neither a list nor null. */
export function isObject(value: JsonValue | undefined): value is JsonObject
export function isObject(value: unknown): value is Record<string, unknown>
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of its own of an object; undefined of anything else. */
export function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined
export function memberOf(value: unknown, key: string): unknown
export function memberOf(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The object, or an empty one in place of anything else. */
export function objectIn(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** The object at `key`, made when there is none. The configuration's schema has seen to it that there is nothing else. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const found = parent[key]
  if (isObject(found)) return found
  const made: JsonObject = {}
  parent[key] = made
  return made
}

/** A value of the program as JSON would carry it. */
export function asJson(value: object): JsonObject
export function asJson(value: unknown): JsonValue
export function asJson(value: unknown): JsonValue {
  // A value parsed from JSON holds nothing but JSON.
  return JSON.parse(JSON.stringify(value)) as JsonValue
}
