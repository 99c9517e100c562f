import { mkdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { StorageError } from '../database/storage-fault.ts'
import { errorCode } from './atomic-file.ts'

/**
 * Makes a folder below another one, and what is missing between them, but never that one: a data folder whose disk was pulled would
 * be begun anew on the disk below. @throws StorageError `gone` when it is not there.
 */
export async function makeBelow(
  root: string,
  folder: string,
  fs: { mkdir: (path: string) => Promise<unknown> } = { mkdir: (path) => mkdir(path) }
): Promise<void> {
  let at = root
  for (const name of relative(root, folder).split(sep)) {
    if (name === '' || name === '..') continue
    at = join(at, name)
    try {
      await fs.mkdir(at)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new StorageError('gone', error)
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
}
