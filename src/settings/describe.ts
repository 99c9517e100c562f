import type * as v from 'valibot'
import type { JsonValue } from '../platform/config/json.ts'
import { isSecretName } from '../platform/log/secrets.ts'
import { configSchema } from './schema.ts'

type Scalar = string | number | boolean

/**
 * One setting as a form needs it: lean, made from the very schema that checks it. `list` has `items`, `map` has `values`
 * (and `names` when its keys are a choice), `object` has `members`, `kinds` has one object for each value of `kind`;
 * `json` is whatever no form can hold.
 */
export interface Setting {
  type: 'object' | 'list' | 'map' | 'text' | 'number' | 'switch' | 'choice' | 'kinds' | 'json'
  title: string
  description?: string
  /** There is no default: it must be given. */
  required?: true
  nullable?: true
  default?: JsonValue
  /** Written, never shown. */
  secret?: true
  /** Used from the next start on. */
  restart?: true
  /** Shown to everybody; `origin`: of an address, scheme and host. Without it a text is the operator's alone. */
  public?: true | 'origin'
  /** The names in a map are shown to everybody. */
  public_names?: true
  choices?: Scalar[]
  min?: number
  max?: number
  whole?: true
  /** Entries of a list, characters of a text. */
  most?: number
  unit?: string
  /** `text`: a number is meant when it looks like one. `json`: a plain text is taken as it is. */
  also?: 'number' | 'text'
  members?: Record<string, Setting>
  items?: Setting
  values?: Setting
  names?: string[]
  kinds?: Record<string, Setting>
}

/** The parts of a schema that are read here; valibot's schemas are plain objects. */
interface Node {
  kind: string
  type: string
  pipe?: (Node & Action)[]
  wrapped?: Node
  default?: JsonValue
  entries?: Record<string, Node>
  item?: Node
  key?: Node | string
  value?: Node
  options?: (Node | Scalar)[]
  literal?: Scalar
}
interface Action {
  title?: string
  description?: string
  metadata?: { restart?: boolean; public?: boolean }
  requirement?: unknown
}

/** Such a text is an address. */
const ADDRESS_NAME = /(?:^|_)url$/

let made: Setting | undefined

/** The whole configuration, described once when somebody asks. Its `members` are the sections. */
export function describeSettings(): Setting {
  made ??= describe(asNode(configSchema), 'configuration')
  return made
}

/** The section or, in the sections, what a path of keys leads to: list indices and map keys lead to what every entry is. */
export function settingAt(path: readonly string[], kindOf: (depth: number) => unknown = () => null): Setting | null {
  let at: Setting | undefined = describeSettings()
  for (const [depth, key] of path.entries()) {
    if (at?.type === 'kinds') at = at.kinds?.[String(kindOf(depth))]
    at = at?.members?.[key] ?? at?.items ?? at?.values
    if (at === undefined) return null
  }
  return at ?? null
}

function asNode(schema: v.GenericSchema): Node {
  return schema as unknown as Node
}

function describe(schema: Node, key: string): Setting {
  const { ruling, facts, given } = unwrapped(schema)
  const shape = shapeOf(ruling, key)
  const unit = shape.type === 'number' ? unitOf(key) : null
  return {
    ...shape,
    ...facts,
    title: facts.title ?? titleOf(unit === null ? key : key.replace(/_[a-z]+$/, '')),
    ...(given ? { required: true as const } : {}),
    ...(unit === null ? {} : { unit })
  }
}

/** The schema that rules, what was said on the way to it, and whether the key must be given. */
function unwrapped(schema: Node): { ruling: Node; facts: Partial<Setting>; given: boolean } {
  const facts: Partial<Setting> = {}
  let given = true
  let ruling = schema
  for (let node: Node | null = schema; node !== null; node = inside(node)) {
    ruling = node
    for (const action of (node.pipe ?? []).slice(1)) takeAction(facts, action)
    if (node.type === 'nullable') facts.nullable = true
    // Piped schemas repeat what they begin with: it is met again inside.
    if (node.pipe !== undefined || !/optional$/.test(node.type)) continue
    given = false
    if (node.default !== undefined) facts.default ??= node.default
  }
  return { ruling, facts, given }
}

/** Through pipes, optional and nullable, from the outside in; null at the schema that rules. */
function inside({ pipe, type, wrapped }: Node): Node | null {
  if (pipe !== undefined) return pipe.findLast(({ kind }) => kind === 'schema') ?? null
  return type === 'nullable' || /optional$/.test(type) ? (wrapped ?? null) : null
}

