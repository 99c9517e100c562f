import type { Reason } from '../../model/reason.ts'
import type { Row } from '../../platform/database/database.ts'
import { storedReason } from '../../platform/database/stored-reason.ts'
import { type Resumed, SCRAPE_STATES, type ScrapeJob, type ScrapeLimits } from './job.ts'

const NO_LIMITS: ScrapeLimits = {
  maxPages: 2000,
  maxBytes: 2 * 1024 ** 3,
  maxMinutes: 240,
  scope: 'host',
  delay: 0.5,
  include: [],
  exclude: [],
  patternPercent: 25,
  documents: false,
  maxDocuments: 100,
  maxDocumentBytes: 512 * 1024 ** 2
}

/** One row of `scrape_jobs`. */
export function readScrapeJob(row: Row): ScrapeJob {
  const number = (name: string): number | null => (row[name] == null ? null : Number(row[name]))
  const text = (name: string): string | null => (row[name] == null ? null : String(row[name]))
  const engine = text('engine')
  return {
    id: Number(row['id']),
    url: String(row['url']),
    title: String(row['title']),
    language: String(row['language']),
    // A value that the table does not allow does not stand in it.
    status: SCRAPE_STATES.find((state) => state === row['status']) ?? 'failed',
    engine: engine === 'container' || engine === 'built-in' ? engine : null,
    limits: readLimits(String(row['limits'])),
    pageCount: Number(row['page_count']),
    total: number('total'),
    message: storedReason(row['message']),
    archive: text('archive'),
    sourceId: number('source_id'),
    cancelRequested: row['cancel_requested'] === 1,
    attempt: Number(row['attempt']),
    resumed: readResumed(row),
    findings: {
      missed: Number(row['missed_count']),
      capped: Number(row['capped_count']),
      documents: Number(row['document_count'])
    },
    createdAt: Number(row['created_at']),
    startedAt: number('started_at'),
    completedAt: number('completed_at')
  }
}

function readResumed(row: Row): Resumed | null {
  const after = storedReason(row['resumed_after'])
  if (after === null) return null
  return { pages: Number(row['resumed_pages']), after, times: Number(row['resumed_times']) }
}

function readLimits(text: string): ScrapeLimits {
  const stored: unknown = JSON.parse(text)
  return typeof stored === 'object' && stored !== null ? { ...NO_LIMITS, ...stored } : NO_LIMITS
}

/** A job as the API shows it (contract §9). Times are RFC 3339. */
export interface ScrapeJobView {
  id: number
  url: string
  title: string
  language: string
  status: ScrapeJob['status']
  page_count: number
  total: number | null
  message: Reason | null
  archive: string | null
  source_id: number | null
  engine: ScrapeJob['engine']
  /** Null when nothing interrupted it. */
  resumed: { pages: number; after: Reason; times: number } | null
  missed: number
  capped: number
  documents: number
  created_at: string
  started_at: string | null
  completed_at: string | null
}

/** The contract's shape of a job (§9). */
export function jobView(job: ScrapeJob): ScrapeJobView {
  const { id, url, title, language, status, pageCount, total, message, archive, sourceId, engine } = job
  return {
    id,
    url,
    title,
    language,
    status,
    page_count: pageCount,
    total,
    message,
    archive,
    source_id: sourceId,
    engine,
    resumed: job.resumed,
    ...job.findings,
    created_at: time(job.createdAt),
    started_at: timeOrNull(job.startedAt),
    completed_at: timeOrNull(job.completedAt)
  }
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
