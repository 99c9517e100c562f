import { type Database, openDatabase } from '../../platform/database/database.ts'
import { openOrAnew } from '../../platform/database/database-anew.ts'
import type { Log } from '../../platform/log/log.ts'
import { LexicalRows } from './lexical.ts'
import { searchMigrations } from './schema.ts'
import { StoredVectors } from './vectors.ts'

/** `search.db`, open: the words, and the vectors unless they are kept elsewhere. */
export interface SearchIndex {
  db: Database
  lexical: LexicalRows
  vectors: StoredVectors
  close(): void
}

/**
 * Opens or makes `search.db`. `readOnly`: writes through this connection fail; others may write at the same time and are seen.
 * @throws AppError `unavailable`.
 */
export async function openSearchIndex({
  path,
  readOnly = false,
  anew
}: {
  path: string
  readOnly?: boolean
  /** A damaged file is put aside and made anew: it holds nothing that cannot be made again. */
  anew?: { now: () => number; log: Pick<Log, 'error'> }
}): Promise<SearchIndex> {
  const options = { path, migrations: searchMigrations, synchronous: 'NORMAL' } as const
  const db = await (anew === undefined ? openDatabase(options) : openOrAnew(options, { ...anew, shared: true }))
  if (readOnly) db.exec('PRAGMA query_only = ON')
  return { db, lexical: new LexicalRows(db), vectors: new StoredVectors(db), close: () => db.close() }
}
