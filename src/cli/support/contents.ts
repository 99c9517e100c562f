import { lstat, statfs } from 'node:fs/promises'
import { arch, cpus, freemem, platform, release, totalmem, uptime } from 'node:os'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import { isHeld } from '../../platform/files/data-lock.ts'
import { LOCK_FILE } from '../../platform/files/known-folder.ts'
import { namesIn, statOrNull } from '../../platform/files/names-in.ts'
import { StartRecord } from '../../platform/files/start-record.ts'
import type { Settings } from '../../settings/environment.ts'
import { readConfig } from '../../settings/read-config.ts'
import type { Config } from '../../settings/schema.ts'
import { findingsOf } from '../doctor.ts'
import { databaseFacts, LEDGER, openUnchanged, SCHEMAS } from './database-facts.ts'
import { ledgerFacts, sourceFacts } from './ledger-facts.ts'
import { shownSettings } from './shown-settings.ts'
import { part, type Unread } from './unread.ts'

/** The data folder as it is looked at, and what could not be read of it. */
interface Look {
  folder: string
  settings: Settings
  version: string
  language: Language
  /** Epoch milliseconds. */
  now: number
  unread: Unread[]
}

/** Files of the bundle by their names: each is JSON. A part that could not be read is missing, and stands in `unread.json`. */
export type Contents = Readonly<Record<string, unknown>>

/** Names of the data folder that are the program's own (contract §12); all others are counted. */
const OWN_NAMES =
  /^(?:config\.json(?:\.bak)?|(?:lookout|knowledge|search|metrics)\.db(?:-wal|-shm|-journal|\.damaged|\.bad-\d{8}T\d{6}Z(?:-\d+)?)?|(?:heard|audit)\.log(?:\.1)?|audit\.head|starts\.json|reserve\.bin|lookout\.lock|tokens\.json|session\.json|keys\.env|local\.token|tls\.pem|reset\.obeyed|addresses\.sqlite|zones|maps|archives|acquired|processing|library|rejected|backups)$/

/**
 * Everything that may be told of a station, gathered without a change in its folder.
 * @throws AppError `missing` when the folder has nothing of a station; what is a bug.
 */
export async function supportContents(asked: Omit<Look, 'unread'>): Promise<{ contents: Contents; unread: Unread[] }> {
  const look: Look = { ...asked, unread: [] }
  const { folder, unread } = look
  const names = await part('data folder', unread, () => namesIn(folder))
  if (names?.some((name) => OWN_NAMES.test(name)) === false)
    throw new AppError('missing', because('no_station_folder', { folder }))
  const isRunning = await part(LOCK_FILE, unread, () => isHeld(join(folder, LOCK_FILE)))
  const config = await configOf(look)
  const read: Record<string, unknown> = {
    'station.json': await stationOf(look, isRunning),
    'doctor.json': await part('doctor', unread, () => doctorOf(look)),
    'configuration.json': config === null ? null : shownSettings(config),
    'folder.json': names === null ? null : await part('files', unread, () => folderOf(folder, names)),
    ...(await databasesOf(look, { config, isRunning: isRunning ?? true }))
  }
  const contents = Object.fromEntries(Object.entries(read).filter(([, told]) => told !== null))
  return { contents: { ...contents, 'unread.json': unread }, unread }
}

async function stationOf(look: Look, isRunning: boolean | null): Promise<unknown> {
  const { settings, version, now } = look
  const { profile, host, port, log } = settings.origins
  return {
    version,
    made_at: new Date(now).toISOString(),
    node: process.versions.node,
    platform: platform(),
    arch: arch(),
    kernel: release(),
    cores: cpus().length,
    memory_bytes: totalmem(),
    free_memory_bytes: freemem(),
    up_seconds: Math.round(uptime()),
    profile: settings.profileName,
    origins: { profile, host, port, log },
    /** Null: the lock could not be asked. */
    running: isRunning,
    failed_starts: await new StartRecord(look.folder, systemClock).failed()
  }
}

/** Details name paths, hosts and devices: a check and its state are enough to ask on. */
async function doctorOf({ settings, language }: Look): Promise<unknown> {
  return (await findingsOf(settings, language)).map(({ check, state }) => ({ check, state }))
}

/** Of a refused configuration the codes of what is wrong: its words quote what stands there. */
async function configOf({ folder, unread }: Look): Promise<Config | null> {
  try {
    const { config, problem } = await readConfig(folder)
    if (problem !== null) unread.push({ part: 'config.json', why: `${problem.code}, backup_counts` })
    return config
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    unread.push({ part: 'config.json', why: [error.reason.code, ...error.issues.map(({ code }) => code)].join(', ') })
    return null
  }
}

async function folderOf(folder: string, names: readonly string[]): Promise<unknown> {
  const own = names.filter((name) => OWN_NAMES.test(name)).sort()
  const { bavail, blocks, bsize } = await statfs(folder)
  return {
    free_bytes: bavail * bsize,
    total_bytes: blocks * bsize,
    other_entries: names.length - own.length,
    files: await Promise.all(
      own.map(async (name) => {
        const facts = await statOrNull(join(folder, name), lstat)
        return { name, bytes: facts?.size ?? null, mode: facts === null ? null : (facts.mode & 0o7777).toString(8) }
      })
    )
  }
}

async function databasesOf(
  { folder, now, unread }: Look,
  { config, isRunning }: { config: Config | null; isRunning: boolean }
): Promise<Record<string, unknown>> {
  const databases: Record<string, unknown> = {}
  const ofLedger: Record<string, unknown> = {}
  for (const name of Object.keys(SCHEMAS)) {
    if ((await statOrNull(join(folder, name))) === null) continue
    const opened = await part(name, unread, () => openUnchanged(folder, name, isRunning))
    if (opened === null) continue
    try {
      databases[name] = await part(name, unread, () => databaseFacts(opened.db, { folder, name, unread }))
      if (name !== LEDGER) continue
      ofLedger['messages.json'] = await part('messages', unread, () => ledgerFacts(opened.db, { config, now }))
      ofLedger['sources.json'] = await part('sources', unread, () => sourceFacts(opened.db, config))
    } finally {
      await opened.close()
    }
  }
  return { 'databases.json': databases, ...ofLedger }
}
