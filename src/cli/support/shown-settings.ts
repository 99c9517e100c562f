import { BUILTIN_FAMILIES } from '../../model/vocabulary.ts'
import { isObject, type JsonObject, type JsonValue } from '../../platform/config/json.ts'
import { describeSettings, type Setting } from '../../settings/describe.ts'
import type { Config } from '../../settings/schema.ts'

/** Stands for a text that is set, whatever it says. */
const SET = '(set)'

/**
 * The numbers that are shown, by their key, wherever they stand. Of all others nothing is said: a number may be a node, a port of
 * somebody's house, or where the station is.
 */
const NUMBERS: ReadonlySet<string> = new Set([
  ...[
    'interval_seconds',
    'stale_after_seconds',
    'scan_seconds',
    'settle_seconds',
    'silence_seconds',
    'ack_wait_seconds'
  ],
  ...['cooldown_seconds', 'freshness_seconds', 'cold_start_grace_seconds', 'coalesce_seconds', 'after_seconds'],
  ...['mt', 'broadcast_channel', 'mt_bytes', 'mc_bytes', 'target_bytes', 'max_parts', 'max_details'],
  ...['reply_airtime_percent', 'catchup_texts', 'connections_per_address', 'refresh_hours', 'window_pages'],
  ...['max_bytes', 'min_free_bytes', 'max_pages', 'max_minutes', 'detect_minutes', 'rate_limit_delay']
])

/** Names of MeshCore channels. The name of a #channel is its key: they are numbered, and equal names stay equal. */
const CHANNELS: ReadonlySet<string> = new Set(['mc', 'meshcore_channel'])

const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mqtt:', 'mqtts:', 'nats:', 'tls:', 'ws:', 'wss:'])

const FAMILY_MAPS: ReadonlySet<string> = new Set([
  'families',
  'notifications/toggles',
  'notifications/escalation',
  'notifications/region_routes/cells'
])
const REGION_MAP = 'notifications/region_routes/cells/*'
const REGION_NAME = 'coverage/areas/*/name'

interface Known {
  families: ReadonlySet<string>
  regions: ReadonlySet<string>
  /** The number of each MeshCore channel met so far. */
  channels: Map<string, number>
}

/**
 * The configuration as it may be given to somebody who mends the program: an allow-list. Switches and the program's own words for
 * choices are shown, the numbers of `NUMBERS`, the names of regions and families; of an address its scheme, of any other text that it is
 * set, of a list how long it is. What the schema does not know is left out.
 */
export function shownSettings(config: Config): JsonObject {
  const known: Known = {
    families: new Set([...BUILTIN_FAMILIES, ...Object.keys(config.families)]),
    regions: new Set(config.coverage.areas.flatMap(({ name }) => name ?? [])),
    channels: new Map()
  }
  // The schema takes JSON and makes JSON of it; what is `undefined` goes.
  const plain: JsonObject = JSON.parse(JSON.stringify(config))
  return membersOf(plain, describeSettings().members ?? {}, { path: '', known })
}

interface Place {
  /** Keys from the root; `*` stands for an entry of a list or a map. */
  path: string
  known: Known
}

const below = ({ path, known }: Place, key: string): Place => ({ path: path === '' ? key : `${path}/${key}`, known })

function membersOf(value: JsonObject, members: Readonly<Record<string, Setting>>, place: Place): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([key, setting]) => {
      const member = Object.hasOwn(value, key) ? value[key] : undefined
      const told = member === undefined ? undefined : shown(member, setting, below(place, key))
      return told === undefined ? [] : [[key, told]]
    })
  )
}

/** Undefined: nothing is said of it. */
function shown(value: JsonValue, setting: Setting, place: Place): JsonValue | undefined {
  if (value === null || value === '') return value
  if (Array.isArray(value))
    return setting.type === 'list' ? listOf(value, setting.items, below(place, '*')) : textOf(value, place)
  if (isObject(value)) return partsOf(value, setting, place)
  return plainOf(value, setting, place)
}

function partsOf(value: JsonObject, setting: Setting, place: Place): JsonValue {
  const { type, members = {}, kinds = {} } = setting
  if (type === 'object') return membersOf(value, members, place)
  const { kind } = value
  if (type === 'kinds')
    return membersOf(value, (typeof kind === 'string' ? kinds[kind] : undefined)?.members ?? {}, place)
  return type === 'map' ? mapOf(value, setting, place) : SET
}

function plainOf(value: string | number | boolean, setting: Setting, place: Place): JsonValue | undefined {
  const { type, choices = [] } = setting
  if (type === 'switch') return typeof value === 'boolean' ? value : undefined
  if (type === 'choice') return choices.includes(value) ? value : undefined
  if (type === 'number') return typeof value === 'number' && NUMBERS.has(lastOf(place)) ? value : undefined
  return textOf(value, place)
}

const lastOf = ({ path }: Place): string => path.slice(path.lastIndexOf('/') + 1)

/** Of texts, and of what no form can hold, the number alone. */
function listOf(value: readonly JsonValue[], items: Setting | undefined, place: Place): JsonValue {
  if (items === undefined || items.type === 'text' || items.type === 'json') return { entries: value.length }
  return value.map((item) => shown(item, items, place) ?? SET)
}

function mapOf(value: JsonObject, setting: Setting, place: Place): JsonObject {
  const { values } = setting
  if (values === undefined) return { entries: Object.keys(value).length }
  return Object.fromEntries(
    Object.entries(value).map(([name, member], index) => [
      isShownName(name, setting, place) ? name : `#${index + 1}`,
      shown(member, values, below(place, '*')) ?? SET
    ])
  )
}

function isShownName(name: string, { names }: Setting, { path, known }: Place): boolean {
  if (names?.includes(name) === true) return true
  if (FAMILY_MAPS.has(path)) return known.families.has(name)
  return path === REGION_MAP && known.regions.has(name)
}

function textOf(value: JsonValue, place: Place): JsonValue {
  if (typeof value !== 'string') return SET
  if (place.path === REGION_NAME) return value
  if (CHANNELS.has(lastOf(place))) return channelOf(value, place.known.channels)
  const scheme = URL.canParse(value) ? new URL(value).protocol : ''
  return SCHEMES.has(scheme) ? scheme : SET
}

function channelOf(name: string, channels: Map<string, number>): string {
  const number = channels.get(name) ?? channels.size + 1
  channels.set(name, number)
  return `channel ${number}`
}
