import { existsSync, statSync } from 'node:fs'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../errors.ts'
import { makePrivate } from '../files/private-file.ts'
import { KeptStatement, type Row, type Statement } from './kept-statement.ts'
import { loadDriver, loadedDriver, type RawDatabase, type RawSession, type SqlValue } from './sqlite-driver.ts'
import { StorageError, type StorageFault, storageFaultOf } from './storage-fault.ts'

export type { Row, Statement }

/** Asked when the file fails: true when there is room again, or the database stands on something else, and what failed is to be done again. */
export type Refuge = (fault: StorageFault) => boolean

/** One step of a schema's history; steps already taken are never edited. */
export type Migration = string

export interface DatabaseOptions {
  /** A file path, or `:memory:`. */
  path: string
  migrations: readonly Migration[]
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
  /** Called before the first step of a file that an older program made, with its size; the answer is called after the last. */
  onMigrate?: (bytes: number) => () => void
  /** Other users may read it as the umask says: nothing in it is private. */
  shared?: boolean
}

/** How long a process waits for others that write the same file, and how often it asks where SQLite does not wait itself. */
const BUSY_MS = 5000
const RETRY_MS = 10

/** Types of conflicts of a changeset and the answers to them (sqlite3session.h). */
const CONFLICT = { data: 1, exists: 3 }
const OMIT = 0
const REPLACE = 1

/**
 * SQLite plans by the value of a bare parameter there, and prepares the statement anew for each one that is bound: forty times the
 * work of a small question. An expression is taken as it comes.
 */
const LIMITS = /\bLIMIT (?=\?)/g

/** One SQLite file: statements prepared once, transactions that nest, migrations by `user_version`. */
export class Database {
  #raw: RawDatabase
  readonly #statements = new Map<string, KeptStatement>()
  #depth = 0
  #afterCommit = new Map<unknown, () => void>()
  #refuge: Refuge | null = null
  #epoch = 0
  /** As they were when the last transaction was over: the changes of this connection, and the mark of those of others. */
  #changes = 0
  #others = 0

  constructor(raw: RawDatabase) {
    this.#raw = raw
  }

  /**
   * Another number as soon as rows may differ from what transactions of this connection read or wrote: after a rollback, after a
   * change from outside of them or from another connection, after a move. `Remembered` forgets then.
   */
  get epoch(): number {
    return this.#epoch
  }

  /** Another text after every change of a row, whoever made it. */
  mark(): string {
    return `${this.#epoch} ${this.#othersSoFar()} ${this.#changesSoFar()}`
  }

  get isInTransaction(): boolean {
    return this.#depth > 0
  }

  /** Rows were changed past those who remember them. */
  outdate(): void {
    this.#epoch++
  }

  /** Names the database to go on in when the file fails. Without a refuge the failure is thrown as a StorageError. */
  useRefuge(refuge: Refuge): void {
    this.#refuge = refuge
  }

  /** The same file without the refuge: what cannot be read of it is thrown. */
  plain(): Database {
    return new Database(this.#raw)
  }

  /** From now on this stands on what `other` stood on; answers what it stood on before, to be read and closed. */
  moveTo(other: Database): Database {
    if (this.#depth > 0) throw new Error('a transaction cannot be moved')
    const before = new Database(this.#raw)
    this.#raw = other.#raw
    this.outdate()
    for (const statement of this.#statements.values()) statement.forget()
    return before
  }

  /** Records what is changed from now on, of every table with a primary key; `apply` of another database takes it. */
  record(): RawSession {
    return this.#raw.createSession()
  }

  /**
   * Takes over recorded changes, but of tables that triggers keep; where both changed a row, the recorded one counts. Part of the
   * caller's transaction.
   */
  apply(changeset: Uint8Array, kept: ReadonlySet<string>): void {
    const onConflict = (type: number): number => (type === CONFLICT.data || type === CONFLICT.exists ? REPLACE : OMIT)
    const filter = (table: string): boolean => !kept.has(table)
    if (changeset.length > 0) this.#raw.applyChangeset(changeset, { onConflict, filter })
    this.outdate()
  }

  exec(sql: string): void {
    this.#guard(() => this.#raw.exec(sql))
  }

  /** The statement for this text, prepared at the first use. */
  sql(text: string): Statement {
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = new KeptStatement(
        () => this.#raw.prepare(text.replace(LIMITS, '$&+')),
        (work) => this.#guard(work)
      )
      this.#statements.set(text, statement)
    }
    return statement
  }

  /** Runs `work` in one transaction: all of it is stored, or, when it throws, nothing. Inner calls join the outer one. */
  transaction<T>(work: () => T): T {
    if (this.#depth > 0) return work()
    const result = this.#guard(() => this.#once(work))
    this.#runAfterCommit()
    return result
  }

  /**
   * Part of a transaction whose failure undoes only what it did itself: answers the error, or null when there was none. Where SQLite
   * has given up the whole transaction it throws.
   */
  attempt(work: () => void): unknown {
    this.exec('SAVEPOINT attempt')
    try {
      work()
      this.exec('RELEASE attempt')
      return null
    } catch (error) {
      // A failure of the disk concerns all of the transaction: it is done again where the refuge leads to.
      if (storageFaultOf(error) !== null) throw error
      this.outdate()
      try {
        this.exec('ROLLBACK TO attempt')
        this.exec('RELEASE attempt')
      } catch {
        // The first error is the one that is told.
        throw error
      }
      return error
    }
  }

  /** Reads rows and makes sense of them: done again where the refuge leads to when a row is damaged. */
  guarded<T>(work: () => T): T {
    return this.#guard(work)
  }

  /** Work that fails for the disk is done again where the refuge leads to; inside of a transaction that is all of it. */
  #guard<T>(work: () => T): T {
    for (;;) {
      try {
        return work()
      } catch (error) {
        const fault = this.#depth > 0 ? null : storageFaultOf(error)
        if (fault === null || error instanceof StorageError) throw error
        if (this.#refuge?.(fault) !== true) throw new StorageError(fault, error)
      }
    }
  }

  #once<T>(work: () => T): T {
    this.#raw.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      this.#lookForOthers()
      const result = work()
      this.#changes = this.#changesSoFar()
      this.#raw.exec('COMMIT')
      this.#depth--
      return result
    } catch (error) {
      this.#depth--
      this.outdate()
      this.#afterCommit.clear()
      this.#rollBack()
      throw error
    }
  }

  /** A change since the last transaction was made outside of one, or by another connection. */
  #lookForOthers(): void {
    const others = this.#othersSoFar()
    if (others !== this.#others || this.#changesSoFar() !== this.#changes) this.outdate()
    this.#others = others
  }

  #othersSoFar(): number {
    return Number(this.sql('PRAGMA data_version').get()?.['data_version'])
  }

  #changesSoFar(): number {
    return Number(this.sql('SELECT total_changes() AS n').get()?.['n'])
  }

