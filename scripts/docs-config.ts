/** docs/configuration.md: every key of config.json, from the very schema that checks it. */

import { defaultFreshnessSeconds, listFamilies } from '../src/model/families.ts'
import { VARIABLES } from '../src/settings/environment.ts'
import { configSchema } from '../src/settings/schema.ts'
import { profileTable } from './docs-profiles.ts'
import { jsonSchema, type Schema, typeOf } from './docs-schema.ts'
import { table } from './docs-table.ts'

/** Limits of a key that JSON Schema cannot say. */
const MORE_LIMITS: Record<string, string> = {
  'station.timezone': 'an IANA zone, such as America/Boise',
  'station.anchors[].lon': 'finite',
  'coverage.areas[].name': '1 to 80 characters',
  'coverage.areas[].parts[].bbox': 'four finite numbers; latitudes -90 to 90; south not above north',
  'coverage.areas[].parts[].circle': '`lat` -90 to 90, `lon` finite, `radius_km` 0 or more',
  'coverage.areas[].parts[].geometry': 'positions [lon, lat], latitude -90 to 90',
  'coverage.areas[].parts[].codes': 'at least one: `ID`, `IDC013`, `IDZ072`, `16013`, `016013`',
  'notifications.region_routes.cells[family][region].mc': '1 to 31 bytes of UTF-8, trimmed',
  'delivery.meshcore_channel': '1 to 31 bytes of UTF-8, trimmed',
  'radios[].id': '1 to 32 letters, digits, `-` or `_`; ids differ',
  'radios[].path': 'required for a serial link',
  'radios[].host': 'required for a tcp link',
  'sources[].name': '1 to 32 lower-case letters, digits, `-` or `_`; names differ',
  'sources[].kind': 'see the kinds below',
  'radios[].channels': 'indices 0 to 7, or names',
  'http.host': 'an address or a host name'
}

/** Notes before a table of keys. A note for a section that does not exist is an error. */
const NOTES: Record<string, string> = {
  'coverage.areas[]': `Short forms: the keys of one part directly on the area, as \`{"name": "Valley", "circle": {…}}\`, and
\`{"name": …, "west": …, "south": …, "east": …, "north": …}\`. Other keys are kept and mean nothing.`,
  'coverage.areas[].parts[]': 'A part is exactly one of these. An unknown key is refused.',
  'notifications.toggles[family]': `The policy of a family, with the [delivery settings](#delivery-settings) too.
When \`freshness_seconds\` is null:

${freshness()}`,
  'notifications.rules[]': 'With the [delivery settings](#delivery-settings) too.',
  'notifications.destinations[name]': 'With the [delivery settings](#delivery-settings) too.',
  'families[key]': 'A key is lower case: a letter, then letters, digits or `_`, at most 32.'
}

/** The kinds of a dictionary's keys, outer first. */
const KEYS_OF: Record<string, readonly string[]> = {
  'notifications.toggles': ['family'],
  'notifications.escalation': ['family'],
  'notifications.region_routes.cells': ['family', 'region'],
  families: ['key']
}

/** Shapes that MORE_LIMITS tells in one line. */
const TOLD_IN_LINE = new Set(['circle', 'geometry', 'bbox'])
/** The sections with delivery settings: told once, not three times. */
const SENDERS = ['notifications.toggles[family]', 'notifications.rules[]', 'notifications.destinations[name]']

function freshness(): string {
  const rows = listFamilies().map(({ key, label }) => [`\`${key}\``, label, `${defaultFreshnessSeconds(key)} s`])
  return table(['Family', 'Label', 'Freshness'], rows)
}

function limitsOf(schema: Schema): string {
  const {
    enum: choices,
    const: only,
    anyOf,
    items,
    minimum,
    maximum,
    minLength,
    maxLength,
    minItems,
    maxItems
  } = schema
  const own: string[] = []
  if (only !== undefined) own.push(`\`${JSON.stringify(only)}\``)
  if (choices !== undefined) own.push(choices.map((choice) => (choice === '' ? 'empty' : String(choice))).join(', '))
  if (minimum !== undefined || maximum !== undefined) own.push(span(minimum, maximum))
  if (minLength !== undefined || maxLength !== undefined) {
    own.push(maxLength === undefined && minLength === 1 ? 'not empty' : `${span(minLength, maxLength)} characters`)
  }
  if (minItems !== undefined || maxItems !== undefined) own.push(`${span(minItems, maxItems)} entries`)
  const inner = [...(anyOf ?? []), ...(typeof items === 'object' && items.properties === undefined ? [items] : [])]
  return [...own, ...inner.map(limitsOf)].filter((text) => text !== '').join('; ')
}

