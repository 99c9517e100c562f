import { HOLD_REASONS } from '../../model/content.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { StorageError, UnreadableRow } from '../../platform/database/storage-fault.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { storedContent } from './delivery.ts'
import { countCopied } from './row-numbers.ts'

/** The rows of a table that are wanted; all of them without `where`. */
export interface Wanted {
  table: string
  where?: string
  values?: readonly SqlValue[]
  /** Only so many, those with the highest value of a column. */
  newest?: { by: string; limit: number }
  /** The number of times a damaged table is asked for what lies around the damage; default: as often as it takes. */
  questions?: number
}

interface Shape {
  columns: readonly string[]
  /** The columns its rows are found by. */
  key: readonly string[]
  hasRowid: boolean
}

/** Rows under a lost page of an index are not sought for ever, and not at all where nothing answers. */
const MOST_QUESTIONS = 20_000
const QUESTIONS_IN_VAIN = 100
const HIGHEST_ID = 2 ** 40
/** Of a step whose sentence is all that is known. */
const NOTE = 'note'
/** Between two pauses, and in one answer. */
const ROWS_AT_ONCE = 20

/**
 * Copies rows of a file that may be damaged, as far as they can be read; what is there already stays. Between two values some
 * rows have been copied: whoever has time waits there. @returns how many were copied, and whether something could not be read.
 */
