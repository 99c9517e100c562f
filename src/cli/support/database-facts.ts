import { copyFile, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { knowledgeMigrations } from '../../knowledge/catalogue/schema.ts'
import { searchMigrations } from '../../knowledge/search/schema.ts'
import { because } from '../../model/reason.ts'
import type { Database, Migration } from '../../platform/database/database.ts'
import { openReadOnlyDatabase } from '../../platform/database/database-read-only.ts'
import { storageFaultOf } from '../../platform/database/storage-fault.ts'
import { AppError } from '../../platform/errors.ts'
import { statOrNull } from '../../platform/files/names-in.ts'
import { metricsMigrations } from '../../platform/metrics/schema.ts'
import { ledgerMigrations } from '../../warning/outbox/schema.ts'
import { part, type Unread } from './unread.ts'

export const LEDGER = 'lookout.db'

/** The databases of a data folder, each with the steps of its schema. */
export const SCHEMAS: Readonly<Record<string, readonly Migration[]>> = {
  [LEDGER]: ledgerMigrations,
  'knowledge.db': knowledgeMigrations,
  'search.db': searchMigrations,
  'metrics.db': metricsMigrations
}

/** A larger file is not read through: a card would be busy for minutes. */
const MOST_BYTES = 256 * 2 ** 20

export interface DatabaseFacts {
  bytes: number
  /** Bytes of writes that are not in the file itself yet. */
  log_bytes: number
  schema_version: number
  /** The version that this program makes. */
  known_version: number
  /** SQLite's own check of every page; `not_checked`: the file is larger than 256 MiB. */
  integrity: 'ok' | 'damaged' | 'not_checked'
  /** Rows by table of ours; null: cannot be counted. Empty where the file is larger than 256 MiB. */
  rows: Record<string, number | null>
}

/** A database opened so that nothing in its folder changes. */
interface Opened {
  db: Database
  close: () => Promise<void>
}

/**
 * Beside a running station the file is read as it stands. A station that was killed leaves the log of its last writes, and whoever
 * opens such a file puts it in order: that is done to a copy in the folder for temporary files.
 * @throws AppError `missing`, `unavailable`, `no-space`; as the disk does.
 */
export async function openUnchanged(folder: string, name: string, isRunning: boolean): Promise<Opened> {
  const path = join(folder, name)
  const log = await statOrNull(`${path}-wal`)
  if (isRunning || log === null) {
    const db = await openReadOnlyDatabase(path)
    return { db, close: async () => db.close() }
  }
  const bytes = ((await statOrNull(path))?.size ?? 0) + log.size
  const temporary = await mkdtemp(join(tmpdir(), 'lookout-support-'))
  const close = (): Promise<void> => rm(temporary, { recursive: true, force: true })
  try {
    const { bavail, bsize } = await statfs(temporary)
    if (bytes > MOST_BYTES || bytes * 2 > bavail * bsize)
      throw new AppError('no-space', because('disk_of_is_full', { folder: temporary }))
    for (const ending of ['', '-wal']) await copyFile(path + ending, join(temporary, name + ending))
    const db = await openReadOnlyDatabase(join(temporary, name))
    return {
      db,
      close: () => {
        db.close()
        return close()
      }
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The facts of one database; tables that cannot be counted are null, and noted in `unread`. */
export async function databaseFacts(
  db: Database,
  { folder, name, unread }: { folder: string; name: string; unread: Unread[] }
): Promise<DatabaseFacts> {
  const bytes = (await statOrNull(join(folder, name)))?.size ?? 0
  const isSmall = bytes <= MOST_BYTES
  const migrations = SCHEMAS[name] ?? []
  return {
    bytes,
    log_bytes: (await statOrNull(join(folder, `${name}-wal`)))?.size ?? 0,
    schema_version: Number(db.sql('PRAGMA user_version').get()?.['user_version']),
    known_version: migrations.length,
    integrity: isSmall ? integrityOf(db) : 'not_checked',
    rows: isSmall ? await rowsOf(db, { name, migrations, unread }) : {}
  }
}

function integrityOf(db: Database): DatabaseFacts['integrity'] {
  try {
    return db.sql('PRAGMA quick_check(1)').get()?.['quick_check'] === 'ok' ? 'ok' : 'damaged'
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged') throw error
    return 'damaged'
  }
}

/** Names of tables come from our own schema: in a damaged file anything may stand for one. */
async function rowsOf(
  db: Database,
  { name, migrations, unread }: { name: string; migrations: readonly Migration[]; unread: Unread[] }
): Promise<Record<string, number | null>> {
  const ours = migrations.flatMap((step) => [...step.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table ?? ''))
  const there = new Set(
    db
      .sql("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map((row) => row['name'])
  )
  const rows: Record<string, number | null> = {}
  for (const table of new Set(ours))
    if (there.has(table))
      rows[table] = await part(`${name}: ${table}`, unread, () =>
        Number(db.sql(`SELECT count(*) AS n FROM ${table}`).get()?.['n'])
      )
  return rows
}
