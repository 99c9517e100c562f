import { openDatabase, type Row } from '../../src/platform/database/database.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'

/** Writes to a `lookout.db` that nobody has open, as a kill or another version left it; a SELECT answers its first row. */
export async function rewriteRows(path: string, sql: string): Promise<Row | undefined> {
  const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const row = sql.startsWith('SELECT') ? db.sql(sql).get() : undefined
  if (row === undefined) db.exec(sql)
  db.close()
  return row
}
