import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Document } from '../catalogue/document.ts'
import { STAGES } from '../catalogue/states.ts'
import type { JobStore } from '../jobs/store.ts'

const BATCH = 100
const ARTICLE_BATCH = 5000

export interface RemoveDocumentsParts {
  db: Database
  catalogue: Catalogue
  jobs: JobStore
  /** The indexes that are searched; search/ports.ts. */
  lexical: { remove: (documentId: number) => number }
  vectors: { remove: (documentId: number) => Promise<number> }
  signal: AbortSignal
  /** Told now and then how many went. */
  progress?: (text: Reason) => void
}

/** The counts of what went. */
export interface RemovedDocuments {
  documents: number
  vectors: number
  /** Documents that were being worked on: their work was cancelled and ends within 25 s; call again then. */
  busy: number
}

/**
 * Removes everything that was read from an archive: index entries and vectors first, rows last, so that a run which died is
 * repeated until nothing is left; then what is known of its articles. Only documents of this source: another one with the
 * same title keeps its own (Z3). The source must not be read meanwhile (`LibrarySources.beginRemoval`).
 */
export async function removeSourceDocuments(sourceId: number, parts: RemoveDocumentsParts): Promise<RemovedDocuments> {
  const { catalogue, signal, progress } = parts
  const removed: RemovedDocuments = { documents: 0, vectors: 0, busy: 0 }
  for (let cursor: number | null = Number.MAX_SAFE_INTEGER; cursor !== null; ) {
    signal.throwIfAborted()
    const { documents, next }: { documents: Document[]; next: number | null } = catalogue.list({
      sourceId,
      cursor,
      limit: BATCH
    })
    const idle = documents.filter(({ id }) => !cancelWork(parts, String(id)))
    removed.busy += documents.length - idle.length
    await removeBatch(parts, idle, removed)
    progress?.(because('documents_removed', { count: removed.documents }))
    cursor = next
  }
  if (removed.busy === 0) await removeArticles(parts, sourceId)
  return removed
}

async function removeBatch(
  { catalogue, jobs, lexical, vectors, signal }: RemoveDocumentsParts,
  documents: readonly Document[],
  removed: RemovedDocuments
): Promise<void> {
  for (const { id } of documents) {
    signal.throwIfAborted()
    removed.vectors += await vectors.remove(id)
    lexical.remove(id)
  }
  catalogue.transaction(() => {
    for (const { id } of documents) {
      catalogue.removeRows(id)
      jobs.remove('remove', String(id))
    }
  })
  removed.documents += documents.length
}

/** True when a stage was at work on it: it hears of it at its next renewal. */
function cancelWork({ catalogue, jobs }: RemoveDocumentsParts, subject: string): boolean {
  return catalogue.transaction(() => {
    const isRunning = STAGES.some((stage) => jobs.get(stage, subject)?.state === 'running')
    for (const stage of STAGES) jobs.remove(stage, subject)
    return isRunning
  })
}

/** Bit by bit: a large archive has a million of them, and others write too. */
async function removeArticles({ db, signal }: RemoveDocumentsParts, sourceId: number): Promise<void> {
  for (let changes = ARTICLE_BATCH; changes === ARTICLE_BATCH; ) {
    signal.throwIfAborted()
    const result = db
      .sql(
        `DELETE FROM archive_articles WHERE source_id = ?1 AND path IN
           (SELECT path FROM archive_articles WHERE source_id = ?1 LIMIT ${ARTICLE_BATCH})`
      )
      .run(sourceId)
    changes = Number(result.changes)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
