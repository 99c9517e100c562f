import { sha256Hex } from './hash.ts'

const REVISION_DIGITS = 16
/** The coordinates of a MultiPolygon: polygons of rings of points. */
const OUTLINE_DEPTH = 3

/**
 * JSON with one spelling per value (RFC 8785): keys sorted by UTF-16 code units, no spaces. Members that are `undefined`
 * are left out, as `JSON.stringify` does. @throws TypeError for what JSON cannot say: NaN, Infinity, bigint, functions, cycles.
 */
export function canonicalJson(value: unknown): string {
  return write(value, new Set())
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

/** `above`: what the value stands in. */
function write(value: unknown, above: Set<object>): string {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`)
    return String(value)
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value)
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`)
  if (above.has(value)) throw new TypeError('JSON has no circles')
  above.add(value)
  const text = Array.isArray(value) ? writeItems(value, above) : `{${writeMembers(value, above)}}`
  above.delete(value)
  return text
}

function writeItems(items: readonly unknown[], above: Set<object>): string {
  // An outline has one spelling only, and is most of the documents it stands in.
  if (isOutline(items)) return JSON.stringify(items)
  // A hole counts as undefined, which JSON does not have.
  return `[${Array.from(items, (item) => write(item, above)).join(',')}]`
}

/** A list of numbers, or of lists of numbers: coordinates of any geometry. */
export function isOutline(items: readonly unknown[]): boolean {
  return areNumbers(items, OUTLINE_DEPTH)
}

/** Lists of lists of finite numbers, down to this depth. */
function areNumbers(items: readonly unknown[], depth: number): boolean {
  for (const item of items) {
    if (typeof item === 'number' ? !Number.isFinite(item) : depth === 0 || !Array.isArray(item)) return false
    if (Array.isArray(item) && !areNumbers(item, depth - 1)) return false
  }
  return true
}

function writeMembers(value: object, above: Set<object>): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${write(member, above)}`)
    .join(',')
}
