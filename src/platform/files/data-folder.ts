import { constants, readlinkSync, statfsSync } from 'node:fs'
import { access, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, errorText, reasonOf } from '../errors.ts'
import { syncFolder } from './atomic-file.ts'

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
    const first = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    if (first !== undefined) await syncNames(first, folder)
  } catch (error) {
    throw new AppError('missing', because('data_folder_not_made', { folder, why: hindrance(folder, error) }), {
      cause: error
    })
  }
  await checkDataFolder(folder)
}

/** A power cut would take the new folder with all that was stored in it by then. */
async function syncNames(first: string, folder: string): Promise<void> {
  for (let at = resolve(folder); at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at))
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
  if (!(await exists(folder))) throw new AppError('missing', because('no_data_folder_yet', { folder }))
  if (!(await stat(folder)).isDirectory()) throw new AppError('missing', because('is_no_folder', { folder }))
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
    throw new AppError('missing', because('data_folder_unreachable', { folder, said: errorText(error) }), {
      cause: error
    })
  }
}

async function writable(path: string, folder: string, mode: number): Promise<void> {
  try {
    await access(path, mode)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw new AppError('missing', because('path_cannot_be_written', { path, why: await remedy(path, folder, error) }), {
      cause: error
    })
  }
}

async function remedy(path: string, folder: string, error: unknown): Promise<Reason> {
  if (codeOf(error) === 'EROFS') return because('disk_mounted_read_only')
  const uid = process.getuid?.()
  if (codeOf(error) !== 'EACCES' || uid === undefined) return reasonOf(error)
  const owner = (await stat(path)).uid
  if (owner === uid) return because('mode_forbids_it')
  const user = String(uid)
  if (owner === 0) return because('belongs_to_root', { user, folder })
  return because('belongs_to_user', { owner: String(owner), user, folder })
}

function hindrance(folder: string, error: unknown): Reason {
  if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTDIR')
    return because('file_in_the_way', { said: errorText(error) })
  const target = linkTarget(folder)
  if (target !== null) return because('link_to_nothing', { target })
  return reasonOf(error)
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