/** The outer action wins: it is met first. */
function takeAction(facts: Partial<Setting>, { type, title, description, metadata, requirement }: Node & Action): void {
  if (type === 'title' && title !== undefined) facts.title ??= title
  if (type === 'description' && description !== undefined) facts.description ??= description.replaceAll('`', '')
  if (type === 'metadata' && metadata?.restart === true) facts.restart = true
  if (type === 'metadata' && metadata?.public === true) facts.public = true
  if (type === 'integer') facts.whole = true
  if (typeof requirement !== 'number') return
  if (type === 'min_value') facts.min ??= requirement
  if (type === 'max_value') facts.max ??= requirement
  if (type === 'max_length') facts.most ??= requirement
}

function shapeOf(node: Node, key: string): Pick<Setting, 'type'> & Partial<Setting> {
  switch (node.type) {
    case 'loose_object':
    case 'strict_object':
    case 'object':
      return { type: 'object', members: membersOf(node) }
    case 'array':
      return node.item === undefined ? { type: 'json' } : { type: 'list', items: describe(node.item, key) }
    case 'record':
      return mapOf(node, key)
    case 'boolean':
      return { type: 'switch' }
    case 'number':
      return { type: 'number' }
    case 'string':
      return textOf(key)
    case 'picklist':
      return { type: 'choice', choices: (node.options ?? []).filter((option) => typeof option !== 'object') }
    case 'literal':
      return { type: 'choice', choices: node.literal === undefined ? [] : [node.literal] }
    case 'variant':
      return node.key === 'kind' ? { type: 'kinds', kinds: kindsOf(node) } : { type: 'json' }
    case 'union':
      return unionOf(node, key)
    default:
      return { type: 'json' }
  }
}

const textOf = (key: string): Pick<Setting, 'type'> & Partial<Setting> => {
  if (isSecretName(key)) return { type: 'text', secret: true }
  return ADDRESS_NAME.test(key) ? { type: 'text', public: 'origin' } : { type: 'text' }
}

function membersOf({ entries = {} }: Node): Record<string, Setting> {
  return Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, describe(entry, key)]))
}

function mapOf({ key: keys, value }: Node, key: string): Pick<Setting, 'type'> & Partial<Setting> {
  if (value === undefined) return { type: 'json' }
  const values = describe(value, key)
  // Header values are secrets whatever their name: that is what webhook headers are for.
  const hidden = key === 'webhook_headers' ? { ...values, secret: true as const } : values
  const names = typeof keys === 'object' ? describe(keys, '') : undefined
  return {
    type: 'map',
    values: hidden,
    ...(names?.choices === undefined ? {} : { names: names.choices.map(String) }),
    ...(names?.public === true ? { public_names: true as const } : {})
  }
}

function kindsOf({ options = [] }: Node): Record<string, Setting> {
  return Object.fromEntries(
    options.flatMap((option) => {
      if (typeof option !== 'object') return []
      const kind = describe(option, 'source')
      const name = kind.members?.['kind']?.choices?.[0]
      return name === undefined ? [] : [[String(name), kind]]
    })
  )
}

/** Texts and numbers share one field; switches and fixed values are one choice; the rest is JSON. */
function unionOf({ options = [] }: Node, key: string): Pick<Setting, 'type'> & Partial<Setting> {
  const shapes = options.flatMap((option) => (typeof option === 'object' ? [describe(option, key)] : []))
  const has = (type: Setting['type']): boolean => shapes.some((shape) => shape.type === type)
  if (shapes.every(({ type }) => type === 'switch' || type === 'choice')) {
    return {
      type: 'choice',
      choices: shapes.flatMap(({ type, choices = [] }) => (type === 'switch' ? [false, true] : choices))
    }
  }
  const origin = shapes.some((shape) => shape.public === 'origin') ? { public: 'origin' as const } : {}
  const isScalar = shapes.every(({ type }) => type === 'text' || type === 'number' || type === 'choice')
  if (isScalar) return has('number') ? { type: 'text', also: 'number' } : { type: 'text', ...origin }
  return shapes.some(({ type, also }) => type === 'text' || also === 'text')
    ? { type: 'json', also: 'text' }
    : { type: 'json' }
}

const SHORT: Record<string, string> = {
  mt: 'Meshtastic',
  mc: 'MeshCore',
  url: 'URL',
  id: 'ID',
  api: 'API',
  dm: 'DM',
  smtp: 'SMTP',
  tls: 'TLS',
  ca: 'CA',
  frp: 'FRP',
  json: 'JSON',
  meshcore: 'MeshCore',
  http: 'HTTP'
}

/** `smtp_host` → `SMTP host`. */
function titleOf(key: string): string {
  const words = key.split('_').map((word) => SHORT[word] ?? word)
  const text = words.join(' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

const UNITS: Record<string, string> = {
  seconds: 's',
  minutes: 'min',
  hours: 'h',
  days: 'd',
  km: 'km',
  m: 'm',
  ft: 'ft',
  mw: 'MW',
  bytes: 'bytes',
  percent: '%'
}

function unitOf(key: string): string | null {
  const last = key.split('_').at(-1) ?? ''
  return key.includes('_') || key === 'days' ? (UNITS[last] ?? null) : null
}
