import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { WorkContext } from '../cli/verb.ts'
import type { ReadProgress } from '../dashboard/server/backups.ts'
import { because } from '../model/reason.ts'
import { makeBackup } from '../platform/backup/make.ts'
import { BackupFolder } from '../platform/backup/manifest.ts'
import { BackupArchive } from '../platform/backup/one-file.ts'
import { RESTORE_NEW, RESTORE_READY } from '../platform/backup/place.ts'
import { prune } from '../platform/backup/prune.ts'
import { restoreBackup } from '../platform/backup/restore.ts'
import { chosenStamp, verifyBackups } from '../platform/backup/verify.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import { syncFolder } from '../platform/files/atomic-file.ts'
import type { Log } from '../platform/log/log.ts'
import { SideProcess } from '../platform/process/side-process.ts'
import { type ServedSide, serveSide } from '../platform/process/side-service.ts'
import { versionOrder } from '../platform/release/version-order.ts'
import type { BackupFacts } from './backup-upload.ts'

const HEAP_MIB = 96
const IDLE_MS = 2000
/** A first backup of a large library to a slow stick. */
const LONGEST_MS = 6 * 3_600_000

export interface BackupWish {
  dataFolder: string
  folder: string
  keep: number
  version: string
}

export interface BackupMade {
  stamp: string
  files: number
  bytes: number
}

/** Role `backup`: copies and reads everything where nobody waits for it. */
export async function runBackup(_: WorkContext): Promise<number> {
  const side: ServedSide = serveSide({
    handlers: {
      backup: (asked) => backUp(wishOf(asked)),
      judge: (asked) => judgeFile(judgeWishOf(asked)),
      restore: (asked) => putReady(restoreWishOf(asked), (progress) => side.notify('progress', progress))
    },
    idleMs: IDLE_MS
  })
  return side.ended
}

function wishOf(asked: unknown): BackupWish {
  const { dataFolder, folder, keep, version } = asked as Record<string, unknown>
  if (typeof dataFolder !== 'string' || typeof folder !== 'string' || typeof keep !== 'number')
    throw new AppError('bad-input', because('no_file_named'))
  return { dataFolder, folder, keep, version: typeof version === 'string' ? version : '' }
}

/**
 * Adds a backup, reads it back, and only then removes what is too old: a stick that lies costs no backup that was good.
 * @throws AppError as `makeBackup` does; `bad-input` when it is not whole
 */
export async function backUp({ dataFolder, folder, keep, version }: BackupWish): Promise<BackupMade> {
  const quiet = { tell: () => undefined, onProgress: () => undefined, now: () => Date.now() }
  // With keys: whoever has the stick has the passphrase's hash and the channels anyway, and a station restored without them is half one.
  const made = await makeBackup({
    dataFolder,
    backupFolder: folder,
    withKeys: true,
    withArchives: false,
    version,
    ...quiet
  })
  const backups = new BackupFolder(folder)
  const { damaged } = await verifyBackups(backups, { stamp: made.stamp })
  const [first] = damaged
  if (first !== undefined)
    throw new AppError('bad-input', because('backup_not_whole', { file: first.path, count: damaged.length }))
  await prune(backups, keep)
  return { stamp: made.stamp, files: made.files, bytes: made.bytes }
}

export interface RestoreWish {
  dataFolder: string
  /** A folder of backups, or one in a file. */
  from: { folder: string } | { file: string }
  stamp: string
  version: string
}

function restoreWishOf(asked: unknown): RestoreWish {
  if (!v.is(restoreWishSchema, asked)) throw new AppError('bad-input', because('no_file_named'))
  return asked
}

const restoreWishSchema = v.object({
  dataFolder: v.string(),
  from: v.union([v.object({ folder: v.string() }), v.object({ file: v.string() })]),
  stamp: v.string(),
  version: v.string()
})

export interface JudgeWish {
  file: string
  version: string
}

function judgeWishOf(asked: unknown): JudgeWish {
  if (!v.is(v.object({ file: v.string(), version: v.string() }), asked))
    throw new AppError('bad-input', because('no_file_named'))
  return asked
}

