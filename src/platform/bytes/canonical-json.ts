import { sha256Hex } from './hash.ts'

const REVISION_DIGITS = 16

/**
 * JSON with one spelling per value (RFC 8785): keys sorted by UTF-16 code units, no spaces. Members that are `undefined`
 * are left out, as `JSON.stringify` does. @throws TypeError for what JSON cannot say: NaN, Infinity, bigint, functions, cycles.
 */
export function canonicalJson(value: unknown): string {
  return write(value, [])
}

/** The revision of a document: first 16 hex digits of SHA-256 over its canonical JSON (contract §1). */
export function revisionOf(value: unknown): string {
  return sha256Hex(canonicalJson(value)).slice(0, REVISION_DIGITS)
}

/**
 * True when an `If-Match` field (RFC 9110 §13.1.1: `*`, or a list of quoted tags) or a bare revision names `revision`.
 */
export function revisionMatches(ifMatch: string, revision: string): boolean {
  return ifMatch.split(',').some((part) => {
    const tag = part.trim()
    return tag === '*' || tag === revision || tag === `"${revision}"`
  })
}

function write(value: unknown, above: object[]): string {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`)
    return JSON.stringify(value)
  }
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  if (above.includes(value)) throw new TypeError('JSON has no circles')
  const inside = [...above, value]
  if (Array.isArray(value)) return `[${Array.from(value, (item) => write(item, inside)).join(',')}]`
  return `{${writeMembers(value, inside)}}`
}

function writeMembers(value: object, inside: object[]): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, inside)}`)
    .join(',')
}
