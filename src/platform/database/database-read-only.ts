import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { Database } from './database.ts'
import { loadDriver, type RawDatabase } from './sqlite-driver.ts'

/**
 * Opens a file that somebody else made, for reading alone: nothing is written into its folder, which may be read-only. A small
 * cache and no memory map keep a file of any size from taking memory.
 * @throws AppError `unavailable` when there is no such file or it is no SQLite database.
 */
export async function openReadOnlyDatabase(path: string): Promise<Database> {
  const Driver = await loadDriver()
  let raw: RawDatabase | null = null
  try {
    raw = new Driver(readOnlyName(path), { readOnly: true })
    raw.exec(
      'PRAGMA query_only = ON; PRAGMA cache_size = -2000; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA busy_timeout = 200'
    )
    // Opening reads nothing yet: a file that is no database shows here.
    raw.exec('SELECT count(*) FROM sqlite_schema')
  } catch (error) {
    raw?.close()
    throw new AppError('unavailable', because('cannot_read_database', { path, said: errorText(error) }), {
      cause: error
    })
  }
  return new Database(raw)
}

/** Offset of the read version in the header (SQLite file format, §1.3): 2 = write-ahead log. */
const READ_VERSION = 19

/**
 * Reading a file in WAL mode makes two files beside it, unless SQLite is told that nobody writes: which is so when there is
 * no log.
 */
function readOnlyName(path: string): string {
  const byte = Buffer.alloc(1)
  const file = openSync(path, 'r')
  try {
    readSync(file, byte, 0, 1, READ_VERSION)
  } finally {
    closeSync(file)
  }
  if (byte[0] !== 2 || existsSync(`${path}-wal`)) return path
  return `${pathToFileURL(resolve(path)).href}?immutable=1`
}
