import type { Database } from '../../platform/database/database.ts'
import type { EmbeddingModel } from '../enrich/embed/embedder.ts'
import { KnowledgeRows } from './knowledge-rows.ts'
import type { LexicalRows } from './lexical.ts'
import type { VectorStore } from './ports.ts'

/** Ids of documents. */
export interface Missing {
  /** Words of their items are missing, or are those of items that have been replaced. */
  words: number[]
  /** Complete, but not every item has a vector of this model: to be embedded (again). */
  vectors: number[]
  /** Words or vectors are in the index, but it is no longer to be found: to be removed from it. */
  gone: number[]
}

export interface Compared {
  knowledge: Database
  lexical: LexicalRows
  vectors: VectorStore
  /** Null when the provider cannot be asked: then nothing is said of missing vectors. */
  model: EmbeddingModel | null
}

/** Finds what a start has to repair: `search.db` compared with `knowledge.db`, which is right. */
export async function missingFromIndex({ knowledge, lexical, vectors, model }: Compared): Promise<Missing> {
  const wanted = new KnowledgeRows(knowledge).searchable()
  const indexed = lexical.documents()
  const embedded = model === null ? null : await vectors.documents(model)
  const missing: Missing = { words: [], vectors: [], gone: [] }
  for (const { id, complete, items, sum } of wanted) {
    const found = indexed.get(id) ?? { items: 0, sum: 0 }
    if (found.items !== items || found.sum !== sum) missing.words.push(id)
    if (complete && embedded !== null && (embedded.get(id) ?? 0) !== items) missing.vectors.push(id)
    indexed.delete(id)
    embedded?.delete(id)
  }
  missing.gone = [...new Set([...indexed.keys(), ...(embedded?.keys() ?? [])])]
  return missing
}
