import { type Database, openDatabase } from '../lib/database.ts'
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
  readOnly = false
}: {
  path: string
  readOnly?: boolean
}): Promise<SearchIndex> {
  const db = await openDatabase({ path, migrations: searchMigrations, synchronous: 'NORMAL' })
  if (readOnly) db.exec('PRAGMA query_only = ON')
  return { db, lexical: new LexicalRows(db), vectors: new StoredVectors(db), close: () => db.close() }
}
