import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '../../platform/errors.ts'
import { namesIn, statOrNull } from '../../platform/files/names-in.ts'
import { archiveParts } from './zim-file.ts'

/** The folder of archives, relative to the data folder. */
export const ARCHIVE_FOLDER = 'archives'
/** The name of the folder before the first release. */
const FORMER_FOLDER = 'zim'
/** A file must not have changed for this long before it is believed to be whole. */
export const STILL_MS = 10_000

/**
 * Gives the folder of an older station its present name, before anybody looks into it. One that cannot be renamed, such as the
 * mount point of a disk, stays as it is. @returns what to tell; null when there was nothing to do.
 */
export function adoptFormerFolder(dataFolder: string): { moved: boolean; reason: string } | null {
  const former = join(dataFolder, FORMER_FOLDER)
  if (!existsSync(former)) return null
  const told = `archives lie in "${ARCHIVE_FOLDER}"`
  if (existsSync(join(dataFolder, ARCHIVE_FOLDER)))
    return { moved: false, reason: `${told}: "${FORMER_FOLDER}" is not looked at; move what you want to keep` }
  try {
    renameSync(former, join(dataFolder, ARCHIVE_FOLDER))
    return { moved: true, reason: `${told} now: "${FORMER_FOLDER}" was renamed` }
  } catch (error) {
    return { moved: false, reason: `${told}, and "${FORMER_FOLDER}" cannot be renamed: ${errorText(error)}` }
  }
}

/** An archive that lies in the folder. */
export interface FoundArchive {
  /** Of one in parts the name without the letters: the library server opens it by that, too. */
  filename: string
  path: string
  sizeBytes: number
  mtime: number
  /** The last change of size, content or name, on this machine. */
  changedAt: number
}

/** Every archive in the folder, by name; hidden files and folders are left alone. No folder is an empty one. */
export async function listArchives(folder: string): Promise<FoundArchive[]> {
  const names = await namesIn(folder)
  const known = new Set(names)
  const wanted = names
    .map((name) => name.replace(/\.zimaa$/i, (end) => end.slice(0, -2)))
    .filter((name) => /^[^.].*\.zim$/i.test(name))
  const found: FoundArchive[] = []
  for (const filename of [...new Set(wanted)].sort()) {
    const path = join(folder, filename)
    const parts = archiveParts(path, (part) => known.has(part.slice(folder.length + 1)))
    const archive = await lookAt(filename, path, parts)
    if (archive !== null) found.push(archive)
  }
  return found
}

async function lookAt(filename: string, path: string, parts: readonly string[]): Promise<FoundArchive | null> {
  const archive: FoundArchive = { filename, path, sizeBytes: 0, mtime: 0, changedAt: 0 }
  for (const part of parts) {
    const found = await statOrNull(part)
    if (found?.isFile() !== true) return null
    archive.sizeBytes += found.size
    archive.mtime = Math.max(archive.mtime, Math.floor(found.mtimeMs))
    archive.changedAt = Math.max(archive.changedAt, found.mtimeMs, found.ctimeMs)
  }
  return parts.length === 0 ? null : archive
}

/** One archive of the folder as it is now; null when it is gone. */
export async function findArchive(folder: string, filename: string): Promise<FoundArchive | null> {
  const path = join(folder, filename)
  return lookAt(filename, path, archiveParts(path))
}
