import type { Database, Row } from '../../platform/database/database.ts'

/** Columns of the address table that lookups ask by. */
export const ASKED = ['zipcode', 'number', 'street', 'street2', 'city', 'state', 'country'] as const
export type Asked = (typeof ASKED)[number]

/** One index of the file, by the columns it begins with. */
export interface TableIndex {
  name: string
  columns: readonly string[]
}

/** Indexes that can answer a text comparison: whole ones, of plain columns, in plain order. */
export function readIndexes(db: Database): TableIndex[] {
  return db
    .sql("SELECT name FROM pragma_index_list('addresses') WHERE partial = 0")
    .all()
    .map(({ name }) => ({ name: String(name), columns: usableColumns(db, String(name)) }))
    .filter(({ columns }) => columns.length > 0)
}

/** Up to the first column that is an expression, or that is ordered otherwise than by its bytes. */
function usableColumns(db: Database, name: string): string[] {
  const columns: string[] = []
  const rows: Row[] = db
    .sql('SELECT name, coll, desc FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno')
    .all(name)
  for (const { name: column, coll, desc } of rows) {
    if (typeof column !== 'string' || coll !== 'BINARY' || desc !== 0) break
    columns.push(column.toLowerCase())
  }
  return columns
}

/** The purpose of an index, and the statement that makes it. */
export interface IndexAdvice {
  sql: string
  /** In English; pages translate. */
  speeds: string
}

interface Wanted extends IndexAdvice {
  /** One of these beginnings is as good. */
  enough: readonly (readonly Asked[])[]
}

/** The indexes that `find.ts` asks by, fastest writing first; the importer makes the first of each. */
export const WANTED: readonly Wanted[] = [
  {
    sql: 'CREATE INDEX addresses_by_zip ON addresses (zipcode, street, number, street2)',
    speeds: 'streets and house numbers of a postal code, with typing errors',
    enough: [
      ['zipcode', 'street'],
      ['zipcode', 'number', 'street']
    ]
  },
  {
    sql: 'CREATE INDEX addresses_by_city ON addresses (state, city, street, number)',
    speeds: 'streets and house numbers of a city, with typing errors',
    enough: [['state', 'city', 'street']]
  },
  {
    sql: 'CREATE INDEX addresses_by_street ON addresses (street, number)',
    speeds: 'addresses without a city, and suggestions of streets',
    enough: [
      ['street', 'number'],
      ['number', 'street']
    ]
  }
]

/** The indexes this file lacks. */
export function adviceFor(indexes: readonly TableIndex[]): IndexAdvice[] {
  const has = (beginning: readonly string[]): boolean =>
    indexes.some(({ columns }) => beginning.every((column, at) => columns[at] === column))
  return WANTED.filter(({ enough }) => !enough.some(has)).map(({ sql, speeds }) => ({ sql, speeds }))
}
