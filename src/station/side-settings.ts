import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { WorkContext } from '../cli/verb.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import { createLog, LOG_LEVELS, type Log } from '../platform/log/log.ts'
import { loadProfile, type Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import { ConfigStore } from '../settings/store.ts'

/** Settings that a side process begins with. */
export interface SideSettings {
  dataFolder: string
  profile: Profile
  config: ConfigStore
  current: () => Config
  log: Log
}

/** Arguments behind `lookout work ROLE` by which the other process finds the same station. */
export function sideArgs(
  role: string,
  { dataFolder, profileName, logLevel }: { dataFolder: string; profileName: string; logLevel: string }
): string[] {
  return ['work', role, '--data', dataFolder, '--profile', profileName, '--log', logLevel]
}

/** @throws AppError `usage` without a data folder, and as the configuration and the profile do. */
export async function readSideSettings({ args, root, role }: WorkContext): Promise<SideSettings> {
  const { values } = parseArgs({
    args,
    options: { data: { type: 'string' }, profile: { type: 'string' }, log: { type: 'string' } }
  })
  if (values.data === undefined) throw new AppError('usage', because('verb_for_program'))
  const level = LOG_LEVELS.find((name) => name === values.log) ?? 'info'
  const log = createLog({ level }).child({ side: role })
  const profile = await loadProfile(values.profile ?? 'home', join(root, 'profiles'))
  const config = await ConfigStore.open({ folder: values.data, log, watch: true })
  return { dataFolder: values.data, profile, config, current: () => config.current(), log }
}