/**
 * The facts that a backup in a file says of its newest stamp. Each of its files is in it, in the size it should have; its bytes are
 * compared when it is read in. @throws AppError `bad-input` for what is none or ends too early, `conflict` for one of a newer release
 */
export async function judgeFile({ file, version }: JudgeWish): Promise<BackupFacts> {
  const archive = await BackupArchive.open(file)
  const stamp = await chosenStamp(archive, undefined)
  const { made_by, made_at, files } = await archive.manifest(stamp)
  refuseNewer(made_by, version)
  const missing = files.filter((one) => archive.placeOf(stamp, one)?.size !== one.size)
  const [first] = missing
  if (first !== undefined)
    throw new AppError('bad-input', because('backup_not_whole', { file: first.path, count: missing.length }))
  return { stamp, made_by, made_at, files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) }
}

function refuseNewer(made_by: string, version: string): void {
  if (versionOrder(made_by, version) === 'newer') throw new AppError('conflict', because('restore_newer', { made_by }))
}

/**
 * Reads a backup into the data folder beside what is there, every hash checked: nothing is replaced before all of it is whole. It takes
 * its place at the next start. @throws AppError as `restoreBackup` does; `conflict` for one of a newer release
 */
export async function putReady(
  { dataFolder, from, stamp, version }: RestoreWish,
  onProgress: (progress: ReadProgress) => void = () => undefined
): Promise<true> {
  const backups = 'file' in from ? await BackupArchive.open(from.file) : new BackupFolder(from.folder)
  refuseNewer((await backups.manifest(await chosenStamp(backups, stamp))).made_by, version)
  const to = join(dataFolder, RESTORE_NEW)
  await rm(to, { recursive: true, force: true })
  try {
    await restoreBackup({ folder: backups, dataFolder: to, stamp, onProgress: everySecond(onProgress) })
  } catch (error) {
    await rm(to, { recursive: true, force: true })
    throw error
  }
  await rm(join(dataFolder, RESTORE_READY), { recursive: true, force: true })
  await rename(to, join(dataFolder, RESTORE_READY))
  await syncFolder(dataFolder)
  return true
}

/** A message for each of thousands of small files would be work of its own. */
function everySecond(tell: (progress: ReadProgress) => void): (progress: ReadProgress) => void {
  let next = 0
  return ({ files, ofFiles }) => {
    if (Date.now() < next) return
    next = Date.now() + 1000
    tell({ files, ofFiles })
  }
}

const progressSchema = v.object({ files: v.number(), ofFiles: v.number() })

/** `judgeFile` in another process: a manifest of a large library is megabytes of JSON. */
export async function judgeBeside({ clock, log }: { clock: Clock; log: Log }, wish: JudgeWish): Promise<BackupFacts> {
  const side = new SideProcess({ name: 'backup', args: ['work', 'backup'], heapMib: HEAP_MIB, clock, log })
  try {
    return await side.request<BackupFacts>('judge', { ...wish }, { timeoutMs: LONGEST_MS })
  } finally {
    await side.stop()
  }
}

/** `putReady` in another process. */
export async function putReadyBeside(
  { clock, log }: { clock: Clock; log: Log },
  wish: RestoreWish,
  onProgress: (progress: ReadProgress) => void
): Promise<void> {
  const onNotify = (_: string, told: unknown): void => {
    if (v.is(progressSchema, told)) onProgress(told)
  }
  const side = new SideProcess({ name: 'backup', args: ['work', 'backup'], heapMib: HEAP_MIB, clock, log, onNotify })
  try {
    await side.request<true>('restore', { ...wish }, { timeoutMs: LONGEST_MS })
  } finally {
    await side.stop()
  }
}

/** Lets another process do it: neither a slow stick nor a large file holds up the radios. */
export async function backUpBeside({ clock, log }: { clock: Clock; log: Log }, wish: BackupWish): Promise<BackupMade> {
  const side = new SideProcess({ name: 'backup', args: ['work', 'backup'], heapMib: HEAP_MIB, clock, log })
  try {
    return await side.request<BackupMade>('backup', { ...wish }, { timeoutMs: LONGEST_MS })
  } finally {
    await side.stop()
  }
}
