import * as v from 'valibot'
import type { JsonObject, JsonValue } from '../../src/platform/config/json.ts'
import { describeSettings, type Setting } from '../../src/settings/describe.ts'
import { configSchema } from '../../src/settings/schema.ts'

/** One text of a configuration: what stands there, and what must not be read of it by a stranger. */
export interface Canary {
  path: string
  canary: string
  setting: Setting
  /** The name of an entry, not its value. */
  isName: boolean
}

interface Leaf {
  holder: Record<string, JsonValue> | JsonValue[]
  key: string | number
  setting: Setting
  canary: string
  candidates: JsonValue[]
}

/**
 * A valid configuration with every section, every kind of source and a text of its own at every place that takes one: of the
 * forms that a place may ask for, the first that it takes.
 */
export function canaryConfig(): { config: JsonObject; canaries: Canary[] } {
  const leaves = new Map<string, Leaf>()
  const names: Canary[] = []
  let count = 0
  const next = (): string => `canary${(count++).toString().padStart(4, '0')}z`

  const fill = (setting: Setting, path: string, place: Pick<Leaf, 'holder' | 'key'>): JsonValue => {
    switch (setting.type) {
      case 'switch':
        return true
      case 'number':
        return (typeof setting.default === 'number' ? setting.default : setting.min) ?? 1
      case 'choice':
        return setting.choices?.at(-1) ?? ''
      case 'object':
        return object(setting, path)
      case 'list':
        return list(setting, path)
      case 'map':
        return map(setting, path)
      default: {
        const canary = next()
        const candidates = formsOf(canary, /url$/.test(path))
        leaves.set(path, { ...place, setting, canary, candidates })
        return candidates[0] ?? ''
      }
    }
  }
  const object = ({ members = {} }: Setting, path: string): JsonObject => {
    const made: JsonObject = {}
    for (const [key, member] of Object.entries(members))
      made[key] = fill(member, `${path}/${key}`, { holder: made, key })
    return made
  }
  const list = ({ items, public: shown }: Setting, path: string): JsonValue[] => {
    if (items === undefined) return []
    const made: JsonValue[] = []
    for (const [index, item] of (items.type === 'kinds' ? Object.values(items.kinds ?? {}) : [items]).entries())
      made.push(
        fill(shown === undefined ? item : { ...item, public: shown }, `${path}/${index}`, { holder: made, key: index })
      )
    return made
  }
  const map = ({ values, names: known, public_names: shown }: Setting, path: string): JsonObject => {
    if (values === undefined) return {}
    const made: JsonObject = {}
    const name = known?.[0] ?? next()
    const at = `${path}/${name}`
    const setting: Setting = { type: 'text', title: '', ...(shown === true ? { public: shown } : {}) }
    if (known === undefined) names.push({ path: at, canary: name, setting, isName: true })
    made[name] = fill(values, at, { holder: made, key: name })
    return made
  }

  const config = object(describeSettings(), '')
  mend(config, leaves)
  const told = [...leaves].map(([path, { canary, setting }]) => ({ path, canary, setting, isName: false }))
  const text = JSON.stringify(config)
  return { config, canaries: [...told, ...names].filter(({ canary }) => text.includes(canary)) }
}

/** Texts as places ask for them, each with the canary in it as far as the form allows. */
function formsOf(canary: string, isAddress: boolean): JsonValue[] {
  const number = canary.replace(/\D/g, '')
  const address = `https://user${canary}@host.example/${canary}/path?sig=${canary}`
  return [
    ...(isAddress ? [address] : []),
    canary,
    `https://host.example/${canary}/path`,
    `mqtts://host.example/${canary}`,
    `nats://user${canary}@host.example`,
    `/${canary}`,
    `!ca${number}0f`,
    `ID:${canary.toUpperCase()}`,
    [-117, 42, -116, 43],
    '12:30',
    'eng',
    'en',
    'ID',
    'UTC',
    `1301${number}`
  ]
}

/** Tries the next form wherever the schema refuses one, and leaves out what nothing fits. */
function mend(config: JsonObject, leaves: Map<string, Leaf>): void {
  for (let round = 0; round < 60; round++) {
    const { issues } = v.safeParse(configSchema, config)
    if (issues === undefined) return
    for (const issue of issues) change(config, leaves, `/${v.getDotPath(issue)?.replaceAll('.', '/') ?? ''}`)
  }
  throw new Error(JSON.stringify(v.flatten(v.safeParse(configSchema, config).issues ?? [{} as never])))
}

function change(config: JsonObject, leaves: Map<string, Leaf>, at: string): void {
  const leaf = leaves.get(at)
  if (leaf !== undefined && leaf.candidates.length > 1) {
    leaf.candidates.shift()
    Reflect.set(leaf.holder, leaf.key, leaf.candidates[0])
    return
  }
  const keys = at.split('/').slice(1)
  let holder: unknown = config
  for (const key of keys.slice(0, -1)) holder = Reflect.get(Object(holder), key)
  const last = keys.at(-1) ?? ''
  // Something that is missing: what lacks it goes, or gets another form.
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, last))
    change(config, leaves, `/${keys.slice(0, -1).join('/')}`)
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else Reflect.deleteProperty(holder, last)
}
