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
  // Skipped articles are in no total, or an archive with stubs would look unfinished for ever.
  const progress =
    status === 'PROCESSING'
      ? because('progress_in_store', { done: counts.in_vector_store, total: counts.total })
      : because('progress_extracted', {
          done: counts.extracted,
          total: Math.max(counts.extracted, counts.articles - counts.skipped)
        })
  const failed = counts.failed === 0 ? ('' as const) : because('count_failed', { count: counts.failed })
  return { status, progress, activity: activityOf(status, source, reading), failed }
}

function statusOf({ ingestEnabled, readToEnd }: Facts, counts: SourceCounts): SourceStatusName {
  if (!ingestEnabled) return 'DETECTED'
  if (!readToEnd) return 'EXTRACTING'
  return counts.in_vector_store < counts.total ? 'PROCESSING' : 'COMPLETE'
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
  /** `missing`: its file is gone or cannot be used; see the reason. */
  state: LibrarySource['state']
  reason: Reason | null
}

export function sourceView(
  source: LibrarySource,
  counts: SourceCounts,
  { job, now, browseUrl }: { job: Job | null; now: number; browseUrl: string | null }
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
    reason: source.reason ?? (status === 'EXTRACTING' ? (job?.reason ?? null) : null)
  }
}
