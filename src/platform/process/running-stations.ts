import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { jsonOr } from '../bytes/json-or.ts'
import { errorCode } from '../files/atomic-file.ts'

/** `RuntimeDirectory` of the unit. */
const UNIT_FOLDER = '/run/lookout'
const RECORD = /^station-(\d{1,10})\.json$/

const recordSchema = v.object({
  pid: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Of the process, as the system counts: tells it from a later one with its number. */
  started: v.string(),
  /** The data folder, absolute. */
  data: v.pipe(v.string(), v.startsWith('/')),
  url: v.string(),
  version: v.string()
})

export type RunningStation = v.InferOutput<typeof recordSchema>

/** A station that runs on this machine. `station` is null where its record may not be read: it is of another user. */
export interface FoundStation {
  pid: number
  /** Number of the user it is of. */
  uid: number
  station: RunningStation | null
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Tells the verbs of this machine where a station runs, in a file that its user alone reads. Answers how it is taken back; null
 * where no folder takes it, which is no reason not to run.
 */
export function recordStation(env: Env, told: Omit<RunningStation, 'pid' | 'started'>): (() => void) | null {
  const record: RunningStation = { pid: process.pid, started: startOf(process.pid) ?? '', ...told }
  for (const folder of ownFolders(env)) {
    const file = join(folder, `station-${process.pid}.json`)
    try {
      if (!makeFolder(folder)) continue
      removeStale(folder)
      writeFileSync(`${file}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 })
      renameSync(`${file}.new`, file)
      return () => remove(file)
    } catch (error) {
      if (errorCode(error) === '') throw error
    }
  }
  return null
}

/** The stations that run now, by the number of their process. What one left that was killed is passed over. */
export function runningStations(env: Env): FoundStation[] {
  const own = ownFolders(env).filter(isTrusted)
  const folders = env['RUNTIME_DIRECTORY'] ? own : [UNIT_FOLDER, ...own]
  return folders.flatMap(recordsIn).sort((a, b) => a.pid - b.pid)
}

/** Where stations of this user tell of themselves, best first. RUNTIME_DIRECTORY is systemd's word for the folder of a unit. */
function ownFolders(env: Env): string[] {
  const given = env['RUNTIME_DIRECTORY']
  if (given) return [given.split(':')[0] ?? given]
  const uid = process.getuid?.() ?? 0
  return [join(env['XDG_RUNTIME_DIR'] || `/run/user/${uid}`, 'lookout'), join(tmpdir(), `lookout-${uid}`)]
}

/** False where another user was first, as may be where everybody writes. @throws as the disk does. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return isTrusted(folder)
  }
}

function isTrusted(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

function recordsIn(folder: string): FoundStation[] {
  return namesIn(folder).flatMap(({ file, pid }) => stationOf(file, pid) ?? [])
}

/** Null for a record whose process is gone, or whose number another program has by now. */
function stationOf(file: string, pid: number): FoundStation | null {
  const started = startOf(pid)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (started === null || found?.isFile() !== true) return null
  const { uid } = found
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === '') throw error
    return errorCode(error) === 'EACCES' ? { pid, uid, station: null } : null
  }
  const { success, output } = v.safeParse(recordSchema, jsonOr(null, text))
  if (!success || output.pid !== pid || output.started !== started) return null
  return mayName(uid, output.data) ? { pid, uid, station: output } : null
}

/** Root must not be led by somebody into a folder that is not theirs. */
function mayName(uid: number, folder: string): boolean {
  if (uid === 0 || uid === process.getuid?.()) return true
  return statSync(folder, { throwIfNoEntry: false })?.uid === uid
}

/** proc(5), starttime; '' where the system does not tell. Null: there is no such process. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : (fields[19] ?? '')
  } catch {
    return isAlive(pid) ? '' : null
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** A station that was killed could not take its own back. */
function removeStale(folder: string): void {
  for (const { file, pid } of namesIn(folder)) if (stationOf(file, pid) === null) remove(file)
}

function namesIn(folder: string): { file: string; pid: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const pid = RECORD.exec(name)?.[1]
      return pid === undefined ? [] : [{ file: join(folder, name), pid: Number(pid) }]
    })
  } catch (error) {
    if (errorCode(error) === '') throw error
    return []
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errorCode(error) === '') throw error
  }
}
