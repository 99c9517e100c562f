import type { Reason } from '../../model/reason.ts'
import type { Findings } from './findings.ts'
import type { ScrapeJob } from './job.ts'

/**
 * The reason of an abort that ends a crawl for good: somebody cancelled it. Any other reason means that we are
 * stopping.
 */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

export interface CrawlTools {
  /** Aborted with `Cancelled`, or because the program stops: then what can go on without us, or be gone on with, is left. */
  signal: AbortSignal
  progress: (numbers: { done: number; total: number | null }) => void
  /** The crawl goes on with what an earlier run has left. */
  resumed: (pages: number) => void
}

/** A linked PDF or EPUB that was fetched, in a file of the crawl's folder. */
export interface FetchedDocument {
  address: string
  path: string
}

export interface Crawled {
  /** The archive, inside of the crawl's folder. */
  file: string
  /** The closing notes of the job: limits that were reached, wishes that were not followed. Empty: nothing to say. */
  notes: Reason[]
  findings: Findings
  documents: readonly FetchedDocument[]
}

/** A maker of archives of sites. */
export interface CrawlEngine {
  kind: NonNullable<ScrapeJob['engine']>
  /**
   * Makes the archive in `folder`, which may hold what an earlier run left. Idempotent. @throws AppError; what `signal` was
   * aborted with.
   */
  crawl: (job: ScrapeJob, folder: string, tools: CrawlTools) => Promise<Crawled>
  /** Ends whatever may still be at work on this job, and removes its folder. Never rejects. */
  abandon: (jobId: number, folder: string) => Promise<void>
}
