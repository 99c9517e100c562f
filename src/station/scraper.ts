import { join } from 'node:path'
import type { ScrapeService } from '../dashboard/server/scraper.ts'
import { ARCHIVE_FOLDER } from '../knowledge/library/archive-folder.ts'
import { LibrarySources } from '../knowledge/library/sources.ts'
import { Engines } from '../knowledge/scrape/engine.ts'
import { ScrapeJobs } from '../knowledge/scrape/jobs.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Config } from '../settings/schema.ts'
import type { StationKnowledge } from './knowledge.ts'
import type { StationLibrary } from './library.ts'

interface Parts {
  dataFolder: string
  current: () => Config
  knowledge: Pick<StationKnowledge, 'context' | 'db'>
  /** Null where the profile has none. */
  library: StationLibrary | null
  clock: Clock
}

/** Archiving of sites as the rest of the station sees it: rows; the worker crawls. */
export function openScraper({ dataFolder, current, knowledge, library, clock }: Parts): ScrapeService {
  const { db } = knowledge
  const { jobs, wake } = knowledge.context
  const now = (): number => clock.now()
  const engines = new Engines({ image: () => current().scraper.image, now })
  const sources = new LibrarySources({ db, jobs, now })
  return {
    jobs: new ScrapeJobs({ db, jobs, now }),
    engines: () => engines.report(),
    zimFolder: join(dataFolder, ARCHIVE_FOLDER),
    library:
      library === null
        ? null
        : {
            sourceOf: (filename) => sources.byFilename(filename)?.id ?? null,
            remove: (sourceId) => library.context.remove(sourceId)
          },
    wake
  }
}
