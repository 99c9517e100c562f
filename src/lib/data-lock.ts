import { truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from './errors.ts'
import { makePrivate } from './private-file.ts'
import { type Driver, loadDriver, type RawDatabase } from './sqlite-driver.ts'
import { StorageError, storageFaultOf } from './storage-fault.ts'

/**
 * Holds `path` for this process until it ends, however it ends: the lock is the operating system's, and what stands in the file
 * means nothing. Two programs on one data folder would send everything twice.
 * @throws AppError `conflict` when another process holds it; StorageError when the disk lets nobody hold it.
 */
export async function holdLock(path: string): Promise<() => void> {
  const Driver = await loadDriver()
  makePrivate(path)
  const raw = lock(Driver, path) ?? cleared(Driver, path)
  return () => raw.close()
}

/** Null when the file holds something that is no lock: whoever held one would have been met first. */
function lock(Driver: Driver, path: string): RawDatabase | null {
  let raw: RawDatabase | null = null
  try {
    raw = new Driver(path)
    raw.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return raw
  } catch (error) {
    raw?.close()
    const fault = storageFaultOf(error)
    if (fault === 'damaged') return null
    if (fault !== null) throw new StorageError(fault, error)
    throw taken(path, error)
  }
}

/** Emptied in its place: another program that does the same at this moment meets the lock on the same file. */
function cleared(Driver: Driver, path: string): RawDatabase {
  truncateSync(path)
  const raw = lock(Driver, path)
  if (raw === null) throw taken(path, null)
  return raw
}

function taken(path: string, cause: unknown): AppError {
  const message = `another Lookout runs on ${dirname(path)}: stop it, or use another folder (LOOKOUT_DATA)`
  return new AppError('conflict', message, { cause })
}
