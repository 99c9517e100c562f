import type { Dir, Dirent } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../platform/files/atomic-file.ts'
import { statOrNull } from '../../../platform/files/names-in.ts'
import { MOST_ENTRIES } from './bulk.ts'

/** Folders of systems, and of our own backups, which hold the documents of this very station. */
const NOT_LOOKED_AT = new Set(['System Volume Information', '$RECYCLE.BIN', 'lost+found', 'lookout-backups'])
const MOST_DEPTH = 32

export interface Walk {
  /** The folder, links resolved. */
  root: string
  /** Not gone into: the data folder, where it lies below. */
  dataFolder: string
  signal: AbortSignal
  /** A folder that may not be read: its files are not found, and nobody else is stopped. */
  onUnreadable: (path: string, error: unknown) => void
  /** A name or folder that is not looked at: a link, a hidden one, another disk below, no plain file. */
  onLeftOut: () => void
}

/** A folder that is to be looked through, by its path below the root. */
interface Open {
  path: string
  depth: number
}

/**
 * Every plain file below a folder, by its path from there, in an order that is the same each time. Links are never followed, nor is
 * another disk that is mounted below gone into. @throws what the disk says: a folder that cannot be read is no empty one.
 */
export async function* walk(options: Walk): AsyncGenerator<string> {
  const { root, signal, onUnreadable, onLeftOut } = options
  const mayEnter = await entry(options)
  const open: Open[] = [{ path: '', depth: 0 }]
  for (;;) {
    const next = open.pop()
    if (next === undefined) return
    const folders: string[] = []
    for (const found of await entriesOf(join(root, next.path), (error) => onUnreadable(next.path, error))) {
      signal.throwIfAborted()
      const path = join(next.path, found.name)
      const kind = kindOf(found, next.depth)
      if (kind === 'file') yield path
      else if (kind === 'folder' && (await mayEnter(path))) folders.push(path)
      else onLeftOut()
    }
    open.push(...folders.reverse().map((path) => ({ path, depth: next.depth + 1 })))
  }
}

function kindOf(found: Dirent, depth: number): 'file' | 'folder' | null {
  if (found.name.startsWith('.') || NOT_LOOKED_AT.has(found.name)) return null
  if (found.isFile()) return 'file'
  return found.isDirectory() && depth < MOST_DEPTH ? 'folder' : null
}

/** Says of a folder below whether it is gone into: on the same disk, and not the data folder. */
async function entry({ root, dataFolder }: Walk): Promise<(path: string) => Promise<boolean>> {
  const own = await statOrNull(dataFolder)
  const { dev } = await lstat(root)
  return async (path) => {
    const found = await lstat(join(root, path))
    const isOwn = own !== null && found.ino === own.ino && found.dev === own.dev
    return found.isDirectory() && found.dev === dev && !isOwn
  }
}

async function entriesOf(folder: string, refused: (error: unknown) => void): Promise<Dirent[]> {
  const found: Dirent[] = []
  let dir: Dir
  try {
    dir = await opendir(folder)
  } catch (error) {
    if (errorCode(error) !== 'EACCES') throw error
    refused(error)
    return []
  }
  for await (const entry of dir) {
    found.push(entry)
    // More than are taken at all: whoever counts them says so.
    if (found.length > MOST_ENTRIES) break
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1))
}
