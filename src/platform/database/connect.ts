import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { makePrivate } from '../files/private-file.ts'
import { isMemory, type Migration, type Schema } from './migrate.ts'
import { loadedDriver, type RawDatabase } from './sqlite-driver.ts'

export interface DatabaseOptions extends Schema {
  /**
   * FULL: a commit survives a power cut. NORMAL: the last commits may be lost, the file never is. OFF: for a file that is nobody's
   * yet.
   */
  synchronous: 'FULL' | 'NORMAL' | 'OFF'
  /**
   * `TRUNCATE` for a file that takes the place of another one while this process lives: the driver of Node 20 ends a connection
   * only when its statements are collected, and then removes the log by its name, whichever file that belongs to by now.
   */
  journal?: 'WAL' | 'TRUNCATE'
  /** Looks at the beginning of every table: damage there is thrown now, and nothing keeps the file open then. */
  probe?: boolean
  /** Other users may read it as the umask says: nothing in it is private. */
  shared?: boolean
}

/** How long a process waits for others that write the same file, and how often it asks where SQLite does not wait itself. */
const BUSY_MS = 5000
const RETRY_MS = 10

/** A connection, once the driver is loaded. @throws AppError `unavailable` when the file cannot be opened. */
export function connect(options: DatabaseOptions): RawDatabase {
  const Driver = loadedDriver()
  if (!isMemory(options.path) && options.shared !== true) makePrivate(options.path)
  let raw: RawDatabase | null = null
  try {
    raw = new Driver(options.path)
    raw.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    setJournal(raw, options.journal ?? 'WAL')
    raw.exec(`PRAGMA synchronous = ${options.synchronous}`)
    raw.exec(
      'PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 1000'
    )
  } catch (error) {
    raw?.close()
    throw new AppError('unavailable', because('cannot_open_database', { path: options.path, said: errorText(error) }), {
      cause: error
    })
  }
  try {
    if (options.probe === true) probe(raw, options.migrations)
  } catch (error) {
    raw.close()
    throw error
  }
  return raw
}

/** The busy timeout does not hold here: SQLite answers a reader that wants to become a writer, as this one does, at once. */
function setJournal(raw: RawDatabase, journal: string): void {
  const until = performance.now() + BUSY_MS
  for (;;) {
    try {
      raw.exec(`PRAGMA journal_mode = ${journal}`)
      return
    } catch (error) {
      if (!errorText(error).includes('database is locked') || performance.now() >= until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

/** Statements that are executed at once leave nothing behind: the file may be put aside after it. */
function probe(raw: RawDatabase, migrations: readonly Migration[]): void {
  const tables = migrations.flatMap((step) => [...step.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name))
  for (const table of tables) {
    try {
      raw.exec(`SELECT * FROM ${table} LIMIT 1`)
    } catch (error) {
      if (!errorText(error).includes('no such table')) throw error
    }
  }
}
