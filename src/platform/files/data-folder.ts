import { constants, readlinkSync, statfsSync } from 'node:fs'
import { access, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, errorText } from '../errors.ts'

/**
 * Files that the program itself writes at the top of its folder. One file of another user among them stops everything.
 */
const OWN_FILES = /^(?:lookout\.lock|heard\.log|(?:lookout|knowledge|search|metrics)\.db(?:-wal|-shm)?)$/

/** Passwords, places and what people wrote stand in it. A folder that somebody made keeps its mode. */
const PRIVATE_FOLDER = 0o700

/**
 * Makes the folder when it is missing, and looks whether a station can live in it: most often it cannot because the program
 * was run once as root, or because the disk is not mounted.
 * @throws AppError `missing` that says which file and what to do.
 */
export async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  } catch (error) {
    throw new AppError('missing', `the data folder ${folder} cannot be made: ${hindrance(folder, error)}`, {
      cause: error
    })
  }
  await checkDataFolder(folder)
}

/** With less, the next commit may fail. */
const MIN_FREE_BYTES = 8 * 1024 * 1024

/** Room on the disk of the data folder; `problem` once the next commit may fail, null while it would not. */
export interface Room {
  freeBytes: number | null
  problem: { code: 'disk_full' | 'folder_unreadable'; detail: string } | null
}

/**
 * The room left on the disk: a monitor should hear of it before nothing can be stored any more, and so nothing sent.
 */
export function roomOf(folder: string, freeBytes: (folder: string) => number = freeNow): Room {
  try {
    const free = freeBytes(folder)
    return { freeBytes: free, problem: free < MIN_FREE_BYTES ? { code: 'disk_full', detail: '' } : null }
  } catch (error) {
    return { freeBytes: null, problem: { code: 'folder_unreadable', detail: errorText(error) } }
  }
}

function freeNow(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** The same look at a folder that is there; changes nothing. @throws AppError `missing`. */
export async function checkDataFolder(folder: string): Promise<void> {
  if (!(await exists(folder)))
    throw new AppError(
      'missing',
      `there is no data folder ${folder}: lookout start makes it; LOOKOUT_DATA names another`
    )
  if (!(await stat(folder)).isDirectory()) throw new AppError('missing', `${folder} is no folder`)
  await writable(folder, folder, constants.R_OK | constants.W_OK | constants.X_OK)
  for (const name of await readdir(folder)) {
    if (OWN_FILES.test(name)) await writable(join(folder, name), folder, constants.R_OK | constants.W_OK)
  }
}

async function exists(folder: string): Promise<boolean> {
  try {
    await stat(folder)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw new AppError('missing', `the data folder ${folder} cannot be reached: ${errorText(error)}`, { cause: error })
  }
}

async function writable(path: string, folder: string, mode: number): Promise<void> {
  try {
    await access(path, mode)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new AppError('missing', `${path} cannot be written: ${await remedy(path, folder, error)}`, { cause: error })
  }
}

async function remedy(path: string, folder: string, error: unknown): Promise<string> {
  if (codeOf(error) === 'EROFS') return 'its disk is mounted read-only, as after an error of the card (see dmesg)'
  const uid = process.getuid?.()
  if (codeOf(error) !== 'EACCES' || uid === undefined) return errorText(error)
  const owner = (await stat(path)).uid
  if (owner === uid) return 'its mode forbids it (chmod u+rw)'
  const whose = owner === 0 ? 'root' : `user ${owner}`
  return `it belongs to ${whose} and this is user ${uid}, as after a run with sudo: sudo chown -R ${uid} ${folder}`
}

function hindrance(folder: string, error: unknown): string {
  if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTDIR') return `a file is in the way (${errorText(error)})`
  const target = linkTarget(folder)
  if (target !== null) return `it is a link to ${target}, which is not there: is its disk mounted?`
  return errorText(error)
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    // Not a link: the first error says enough.
    return null
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
