import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, errorText } from './errors.ts'

export type SqlValue = string | number | bigint | null | Uint8Array
export type Row = Record<string, SqlValue>

/** The part of a prepared statement that the program uses. */
export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  iterate(...values: SqlValue[]): Iterable<Row>
}

interface RawDatabase {
  exec(sql: string): void
  prepare(sql: string): unknown
  close(): void
}

/** One step of a schema's history; steps already taken are never edited. */
export type Migration = string

export interface DatabaseOptions {
  /** A file path, or `:memory:`. */
  path: string
  migrations: readonly Migration[]
  /** FULL: a commit survives a power cut. NORMAL: the last commits may be lost, the file never is. */
  synchronous: 'FULL' | 'NORMAL'
}

const FULL = 'the disk of the data folder is full: free some space and try again'

/** SQLITE_FULL, which both drivers tell in SQLite's own words. */
function isFull(error: unknown): boolean {
  return errorText(error).includes('database or disk is full')
}

/** One SQLite file: statements prepared once, transactions that nest, migrations by `user_version`. */
export class Database {
  readonly #raw: RawDatabase
  readonly #statements = new Map<string, Statement>()
  #depth = 0
  #afterCommit = new Map<unknown, () => void>()

  constructor(raw: RawDatabase) {
    this.#raw = raw
  }

  exec(sql: string): void {
    this.#raw.exec(sql)
  }

  /** The statement for this text, prepared at the first use. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.#raw.prepare(text) as Statement
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** Runs `work` in one transaction: all of it is stored, or, when it throws, nothing. Inner calls join the outer one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    this.#raw.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      const result = work()
      this.#raw.exec('COMMIT')
      this.#depth--
      this.#runAfterCommit()
      return result
    } catch (error) {
      if (this.#depth > 0) {
        this.#depth--
        this.#afterCommit.clear()
        this.#rollBack()
      }
      throw isFull(error) ? new AppError('no-space', FULL, { cause: error }) : error
    }
  }

  /** SQLite has rolled back by itself when the disk was full or failed: what went wrong first is what is told. */
  #rollBack(): void {
    try {
      this.#raw.exec('ROLLBACK')
    } catch (error) {
      if (!errorText(error).includes('no transaction is active')) throw error
    }
  }

  /**
   * Runs `task` once the current transaction is stored (at once outside of one); a rollback forgets it. Of several tasks
   * with the same key the first one runs: all of them see the same stored state.
   */
  afterCommit(task: () => void, key: unknown = task): void {
    if (this.#depth === 0) task()
    else if (!this.#afterCommit.has(key)) this.#afterCommit.set(key, task)
  }

  #runAfterCommit(): void {
    const tasks = this.#afterCommit
    this.#afterCommit = new Map()
    for (const task of tasks.values()) task()
  }

  close(): void {
    this.#statements.clear()
    this.#raw.close()
  }
}

/**
 * Node 22.13 and later bring SQLite themselves; on Node 20 the same API comes from a package (docs/decisions/0003).
 * Loaded when the first database is opened, so that verbs without one do not pay for it.
 */
type Driver = new (path: string, options?: { readOnly: boolean }) => RawDatabase

async function loadDriver(): Promise<Driver> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) {
    const name = 'node:sqlite'
    const builtin = (await import(name)) as { DatabaseSync: Driver }
    return builtin.DatabaseSync
  }
  const { DatabaseSync } = await import('@photostructure/sqlite')
  return DatabaseSync
}

/** Opens or makes the file. @throws AppError `unavailable` when it cannot be opened or is newer than this program. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const Driver = await loadDriver()
  if (options.path !== ':memory:') mkdirSync(dirname(options.path), { recursive: true })
  let raw: RawDatabase
  try {
    raw = new Driver(options.path)
    raw.exec('PRAGMA busy_timeout = 5000')
    raw.exec('PRAGMA journal_mode = WAL')
    raw.exec(`PRAGMA synchronous = ${options.synchronous}`)
    raw.exec(
      'PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -4000; PRAGMA wal_autocheckpoint = 1000'
    )
  } catch (error) {
    throw new AppError('unavailable', `cannot open the database ${options.path}: ${errorText(error)}`, { cause: error })
  }
  const database = new Database(raw)
  migrate(database, options)
  return database
}

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
    throw new AppError('unavailable', `cannot read the database ${path}: ${errorText(error)}`, { cause: error })
  }
  return new Database(raw)
}

/**
 * A whole copy of a database at one moment, made while others write (`VACUUM INTO`), checked and on the disk. No schema is
 * touched: a copy of a file of any version is that version. @throws AppError `unavailable` naming the file.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const Driver = await loadDriver()
  try {
    const source = new Driver(from, { readOnly: true })
    try {
      source.exec('PRAGMA busy_timeout = 5000; PRAGMA cache_size = -4000')
      new Database(source).sql('VACUUM INTO ?').run(to)
    } finally {
      source.close()
    }
    const copy = new Database(new Driver(to, { readOnly: true }))
    const said = copy.sql('PRAGMA quick_check(1)').get()?.['quick_check']
    copy.close()
    if (said !== 'ok') throw new Error(`the copy is damaged: ${String(said)}`)
    const file = openSync(to, 'r+')
    fsyncSync(file)
    closeSync(file)
  } catch (error) {
    throw new AppError('unavailable', `cannot copy the database ${from}: ${errorText(error)}`, { cause: error })
  }
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

function migrate(database: Database, { path, migrations }: DatabaseOptions): void {
  for (;;) {
    const version = versionOf(database)
    if (version > migrations.length) {
      database.close()
      throw new AppError(
        'unavailable',
        `${path} was made by a newer Lookout (schema ${version}, this one knows ${migrations.length}): install the newer version, or move the file away`
      )
    }
    if (version === migrations.length) return
    database.transaction(() => {
      // Another process may have taken the step while this one waited for its turn.
      if (versionOf(database) !== version) return
      database.exec(migrations[version] ?? '')
      database.exec(`PRAGMA user_version = ${version + 1}`)
    })
  }
}

function versionOf(database: Database): number {
  return Number(database.sql('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

/**
 * Holds `path` for this process until it ends, however it ends: the lock is the operating system's. Two programs on one
 * data folder would send everything twice. @throws AppError `conflict` when another process holds it.
 */
export async function holdLock(path: string): Promise<() => void> {
  const Driver = await loadDriver()
  mkdirSync(dirname(path), { recursive: true })
  const raw = new Driver(path)
  try {
    raw.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    raw.close()
    throw new AppError(
      'conflict',
      `another Lookout runs on ${dirname(path)}: stop it, or use another folder (LOOKOUT_DATA)`,
      { cause: error }
    )
  }
  return () => raw.close()
}
