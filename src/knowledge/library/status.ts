import { because, type Reason } from '../../model/reason.ts'
import type { Job } from '../jobs/job.ts'
import type { LibrarySource, SourceCounts, SourceStatusName } from './source.ts'

/** The state of reading an archive that is not read to its end. */
export type Reading = 'running' | 'queued' | 'interrupted'

export interface SourceStatus {
  status: SourceStatusName
  /** `12 / 40 extracted`, `3 / 12 in vector store`. */
  progress: Reason
  /** While it is EXTRACTING; `paused`: ingest was turned off half-way. */
  activity: Reading | 'paused' | null
  /** `2 failed`, to stand beside the progress; empty when none did. */
  failed: Reason | ''
}

type Facts = Pick<LibrarySource, 'ingestEnabled' | 'readToEnd' | 'checkpoint'>

/** The status of a source: nothing of it is stored (contract §9). First match wins. */
export function sourceStatus(source: Facts, counts: SourceCounts, reading: Reading): SourceStatus {
  const status = statusOf(source, counts)
  const progress =
    status === 'PROCESSING'
      ? because('progress_in_store', { done: counts.in_vector_store, total: counts.total })
      : because('progress_extracted', { done: counts.extracted, total: articlesToRead(status, counts) })
  const failed = counts.failed === 0 ? ('' as const) : because('count_failed', { count: counts.failed })
  return { status, progress, activity: activityOf(status, source, reading), failed }
}

/**
 * Skipped articles are in no total, or an archive with stubs would look unfinished for ever. Of one that is read to its end it
 * is known how many there were, whatever the archive says of itself.
 */
export function articlesToRead(status: SourceStatusName, counts: SourceCounts): number {
  const { articles, extracted, skipped, failed } = counts
  if (status === 'COMPLETE' || status === 'EMPTY') return extracted + failed
  return Math.max(extracted, articles - skipped)
}

function statusOf({ ingestEnabled, readToEnd }: Facts, counts: SourceCounts): SourceStatusName {
  if (!ingestEnabled) return 'DETECTED'
  if (!readToEnd) return 'EXTRACTING'
  if (counts.in_vector_store < counts.total) return 'PROCESSING'
  return counts.in_vector_store === 0 ? 'EMPTY' : 'COMPLETE'
}

function activityOf(status: SourceStatusName, { checkpoint, readToEnd }: Facts, reading: Reading) {
  if (status === 'EXTRACTING') return reading
  return status === 'DETECTED' && checkpoint > 0 && !readToEnd ? 'paused' : null
}

/**
 * By the job that reads it: `queued` waits for its turn, or for what was read before; `interrupted` broke off and is tried
 * again later or when somebody asks for it.
 */
export function readingOf(job: Pick<Job, 'state' | 'attempts' | 'leaseUntil'> | null, now: number): Reading {
  if (job === null || job.state === 'dead') return 'interrupted'
  if (job.state === 'running') return (job.leaseUntil ?? 0) > now ? 'running' : 'interrupted'
  return job.state === 'held' || job.attempts === 0 ? 'queued' : 'interrupted'
}

/** A source as the interface shows it (contract §9). */
export interface SourceView {
  id: number
  filename: string
  title: string
  description: string
  language: string
  category: string
  status: SourceStatusName
  progress: Reason
  activity: string | null
  /** `2 failed`, or empty. */
  failed: Reason | ''
  ingest_enabled: boolean
  counts: SourceCounts
  browse_url: string | null
  size_bytes: number
  uuid: string
  /** `missing`: its file is gone or cannot be used; `damaged`: its file is broken; see the reason. */
  state: LibrarySource['state']
  reason: Reason | null
}

export function sourceView(
  source: LibrarySource,
  counts: SourceCounts,
  { job, now, browseUrl, goodCopy }: { job: Job | null; now: number; browseUrl: string | null; goodCopy: string | null }
): SourceView {
  const { status, progress, activity, failed } = sourceStatus(source, counts, readingOf(job, now))
  const { id, filename, title, description, language, category, uuid, state } = source
  return {
    id,
    filename,
    title,
    description,
    language,
    category,
    status,
    progress,
    activity,
    failed,
    ingest_enabled: source.ingestEnabled,
    counts,
    browse_url: state === 'present' ? browseUrl : null,
    size_bytes: source.sizeBytes,
    uuid,
    state,
    reason: reasonOf(source, goodCopy) ?? (status === 'EXTRACTING' ? (job?.reason ?? null) : emptyOf(status, counts))
  }
}

/** Of a damaged file it is told what to do, too. `goodCopy`: the file of the same archive that is whole. */
function reasonOf({ state, reason }: Pick<LibrarySource, 'state' | 'reason'>, goodCopy: string | null): Reason | null {
  if (state !== 'damaged' || reason === null) return reason
  return goodCopy === null
    ? because('archive_damaged', { why: reason })
    : because('archive_good_copy', { why: reason, file: goodCopy })
}

function emptyOf(status: SourceStatusName, { failed, skipped }: SourceCounts): Reason | null {
  if (status !== 'EMPTY') return null
  return failed + skipped === 0
    ? because('archive_no_articles')
    : because('archive_nothing_readable', { failed, skipped })
}