export function* copyRows(
  from: Database,
  into: Database,
  wanted: Wanted
): Generator<undefined, { copied: number; lost: boolean }> {
  const result = { copied: 0, lost: false }
  if (!isIn(from, wanted.table)) return result
  const shape = shapeOf(into, wanted.table)
  let statement: ReturnType<Database['sql']> | null = null
  let columns: string[] = []
  const lose = (): void => {
    result.lost = true
  }
  for (const found of readable(from, shape, wanted, lose)) {
    if (found === null) {
      yield undefined
      continue
    }
    const row = ofThisVersion(found, wanted.table)
    if (!makesSense(row, wanted.table)) {
      lose()
      continue
    }
    if (statement === null) {
      // An older file may lack columns, which then have their defaults.
      columns = Object.keys(row).filter((name) => shape.columns.includes(name) || name === 'rowid')
      statement = into.sql(
        `INSERT OR IGNORE INTO ${wanted.table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
      )
    }
    const { changes } = statement.run(...columns.map((name) => row[name] ?? null))
    if (Number(changes) > 0) countCopied(into, wanted.table, row)
    result.copied++
    if (result.copied % ROWS_AT_ONCE === 0) yield undefined
  }
  return result
}

/** Columns that are read as JSON, by table. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  events: ['event', 'trace'],
  delivery_steps: ['params'],
  deliveries: ['regions', 'zones', 'event_seqs', 'event_ids', 'cooldown', 'parts', 'identity', 'identities'],
  delivery_pieces: ['regions', 'zones', 'event_seqs', 'event_ids'],
  source_polls: ['state'],
  source_memory: ['value'],
  stand_ins: ['planned', 'primaries']
}

/** A damaged file is read as it is, without the steps of its schema: sentences and kinds of an older version get their form here. */
function ofThisVersion(row: Row, table: string): Row {
  if (table === 'deliveries') return { ...row, ...contentOfOld(row) }
  const { detail, ...known } = row
  if (table !== 'delivery_steps' || detail === undefined) return row
  return { ...known, code: NOTE, params: JSON.stringify({ text: String(detail) }) }
}

/** As the step of the schema that adds `digest_of` has it. */
function contentOfOld({ path, category, dedup_key: key, digest_of: of }: Row): Row {
  if (of !== undefined) return {}
  const digest = HOLD_REASONS.find((reason) => category === `digest_${reason}`) ?? 'quiet_hours'
  const isTest = path === 'broadcast' && /^test:.*(?<!:m[tc])$/s.test(String(key))
  return { path: isTest ? 'test' : (path ?? null), digest_of: path === 'digest' ? digest : null }
}

/** SQLite keeps no checksum: bits that have turned within a row show here. */
function makesSense(row: Row, table: string): boolean {
  try {
    for (const column of JSON_COLUMNS[table] ?? []) {
      const value = row[column]
      if (value !== null && value !== undefined) storedJson(value)
    }
    if (table === 'deliveries' || table === 'delivery_pieces') storedContent(row)
    return true
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error
    return false
  }
}

/** Tables that count the rows of others: never copied. */
export const COUNTS: ReadonlySet<string> = new Set(['delivery_counts'])

/** The tables of a database that hold something of their own. */
export function tablesOf(db: Database): string[] {
  return db
    .sql("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !COUNTS.has(name))
}

/** A table whose description cannot be read is sought all the same. */
export function isIn(db: Database, table: string): boolean {
  try {
    return db.sql('SELECT 1 AS one FROM sqlite_schema WHERE name = ?').get(table) !== undefined
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return true
  }
}

export function shapeOf(db: Database, table: string): Shape {
  const columns = db.sql(`SELECT name, type, pk FROM pragma_table_info('${table}')`).all()
  const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']))
  const wr = db.sql('SELECT wr FROM pragma_table_list WHERE name = ?').get(table)?.['wr']
  return {
    columns: columns.map(({ name }) => String(name)),
    key: keys.map(({ name }) => String(name)),
    hasRowid: Number(wr) === 0
  }
}

/** The whole at one go; where that fails, what can be reached around the damage. Some rows may come twice; null is a pause. */
function* readable(
  from: Database,
  shape: Shape,
  { table, where = '1', values = [], newest, questions = MOST_QUESTIONS }: Wanted,
  lose: () => void
): Generator<Row | null> {
  // Without a key of its own a row keeps its number, so that it is not copied twice.
  const what = shape.hasRowid && shape.key.length !== 1 ? 'rowid AS "rowid", *' : '*'
  const select = `SELECT ${what} FROM ${table}`
  try {
    const order = newest === undefined ? '' : ` ORDER BY ${newest.by} DESC LIMIT ${newest.limit}`
    yield* from.sql(`${select} WHERE ${where}${order}`).iterate(...values)
    return
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    lose()
  }
  if (shape.hasRowid)
    yield* byHalves(
      from,
      `${select} WHERE rowid BETWEEN ? AND ? AND (${where}) ORDER BY rowid DESC LIMIT ${ROWS_AT_ONCE}`,
      {
        table,
        values,
        questions,
        idOf: (row) => Number(row['rowid'] ?? row[shape.key[0] ?? ''])
      }
    )
  else
    yield* fromTheEnd(
      from,
      `${select} WHERE ${where} ORDER BY ${shape.key.map((name) => `${name} DESC`).join(', ')}`,
      values
    )
}

function* byHalves(
  from: Database,
  sql: string,
  {
    table,
    values,
    questions,
    idOf
  }: { table: string; values: readonly SqlValue[]; questions: number; idOf: (row: Row) => number }
): Generator<Row | null> {
  const spans: [number, number][] = [[0, lastId(from, table)]]
  let found = 0
  let asked = 0
  // An answer is no question in vain: what can be read costs nothing of what is left for the damage.
  while (asked < questions && (found > 0 || asked < QUESTIONS_IN_VAIN)) {
    const span = spans.pop()
    if (span === undefined) return
    const [low, high] = span
    yield null
    try {
      const rows = from.sql(sql).all(low, high, ...values)
      found += rows.length
      yield* rows
      if (rows.length === ROWS_AT_ONCE) spans.push([low, Math.min(...rows.map(idOf)) - 1])
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      asked++
      const middle = Math.floor((low + high) / 2)
      // The newest first: they matter most where questions are few.
      if (low < high) spans.push([low, middle], [middle + 1, high])
    }
  }
}

/** No row has a higher number; found by doubling where the end of the table itself cannot be read. */
function lastId(from: Database, table: string): number {
  try {
    return Number(from.sql(`SELECT max(rowid) AS last FROM ${table}`).get()?.['last'] ?? 0)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
  for (let id = 1024; id < HIGHEST_ID; id *= 2) {
    try {
      if (from.sql(`SELECT 1 AS one FROM ${table} WHERE rowid > ? LIMIT 1`).get(id) === undefined) return id
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    }
  }
  return HIGHEST_ID
}

function* fromTheEnd(from: Database, sql: string, values: readonly SqlValue[]): Generator<Row> {
  try {
    yield* from.sql(sql).iterate(...values)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
  }
}
