import { constants } from 'node:fs'
import { access, opendir, realpath, statfs } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import { AppError, refusedAt } from '../../../platform/errors.ts'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import { DISK_FILES, type DiskFiles, diskFacts, type Mount, mountOf, mounts, unmountedDisks } from './mounts.ts'

/** Where sticks are mounted: our own unit, desktops, people. Further ones are a setting. */
export const STICK_FOLDERS = ['/run/lookout-stick', '/media', '/run/media', '/mnt'] as const
/** Never, whatever the settings say: the system's own, and what is no file. */
const NEVER = ['/proc', '/sys', '/dev', '/etc', '/boot', '/root', '/usr', '/var/lib/private', '/run/credentials']
const MOST_PATH = 4096

export interface PlaceRules {
  /** The data folder, of which nothing is taken in again. */
  dataFolder: string
  /** `knowledge.bulk_folders`. */
  folders: readonly string[]
  /** Tests have sticks of their own. */
  sticks?: readonly string[]
  never?: readonly string[]
  files?: DiskFiles
}

/** A folder that may be taken in, as it truly lies on the disk. */
export interface CheckedFolder {
  path: string
  /** By what its disk is known again; null where it is the station's own. */
  disk: string | null
}

/**
 * The folder somebody has named, links resolved. @throws AppError `invalid`: it does not lie below a place that is allowed, holds or is the
 * station's own data, or is not there; `unavailable`: it may not be read.
 */
export async function checkFolder(asked: string, rules: PlaceRules): Promise<CheckedFolder> {
  const folder = asked.trim()
  if (!isAbsolute(folder) || folder.length > MOST_PATH || folder.includes('\0'))
    throw refusedAt('/folder', 'format', because('bulk_folder_absolute'))
  const allowed = await allowedPlaces(rules)
  const path = await resolved(folder, allowed)
  const { never = NEVER } = rules
  if (!allowed.some((place) => isWithin(path, place)) || never.some((place) => isWithin(path, place)))
    throw notAllowed(folder, allowed)
  if (await isOwnData(path, rules.dataFolder))
    throw refusedAt('/folder', 'value', because('bulk_folder_is_data', { folder }))
  const why = await unreadable(path)
  if (why !== null) throw new AppError('unavailable', because('bulk_folder_unreadable', { folder, why }))
  return { path, disk: await diskOf(path, rules.files) }
}

/** Links resolved. What may not be named is not told to be there or not. */
async function resolved(folder: string, allowed: readonly string[]): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    const why = faultReason(error)
    if (![...STICK_FOLDERS, ...allowed].some((place) => isWithin(resolve(folder), place)))
      throw notAllowed(folder, allowed)
    throw new AppError('unavailable', because('bulk_folder_unreadable', { folder, why }), { cause: error })
  }
}

function notAllowed(folder: string, allowed: readonly string[]): AppError {
  return refusedAt('/folder', 'value', because('bulk_folder_not_allowed', { folder, places: [...allowed] }))
}

async function allowedPlaces({ folders, sticks = STICK_FOLDERS }: PlaceRules): Promise<string[]> {
  const real = await Promise.all([...sticks, ...folders].map(realPath))
  return [...new Set(real.flatMap((path) => (path === null || path === '/' ? [] : [path])))]
}

/** The data folder, or one in it. A folder that only holds it is taken without it: see `walk`. */
async function isOwnData(path: string, dataFolder: string): Promise<boolean> {
  const data = await realPath(dataFolder)
  return data !== null && isWithin(path, data)
}

/** True for the place itself and everything below it. */
export function isWithin(path: string, place: string): boolean {
  const inner = relative(place, path)
  return inner === '' || (inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner))
}

/** Links resolved; null for what is not there, or cannot be looked at. */
export async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

/** Why nothing can be read there; null: it can. */
async function unreadable(path: string): Promise<Reason | null> {
  try {
    await access(path, constants.R_OK | constants.X_OK)
    await (await opendir(path)).close()
    return null
  } catch (error) {
    return faultReason(error)
  }
}

/** The fault of a disk or folder, for people. Whatever is none of the system is a bug. */
export function faultReason(error: unknown): Reason {
  const code = errorCode(error)
  if (code === '') throw error
  if (code === 'EACCES' || code === 'EPERM') return because('source_not_permitted')
  if (code === 'ENOENT') return because('source_gone')
  if (code === 'ENOTDIR') return because('source_no_folder')
  if (code === 'ELOOP') return because('source_is_link')
  return because('source_fails', { why: code })
}

/** By what the disk below a path is known again when it is plugged in anew; null: it is the one the system runs on. */
export async function diskOf(path: string, files: DiskFiles = DISK_FILES): Promise<string | null> {
  const all = await mounts(files)
  const mount = mountOf(path, all)
  if (mount === null || mount.point === '/') return null
  const { uuid } = await diskFacts(mount.device, files)
  // Network folders and others without a disk are known by what was mounted there.
  return `${mount.point}\t${uuid || mount.source}`
}

/** One disk or folder that documents may be taken from, as the page shows it. */
export interface Place {
  /** Empty: it is mounted nowhere. */
  path: string
  label: string
  removable: boolean
  size: number | null
  free: number | null
  /** Why it cannot be read; null: it can. */
  reason: Reason | null
}

/** Mounted sticks first, then the folders of the settings, then what is plugged in and not mounted. */
export async function listPlaces(rules: PlaceRules): Promise<Place[]> {
  const { files = DISK_FILES, sticks = STICK_FOLDERS, folders } = rules
  const all = await mounts(files)
  const found: Place[] = []
  for (const mount of all) if (isOffered(mount, sticks)) found.push(await placeOf(mount.point, mount, rules))
  for (const folder of folders) {
    if (found.some(({ path }) => path === folder)) continue
    const path = await realPath(folder)
    if (path === null) found.push(missing(folder))
    else if (!found.some((one) => one.path === path)) found.push(await placeOf(path, null, rules))
  }
  for (const { label, removable } of await unmountedDisks(all, files))
    found.push({ path: '', label, removable, size: null, free: null, reason: because('stick_not_mounted') })
  return found
}

function isOffered({ point }: Mount, sticks: readonly string[]): boolean {
  return sticks.some((place) => isWithin(point, place))
}

function missing(path: string): Place {
  return { path, label: '', removable: false, size: null, free: null, reason: because('source_gone') }
}

async function placeOf(path: string, mount: Mount | null, rules: PlaceRules): Promise<Place> {
  const facts = mount === null ? { label: '', removable: false } : await diskFacts(mount.device, rules.files)
  const { never = NEVER } = rules
  const isSystem = never.some((place) => isWithin(path, place))
  const reason = isSystem ? because('source_of_system') : await unreadable(path)
  const { size, free } = reason === null ? await roomOf(path) : { size: null, free: null }
  return { path, label: facts.label, removable: facts.removable, size, free, reason }
}

async function roomOf(path: string): Promise<{ size: number | null; free: number | null }> {
  try {
    const { blocks, bavail, bsize } = await statfs(path)
    return { size: blocks * bsize, free: bavail * bsize }
  } catch (error) {
    if (errorCode(error) === '') throw error
    return { size: null, free: null }
  }
}
