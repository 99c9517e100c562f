import { join } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import { placeRestored } from '../platform/backup/place.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { StorageError, storageFaultOf } from '../platform/database/storage-fault.ts'
import { errorText } from '../platform/errors.ts'
import { FolderLock } from '../platform/files/data-lock.ts'
import { keepPrivate } from '../platform/files/keep-private.ts'
import { LOCK_FILE } from '../platform/files/known-folder.ts'
import type { Log } from '../platform/log/log.ts'

/**
 * A disk that can only be read, as after an error of the card, keeps nobody from warning: null, and what is told leaves from
 * memory. A folder that belongs to somebody else, or is not there, is a mistake that is to be mended first: thrown.
 */
export async function unlessReadOnly<T>(log: Log, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageError) && !causedByReadOnlyDisk(error)) throw error
    log.error({ err: error }, `the station goes on without storing: ${errorText(error)}`)
    return null
  }
}

/** Leaves out a part that warnings do not need while the disk does not take or give it. */
export async function unlessDiskFails<T>(part: string, log: Log, open: () => Promise<T>): Promise<T | null> {
  try {
    return await open()
  } catch (error) {
    if (storageFaultOf(error) === null) throw error
    log.error({ err: error, part }, `the station goes on without its ${part}: ${errorText(error)}`)
    return null
  }
}

/** Takes other users the rights an older version or a copy by hand left them; what stays open is told, and stops nothing. */
export function closeFolder(dataFolder: string, log: Log): void {
  const open = keepPrivate(dataFolder)
  if (open.length > 0)
    log.warn({ folder: dataFolder, open }, 'other users of this machine may read or write in the data folder')
}

/**
 * One station on a data folder; a preview sends nothing and needs no lock. A disk that can only be read lets nobody hold a lock: it is taken as soon as that is possible.
 * @throws AppError `conflict`.
 */
export async function lockFolder(
  { dataFolder, log, mode }: Pick<StartOptions, 'dataFolder' | 'log' | 'mode'>,
  stopper: Stopper
): Promise<{ mayStore?: () => boolean }> {
  if (mode !== 'run') return {}
  const lock = await FolderLock.open(join(dataFolder, LOCK_FILE))
  stopper.add('lock', () => lock.close())
  await unlessReadOnly(log, async () => lock.hold())
  await unlessReadOnly(log, () => putBack(dataFolder, log))
  return { mayStore: () => lock.isOurs() }
}

/** A backup that somebody chose on the page takes its place now, while nothing is open. */
async function putBack(dataFolder: string, log: Log): Promise<void> {
  const aside = await placeRestored(dataFolder, Date.now())
  if (aside !== null) log.info({ aside }, 'a backup was put back; the data from before it lie in this folder')
}

function causedByReadOnlyDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'EROFS') || causedByReadOnlyDisk(error.cause)
}
