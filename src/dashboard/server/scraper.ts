import type { EngineReport } from '../../knowledge/scrape/engine.ts'
import type { ScrapeJobs } from '../../knowledge/scrape/jobs.ts'
import type { ArchiveRemoval } from '../../knowledge/scrape/remove-scrape.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'
import type { SiteRules } from '../../platform/net/site-guard.ts'

/** Archiving of web sites, as the web sees it: rows are written here, the work is done by the worker. */
export interface ScrapeService {
  jobs: ScrapeJobs
  /** The means by which sites are archived here; asking is cheap, the answer is kept for a while. */
  engines: () => Promise<EngineReport>
  /** `<data>/zim`. */
  zimFolder: string
  /** The library, for jobs whose archive stands in it; null where the profile has none. */
  library: ArchiveRemoval | null
  /** The addresses that may be archived; tests let theirs reach a server of their own. */
  rules?: SiteRules
  /** Tells the worker that there is work, or that somebody wants it ended. */
  wake: () => void
}

interface Part {
  /** Null when the profile has it off. */
  scraper: ScrapeService | null
}

/** The archiver of this station. @throws AppError `not-found` when the profile has it off. */
export function scraperOf({ scraper }: Part): ScrapeService {
  if (scraper !== null) return scraper
  throw new AppError('not-found', because('profile_no_scraper'))
}

/** The same, for routes that write. @throws AppError `unavailable` in preview. */
export function writableScraper({ scraper, mode }: Part & { mode: 'run' | 'preview' }): ScrapeService {
  const found = scraperOf({ scraper })
  if (mode === 'preview') throw new AppError('unavailable', because('preview_keeps_nothing'))
  return found
}
