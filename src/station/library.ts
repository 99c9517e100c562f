import { join } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import type { LibraryService } from '../dashboard/server/library.ts'
import { PartialUploads } from '../knowledge/intake/partial-uploads.ts'
import { ARCHIVE_FOLDER, adoptFormerFolder } from '../knowledge/library/archive-folder.ts'
import { ArchiveReceiver } from '../knowledge/library/arrival.ts'
import { Library } from '../knowledge/library/library.ts'
import { LibraryReconciler } from '../knowledge/library/reconciler.ts'
import { Registration } from '../knowledge/library/registration.ts'
import { LibraryServer } from '../knowledge/library/server.ts'
import { LibrarySources } from '../knowledge/library/sources.ts'
import { because } from '../model/reason.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import type { StationKnowledge } from './knowledge.ts'

interface Parts {
  options: StartOptions
  current: () => Config
  /** Rows and jobs; the worker does the jobs. */
  knowledge: Pick<StationKnowledge, 'context' | 'db'>
  /** False in preview: archives are shown, none is served. */
  works: boolean
  /** Hears of everything that changes with documents and jobs. */
  onNews: (listener: () => void) => void
  clock: Clock
  log: Log
}

/** The offline library of a station as the rest of it sees it. */
export interface StationLibrary {
  context: LibraryService
  /** Serves what is there, and looks for more from now on. */
  start: () => void
  stop: () => Promise<void>
}

const PREVIEW = because('preview_serves_none')
/** `library.xml`, beside the archives. */
const LIBRARY_FILE = 'library.xml'

/** Prepares the library; starts nothing, and writes nothing but the present name of its folder. No archive is read here. */
export function openLibrary({ options, current, knowledge, works, onNews, clock, log }: Parts): StationLibrary {
  const { db } = knowledge
  const { jobs, catalogue, wake } = knowledge.context
  const now = (): number => clock.now()
  const former = works ? adoptFormerFolder(options.dataFolder) : null
  if (former !== null) log[former.moved ? 'info' : 'warn'](former.reason)
  const folder = join(options.dataFolder, ARCHIVE_FOLDER)
  const sources = new LibrarySources({ db, jobs, now })
  const server: LibraryServer = new LibraryServer({
    file: join(folder, LIBRARY_FILE),
    host: options.host,
    clock,
    log,
    random: Math.random,
    settings: works ? { ...current().library } : { ...current().library, server: 'off' },
    userAgent: () => userAgent(options.version, current().station.contact),
    onChange: () => reconciler.serverChanged()
  })
  const registration = new Registration({
    file: join(folder, LIBRARY_FILE),
    sources: () => sources.list(),
    server,
    clock,
    log
  })
  const receiver = new ArchiveReceiver({
    folder,
    sources,
    minFreeBytes: () => current().uploads.min_free_bytes,
    onArrival: (filename) => reconciler.arrived(filename)
  })
  const partials = new PartialUploads({ receiver, now })
  const reconciler: LibraryReconciler = new LibraryReconciler({
    folder,
    sources,
    jobs,
    server,
    registration,
    receiver,
    partials,
    clock,
    log,
    wake,
    everyMs: () => current().library.detect_minutes * 60_000
  })
  const library = new Library({
    db,
    jobs,
    catalogue,
    sources,
    server,
    registration,
    folder,
    clock,
    wake,
    wikiUrl: () => current().library.wiki_url
  })
  if (works) onNews(() => reconciler.changed())
  return {
    context: {
      list: (host) => library.list(host),
      one: (id, host) => library.one(id, host),
      server: (host) => ({ ...library.server(host), ...(works ? {} : { reason: PREVIEW }) }),
      wikiBase: (host) => library.wikiBase(host),
      setIngest: (id, enabled, host) => library.setIngest(id, enabled, host),
      retry: (id) => library.retry(id),
      remove: (id) => library.remove(id),
      settled: (arrived) => library.settled(arrived),
      look: () => (works ? reconciler.lookSoon() : undefined),
      receiver,
      partials
    },
    start: () => (works ? reconciler.start() : undefined),
    stop: async () => {
      reconciler.stop()
      registration.stop()
      await server.stop()
    }
  }
}
