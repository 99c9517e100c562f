import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { shapeOf } from './rescue.ts'
import { countCopied } from './row-numbers.ts'

const ROWS_AT_ONCE = 50

/**
 * Copies a whole table by its key, some rows at each step; what is there already stays. Others may write to both meanwhile, so nothing
 * is held open between two steps. `upTo`: rows of higher numbers are left out.
 */
export function* copyPages(
  from: Database,
  into: Database,
  { table, upTo }: { table: string; upTo: number | null }
): Generator<undefined, void> {
  const { hasRowid, key, columns } = shapeOf(into, table)
  const order = hasRowid ? ['rowid'] : key
  const names = hasRowid && key.length !== 1 ? ['rowid', ...columns] : columns
  const [first = 'rowid'] = order
  const limit = upTo === null ? '' : ` AND ${first} <= ${upTo}`
  const after = `(${order.join(', ')}) > (${order.map(() => '?').join(', ')})`
  const select = `SELECT ${order.map((name, n) => `${name} AS key${n}`).join(', ')}, ${names.map((name) => `${name} AS "${name}"`).join(', ')} FROM ${table}`
  const insert = into.sql(
    `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  )
  let last: SqlValue[] = []
  for (;;) {
    const where = last.length === 0 ? '1' : after
    const rows = from
      .sql(`${select} WHERE ${where}${limit} ORDER BY ${order.join(', ')} LIMIT ${ROWS_AT_ONCE}`)
      .all(...last)
    for (const row of rows)
      if (Number(insert.run(...names.map((name) => row[name] ?? null)).changes) > 0) countCopied(into, table, row)
    const end = rows.at(-1)
    if (end === undefined || rows.length < ROWS_AT_ONCE) return
    last = order.map((_, n) => end[`key${n}`] ?? null)
    yield undefined
  }
}
