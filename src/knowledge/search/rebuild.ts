import type { Database } from '../../platform/database/database.ts'
import { type Embedder, modelOf } from '../enrich/embed/embedder.ts'
import { embeddedText } from '../enrich/embed-job.ts'
import { KnowledgeRows } from './knowledge-rows.ts'
import type { LexicalIndex, VectorStore } from './ports.ts'

/** Of a document: it may be longer than the memory. */
const ITEMS_AT_ONCE = 500

export interface RebuildParts {
  knowledge: Database
  lexical: LexicalIndex
  vectors: VectorStore
  embedder: Embedder
  signal: AbortSignal
  /** Of the documents; all that are to be found when absent. */
  documents?: readonly number[]
  onProgress?: (done: number, total: number) => void
}

/**
 * Makes what is searched again from `knowledge.db` alone: the words of every enriched document, the vectors of every
 * complete one. Answers the same questions with the same results as before. Repeatable; ends early when `signal` aborts.
 * @throws AppError as the embedder does.
 */
export async function rebuildIndex(parts: RebuildParts): Promise<{ documents: number; items: number }> {
  const rows = new KnowledgeRows(parts.knowledge)
  const chosen = parts.documents === undefined ? null : new Set(parts.documents)
  const wanted = rows.searchable().filter(({ id }) => chosen === null || chosen.has(id))
  let items = 0
  for (const [at, { id, complete }] of wanted.entries()) {
    if (parts.signal.aborted) return { documents: at, items }
    items += await rebuildDocument(rows, id, complete, parts)
    parts.onProgress?.(at + 1, wanted.length)
  }
  return { documents: wanted.length, items }
}

async function rebuildDocument(
  rows: KnowledgeRows,
  id: number,
  complete: boolean,
  { lexical, vectors, embedder, signal }: RebuildParts
): Promise<number> {
  const document = rows.document(id)
  if (document === null) return 0
  await lexical.putSlices(id, rows.itemSlices(id, ITEMS_AT_ONCE), document, signal)
  const ids: number[] = []
  for (const items of rows.itemSlices(id, ITEMS_AT_ONCE)) {
    for (const item of items) ids.push(item.id)
    if (!complete) continue
    const found = await embedder.embed(items.map(embeddedText), signal)
    const made = items.map((item, at) => ({ itemId: item.id, vector: found[at] ?? new Float32Array(0) }))
    await vectors.put(id, modelOf(embedder), made)
  }
  if (complete) await vectors.keepOnly(id, ids)
  return ids.length
}