  /** SQLite has rolled back by itself when the disk was full or failed: what went wrong first is what is told. */
  #rollBack(): void {
    try {
      this.#raw.exec('ROLLBACK')
    } catch (error) {
      if (!errorText(error).includes('no transaction is active') && storageFaultOf(error) === null) throw error
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

/** Opens or makes the file. @throws AppError `unavailable` when it cannot be opened or is newer than this program. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  await loadDriver()
  return openDatabaseNow(options)
}

/** The same without waiting, once any database was opened before. */
export function openDatabaseNow(options: DatabaseOptions): Database {
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
  const database = new Database(raw)
  try {
    migrate(database, options)
  } catch (error) {
    database.close()
    throw error
  }
  return database
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

function isMemory(path: string): boolean {
  return path === ':memory:' || path.endsWith('?vfs=memdb')
}

/** An empty database of this schema in memory, at once; of a `file:/NAME?vfs=memdb` there may be several connections. @throws Error when no database was opened before. */
export function openMemory(migrations: readonly Migration[], name = ':memory:'): Database {
  return openDatabaseNow({ path: name, migrations, synchronous: 'NORMAL' })
}

/** The schema that these steps lead to from an empty file; null: it cannot be said as statements alone. */
const schemas = new WeakMap<readonly Migration[], string | null>()

function migrate(database: Database, { path, migrations, onMigrate }: DatabaseOptions): void {
  let over: (() => void) | undefined
  for (;;) {
    const version = versionOf(database)
    if (version > migrations.length) {
      throw new AppError('unavailable', because('newer_database', { path, version, known: migrations.length }))
    }
    if (version === migrations.length) {
      over?.()
      return
    }
    if (version > 0 && !isMemory(path)) over ??= onMigrate?.(sizeOf(path))
    // An empty database in memory is made for one question, again and again: it takes the last step at once.
    const whole = version === 0 && isMemory(path) ? schemas.get(migrations) : undefined
    database.transaction(() => {
      // Another process may have taken the step while this one waited for its turn.
      if (versionOf(database) !== version) return
      database.exec(whole ?? migrations[version] ?? '')
      database.exec(`PRAGMA user_version = ${whole ? migrations.length : version + 1}`)
    })
    if (version + 1 === migrations.length && isMemory(path) && !schemas.has(migrations))
      schemas.set(
        migrations,
        schemaOf((sql) => database.sql(sql).all())
      )
  }
}

/** With what its log holds. */
function sizeOf(path: string): number {
  return ['', '-wal'].reduce((sum, part) => sum + (existsSync(path + part) ? statSync(path + part).size : 0), 0)
}

function versionOf(database: Database): number {
  return Number(database.sql('PRAGMA user_version').get()?.['user_version'] ?? 0)
}

/** Statements that make an empty database the same as the one asked; null where it has rows, or tables that make others. */
function schemaOf(ask: (sql: string) => Record<string, SqlValue>[]): string | null {
  const parts = ask("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid")
  const tables = parts.filter(({ type }) => type === 'table')
  if (tables.some(({ sql }) => /^CREATE VIRTUAL/i.test(String(sql)))) return null
  if (tables.some(({ name }) => ask(`SELECT 1 AS one FROM "${name}" LIMIT 1`).length > 0)) return null
  return parts.map(({ sql }) => `${sql};`).join('\n')
}
