import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { Job, JobKind, JobResult, JobTools } from '../jobs/job.ts'
import { findArchive } from './archive-folder.ts'
import type { IngestParts } from './ingest-parts.ts'
import { IngestRun } from './ingest-run.ts'
import type { LibrarySource } from './source.ts'
import { INGEST, isWanted } from './sources.ts'

/** A file that is gone is looked for by `detect-archives`, which releases the job. */
const MISSING_MS = 600_000
const CROWDED_MS = 60_000
const FULL_MS = 60_000

/**
 * Job `ingest-archive`, subject = id of a source: reads its articles from the checkpoint on into documents. Each batch is
 * stored whole with the checkpoint, so that a run may end anywhere; turned off, it ends within a second.
 */
export function ingestJob(parts: IngestParts): JobKind {
  return {
    kind: INGEST,
    pool: 'archive',
    maxAttempts: 5,
    run: (job, tools) => run(parts, job, tools),
    onDead: ({ subject }, reason) => parts.sources.setReason(Number(subject), reason)
  }
}

async function run(parts: IngestParts, { subject }: Job, tools: JobTools): Promise<JobResult> {
  const { sources, clock, folder, log } = parts
  const id = Number(subject)
  const source = sources.byId(id)
  const isMissing =
    (source?.state === 'missing' || source?.state === 'damaged') && source.ingestEnabled && !source.readToEnd
  if (isMissing) return held(source.reason ?? because('source_file_missing'), clock.now() + MISSING_MS)
  if (!isWanted(source)) return done(parts, id)
  if (!(await isUnchanged(parts, source))) {
    sources.setState(id, 'missing', because('archive_changed'))
    return held(because('archive_changed'), clock.now() + MISSING_MS)
  }
  if (source.reason !== null) sources.setReason(id, null)
  const outcome = await new IngestRun(parts, { source, path: join(folder, source.filename), ...tools }).work()
  if (outcome === 'crowded') return held(CROWDED, clock.now() + CROWDED_MS)
  if (outcome instanceof AppError) return held(outcome.reason, clock.now() + FULL_MS)
  if (outcome === 'read') log.info(facts(source), 'an archive was read to its end')
  return done(parts, id)
}

/** A file that has become another one is looked at first: what it holds is not what the row says. */
async function isUnchanged({ folder }: IngestParts, { filename, sizeBytes }: LibrarySource): Promise<boolean> {
  return (await findArchive(folder, filename))?.sizeBytes === sizeBytes
}

const CROWDED = because('waits_until_searchable')

function facts({ id, filename }: LibrarySource): object {
  return { source: id, file: filename }
}

function held(reason: Reason, retryAt: number): JobResult {
  return { end: 'held', reason, retryAt }
}

/** Somebody may have turned it on again while the run was ending. */
function done({ sources }: IngestParts, id: number): JobResult {
  return { end: 'done', commit: () => sources.expectJob(id) }
}
