import type { Database } from '../../platform/database/database.ts'
import type { RawSession } from '../../platform/database/sqlite-driver.ts'
import { COUNTS } from './rescue.ts'
import { counting } from './row-numbers.ts'

/** Changes of rows in one piece: some milliseconds of a disk that takes them. */
const PIECE_CHANGES = 150
/** Rows of a table without a key, at once. */
const ROWS_AT_ONCE = 100

/** Tables without a key, which no session records: what was added is found by its number. */
export const UNKEYED = ['delivery_steps', 'airtime'] as const
type Unkeyed = (typeof UNKEYED)[number]

/**
 * The changes made in memory while the file could not be used, in pieces, so that writing them down never holds anybody up. A file
 * that has had some of it, before its disk failed again, goes on from there.
 */
export class RecordedChanges {
  readonly #db: Database
  readonly #pieces: Uint8Array[] = []
  readonly #bases: ReadonlyMap<Unkeyed, number>
  #session: RawSession
  #counted: number
  /** The pieces and rows that the file of this identity has. */
  #written: { file: string | null; pieces: number; rows: Map<Unkeyed, number> }

  /** Before anything is to be recorded. */
  constructor(db: Database) {
    this.#db = db
    this.#session = db.record()
    this.#counted = this.#count()
    this.#bases = new Map(UNKEYED.map((table) => [table, lastRowid(db, table)]))
    this.#written = { file: null, pieces: 0, rows: new Map(this.#bases) }
  }

  /** Rows of a table that were there before. */
  baseOf(table: string): number | null {
    return UNKEYED.some((one) => one === table) ? (this.#bases.get(table as Unkeyed) ?? 0) : null
  }

  /** Ends a piece that is large enough. Between two transactions. */
  cut(): void {
    if (this.#count() - this.#counted >= PIECE_CHANGES) this.#cutNow()
  }

  /** Most of it, a little at each step: each is part of a transaction of `file`, which has this identity. */
  *most(file: Database, identity: string | null): Generator<undefined, void> {
    if (identity === null || this.#written.file !== identity)
      this.#written = { file: identity, pieces: 0, rows: new Map(this.#bases) }
    this.#cutNow()
    for (; this.#written.pieces < this.#pieces.length; this.cut()) {
      this.#apply(file)
      yield undefined
    }
    for (const table of UNKEYED) while (this.#append(file, table)) yield undefined
  }

  /** Writes the changes since then, and proves that the disk takes them: in one durable transaction. */
  finish(file: Database): void {
    this.#cutNow()
    file.transaction(() => {
      while (this.#written.pieces < this.#pieces.length) this.#apply(file)
      for (const table of UNKEYED) while (this.#append(file, table));
      file
        .sql('INSERT INTO facts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
        .run('stored_again', new Date().toISOString())
    })
  }

  /** Answers the way back for a transaction of the file that fails. */
  mark(): () => void {
    const { file, pieces, rows } = this.#written
    const before = { file, pieces, rows: new Map(rows) }
    return () => {
      this.#written = before
    }
  }

  close(): void {
    this.#session.close()
  }

  #apply(file: Database): void {
    const piece = this.#pieces[this.#written.pieces++]
    if (piece !== undefined) counting(file, () => file.apply(piece, COUNTS))
  }

  /** False: that was the last of them. */
  #append(file: Database, table: Unkeyed): boolean {
    const { rows: done } = this.#written
    const rows = this.#db
      .sql(`SELECT rowid AS "rowid", * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`)
      .all(done.get(table) ?? 0)
    for (const { rowid, ...row } of rows) {
      const columns = Object.keys(row)
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      file.sql(sql).run(...columns.map((name) => row[name] ?? null))
      done.set(table, Number(rowid))
    }
    return rows.length === ROWS_AT_ONCE
  }

  #cutNow(): void {
    const changes = this.#session.changeset()
    if (changes.length === 0) return
    this.#pieces.push(changes)
    this.#session.close()
    this.#session = this.#db.record()
    this.#counted = this.#count()
  }

  #count(): number {
    return Number(this.#db.sql('SELECT total_changes() AS n').get()?.['n'] ?? 0)
  }
}

export function lastRowid(db: Database, table: string): number {
  return Number(db.sql(`SELECT max(rowid) AS last FROM ${table}`).get()?.['last'] ?? 0)
}
