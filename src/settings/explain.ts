import { isDeepStrictEqual } from 'node:util'
import { pointerOf } from '../platform/config/locate.ts'
import { isSecretPath } from '../platform/config/masked.ts'
import { walkSchema } from '../platform/config/schema-walk.ts'
import { isSecretName, REDACTED, redactText } from '../platform/log/secrets.ts'
import { originalPath } from '../warning/coverage/settings.ts'
import { type Origin, type Settings, VARIABLES } from './environment.ts'
import type { Profile } from './profile.ts'
import { type Config, configSchema } from './schema.ts'

/** One value in force and where it came from. Secrets are hidden. */
export interface Explained {
  name: string
  value: string
  origin: string
}

const LONGEST = 120

/**
 * Every value and where it came from (contract §12): the start settings, what the profile sets, every place of `config.json` that
 * differs from its default, by JSON pointer, and whatever else is in force by default. `config` is `raw` with its defaults.
 */
export function explainSettings(settings: Settings, raw: unknown, config: Config): Explained[] {
  const set = configValues(raw)
  return [...startValues(settings), ...profileValues(settings.profile), ...set, ...defaultValues(config, set)]
}

/** The list as aligned lines of text. */
export function explainedText(list: readonly Explained[]): string {
  const width = Math.min(60, Math.max(0, ...list.map(({ name }) => name.length)))
  return list.map(({ name, value, origin }) => `${name.padEnd(width)}  ${value}  (${origin})\n`).join('')
}

/** Nothing more to name. */
const BARE: ReadonlySet<Origin> = new Set(['default', 'config.json', 'running station'])

function startValues({ dataFolder, profileName, host, port, logLevel, origins }: Settings): Explained[] {
  const values = { data: dataFolder, profile: profileName, host, port, log: logLevel }
  const names = ['data', 'profile', 'host', 'port', 'log'] as const
  return names.map((name) => {
    const origin = origins[name]
    const said = origin === 'environment' ? VARIABLES[name] : origin === 'profile' ? profileName : `--${name}`
    const place = BARE.has(origin) ? origin : `${origin} ${said}`
    return { name: VARIABLES[name], value: String(values[name]), origin: place }
  })
}

function profileValues({ name, description: _, ...profile }: Profile): Explained[] {
  return leaves(profile, []).map(([path, value]) => ({
    name: `profile.${path.join('.')}`,
    value: String(value),
    origin: `profile ${name}`
  }))
}

function leaves(value: object, path: readonly string[]): [string[], unknown][] {
  return Object.entries(value).flatMap(([key, member]): [string[], unknown][] =>
    typeof member === 'object' && member !== null ? leaves(member, [...path, key]) : [[[...path, key], member]]
  )
}

function configValues(raw: unknown): Explained[] {
  const found: Explained[] = []
  walkSchema(configSchema, raw, ({ schema, value, path, fallback, leaf }) => {
    if (!leaf || isDeepStrictEqual(value, fallback)) return
    const known = schema === null ? 'config.json, unknown key' : 'config.json'
    const origin = fallback === undefined ? known : `${known}; default ${shown(fallback, path)}`
    found.push({ name: pointerOf(originalPath(path, raw)), value: shown(value, path), origin })
  })
  return found
}

/** Places that `config.json` leaves out, or sets to what they are anyway. */
function defaultValues(config: Config, set: readonly Explained[]): Explained[] {
  const found: Explained[] = []
  const named = new Set(set.map(({ name }) => name))
  walkSchema(configSchema, config, ({ schema, value, path, fallback, leaf }) => {
    const name = pointerOf(path)
    if (!leaf || schema === null || named.has(name) || !isDeepStrictEqual(value, fallback)) return
    found.push({ name, value: shown(value, path), origin: 'default' })
  })
  return found
}

function shown(value: unknown, path: readonly (string | number)[]): string {
  if (isSecretPath(path) && value !== '') return REDACTED
  const text = redactText(JSON.stringify(value, (key, member: unknown) => (isSecretName(key) ? REDACTED : member)))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text
}
