/** docs/configuration.md: every key of config.json, from the very schema that checks it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { areaSchema, partSchema } from '../src/config/coverage-schema.ts'
import { VARIABLES } from '../src/config/environment.ts'
import {
  cellSchema,
  destinationSchema,
  notificationsSchema,
  regionRoutesSchema,
  ruleSchema,
  toggleSchema
} from '../src/config/notifications-schema.ts'
import { profileSchema } from '../src/config/profile.ts'
import { configSchema, familySchema, radioSchema, stationSchema } from '../src/config/schema.ts'
import { defaultFreshnessSeconds, listFamilies } from '../src/events/families.ts'
import { table } from './docs-table.ts'

export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema | boolean
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  title?: string
  description?: string
  default?: unknown
  restart?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** The schema as JSON Schema; `output` shows short forms in their long form. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output' = 'output'): Schema {
  return toJsonSchema(schema, { errorMode: 'ignore', target: 'draft-2020-12', typeMode }) as Schema
}

export function typeOf({ type, enum: choices, anyOf, items, properties, additionalProperties }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ')
  if (choices !== undefined) return 'one of'
  if (type === 'array') return typeof items === 'object' ? `list of ${typeOf(items)}` : 'list'
  if (type === 'object' && additionalProperties !== undefined && properties === undefined) return 'dictionary'
  return type ?? 'any'
}

/** What JSON Schema cannot say of a key, by `section.key`. */
const MORE_LIMITS: Record<string, string> = {
  'cell.mc': '1 to 31 bytes of UTF-8, trimmed',
  'delivery.meshcore_channel': '1 to 31 bytes of UTF-8, trimmed',
  'station.timezone': 'an IANA zone, such as America/Boise',
  'radio.id': '1 to 32 letters, digits, `-` or `_`; ids differ',
  'radio.path': 'required for a serial link',
  'radio.host': 'required for a tcp link',
  'http.host': 'an address or a host name',
  'station.anchors.lat': '-90 to 90',
  'station.anchors.lon': 'finite',
  'coverage.areas.name': '1 to 80 characters; null = covered, but no region'
}

function limitsOf(schema: Schema): string {
  const { enum: choices, anyOf, items, minimum, maximum, minLength, maxLength, minItems } = schema
  const own: string[] = []
  if (choices !== undefined) own.push(choices.map((choice) => (choice === '' ? 'empty' : String(choice))).join(', '))
  if (minimum !== undefined || maximum !== undefined) {
    own.push(maximum === undefined ? `${minimum} or more` : `${minimum ?? 'up'} to ${maximum}`)
  }
  if (minLength !== undefined || maxLength !== undefined) {
    own.push(maxLength === undefined ? 'not empty' : `${minLength ?? 0} to ${maxLength} characters`)
  }
  if (minItems !== undefined) own.push(`at least ${minItems}`)
  const inner = [...(anyOf ?? []), ...(typeof items === 'object' && items.properties === undefined ? [items] : [])]
  return [...own, ...inner.map(limitsOf)].filter((text) => text !== '').join('; ')
}

function defaultOf(schema: Schema, required: boolean): string {
  if (schema.default !== undefined) return `\`${JSON.stringify(schema.default)}\``
  return required ? 'required' : 'not set'
}

/** One table of keys. Throws for a key without a description: it belongs into the schema. */
function keys(section: string, schema: Schema, skip: ReadonlySet<string> = new Set()): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([key]) => !skip.has(key))
    .map(([key, member]) => {
      if (member.description === undefined) throw new Error(`${section}.${key} has no description in its schema`)
      const restart = member.restart === true ? ' Takes effect at the next start.' : ''
      const required = schema.required?.includes(key) ?? false
      const limits = MORE_LIMITS[`${section}.${key}`] ?? limitsOf(member)
      return [`\`${key}\``, typeOf(member), defaultOf(member, required), limits, `${member.description}${restart}`]
    })
  return table(['Key', 'Type', 'Default', 'Limits', 'Meaning'], rows)
}

function member(schema: Schema, name: string): Schema {
  const found = schema.properties?.[name]
  if (found === undefined) throw new Error(`the configuration has no ${name}`)
  return found
}

function itemOf(schema: Schema): Schema {
  if (typeof schema.items !== 'object') throw new Error('not a list of objects')
  return schema.items
}

/** The keys that policies, rules and destinations have in common: how to send. */
function sharedKeys(...schemas: Schema[]): Set<string> {
  const [first, ...others] = schemas.map(({ properties = {} }) => properties)
  const same = (key: string): boolean =>
    others.every((other) => JSON.stringify(other[key]) === JSON.stringify(first?.[key]))
  return new Set(Object.keys(first ?? {}).filter(same))
}

function only(schema: Schema, names: ReadonlySet<string>): Schema {
  const kept = Object.entries(schema.properties ?? {}).filter(([key]) => names.has(key))
  return { ...schema, properties: Object.fromEntries(kept) }
}

function freshness(): string {
  const rows = listFamilies().map(({ key, label }) => [`\`${key}\``, label, `${defaultFreshnessSeconds(key)} s`])
  return table(['Family', 'Label', 'Freshness'], rows)
}

