import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { because } from '../../model/reason.ts'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { type RemoveDocumentsParts, removeSourceDocuments } from './remove-source.ts'
import type { LibrarySources } from './sources.ts'
import { archiveParts } from './zim-file.ts'

/** The job that removes a source; its subject is the id of the source. */
export const REMOVE = 'remove-source'
/** A run that lost its job hears of it at its next renewal; until then its document is not taken from under it. */
const AFTER_CANCEL_MS = 25_000

export interface RemoveSourceParts extends Omit<RemoveDocumentsParts, 'signal' | 'progress'> {
  sources: LibrarySources
  /** Absolute: where the archives lie. */
  folder: string
  now: () => number
  log: Pick<Log, 'info'>
}

/**
 * Job `remove-source`, subject = id of a source that `LibrarySources.beginRemoval` has marked: its documents with their index
 * entries and vectors, its articles and its file go; in the end, in one step, the archiving jobs that made it and its row. A
 * run that died is repeated until nothing is left. The station takes it out of the library server meanwhile.
 */
export function removeSourceJob(parts: RemoveSourceParts): JobKind {
  return {
    kind: REMOVE,
    pool: 'remove',
    maxAttempts: 10,
    makesRoom: true,
    run: (job, tools) => run(parts, job, tools),
    onDead: ({ subject }, reason) =>
      parts.sources.setReason(Number(subject), because('could_not_be_removed', { said: reason }))
  }
}

async function run(parts: RemoveSourceParts, { kind, subject }: Job, tools: JobTools): Promise<JobResult> {
  const { sources, jobs, folder, now, log, db } = parts
  const id = Number(subject)
  const source = sources.byId(id)
  if (source === null) return { end: 'done', commit: () => undefined }
  // Whoever asked has done this already; of a job that came another way it is the first step.
  sources.beginRemoval(id)
  const removed = await removeSourceDocuments(id, { ...parts, signal: tools.signal, progress: tools.progress })
  if (removed.busy > 0)
    return { end: 'held', reason: because('source_work_ended_first'), retryAt: now() + AFTER_CANCEL_MS }
  const files = await removeFiles(folder, source.filename)
  const commit = (): void => {
    // A batch of articles may have been stored by a run that had not heard yet: once more, then.
    if (documentsOf(parts, id) > 0) {
      jobs.add(kind, subject)
      return
    }
    const archivings = Number(db.sql(OF_SOURCE).run(id, source.filename).changes)
    sources.forget(id)
    const { documents, vectors } = removed
    log.info({ source: id, title: source.title, documents, vectors, files, archivings }, 'a source was removed')
  }
  return { end: 'done', commit }
}

/** One that ended before its archive had a source is known by the file. */
const OF_SOURCE = `DELETE FROM scrape_jobs WHERE source_id = ?1
  OR (source_id IS NULL AND archive = ?2 AND status IN ('completed', 'failed', 'cancelled'))`

function documentsOf({ db }: Pick<RemoveSourceParts, 'db'>, sourceId: number): number {
  return Number(db.sql('SELECT count(*) AS n FROM documents WHERE source_id = ?').get(sourceId)?.['n'] ?? 0)
}

/** The file, or every part of it. */
async function removeFiles(folder: string, filename: string): Promise<number> {
  let removed = 0
  // The last part first: what a crash leaves is found again by the first.
  for (const part of archiveParts(join(folder, filename)).reverse()) {
    try {
      await unlink(part)
      removed++
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
  return removed
}
