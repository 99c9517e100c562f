import { existsSync } from 'node:fs'
import type { Database } from '../../platform/database/database.ts'
import { openReadOnlyDatabase } from '../../platform/database/database-read-only.ts'
import type { KnowledgeConfig } from '../settings.ts'
import { KnowledgeRows } from './knowledge-rows.ts'

/**
 * True when `search.db` cannot be whole: gone, as after a restore, or without some words or vectors of the provider
 * that is configured. Only counts, so it costs nothing at a start; which ones they are is found by whoever repairs it
 * (`missingFromIndex`).
 */
export async function indexLags({
  knowledge,
  path,
  embedding
}: {
  knowledge: Database
  path: string
  embedding: KnowledgeConfig['embedding']
}): Promise<boolean> {
  const wanted = new KnowledgeRows(knowledge).itemCounts()
  if (!existsSync(path)) return wanted.words > 0
  const index = await openReadOnlyDatabase(path)
  try {
    const made = index.sql("SELECT 1 FROM sqlite_schema WHERE name = 'indexed'").get() !== undefined
    const count = (sql: string, ...values: string[]): number =>
      made ? Number(index.sql(sql).get(...values)?.['count'] ?? 0) : 0
    const words = count('SELECT count(*) AS count FROM indexed')
    const { provider } = embedding
    // The others name their model themselves.
    const model = provider === 'openai' || provider === 'ollama' ? embedding.model.trim() : ''
    const vectors = count(
      "SELECT total(vectors) AS count FROM models WHERE provider = ?1 AND (?2 = '' OR model = ?2)",
      provider,
      model
    )
    return words !== wanted.words || vectors < wanted.vectors
  } finally {
    index.close()
  }
}
