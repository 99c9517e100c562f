import * as v from 'valibot'

type Key = string | number

/** One place of a document beside the schema that rules it. */
export interface Spot {
  /** Null: a key the schema does not know. */
  schema: v.GenericSchema | null
  value: unknown
  /** In the parsed form: areas in their long form (`originalPath` translates back). */
  path: readonly Key[]
  /** The keys the schema knows beside this one. */
  siblings: readonly string[]
  /** The value that the schema fills in when this is missing. */
  fallback: unknown
  /** Nothing of this place is visited below it. */
  leaf: boolean
}

interface Parts {
  entries?: Record<string, v.GenericSchema>
  item?: v.GenericSchema
  value?: v.GenericSchema
  wrapped?: v.GenericSchema
  /** Of a variant: its members, and the key whose value says which one rules. */
  options?: v.GenericSchema[]
  key?: string
  default?: unknown
  pipe?: { kind: string; type: string; operation?: (input: unknown) => unknown }[]
}

/** Calls `visit` for every member of `value` on which `schema` has something to say, and for every key it does not know. */
export function walkSchema(schema: v.GenericSchema, value: unknown, visit: (spot: Spot) => void): void {
  descend(schema, value, [], visit)
}

function descend(schema: v.GenericSchema, given: unknown, path: readonly Key[], visit: (spot: Spot) => void): void {
  const { ruling, value } = unwrap(schema, given)
  const { entries, item, value: member } = partsOf(ruling)
  const below = (key: Key, inner: v.GenericSchema | undefined, siblings: readonly string[]): void => {
    const at = [...path, key]
    const child = Reflect.get(Object(value), key)
    if (inner === undefined) {
      visit({ schema: null, value: child, path: at, siblings, fallback: undefined, leaf: true })
      return
    }
    const unwrapped = unwrap(inner, child)
    const leaf = !isContainer(unwrapped.ruling, unwrapped.value)
    visit({ schema: inner, value: child, path: at, siblings, fallback: partsOf(inner).default, leaf })
    if (!leaf) descend(inner, child, at, visit)
  }
  if (Array.isArray(value) && item !== undefined) for (const index of value.keys()) below(index, item, [])
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const known = entries === undefined ? [] : Object.keys(entries)
  for (const key of Object.keys(value)) {
    if (entries !== undefined) below(key, Object.hasOwn(entries, key) ? entries[key] : undefined, known)
    else if (member !== undefined) below(key, member, [])
  }
}

/** A list of plain values is told as a whole. */
function isContainer(schema: v.GenericSchema, value: unknown): boolean {
  const { entries, item, value: member } = partsOf(schema)
  if (Array.isArray(value)) return item !== undefined && value.some((entry) => typeof entry === 'object')
  return typeof value === 'object' && value !== null && (entries !== undefined || member !== undefined)
}

/** Through optional and nullable to the schema that rules, and the value as that schema gets it. */
function unwrap(schema: v.GenericSchema, value: unknown): { ruling: v.GenericSchema; value: unknown } {
  const { wrapped, pipe = [] } = partsOf(schema)
  let current = value
  for (const step of pipe.slice(1)) {
    if (step.type === 'transform' && step.operation !== undefined) current = step.operation(current)
    if (step.kind === 'schema') return unwrap(step as unknown as v.GenericSchema, current)
  }
  if (wrapped !== undefined) return unwrap(wrapped, value)
  const member = memberFor(schema, current)
  return member === null ? { ruling: schema, value } : unwrap(member, value)
}

/**
 * The member of a variant by `kind` that this value is judged by; null for other schemas, and when no member is meant.
 * A GeoJSON geometry, a variant by `type`, is told as a whole.
 */
function memberFor(schema: v.GenericSchema, value: unknown): v.GenericSchema | null {
  const { options, key } = partsOf(schema)
  if (options === undefined || key !== 'kind' || typeof value !== 'object' || value === null) return null
  const kind: unknown = Reflect.get(value, key)
  const rules = (option: v.GenericSchema): boolean => {
    const { entries } = partsOf(option)
    return entries?.[key] !== undefined && v.is(entries[key], kind)
  }
  return options.find(rules) ?? null
}

/** valibot's schemas are plain objects; which of these parts one has depends on its type. */
function partsOf(schema: v.GenericSchema): Parts {
  return schema as Parts
}
