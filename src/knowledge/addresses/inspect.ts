import { statSync } from 'node:fs'
import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { reasonOf } from '../../platform/errors.ts'
import { type Country, countryOf, STATES } from './states.ts'
import { AddressTable, rangeOf } from './table.ts'
import { adviceFor, type IndexAdvice, readIndexes, type TableIndex } from './table-indexes.ts'

/** The facts about an address file, found out without reading its rows. */
export interface AddressFile {
  /** `lite`: without coordinates and source. */
  edition: 'full' | 'lite'
  /** Null: not known without counting. */
  rowCount: number | null
  bytes: number
  countries: Country[]
  indexes: TableIndex[]
  /** Indexes that are missing, and what they would speed up. */
  advice: IndexAdvice[]
}

const NEEDED = ['zipcode', 'number', 'street', 'street2', 'city', 'state', 'plus4', 'country']
const FULL = ['latitude', 'longitude']
/** The importer's note of what it wrote. */
export const MANIFEST = 'lookout_addresses'

/** Answers the file, or why it is none. Reads the schema and a few places of the indexes. */
export function inspectAddresses(db: Database, path: string): { file: AddressFile; table: AddressTable } | Reason {
  try {
    const columns = new Set(
      db
        .sql("SELECT name FROM pragma_table_info('addresses')")
        .all()
        .map(({ name }) => String(name).toLowerCase())
    )
    const reason = notAddresses(db, columns)
    if (reason !== null) return reason
    const indexes = readIndexes(db)
    const table = new AddressTable(db, indexes)
    const manifest = readManifest(db)
    const file: AddressFile = {
      edition: FULL.every((name) => columns.has(name)) ? 'full' : 'lite',
      rowCount: manifest?.rows ?? statisticsCount(db) ?? largestId(db),
      bytes: statSync(path).size,
      countries: manifest?.countries ?? probeCountries(table),
      indexes,
      advice: adviceFor(indexes)
    }
    return { file, table }
  } catch (error) {
    return because('addresses_cannot_be_read', { said: reasonOf(error) })
  }
}

function notAddresses(db: Database, columns: ReadonlySet<string>): Reason | null {
  if (columns.size === 0) return because('addresses_no_table')
  const missing = NEEDED.filter((name) => !columns.has(name))
  if (missing.length > 0) return because('addresses_table_lacks', { columns: missing.join(', ') })
  const kind = db.sql("SELECT type, wr FROM pragma_table_list('addresses') WHERE schema = 'main'").get()
  if (kind?.['type'] !== 'table' || kind['wr'] !== 0) return because('addresses_no_plain_table')
  return null
}

function readManifest(db: Database): { rows: number | null; countries: Country[] | null } | null {
  const has = db.sql("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(MANIFEST)
  if (has === undefined) return null
  const read = (key: string): string | null => {
    const value = db.sql(`SELECT value FROM ${MANIFEST} WHERE key = ?`).get(key)?.['value']
    return value === undefined || value === null ? null : String(value)
  }
  const rows = read('rows')
  const countries = read('countries')
  return {
    rows: rows !== null && /^\d+$/.test(rows) ? Number(rows) : null,
    countries: countries === null ? null : countries.split(' ').filter(isCountry)
  }
}

function isCountry(text: string): text is Country {
  return text === 'US' || text === 'CA'
}

/** The row count that ANALYZE noted: the first number of an index. */
function statisticsCount(db: Database): number | null {
  const has = db.sql("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get()
  if (has === undefined) return null
  const row = db.sql("SELECT stat FROM sqlite_stat1 WHERE tbl = 'addresses' LIMIT 1").get()
  const count = /^\d+/.exec(String(row?.['stat'] ?? ''))
  return count === null ? null : Number(count[0])
}

/** Rows are numbered from one on: without removals the largest number is their count. */
function largestId(db: Database): number | null {
  const largest = db.sql('SELECT max(rowid) AS largest FROM addresses').get()?.['largest']
  return typeof largest === 'number' ? largest : 0
}

/** By an index that begins with the country, the state or the postal code. */
function probeCountries(table: AddressTable): Country[] {
  const named = table.distinct('country', {}, { limit: 8 }).filter(isCountry)
  if (named.length > 0) return named.sort().reverse()
  const states = table.distinct('state', {}, { limit: STATES.length * 2 })
  if (states.length > 0)
    return (['US', 'CA'] as const).filter((country) => states.some((one) => countryOf(one) === country))
  const begins = (from: string, to: string): boolean =>
    table.distinct('zipcode', {}, { from, to: rangeOf(to).to, limit: 1 }).length > 0
  return [...(begins('0', '9') ? (['US'] as const) : []), ...(begins('A', 'Y') ? (['CA'] as const) : [])]
}
