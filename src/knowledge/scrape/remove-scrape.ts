import { join } from 'node:path'
import { AppError } from '../../platform/errors.ts'
import type { RemovalReport } from '../library/library.ts'
import type { ScrapeJob } from './job.ts'
import type { ScrapeJobs } from './jobs.ts'
import { removeFile } from './scrape-job.ts'

/** The library, for jobs whose archive stands in it. */
export interface ArchiveRemoval {
  /** The source of this file, in whatever state; null without one. */
  sourceOf: (filename: string) => number | null
  /** The full cleanup, as for `DELETE /api/library/sources/:id`. @throws AppError `not-found`. */
  remove: (sourceId: number) => Promise<RemovalReport>
}

export interface RemoveScrapeParts {
  store: ScrapeJobs
  /** `<data>/zim`. */
  zimFolder: string
  /** Null where the profile has no library. */
  library: ArchiveRemoval | null
}

/**
 * Deletes a job. One that made an archive takes everything of it along: documents, vectors, file, registration (contract §9).
 * @throws AppError `not-found`; `conflict` while it is under way.
 */
export async function removeScrape(
  id: number,
  { store, zimFolder, library }: RemoveScrapeParts
): Promise<RemovalReport> {
  const job = store.checkDeletable(id)
  const sourceId = sourceOf(job, library)
  const report = sourceId === null || library === null ? null : await orNull(library.remove(sourceId))
  if (report !== null) {
    // Removing the source removes the jobs it came from, in the end; one it did not know of goes now.
    if (!report.pending.includes('jobs') && store.byId(id) !== null) store.delete(id)
    return report
  }
  const file = job.archive !== null && (await removeFile(join(zimFolder, job.archive)))
  store.delete(id)
  return { ok: true, removed: { documents: 0, vectors: 0, file, registration: false, jobs: 1 }, pending: [] }
}

function sourceOf({ sourceId, archive }: ScrapeJob, library: ArchiveRemoval | null): number | null {
  return sourceId ?? (archive === null ? null : (library?.sourceOf(archive) ?? null))
}

/** A source that has been removed meanwhile is what was wanted. */
async function orNull(removing: Promise<RemovalReport>): Promise<RemovalReport | null> {
  try {
    return await removing
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}
