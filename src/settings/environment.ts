import { join, resolve } from 'node:path'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import { LOG_LEVELS, type SettableLogLevel } from '../platform/log/log-levels.ts'
import { ConfigFile, readAtStart } from './adapter.ts'
import { loadProfile, type Profile } from './profile.ts'
import type { Config } from './schema.ts'

/** Settings that the command line may override, as typed. */
export type CommandLine = { [Key in SettingName]?: string | undefined }
export type Environment = Record<string, string | undefined>
export type SettingName = 'data' | 'profile' | 'host' | 'port' | 'log'
export type Origin = 'command line' | 'environment' | 'running station' | 'config.json' | 'profile' | 'default'

export interface Settings {
  dataFolder: string
  profileName: string
  host: string
  port: number
  logLevel: SettableLogLevel
  /** The origin of each value. */
  origins: Record<SettingName, Origin>
  profile: Profile
}

/** Environment variables of contract §12. An empty one counts as unset. */
export const VARIABLES: Record<SettingName, string> = {
  data: 'LOOKOUT_DATA',
  profile: 'LOOKOUT_PROFILE',
  host: 'LOOKOUT_HTTP_HOST',
  port: 'LOOKOUT_HTTP_PORT',
  log: 'LOOKOUT_LOG'
}

interface Found<T> {
  value: T
  origin: Origin
}

/**
 * Settings of a start, from command line, environment, `config.json` and profile, in that order (contract §12). A
 * `config.json` that is refused counts as absent here: whoever opens the store refuses it. Writes nothing.
 * @throws AppError `usage` naming the option or variable that is wrong, `config-refused` for an unknown profile.
 */
export async function readSettings(from: {
  argv: CommandLine
  env: Environment
  /** The folder that holds `profiles/`. */
  root: string
  /** The data folder of a station that runs: taken where nothing names one. */
  station?: string
  /** Taken in place of the saved one. */
  config?: Config
}): Promise<Settings> {
  const dataFolder = from.station ?? dataFolderOf(from)
  const profileName = given('profile', from)?.value ?? 'home'
  const profile = await loadProfile(profileName, join(from.root, 'profiles'))
  const config = from.config ?? (await savedConfig(dataFolder))
  const resolved = resolveSettings({ ...from, config, profile })
  if (from.station !== undefined) resolved.origins.data = 'running station'
  return { ...resolved, dataFolder, profileName, profile }
}

/** The data folder: command line, environment, `./data`. @throws AppError `usage` for an empty name. */
export function dataFolderOf(from: { argv: CommandLine; env: Environment }): string {
  const folder = given('data', from)?.value ?? './data'
  // `--data "$UNSET"` of a script would fill the folder it happens to stand in.
  if (folder.trim() === '') throw new AppError('usage', because('data_is_empty'))
  return folder
}

/** The precedence itself, for what `config.json` and the profile have a say in. @throws AppError `usage`. */
export function resolveSettings(from: {
  argv: CommandLine
  env: Environment
  config: Pick<Config, 'http' | 'log_level'> | null
  profile: Pick<Profile, 'http'>
}): Pick<Settings, 'host' | 'port' | 'logLevel' | 'origins'> {
  const { config, profile } = from
  const host = checked('host', from, hostOf) ??
    saved(config?.http.host) ?? { value: profile.http.host, origin: 'profile' as const }
  const port = checked('port', from, portOf) ?? saved(config?.http.port) ?? { value: 8080, origin: 'default' as const }
  const log = checked('log', from, levelOf) ??
    saved(config?.log_level) ?? { value: 'info' as const, origin: 'default' as const }
  const origins = {
    data: given('data', from)?.origin ?? 'default',
    profile: given('profile', from)?.origin ?? 'default',
    host: host.origin,
    port: port.origin,
    log: log.origin
  }
  return { host: host.value, port: port.value, logLevel: log.value, origins }
}

async function savedConfig(dataFolder: string): Promise<Config | null> {
  try {
    const { good } = await readAtStart(new ConfigFile(join(resolve(dataFolder), 'config.json')))
    return good?.judged.config ?? null
  } catch (error) {
    if (error instanceof AppError && error.code === 'config-refused') return null
    throw error
  }
}

function given(name: SettingName, { argv, env }: { argv: CommandLine; env: Environment }): Found<string> | null {
  const typed = argv[name]
  if (typed !== undefined) return { value: typed, origin: 'command line' }
  const set = env[VARIABLES[name]]
  return set === undefined || set === '' ? null : { value: set, origin: 'environment' }
}

function checked<T>(
  name: SettingName,
  from: { argv: CommandLine; env: Environment },
  parse: (text: string, refuse: (wanted: string) => AppError) => T
): Found<T> | null {
  const found = given(name, from)
  if (found === null) return null
  const said = found.origin === 'environment' ? VARIABLES[name] : `--${name}`
  const refuse = (wanted: string): AppError =>
    new AppError('usage', because('must_be', { name: said, value: JSON.stringify(found.value), wanted }))
  return { value: parse(found.value, refuse), origin: found.origin }
}

function hostOf(text: string, refuse: (wanted: string) => AppError): string {
  const host = text.trim().replace(/^\[(.*)\]$/, '$1')
  if (!/^[^\s/[\]]+$/.test(host)) throw refuse('an address or a host name, such as 127.0.0.1, :: or station.local')
  return host
}

function portOf(text: string, refuse: (wanted: string) => AppError): number {
  const port = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN
  if (!(port <= 65535)) throw refuse('a port from 0 to 65535 (0 = any free one)')
  return port
}

function levelOf(text: string, refuse: (wanted: string) => AppError): SettableLogLevel {
  const level = LOG_LEVELS.find((known) => known === text.trim().toLowerCase())
  if (level === undefined) throw refuse(`one of ${LOG_LEVELS.join(', ')}`)
  return level
}

function saved<T>(value: T | undefined): Found<T> | null {
  return value === undefined ? null : { value, origin: 'config.json' }
}
