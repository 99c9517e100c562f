import { isOutline } from '../bytes/canonical-json.ts'
import { isSecretName, redactText } from '../log/secrets.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { pointerToken } from './locate.ts'

/** Stands for a secret that is set: its only member is the pointer to where the secret stands. */
export const KEPT = '$kept'

const HEADERS = 'webhook_headers'

type Path = readonly (string | number)[]

/** True when the value at this path must never be shown. Header values are secrets whatever their name. */
export function isSecretPath(path: Path): boolean {
  const headers = path.indexOf(HEADERS)
  return (headers >= 0 && headers < path.length - 1) || path.some((key) => isSecretName(String(key)))
}

/**
 * The document without its secrets: a secret that is set becomes `{"$kept": pointer}`, an empty one stays, and passwords
 * inside of addresses are redacted.
 */
export function maskSecrets(raw: JsonObject): JsonObject {
  return maskObject(raw, '', false, false)
}

/** `secret`: the path is one of a secret. It is found on the way down, once for each name. */
function maskObject(value: JsonObject, path: string, secret: boolean, inHeaders: boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      mask(member, `${path}/${pointerToken(key)}`, {
        secret: secret || inHeaders || isSecretName(key),
        inHeaders: inHeaders || key === HEADERS
      })
    ])
  )
}

function mask(value: JsonValue, path: string, about: { secret: boolean; inHeaders: boolean }): JsonValue {
  if (typeof value === 'number') return about.secret ? { [KEPT]: path } : value
  if (Array.isArray(value)) {
    const inside = { secret: about.secret || about.inHeaders, inHeaders: about.inHeaders }
    // Numbers that are no secrets hide nothing, and outlines are most of a large configuration.
    if (!inside.secret && isOutline(value)) return value
    return value.map((item, index) => mask(item, `${path}/${index}`, inside))
  }
  if (typeof value === 'object' && value !== null) return maskObject(value, path, about.secret, about.inHeaders)
  if (value === null || value === '' || typeof value === 'boolean') return value
  if (about.secret) return { [KEPT]: path }
  return typeof value === 'string' ? redactText(value) : value
}
