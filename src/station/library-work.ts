import { join } from 'node:path'
import { classify } from '../knowledge/intake/classify.ts'
import { checkSpace } from '../knowledge/intake/parts.ts'
import type { JobKind } from '../knowledge/jobs/job.ts'
import { ArchiveArticles } from '../knowledge/library/archive-articles.ts'
import { ARCHIVE_FOLDER } from '../knowledge/library/archive-folder.ts'
import { archiveReader } from '../knowledge/library/archive-reader.ts'
import { detectJob } from '../knowledge/library/detect-job.ts'
import { ingestJob } from '../knowledge/library/ingest-job.ts'
import { removeSourceJob } from '../knowledge/library/remove-job.ts'
import { removeSourceDocuments } from '../knowledge/library/remove-source.ts'
import { LibrarySources } from '../knowledge/library/sources.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import type { KnowledgeStores } from './knowledge-stores.ts'

interface Parts {
  dataFolder: string
  stores: Pick<KnowledgeStores, 'db' | 'jobs' | 'catalogue'>
  lexical: { remove: (documentId: number) => number }
  vectors: { remove: (documentId: number) => Promise<number> }
  current: () => Config
  clock: Clock
  log: Log
}

/** Most at once of each pool: a card reads one archive at a time. */
export const LIBRARY_LIMITS = { detect: 1, archive: 1 }

/** The jobs of the library, as the worker does them. */
export function libraryJobs({ dataFolder, stores, lexical, vectors, current, clock, log }: Parts): JobKind[] {
  const { db, jobs, catalogue } = stores
  const now = (): number => clock.now()
  const folder = join(dataFolder, ARCHIVE_FOLDER)
  const sources = new LibrarySources({ db, jobs, now })
  const reader = archiveReader()
  const domainOf = (article: { title: string; text: string }): string => classify(article).domain
  const articles = new ArchiveArticles({ db, catalogue, sources, domainOf, now })
  const rows = { db, catalogue, jobs, lexical, vectors }
  return [
    detectJob({
      sources,
      jobs,
      reader,
      folder,
      now,
      log,
      removeDocuments: (id, signal) => removeSourceDocuments(id, { ...rows, signal }),
      // The station hears of every job that ends, and compares the rows then.
      onChange: () => undefined
    }),
    ingestJob({
      sources,
      catalogue,
      articles,
      reader,
      folder,
      clock,
      log,
      checkSpace: () => checkSpace(dataFolder, 0, current().uploads.min_free_bytes)
    }),
    removeSourceJob({ ...rows, sources, folder, now, log })
  ]
}
