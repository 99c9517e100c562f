import { existsSync, statSync, truncateSync } from 'node:fs'
import { dirname } from 'node:path'
import { because } from '../../model/reason.ts'
import { type Driver, loadDriver, loadedDriver, type RawDatabase } from '../database/sqlite-driver.ts'
import { StorageError, storageFaultOf } from '../database/storage-fault.ts'
import { AppError } from '../errors.ts'
import { makePrivate } from './private-file.ts'

/**
 * Holds `path` for this process until it ends, however it ends: the lock is the operating system's, and what stands in the file
 * means nothing. Two programs on one data folder would send everything twice.
 * @throws AppError `conflict` when another process holds it; StorageError when the disk lets nobody hold it.
 */
export async function holdLock(path: string): Promise<() => void> {
  await loadDriver()
  return holdNow(path)
}

function holdNow(path: string): () => void {
  const Driver = loadedDriver()
  makePrivate(path)
  const raw = lock(Driver, path) ?? cleared(Driver, path)
  return () => raw.close()
}

/**
 * True while another process holds `path`. It makes nothing and changes nothing; a program that begins in the very moment of the
 * look, some microseconds, finds the file taken. @throws StorageError when the file cannot be read.
 */
export async function isHeld(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const Driver = await loadDriver()
  let raw: RawDatabase | null = null
  try {
    raw = new Driver(path, { readOnly: true })
    raw.exec('PRAGMA busy_timeout = 0; SELECT count(*) FROM sqlite_schema')
    return false
  } catch (error) {
    const fault = storageFaultOf(error)
    if (fault === null) return true
    // The content of the file means nothing; whoever held it would have been met first.
    if (fault === 'damaged') return false
    throw new StorageError(fault, error)
  } finally {
    raw?.close()
  }
}

/**
 * A lock whose disk may fail, or be taken away and come back: another file stands at the path then, and nobody holds it.
 * @throws AppError `conflict` at the beginning when another process holds it; a disk that lets nobody hold it is no reason not to begin.
 */
export class FolderLock {
  readonly #path: string
  #release: (() => void) | null = null
  #file = ''

  static async open(path: string): Promise<FolderLock> {
    await loadDriver()
    return new FolderLock(path)
  }

  private constructor(path: string) {
    this.#path = path
  }

  /** @throws AppError `conflict` when another process holds it; StorageError when the disk lets nobody hold it. */
  hold(): void {
    const release = holdNow(this.#path)
    this.close()
    this.#release = release
    this.#file = identityOf(this.#path)
  }

  /** True while this process holds the file at the path: it is taken again where another one stands there by now. */
  isOurs(): boolean {
    if (this.#release !== null && identityOf(this.#path) === this.#file) return true
    try {
      this.hold()
      return true
    } catch (error) {
      if (error instanceof AppError && error.code === 'conflict') return false
      throw error
    }
  }

  close(): void {
    this.#release?.()
    this.#release = null
  }
}

/** Empty when there is no file. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.dev}:${found.ino}`
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
  return new AppError('conflict', because('other_lookout_runs', { folder: dirname(path) }), { cause })
}
