import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { because } from '../model/reason.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import { AppError } from '../platform/errors.ts'
import { type FoundStation, runningStations } from '../platform/process/running-stations.ts'
import { dataFolderOf, VARIABLES } from '../settings/environment.ts'
import type { VerbContext } from './verb.ts'

type Asked = Pick<VerbContext, 'env' | 'err' | 'language'>

/**
 * The data folder a verb works on: `--data`, LOOKOUT_DATA, `./data` where it is there, else that of the station that runs, which
 * is said on stderr. `writes`: the verb leaves files that the station must be able to read.
 * @throws AppError `usage` when several stations run, or one of another user.
 */
export function verbFolder(named: string | undefined, context: Asked, how: { writes?: boolean } = {}): string {
  return stationFolder(named, context, how) ?? dataFolderOf({ argv: { data: named }, env: context.env })
}

/** The same; null unless it is that of the station that runs. @throws AppError `usage`. */
export function stationFolder(
  named: string | undefined,
  context: Asked,
  { writes = false }: { writes?: boolean } = {}
): string | null {
  const given = dataFolderOf({ argv: { data: named }, env: context.env })
  if (named !== undefined || context.env[VARIABLES.data]) return null
  const found = runningStations(context.env)
  const isThere = existsSync(given)
  if (isThere || found.length === 0) {
    if (isThere) tellOther(given, found, context)
    return null
  }
  if (found.length > 1) throw new AppError('usage', because('several_stations_run', { stations: found.map(nameOf) }))
  const [{ pid, uid, station }] = found as [FoundStation]
  if (station === null || (writes && uid !== process.getuid?.()))
    throw new AppError('usage', because('station_of_other_user', { pid, user: `#${uid}` }))
  context.err(
    `lookout: ${sentenceOf(because('uses_running_station', { pid, folder: station.data }), context.language)}\n`
  )
  return station.data
}

/** Whoever stands beside another folder by chance would wonder why nothing changes. */
function tellOther(given: string, found: readonly FoundStation[], { err, language }: Asked): void {
  if (found.length === 0 || found.some(({ station }) => station?.data === resolve(given))) return
  const said = because('uses_this_folder', { folder: resolve(given), stations: found.map(nameOf) })
  err(`lookout: ${sentenceOf(said, language)}\n`)
}

const nameOf = ({ pid, uid, station }: FoundStation): string => station?.data ?? `process ${pid} of user #${uid}`
