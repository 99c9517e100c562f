import type { RawStatement, SqlValue } from './sqlite-driver.ts'
import { StorageError, storageFaultOf } from './storage-fault.ts'

export type Row = Record<string, SqlValue>

/** The part of a prepared statement that the program uses. */
export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  /** As `run`, for whoever asks neither how many rows changed nor which: no object is made for the answer. */
  write(...values: SqlValue[]): void
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  iterate(...values: SqlValue[]): Iterable<Row>
}

/** A statement that outlasts what its database stands on. */
export class KeptStatement implements Statement {
  readonly #prepare: () => RawStatement
  readonly #guard: <T>(work: () => T) => T
  readonly #isGuarded: () => boolean
  #prepared: RawStatement | null = null

  /** `isGuarded`: a transaction is, as a whole; each of its statements by itself would cost a storm a closure. */
  constructor(prepare: () => RawStatement, guard: <T>(work: () => T) => T, isGuarded: () => boolean) {
    this.#prepare = prepare
    this.#guard = guard
    this.#isGuarded = isGuarded
  }

  forget(): void {
    this.#prepared = null
  }

  run(...values: SqlValue[]): ReturnType<Statement['run']> {
    if (this.#isGuarded()) return this.#ready().run(...values)
    return this.#guard(() => this.#ready().run(...values))
  }

  write(...values: SqlValue[]): void {
    this.get(...values)
  }

  get(...values: SqlValue[]): Row | undefined {
    if (this.#isGuarded()) return this.#ready().get(...values)
    return this.#guard(() => this.#ready().get(...values))
  }

  all(...values: SqlValue[]): Row[] {
    if (this.#isGuarded()) return this.#ready().all(...values)
    return this.#guard(() => this.#ready().all(...values))
  }

  /** A failure halfway begins nothing again: the reader has had a part of it. */
  *iterate(...values: SqlValue[]): Iterable<Row> {
    const rows = this.#guard(() => this.#ready().iterate(...values))
    try {
      yield* rows
    } catch (error) {
      const fault = storageFaultOf(error)
      throw fault === null ? error : new StorageError(fault, error)
    }
  }

  #ready(): RawStatement {
    this.#prepared ??= this.#prepare()
    return this.#prepared
  }
}
