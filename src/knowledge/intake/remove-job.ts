import { because } from '../../model/reason.ts'
import { errorText } from '../../platform/errors.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Catalogue, Removed } from '../catalogue/catalogue.ts'
import { STAGES } from '../catalogue/states.ts'
import type { UploadStore } from '../catalogue/uploads.ts'
import type { Job, JobKind, JobResult } from '../jobs/job.ts'
import type { JobStore } from '../jobs/store.ts'
import { type FileMoves, type IntakeFileSystem, intakeFileSystem } from './file-moves.ts'
import type { Shelver } from './shelve.ts'
import { rejectedFolder, workFolder } from './workbench.ts'

/** A run that lost its job hears of it at its next renewal; until then its document is not taken from under it. */
const AFTER_CANCEL_MS = 25_000

export interface RemoveParts {
  catalogue: Catalogue
  uploads: UploadStore
  jobs: JobStore
  moves: FileMoves
  shelver: Shelver
  /** The indexes that are searched; search/ports.ts. */
  lexical: { remove: (documentId: number) => number }
  vectors: { remove: (documentId: number) => Promise<number> }
  now: () => number
  log: Pick<Log, 'info' | 'warn'>
  fs?: IntakeFileSystem
}

/** The counts of what went with a document. */
export interface RemovalCounts extends Removed {
  files: number
  indexed: number
  vectors: number
}

/**
 * Job `remove`, subject = id of a document: its work is cancelled, its index entries, vectors and files go, its rows last, so
 * that a run which died is repeated until nothing is left. The same file can be uploaded again afterwards.
 */
export function removeJob(parts: RemoveParts): JobKind {
  return {
    kind: 'remove',
    pool: 'remove',
    maxAttempts: 10,
    makesRoom: true,
    run: (job) => run(parts, job),
    onDead: ({ subject }, reason) => {
      parts.catalogue.update(Number(subject), { reason: because('could_not_be_removed', { said: reason }) })
    }
  }
}

async function run(parts: RemoveParts, job: Job): Promise<JobResult> {
  const { catalogue, uploads, moves, lexical, vectors, log } = parts
  const id = Number(job.subject)
  const found = catalogue.byId(id)
  const counts: RemovalCounts = { files: 0, indexed: 0, vectors: 0, pages: 0, items: 0, hashes: 0 }
  if (cancelWork(parts, job.subject))
    return { end: 'held', reason: because('work_ended_first'), retryAt: parts.now() + AFTER_CANCEL_MS }
  counts.vectors = await vectors.remove(id)
  counts.indexed = lexical.remove(id)
  if (found === null) return { end: 'done', commit: () => undefined }
  counts.files = await removeFiles(parts, found)
  const commit = (): void => {
    Object.assign(counts, catalogue.removeRows(id))
    uploads.forget(found.hash)
    moves.forget(found.hash)
    log.info({ document: id, title: found.title, ...counts }, 'a document was removed')
  }
  return { end: 'done', commit }
}

/** True when a stage was at work on it. */
function cancelWork({ jobs }: RemoveParts, subject: string): boolean {
  let wasRunning = false
  for (const stage of STAGES) {
    wasRunning ||= jobs.get(stage, subject)?.state === 'running'
    jobs.remove(stage, subject)
  }
  return wasRunning
}

async function removeFiles(
  { moves, shelver, log, fs = intakeFileSystem }: RemoveParts,
  { hash, path }: { hash: string; path: string | null }
): Promise<number> {
  try {
    await shelver.finish(hash)
  } catch (error) {
    log.warn({ err: error, hash }, `a move of a document that is removed: ${errorText(error)}`)
  }
  const files = await shelver.filesOf({ hash, path })
  for (const file of files) await fs.rm(moves.absolute(file.path), { force: true })
  for (const folder of [workFolder(hash), rejectedFolder(hash)])
    await fs.rm(moves.absolute(folder), { recursive: true, force: true })
  return files.length
}
