import { mkdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { StorageError } from '../database/storage-fault.ts'
import { errorCode, syncFolder } from './atomic-file.ts'

interface Maker {
  mkdir: (path: string) => Promise<unknown>
  /** Tests look whether it is called. */
  sync?: (folder: string) => Promise<void>
}

/**
 * Makes a folder below another one, and what is missing between them, but never that one: a data folder whose disk was pulled would
 * be begun anew on the disk below. Each name is synced: a file is lost with the name of a folder above it. @throws StorageError `gone` when it is not there.
 */
export async function makeBelow(
  root: string,
  folder: string,
  fs: Maker = { mkdir: (path) => mkdir(path) }
): Promise<void> {
  let at = root
  for (const name of relative(root, folder).split(sep)) {
    if (name === '' || name === '..') continue
    at = join(at, name)
    try {
      await fs.mkdir(at)
      await (fs.sync ?? syncFolder)(dirname(at))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new StorageError('gone', error)
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}
