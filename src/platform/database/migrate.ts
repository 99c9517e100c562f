import { existsSync, statSync } from 'node:fs'
import { because } from '../../model/reason.ts'
import { AppError } from '../errors.ts'
import type { Statement } from './kept-statement.ts'
import type { SqlValue } from './sqlite-driver.ts'

/** One step of a schema's history; steps already taken are never edited. */
export type Migration = string

/** A file and the steps its schema has taken. */
export interface Schema {
  /** A file path, or `:memory:`. */
  path: string
  migrations: readonly Migration[]
  /** Called before the first step of a file that an older program made, with its size; the answer is called after the last. */
  onMigrate?: (bytes: number) => () => void
}

/** The part of a database that takes the steps. */
interface Migrated {
  sql: (text: string) => Statement
  exec: (sql: string) => void
  transaction: (work: () => void) => void
}

export function isMemory(path: string): boolean {
  return path === ':memory:' || path.endsWith('?vfs=memdb')
}

/** The schema that these steps lead to from an empty file; null: it cannot be said as statements alone. */
const schemas = new WeakMap<readonly Migration[], string | null>()

/** Takes the steps that the file lacks. @throws AppError `unavailable` when it is of a newer program. */
export function migrate(database: Migrated, { path, migrations, onMigrate }: Schema): void {
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

function versionOf(database: Pick<Migrated, 'sql'>): number {
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