function span(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return `up to ${most}`
  return most === undefined ? `${least} or more` : `${least} to ${most}`
}

function defaultOf(schema: Schema, required: boolean): string {
  if (schema.default !== undefined) return `\`${JSON.stringify(schema.default)}\``
  return required ? 'required' : 'not set'
}

/** One table of keys. Throws for a key without a description: it belongs into the schema. */
function keys(path: string, schema: Schema, skip: ReadonlySet<string>): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([key]) => !skip.has(key))
    .map(([key, member]) => {
      const name = path === '' ? key : `${path}.${key}`
      if (member.description === undefined) throw new Error(`${name} has no description in its schema`)
      const restart = member.restart === true ? ' Takes effect at the next start.' : ''
      const required = schema.required?.includes(key) ?? false
      const limits = MORE_LIMITS[name] ?? limitsOf(member)
      return [`\`${key}\``, typeOf(member), defaultOf(member, required), limits, `${member.description}${restart}`]
    })
  return table(['Key', 'Type', 'Default', 'Limits', 'Meaning'], rows)
}

interface Section {
  path: string
  schema: Schema
}

/** Keys of every source, then those that every asked source has besides: told once, not with each kind. */
const OF_EVERY_SOURCE = ['kind', 'name', 'enabled', 'overrides']
const OF_ASKED_SOURCES = ['interval_seconds', 'stale_after_seconds', 'tell_when_stale']

/** Sources are of many kinds, each with keys of its own. */
function sourcesText(root: Schema): string {
  const members = kindsIn(root)
  const shared = new Set([...OF_EVERY_SOURCE, ...OF_ASKED_SOURCES])
  const common = (wanted: readonly string[]): string => {
    const one = members.find(({ properties = {} }) => wanted.every((key) => key in properties)) ?? {}
    const others = Object.keys(one.properties ?? {}).filter((key) => !wanted.includes(key))
    return keys('sources[]', one, new Set(others))
  }
  const kinds = members.flatMap((schema) => {
    const kind = String(schema.properties?.['kind']?.const)
    const own = Object.keys(schema.properties ?? {}).some((key) => !shared.has(key))
    const sections = sectionsOf({ path: `sources[${kind}]`, schema }).slice(1)
    const inner = sections.filter(({ path }) => !path.includes('.overrides'))
    return [
      `### ${schema.title ?? kind}\n\n\`"kind": "${kind}"\`. ${schema.description ?? ''}\n${own ? `\n${keys(`sources[${kind}]`, schema, shared)}` : ''}`,
      ...inner.map((section) => `#### ${section.path}\n\n${keys(section.path, section.schema, new Set())}`)
    ]
  })
  const [override] = members.flatMap((schema) => objectIn('override', schema.properties?.['overrides'] ?? {}) ?? [])
  return `## sources[]

What every source has:

${common(OF_EVERY_SOURCE)}
What every source that is asked has besides; brokers, folders and the like come by themselves:

${common(OF_ASKED_SOURCES)}
An entry of \`overrides\`:

${keys('sources[].overrides', override?.schema ?? {}, new Set())}
${kinds.join('\n')}`
}

function kindsIn({ properties }: Schema): Schema[] {
  const items = properties?.['sources']?.items
  return typeof items === 'object' ? (items.oneOf ?? items.anyOf ?? []) : []
}

