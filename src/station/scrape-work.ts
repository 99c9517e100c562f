import { join } from 'node:path'
import type { WorkContext } from '../cli/verb.ts'
import type { Receiver } from '../knowledge/intake/receive.ts'
import type { JobKind } from '../knowledge/jobs/job.ts'
import { ARCHIVE_FOLDER } from '../knowledge/library/archive-folder.ts'
import { arrivedSubject, DETECT } from '../knowledge/library/detect-job.ts'
import { LibrarySources } from '../knowledge/library/sources.ts'
import { BuiltInEngine } from '../knowledge/scrape/built-in-engine.ts'
import { ContainerEngine } from '../knowledge/scrape/container-engine.ts'
import { stationLabel } from '../knowledge/scrape/containers.ts'
import { Engines } from '../knowledge/scrape/engine.ts'
import { ScrapeJobs } from '../knowledge/scrape/jobs.ts'
import { scrapeRoles } from '../knowledge/scrape/mirror/roles.ts'
import { recoverScrapes } from '../knowledge/scrape/recover.ts'
import { type ScrapeLibrary, scrapeJob } from '../knowledge/scrape/scrape-job.ts'
import { walkToTarget } from '../knowledge/scrape/target.ts'
import { because } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import { rulesFor } from '../platform/net/site-guard.ts'
import type { Config } from '../settings/schema.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import type { KnowledgeStores } from './knowledge-stores.ts'
import { documentIntake } from './scrape-documents.ts'

interface Parts {
  dataFolder: string
  stores: Pick<KnowledgeStores, 'db' | 'jobs' | 'uploads'>
  receiver: Receiver
  version: string
  current: () => Config
  /** There is a new job for the library. */
  wake: () => void
  clock: Clock
  log: Log
}

/** Archiving of web sites, as the worker does it. */
export interface ScrapeWork {
  kinds: JobKind[]
  /** Once, before jobs are begun. */
  recover: () => Promise<void>
}

/** Everything the archiver is made of. The data folder must exist. */
export function scrapeWork({ dataFolder, stores, receiver, version, current, wake, clock, log }: Parts): ScrapeWork {
  const { db, jobs } = stores
  const now = (): number => clock.now()
  const store = new ScrapeJobs({ db, jobs, now })
  const zimFolder = join(dataFolder, ARCHIVE_FOLDER)
  const image = (): string => current().scraper.image
  const contact = (): string => current().station.contact
  const agent = (): string => userAgent(version, contact())
  const engines = new Engines({ image, now })
  const station = stationLabel(dataFolder)
  const sources = new LibrarySources({ db, jobs, now })
  const library: ScrapeLibrary = {
    look(filename) {
      jobs.add(DETECT, arrivedSubject(filename))
      wake()
    },
    registered(filename) {
      const found = sources.byFilename(filename)
      if (found?.state === 'present') return { sourceId: found.id }
      const isRefused = found?.state === 'damaged' || found?.state === 'missing'
      return isRefused && found.reason !== null && found.uuid === ''
        ? { refused: because('archive_made_unusable', { why: found.reason }) }
        : null
    }
  }
  const container = new ContainerEngine({
    engines,
    station,
    image,
    contact,
    clock,
    log,
    walk: ({ url }, signal) =>
      walkToTarget(url, { userAgent: agent(), rules: rulesFor(url, current().scraper.allowed_hosts), signal })
  })
  const allowedHosts = (): readonly string[] => current().scraper.allowed_hosts
  const builtIn = new BuiltInEngine({ userAgent: agent, version, allowedHosts, log })
  const intake = documentIntake({ receiver, uploads: stores.uploads })
  const minFreeBytes = (): number => current().uploads.min_free_bytes
  return {
    kinds: [scrapeJob({ store, intake, zimFolder, engines, container, builtIn, library, minFreeBytes, clock, log })],
    recover: () => recoverScrapes({ store, zimFolder, station, engines, log })
  }
}

/** Roles `scrape:…`: the crawler that needs no container, in a bounded process of its own. */
export async function runScraper({ role, args }: WorkContext): Promise<number> {
  const load = Object.hasOwn(scrapeRoles, role) ? scrapeRoles[role] : undefined
  if (load === undefined) throw new AppError('usage', because('verb_for_program'))
  const run = await load()
  await run(args)
  return 0
}
