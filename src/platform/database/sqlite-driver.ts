export type SqlValue = string | number | bigint | null | Uint8Array

/** A prepared statement as both drivers make it. */
export interface RawStatement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  get(...values: SqlValue[]): Record<string, SqlValue> | undefined
  all(...values: SqlValue[]): Record<string, SqlValue>[]
  iterate(...values: SqlValue[]): Iterable<Record<string, SqlValue>>
}

/** Records the changes since it began, of every table with a primary key (SQLite session extension). */
export interface RawSession {
  changeset(): Uint8Array
  close(): void
}

/** The part of a driver's connection that the program uses. */
export interface RawDatabase {
  exec(sql: string): void
  prepare(sql: string): RawStatement
  createSession(): RawSession
  applyChangeset(
    changeset: Uint8Array,
    options: { onConflict: (type: number) => number; filter: (table: string) => boolean }
  ): boolean
  close(): void
}

export type Driver = new (path: string, options?: { readOnly: boolean }) => RawDatabase

let loaded: Driver | null = null

/**
 * Node 22.13 and later bring SQLite themselves; on Node 20 the same API comes from a package (docs/decisions/0003).
 * Loaded when the first database is opened, so that verbs without one do not pay for it.
 */
export async function loadDriver(): Promise<Driver> {
  if (loaded !== null) return loaded
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) {
    const name = 'node:sqlite'
    loaded = ((await import(name)) as { DatabaseSync: Driver }).DatabaseSync
  } else loaded = (await import('@photostructure/sqlite')).DatabaseSync as unknown as Driver
  return loaded
}

/** The driver of a program that has opened a database already: who stands without its file cannot wait for an import. */
export function loadedDriver(): Driver {
  if (loaded === null) throw new Error('no database was opened yet')
  return loaded
}