/** The object inside of a key, through lists and dictionaries, and the path to it; null for plain values. */
function objectIn(path: string, schema: Schema): Section | null {
  if (schema.properties !== undefined) return { path, schema }
  if (typeof schema.items === 'object') return objectIn(`${path}[]`, schema.items)
  const { additionalProperties: inner } = schema
  if (typeof inner !== 'object') return null
  const [names = ['name']] = [KEYS_OF[path.replace(/\[.*$/, '')]]
  const depth = path.split('[').length - 1
  return objectIn(`${path}[${names[depth] ?? 'name'}]`, inner)
}

/** Every object of the configuration, outer first, so that no new key is missed. */
function sectionsOf({ path, schema }: Section): Section[] {
  const inside = Object.entries(schema.properties ?? {})
    .filter(([key]) => !TOLD_IN_LINE.has(key))
    .flatMap(([key, member]) => objectIn(path === '' ? key : `${path}.${key}`, member) ?? [])
  return [{ path, schema }, ...inside.flatMap(sectionsOf)]
}

/** The keys that policies, rules and destinations have in common: how to send. */
function sharedKeys(sections: readonly Section[]): Set<string> {
  const [first = {}, ...others] = SENDERS.map((path) => sections.find((one) => one.path === path)?.schema.properties)
  const same = (key: string): boolean =>
    others.every((other) => JSON.stringify(other?.[key]) === JSON.stringify(first[key]))
  return new Set(Object.keys(first).filter(same))
}

function deliverySettings(sections: readonly Section[], shared: ReadonlySet<string>): string {
  const schema = sections.find(({ path }) => path === SENDERS[0])?.schema ?? {}
  const others = new Set(Object.keys(schema.properties ?? {}).filter((key) => !shared.has(key)))
  return `## Delivery settings

The same keys in family policies, rules and destinations.

${keys('delivery', schema, others)}`
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

function checkNames(names: readonly string[], sections: readonly Section[]): void {
  const unknown = names.filter((name) => !sections.some(({ path }) => path === name))
  if (unknown.length > 0) throw new Error(`scripts/docs-config.ts names sections that are none: ${unknown.join(', ')}`)
}

/** The page. Throws when a key of the schema has no description. */
export function configurationPage(root: string): string {
  const schema = jsonSchema(configSchema)
  const sections = sectionsOf({ path: '', schema })
  checkNames([...Object.keys(NOTES), ...SENDERS], sections)
  const shared = sharedKeys(sections)
  const text = sections.map(({ path, schema }) => {
    const level = /[.[]/.test(path.replace(/\[[^\]]*\]$/, '')) ? '###' : '##'
    const note = NOTES[path] === undefined ? '' : `${NOTES[path]}\n\n`
    const skip = SENDERS.includes(path) ? shared : new Set<string>()
    return `${level} ${path === '' ? 'Top level' : path}\n\n${note}${keys(path, schema, skip)}`
  })
  return `# Configuration

Generated by \`npm run docs\` from \`src/settings/\`. Do not edit: change the schema.

The configuration is one JSON file, \`config.json\`, in the data folder. It may be missing: every key has a default.
Unknown keys are kept and do nothing; \`lookout check-config\` names them. A saved change is used at once, unless
the table says otherwise. How to mend a broken file: [operator.md](operator.md#configjson-is-broken).

Precedence: command line, environment, \`config.json\`, profile. \`lookout check-config --explain\` shows every value in
force and where it came from.

${text.join('\n')}
${sourcesText(schema)}
${deliverySettings(sections, shared)}
## Environment and command line

${variables()}
\`LOOKOUT_DEMO=off\` does what \`--no-demo\` does. \`LOOKOUT_CLAIM_FILE\` names a file for the claim code
(without it \`/boot/firmware/lookout-claim.txt\` where there is that folder; \`off\`: none). \`LOOKOUT_RESTARTED_BY\`
names whatever starts the program again when it ends: only then \`/profile\` restarts it. \`LOOKOUT_RESET_FILE\` names a file at which a
start forgets the passphrase ([operator.md](operator.md#signing-in)). \`LOOKOUT_HOTSPOT_STATE\` names the file in which
whoever switches the hotspot tells of it (without it \`/run/lookout-hotspot/state\`), \`LOOKOUT_UPDATE_STATE\` that of whoever installs a release
(without it \`/var/lib/lookout-update/state\`). An empty variable counts as not set.

## Profiles

A profile says what a board can bear. It never holds settings of a site.

${profileTable(root)}`
}
