import { existsSync } from 'node:fs'
import { type Database, openReadOnlyDatabase } from '../lib/database.ts'
import { KnowledgeRows } from './knowledge-rows.ts'

/**
 * Whether `search.db` cannot be whole: gone, as after a restore, or without some words or vectors. Only counts, so it costs
 * nothing at a start; which ones they are is found by whoever repairs it (`missingFromIndex`).
 */
export async function indexLags({ knowledge, path }: { knowledge: Database; path: string }): Promise<boolean> {
  const wanted = new KnowledgeRows(knowledge).itemCounts()
  if (!existsSync(path)) return wanted.words > 0
  const index = await openReadOnlyDatabase(path)
  try {
    const made = index.sql("SELECT 1 FROM sqlite_schema WHERE name = 'indexed'").get() !== undefined
    const count = (sql: string): number => (made ? Number(index.sql(sql).get()?.['count'] ?? 0) : 0)
    const words = count('SELECT count(*) AS count FROM indexed')
    const vectors = count('SELECT total(vectors) AS count FROM models')
    return words !== wanted.words || vectors < wanted.vectors
  } finally {
    index.close()
  }
}
