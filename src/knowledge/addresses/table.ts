import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import type { Asked, TableIndex } from './table-indexes.ts'

/** Values that rows must be equal to. */
export type Where = Partial<Record<Asked, string>>

/** Rows are read in the order of an index, and never more than this for one question. */
const MOST_READ = 2000
/** The limit where the index alone answers: that reading is sequential. */
const MOST_READ_COVERED = 12_000

/** More than there are. */
const MOST_STATES = 200

/** Columns that must be known before rows are read: what narrows five million rows to some thousands at most. */
const NARROW: readonly (readonly Asked[])[] = [
  ['zipcode'],
  ['street'],
  ['number', 'street'],
  ['state', 'city'],
  ['city']
]

interface Plan {
  index: TableIndex
  /** Columns of the index that are given, from its beginning. */
  depth: number
}

/**
 * The address table through its indexes alone. Each question names the index it uses (`INDEXED BY`), is checked against
 * `EXPLAIN QUERY PLAN` before its first use, and reads a bounded number of rows: none ever scans the table.
 */
export class AddressTable {
  readonly #db: Database
  readonly #indexes: readonly TableIndex[]
  readonly #checked = new Map<string, boolean>()
  #states: readonly string[] | null | undefined

  constructor(db: Database, indexes: readonly TableIndex[]) {
    this.#db = db
    this.#indexes = indexes
  }

  /** The states the file has; null when no index can tell. Read once. */
  states(): readonly string[] | null {
    if (this.#states === undefined)
      this.#states = this.jumps('state', {}) ? this.distinct('state', {}, { limit: MOST_STATES }) : null
    return this.#states
  }

  /** Ids of rows; at most `limit`. Empty, too, when no index can tell. */
  ids(where: Where, limit: number): number[] {
    return this.#read([], where, limit).map(({ id }) => Number(id))
  }

  /** Ids with their house numbers. */
  numbers(where: Where, limit: number): { id: number; number: string }[] {
    return this.#read(['number'], where, limit).map(({ id, number }) => ({
      id: Number(id),
      number: String(number)
    }))
  }

  exists(where: Where): boolean {
    return this.#read([], where, 1).length > 0
  }

  /** Those of `values` that rows with `where` have in a column; null when no index can tell. */
  existing(column: Asked, values: readonly string[], where: Where): string[] | null {
    const given = Object.keys(where) as Asked[]
    const plan = this.#plan([...given, column], null)
    if (plan === null || plan.depth !== given.length + 1) return null
    const equal = given.map((name, at) => ` AND ${name} = ?${at + 2}`).join('')
    const table = `addresses INDEXED BY ${quoted(plan.index.name)}`
    const sql = `SELECT one.value AS value FROM json_each(?1) AS one WHERE EXISTS (SELECT 1 FROM ${table} WHERE ${column} = one.value${equal})`
    const found = this.#ask(sql, [JSON.stringify(values), ...given.map((name) => where[name] ?? '')])
    return found.map(({ value }) => String(value))
  }

  /** Whole rows, in the order of the ids. */
  rows(ids: readonly number[]): Row[] {
    return ids.flatMap((id) => {
      const row = this.#db.sql('SELECT rowid AS id, * FROM addresses WHERE rowid = ?').get(id)
      return row === undefined ? [] : [row]
    })
  }

  /** True when an index answers this with every column, without reading what it does not need. */
  canAsk(...columns: Asked[]): boolean {
    return this.#plan(columns, null)?.depth === columns.length
  }

  /** True when an index leads from one value of the column to the next, among rows with `where`. */
  jumps(column: Asked, where: Where): boolean {
    const given = Object.keys(where) as Asked[]
    const plan = this.#plan(given, column)
    return plan !== null && plan.depth === given.length && plan.index.columns[plan.depth] === column
  }

  /**
   * Different values of a column among rows with `where`, ascending, from `from` up to and without `to`. Jumps from value to
   * value where an index allows it.
   */
  distinct(column: Asked, where: Where, { from = '', to = '\u{10ffff}', limit }: Range): string[] {
    const given = Object.keys(where) as Asked[]
    const plan = this.#plan(given, column)
    if (plan !== null && this.jumps(column, where)) return this.#jump(column, where, { from, to, limit }, plan.index)
    if (!isNarrow(given)) return []
    const all = this.#read([column], where, MOST_READ_COVERED).map((row) => String(row[column] ?? ''))
    return [...new Set(all)]
      .filter((value) => value >= from && value < to)
      .sort()
      .slice(0, limit)
  }

  /** Loose index scan: `min()` above the last value, as often as there are values. */
  #jump(column: Asked, where: Where, { from, to, limit }: Required<Range>, index: TableIndex): string[] {
    const { columns, values } = ordered(where, index)
    const table = `addresses INDEXED BY ${quoted(index.name)}`
    const equal = columns.map((name, at) => `${name} = ?${at + 1} AND `).join('')
    const at = values.length
    const sql = `WITH RECURSIVE steps(value) AS (
SELECT min(${column}) FROM ${table} WHERE ${equal}${column} >= ?${at + 1} AND ${column} < ?${at + 2}
UNION ALL SELECT (SELECT min(${column}) FROM ${table} WHERE ${equal}${column} > steps.value AND ${column} < ?${at + 2}) FROM steps WHERE steps.value IS NOT NULL)
SELECT value FROM steps WHERE value IS NOT NULL LIMIT ?${at + 3}`
    return this.#ask(sql, [...values, from, to, limit]).map(({ value }) => String(value))
  }

  /** Ids and the wanted columns of rows with `where`. */
  #read(wanted: readonly Asked[], where: Where, limit: number): Row[] {
    const given = Object.keys(where) as Asked[]
    const plan = this.#plan(given, null)
    if (plan === null || !isNarrow(plan.index.columns.slice(0, plan.depth))) return []
    const { columns, values } = ordered(where, plan.index, plan.depth)
    const equal = columns.map((name) => `${name} = ?`).join(' AND ')
    const table = `addresses INDEXED BY ${quoted(plan.index.name)}`
    const rest = given.filter((name) => !columns.includes(name))
    const shown = ['rowid AS id', ...wanted].join(', ')
    if (rest.length === 0) return this.#ask(`SELECT ${shown} FROM ${table} WHERE ${equal} LIMIT ?`, [...values, limit])
    // Conditions that the index does not decide are compared within a bounded number of rows.
    const needed = [...new Set([...wanted, ...rest])]
    const covered = needed.every((name) => plan.index.columns.includes(name))
    const most = covered ? MOST_READ_COVERED : MOST_READ
    const inner = `SELECT rowid AS id, ${needed.join(', ')} FROM ${table} WHERE ${equal} LIMIT ${most}`
    const more = rest.map((name) => `${name} = ?`).join(' AND ')
    const restValues = rest.map((name) => where[name] ?? '')
    const outer = ['id', ...wanted].join(', ')
    return this.#ask(`SELECT ${outer} FROM (${inner}) WHERE ${more} LIMIT ?`, [...values, ...restValues, limit])
  }

  /** The index that begins with most of the given columns; of equals the one that goes on with `next`. */
  #plan(given: readonly Asked[], next: Asked | null): Plan | null {
    let best: Plan | null = null
    let bestRank = 0
    for (const index of this.#indexes) {
      let depth = 0
      while (depth < index.columns.length && given.includes(index.columns[depth] as Asked)) depth++
      const goesOn = next !== null && index.columns[depth] === next
      // Without `next`, columns further back still spare reading the table.
      const covers = given.filter((column) => index.columns.includes(column)).length / 100
      const rank = depth + (goesOn ? 0.5 : 0) + covers
      if ((depth > 0 || goesOn) && rank > bestRank) {
        best = { index, depth }
        bestRank = rank
      }
    }
    return best
  }

  /** Runs a statement whose plan searches; one that would scan is never run. */
  #ask(sql: string, values: SqlValue[]): Row[] {
    return this.#searches(sql) ? this.#db.sql(sql).all(...values) : []
  }

  #searches(sql: string): boolean {
    let fine = this.#checked.get(sql)
    if (fine === undefined) {
      fine = planOf(this.#db, sql).every((step) => !/^SCAN (?:TABLE )?addresses\b/.test(step))
      this.#checked.set(sql, fine)
    }
    return fine
  }

  /** Every statement asked so far, with its plan. */
  plans(): { sql: string; steps: string[] }[] {
    return [...this.#checked.keys()].map((sql) => ({ sql, steps: planOf(this.#db, sql) }))
  }
}

