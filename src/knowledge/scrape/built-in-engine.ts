import { rm, writeFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { because, type Reason } from '../../model/reason.ts'
import type { Log } from '../../platform/log/log.ts'
import { type OwnProgram, ownProgram } from '../../platform/process/own-program.ts'
import type { CrawlEngine, Crawled, CrawlTools } from './crawl-engine.ts'
import type { ScrapeJob } from './job.ts'
import { documentLimit } from './mirror/documents.ts'
import { type MirrorOutcome, runMirror } from './mirror/mirror-child.ts'
import { type MirrorOptions, MOST_PAGES } from './mirror/options.ts'
import { packSite } from './mirror/pack.ts'

export interface BuiltInParts {
  userAgent: () => string
  version: string
  /** Of the operator's own network: see `rulesFor`. */
  allowedHosts?: () => readonly string[]
  log: Pick<Log, 'warn'>
  /** The command line of `work scrape:mirror OPTIONS`; by default that of this program. */
  program?: (args: string[]) => OwnProgram
  memoryBytes?: number
}

/**
 * Archives without a container: a polite crawler in a process of its own copies the site's static pages, zimwriterfs makes
 * the archive. A crawl that was interrupted goes on from what its folder holds.
 */
export class BuiltInEngine implements CrawlEngine {
  readonly kind = 'built-in'
  readonly #parts: BuiltInParts

  constructor(parts: BuiltInParts) {
    this.#parts = parts
  }

  async crawl(job: ScrapeJob, folder: string, { signal, progress, resumed }: CrawlTools): Promise<Crawled> {
    const { userAgent, version, program = ownProgram, memoryBytes = totalmem() } = this.#parts
    const options: MirrorOptions = {
      ...job.limits,
      url: job.url,
      folder,
      userAgent: userAgent(),
      include: [...job.limits.include],
      exclude: [...job.limits.exclude],
      allowedHosts: [...(this.#parts.allowedHosts?.() ?? [])]
    }
    const file = join(folder, 'options.json')
    await writeFile(file, JSON.stringify(options))
    const work = program(['work', 'scrape:mirror', file])
    const end = await runMirror({ program: work, folder, signal, onProgress: progress, onResumed: resumed })
    progress({ done: end.pages, total: end.pages })
    const { url, title, language } = job
    const what = { folder, url, title, language, welcome: end.welcome }
    const archive = await packSite({ ...what, scraper: `Lookout ${version}`, memoryBytes, signal })
    const { misses, capped, forbidden, missed } = end
    return {
      file: archive,
      notes: notesOf(end, job),
      findings: { missed: misses, missedCount: missed + forbidden, capped },
      documents: end.documents.map(({ address, file: name }) => ({ address, path: join(folder, name) }))
    }
  }

  async abandon(_jobId: number, folder: string): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      this.#parts.log.warn({ err: error, folder }, 'a folder of the archiver could not be removed')
    )
  }
}

const LIMITS = {
  pages: (job: ScrapeJob) => because('count_pages', { count: Math.min(job.limits.maxPages, MOST_PAGES) }),
  bytes: (job: ScrapeJob) => because('note', { text: `${Math.round(job.limits.maxBytes / 1e6)} MB` }),
  time: (job: ScrapeJob) => because('count_minutes', { count: job.limits.maxMinutes })
}

/** The others stand in their list. */
const MOST_CAPPED_TOLD = 3

/** Notes on what the archive lacks. */
function notesOf({ limit, documentLimit: cut, forbidden, missed, capped }: MirrorOutcome, job: ScrapeJob): Reason[] {
  const notes = [because('static_pages_note')]
  if (limit !== null) notes.push(because('archive_limit_reached', { limit: LIMITS[limit](job) }))
  if (forbidden > 0) notes.push(because('pages_left_out_robots', { count: forbidden }))
  if (missed > 0) notes.push(because('pages_not_fetched', { count: missed }))
  for (const { pattern, kept, pages } of capped.slice(0, MOST_CAPPED_TOLD))
    notes.push(because('pages_of_pattern_left', { pattern, kept, count: pages }))
  if (cut !== null) notes.push(because('documents_limit', { limit: documentLimit(cut, job.limits) }))
  return notes
}
