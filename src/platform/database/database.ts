import { errorText } from '../errors.ts'
import { connect, type DatabaseOptions } from './connect.ts'
import { KeptStatement, type Row, type Statement } from './kept-statement.ts'
import { type Migration, migrate } from './migrate.ts'
import { loadDriver, type RawDatabase, type RawSession } from './sqlite-driver.ts'
import { StorageError, type StorageFault, storageFaultOf } from './storage-fault.ts'

export type { DatabaseOptions, Migration, Row, Statement }

/** Asked when the file fails: true when there is room again, or the database stands on something else, and what failed is to be done again. */
export type Refuge = (fault: StorageFault) => boolean

/** Whoever joins work to one commit hears what becomes of it. */
export interface CommitGroup {
  /** All that joined is stored; `tell` does what waited for that (`afterCommit`). Called from within whoever else's use of the database ended it. */
  stored: (tell: () => void) => void
  /** Nothing of what joined is stored. */
  lost: () => void
}

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
  #atEnd = new Set<() => void>()
  #afterCommit = new Map<unknown, () => void>()
  #refuge: Refuge | null = null
  /** The transaction that is open for more to join. */
  #group: CommitGroup | null = null
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
    if (this.#depth > 0 || this.#group !== null) throw new Error('a transaction cannot be moved')
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
        (work) => this.#guard(work),
        () => this.#depth > 0
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
   * As `transaction`, but not stored yet: other work may join until `commitGroup`. Nobody sees what is not stored, for whoever else uses
   * this database, to read or to write, ends the group first. Answers the error when `work` failed, which takes along all that had
   * joined: a savepoint for each piece of work would cost as much as the commits that are saved.
   */
  join(work: () => void, group: CommitGroup): unknown {
    try {
      if (this.#group === null) this.#begin()
      this.#group = group
      this.#depth++
      try {
        work()
        return null
      } finally {
        this.#depth--
      }
    } catch (error) {
      this.abandonGroup()
      return error
    }
  }

  /** Stores what has joined; `last` is part of it. */
  commitGroup(last: () => void = () => undefined): void {
    const group = this.#group
    if (group === null) return
    try {
      this.#depth++
      try {
        last()
        this.settle()
        this.#changes = this.#changesSoFar()
      } finally {
        this.#depth--
      }
      this.#raw.exec('COMMIT')
    } catch {
      // Whoever joined does it again by `transaction`, which tells the error or finds a refuge.
      this.abandonGroup()
      return
    }
    this.#group = null
    const tasks = this.#afterCommit
    this.#afterCommit = new Map()
    group.stored(() => {
      for (const task of tasks.values()) task()
    })
  }

  /** Undoes what has joined. */
  abandonGroup(): void {
    const group = this.#group
    if (group === null) return
    this.#group = null
    this.#undo()
    group.lost()
  }

  /**
   * Part of a transaction whose failure undoes only what it did itself: answers the error, or null when there was none. Where SQLite
   * has given up the whole transaction it throws.
   */
  attempt(work: () => void): unknown {
    this.settle()
    this.exec('SAVEPOINT attempt')
    try {
      work()
      this.exec('RELEASE attempt')
      return null
    } catch (error) {
      // A failure of the disk concerns all of the transaction: it is done again where the refuge leads to.
      if (storageFaultOf(error) !== null) throw error
      this.outdate()
      this.#atEnd.clear()
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
    if (this.#depth === 0 && this.#group !== null) this.commitGroup()
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
    this.#begin()
    this.#depth++
    try {
      const result = work()
      this.settle()
      this.#changes = this.#changesSoFar()
      this.#raw.exec('COMMIT')
      this.#depth--
      return result
    } catch (error) {
      this.#depth--
      this.#undo()
      throw error
    }
  }

  #begin(): void {
    this.#raw.exec('BEGIN IMMEDIATE')
    this.#depth++
    try {
      this.#lookForOthers()
    } catch (error) {
      this.#undo()
      throw error
    } finally {
      this.#depth--
    }
  }

  #undo(): void {
    this.outdate()
    this.#atEnd.clear()
    this.#afterCommit.clear()
    this.#rollBack()
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
   * Runs `task` as the last step of the current transaction, once; a rollback forgets it. False: it is to run already. Outside of a
   * transaction nothing is to end.
   */
  atEnd(task: () => void): boolean {
    if (this.#atEnd.has(task)) return false
    if (this.#depth > 0) this.#atEnd.add(task)
    return true
  }

  /** Does now what is to be done at the end of the transaction, for whoever reads what that writes. */
  settle(): void {
    for (const task of this.#atEnd) {
      this.#atEnd.delete(task)
      task()
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
    this.abandonGroup()
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
  const database = new Database(connect(options))
  try {
    migrate(database, options)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/** An empty database of this schema in memory, at once; of a `file:/NAME?vfs=memdb` there may be several connections. @throws Error when no database was opened before. */
export function openMemory(migrations: readonly Migration[], name = ':memory:'): Database {
  return openDatabaseNow({ path: name, migrations, synchronous: 'NORMAL' })
}
