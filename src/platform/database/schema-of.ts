import type { SqlValue } from './sqlite-driver.ts'

/** Statements that make an empty database the same as the one asked; null where it has rows, or tables that make others. */
export function schemaOf(ask: (sql: string) => Record<string, SqlValue>[]): string | null {
  const parts = ask("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid")
  const tables = parts.filter(({ type }) => type === 'table')
  if (tables.some(({ sql }) => /^CREATE VIRTUAL/i.test(String(sql)))) return null
  if (tables.some(({ name }) => ask(`SELECT 1 AS one FROM "${name}" LIMIT 1`).length > 0)) return null
  return parts.map(({ sql }) => `${sql};`).join('\n')
}
