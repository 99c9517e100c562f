import { isSecretName, redactText } from '../log/secrets.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { pointerOf } from './locate.ts'

/** Stands for a secret that is set: its only member is the pointer to where the secret stands. */
export const KEPT = '$kept'

type Path = readonly (string | number)[]

/** True when the value at this path must never be shown. Header values are secrets whatever their name. */
export function isSecretPath(path: Path): boolean {
  const headers = path.indexOf('webhook_headers')
  return (headers >= 0 && headers < path.length - 1) || path.some((key) => isSecretName(String(key)))
}

/**
 * The document without its secrets: a secret that is set becomes `{"$kept": pointer}`, an empty one stays, and passwords
 * inside of addresses are redacted.
 */
export function maskSecrets(raw: JsonObject): JsonObject {
  return maskObject(raw, [])
}

function maskObject(value: JsonObject, path: Path): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mask(member, [...path, key])]))
}

function mask(value: JsonValue, path: Path): JsonValue {
  if (Array.isArray(value)) return value.map((item, index) => mask(item, [...path, index]))
  if (typeof value === 'object' && value !== null) return maskObject(value, path)
  if (value === null || value === '' || typeof value === 'boolean') return value
  if (isSecretPath(path)) return { [KEPT]: pointerOf(path) }
  return typeof value === 'string' ? redactText(value) : value
}