const VARIABLE_WORDS: Record<keyof typeof VARIABLES, [string, string, string]> = {
  data: ['--data', '`./data`', 'The data folder; made when it is missing.'],
  profile: ['--profile', '`home`', 'The deployment profile. An unknown name stops the start and lists the known ones.'],
  host: ['--host', 'of the profile', 'Where the dashboard listens.'],
  port: ['--port', '`8080`', '0 = any free port.'],
  log: ['--log', '`info`', 'trace, debug, info, warn, error, fatal.']
}

function variables(): string {
  const rows = Object.entries(VARIABLE_WORDS).map(([name, [option, fallback, words]]) => [
    `\`${VARIABLES[name as keyof typeof VARIABLES]}\``,
    `\`${option}\``,
    fallback,
    words
  ])
  return table(['Variable', 'Option', 'Default', 'Meaning'], rows)
}

type Tree = { [key: string]: Tree | string | number | boolean }

function leaves(tree: Tree, path: readonly string[] = []): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'object' ? leaves(value, [...path, key]) : [[[...path, key].join('.'), String(value)]]
  )
}

function profileMeaning(path: string): string {
  let schema: Schema | undefined = jsonSchema(profileSchema)
  let words = ''
  for (const key of path.split('.')) {
    schema = schema?.properties?.[key]
    words = schema?.description ?? words
  }
  return words
}

function profiles(root: string): string {
  const folder = join(root, 'profiles')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
  const read = files.map((file): [string, Map<string, string>] => [
    file.replace(/\.json$/, ''),
    new Map(leaves(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Tree))
  ])
  const words = read.map(([name, values]) => `- \`${name}\`: ${values.get('description')}`)
  const [first] = read
  const paths = [...(first?.[1].keys() ?? [])].filter((path) => path !== 'description')
  const rows = paths.map((path) => [
    `\`${path}\``,
    ...read.map(([, values]) => values.get(path) ?? ''),
    profileMeaning(path)
  ])
  return `${words.join('\n')}\n\n${table(['Value', ...read.map(([name]) => name), 'Meaning'], rows)}`
}

/** The page. Throws when a key of the schema has no description. */
export function configurationPage(root: string): string {
  const config = jsonSchema(configSchema)
  const [toggle, rule, destination] = [toggleSchema, ruleSchema, destinationSchema].map((schema) => jsonSchema(schema))
  if (toggle === undefined || rule === undefined || destination === undefined) throw new Error('a schema is missing')
  const shared = sharedKeys(toggle, rule, destination)
  return `# Configuration

Generated by \`npm run docs\` from \`src/config/\`. Do not edit: change the schema.

The configuration is one JSON file, \`config.json\`, in the data folder. It may be missing: every key has a default.
Unknown keys are kept and do nothing; \`lookout check-config\` names them. A saved change is used at once, unless
the table says otherwise. How to mend a broken file: [operator.md](operator.md#configjson-is-broken).

Precedence: command line, environment, \`config.json\`, profile. \`lookout check-config --explain\` shows every value in
force and where it came from.

## Top level

${keys('top', config)}
## station

${keys('station', member(config, 'station'))}
### station.anchors[]

${keys('station.anchors', itemOf(member(jsonSchema(stationSchema), 'anchors')))}
## coverage

${keys('coverage', member(config, 'coverage'))}
### coverage.areas[]

Short forms: the keys of one part directly on the area, as \`{"name": "Valley", "circle": {…}}\`, and
\`{"name": …, "west": …, "south": …, "east": …, "north": …}\`. Other keys are kept and mean nothing.

${keys('coverage.areas', jsonSchema(areaSchema))}
### coverage.areas[].parts[]

A part is exactly one of these. An unknown key is refused.

${keys('part', jsonSchema(partSchema))}
## notifications

${keys('notifications', jsonSchema(notificationsSchema))}
### notifications.region_routes

${keys('region_routes', jsonSchema(regionRoutesSchema))}
### notifications.region_routes.cells[family][region]

${keys('cell', jsonSchema(cellSchema))}
### notifications.toggles[family]

The policy of a family. Beside these keys it has the delivery settings below.

${keys('toggle', toggle, shared)}
When \`freshness_seconds\` is null:

${freshness()}
### notifications.rules[]

Beside these keys a rule has the delivery settings below.

${keys('rule', rule, shared)}
### notifications.destinations[name]

Beside this key a destination has the delivery settings below.

${keys('destination', destination, shared)}
### Delivery settings

The same keys in family policies, rules and destinations. \`digest\` is kept and sends nothing in this version.

${keys('delivery', only(toggle, shared))}
## radios[]

${keys('radio', jsonSchema(radioSchema))}
## families[key]

A key is lower case: a letter, then letters, digits or \`_\`, at most 32.

${keys('family', jsonSchema(familySchema))}
## messages

${keys('messages', member(config, 'messages'))}
## http

${keys('http', member(config, 'http'))}
## Environment and command line

${variables()}
\`LOOKOUT_DEMO=off\` does what \`--no-demo\` does. An empty variable counts as not set.

## Profiles

A profile says what a board can bear. It never holds settings of a site.
In force in this version: \`http.host\`, \`tuning.commit_window_ms\`, \`retention.events_days\`, \`retention.deliveries_days\` and
\`simulated_radios\`. The other values belong to parts that are [not in this version](interface.md#not-in-this-version);
\`GET /api/profile\` shows them.

${profiles(root)}`
}
