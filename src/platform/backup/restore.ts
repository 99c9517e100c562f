import { existsSync } from 'node:fs'
import { readdir, utimes } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import { errorCode } from '../files/atomic-file.ts'
import { holdLock } from '../files/data-lock.ts'
import { checkSpace, copyHashed, freeBytes, makeFolder, type Span, syncNames } from './copy.ts'
import { isBelow, type Progress } from './make.ts'
import { type BackedFile, type BackupSource, FOLDER_MODE, type LeftOut } from './manifest.ts'
import { chosenStamp } from './verify.ts'

export interface RestoreOptions {
  folder: BackupSource
  /** The new data folder. */
  dataFolder: string
  /** The newest without it. */
  stamp: string | undefined
  onProgress: (progress: Progress) => void
  free?: (path: string) => Promise<number>
}

export interface Restored {
  stamp: string
  files: number
  bytes: number
  leftOut: LeftOut[]
}

const LOCK = 'lookout.lock'

/**
 * Writes a stamp into a new or empty folder, every hash checked on the way; never over anything. No station starts there
 * before it is whole: the databases and settings come last, and its lock is held. What is searched is not in a backup: the
 * station makes it again when it starts. @throws AppError `missing`, `conflict`, `no-space`, `bad-input` when a file is damaged.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { folder, onProgress } = options
  const dataFolder = resolve(options.dataFolder)
  const stamp = await chosenStamp(folder, options.stamp)
  const { files, left_out } = await folder.manifest(stamp)
  await checkTarget(dataFolder, folder)
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  await checkSpace(dataFolder, bytes, options.free ?? freeBytes)
  await makeFolder(dataFolder, FOLDER_MODE)
  const release = await holdLock(join(dataFolder, LOCK))
  const progress: Progress = { files: 0, ofFiles: files.length, bytes: 0 }
  try {
    for (const file of inOrder(files)) {
      await restoreFile(folder.placeOf(stamp, file), file, dataFolder)
      progress.files++
      progress.bytes += file.size
      onProgress(progress)
    }
    await syncNames(dataFolder)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, because('restore_not_whole', { said: error.reason, folder: dataFolder }), {
      cause: error
    })
  } finally {
    release()
  }
  return { stamp, files: files.length, bytes, leftOut: left_out }
}

/** Contents first, then databases and settings: a folder without them is taken for none. */
function inOrder(files: readonly BackedFile[]): BackedFile[] {
  const isLast = ({ stored }: BackedFile): boolean => stored === 'stamp'
  return [...files.filter((file) => !isLast(file)), ...files.filter(isLast)]
}

async function restoreFile(from: string | Span | null, file: BackedFile, dataFolder: string): Promise<void> {
  const to = join(dataFolder, file.path)
  if (existsSync(to)) throw new AppError('conflict', because('file_is_there_already', { file: file.path }))
  if (from === null || (typeof from === 'string' && !existsSync(from)))
    throw new AppError('bad-input', because('copy_is_missing', { file: file.path }))
  await makeFolder(dirname(to), FOLDER_MODE)
  await copyHashed(
    from,
    dirname(to),
    async ({ hash, size }) => {
      if (hash === file.hash && size === file.size) return basename(to)
      throw new AppError('bad-input', because('copy_is_damaged', { file: file.path }))
    },
    file.mode
  )
  await utimes(to, new Date(), new Date(file.modified_ms))
}

async function checkTarget(dataFolder: string, folder: BackupSource): Promise<void> {
  if (isBelow(dataFolder, folder.path)) throw new AppError('usage', because('not_into_backups'))
  const names = await namesIn(dataFolder)
  if (names.length > 0) throw new AppError('conflict', because('restore_not_empty', { folder: dataFolder }))
}

async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    if (errorCode(error) !== 'ENOTDIR') throw error
    throw new AppError('conflict', because('file_no_folder', { path }), { cause: error })
  }
}