export interface Range {
  from?: string
  /** Not itself part of the range. */
  to?: string
  limit: number
}

/** Values read in one go: on a slow board some milliseconds. */
const AT_ONCE = 200

/** As `distinct`, a few at a time where an index leads from one to the next: warnings go first. */
export function* distinctSteps(
  table: AddressTable,
  column: Asked,
  { where, range }: { where: Where; range: Range }
): Generator<void, string[]> {
  const found: string[] = []
  let from = range.from ?? ''
  const most = table.jumps(column, where) ? AT_ONCE : range.limit
  for (;;) {
    yield
    const limit = Math.min(most, range.limit - found.length)
    const values = table.distinct(column, where, { ...range, from, limit })
    found.push(...values)
    const last = values.at(-1)
    if (last === undefined || values.length < limit || found.length >= range.limit) return found
    // The next text behind it.
    from = `${last}\u0000`
  }
}

/** The values that begin with `prefix`, as a range of an index. */
export function rangeOf(prefix: string): { from: string; to: string } {
  return { from: prefix, to: `${prefix}\u{10ffff}` }
}

function planOf(db: Database, sql: string): string[] {
  return db
    .sql(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))
}

function isNarrow(columns: readonly string[]): boolean {
  return NARROW.some((needed) => needed.every((column) => columns.includes(column)))
}

/** The given columns in the order of the index, with their values. */
function ordered(
  where: Where,
  index: TableIndex,
  depth = index.columns.length
): { columns: Asked[]; values: string[] } {
  const columns = index.columns.slice(0, depth).filter((name): name is Asked => name in where)
  return { columns, values: columns.map((name) => where[name] ?? '') }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
