import type { RawStatement, SqlValue } from './sqlite-driver.ts'
import { StorageError, storageFaultOf } from './storage-fault.ts'

export type Row = Record<string, SqlValue>

/** The part of a prepared statement that the program uses. */
export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  iterate(...values: SqlValue[]): Iterable<Row>
}

/** A statement that outlasts what its database stands on. */
export class KeptStatement implements Statement {
  readonly #prepare: () => RawStatement
  readonly #guard: <T>(work: () => T) => T
  #prepared: RawStatement | null = null

  constructor(prepare: () => RawStatement, guard: <T>(work: () => T) => T) {
    this.#prepare = prepare
    this.#guard = guard
  }

  forget(): void {
    this.#prepared = null
  }

  run(...values: SqlValue[]): ReturnType<Statement['run']> {
    return this.#guard(() => this.#ready().run(...values))
  }

  get(...values: SqlValue[]): Row | undefined {
    return this.#guard(() => this.#ready().get(...values))
  }

  all(...values: SqlValue[]): Row[] {
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
