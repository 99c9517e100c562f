import { join } from 'node:path'
import type { StartOptions } from './cli/verb.ts'
import type { Library } from './commands/ask.ts'
import type { Profile } from './config/profile.ts'
import type { Config } from './config/schema.ts'
import { createDetector, type DetectorState } from './enrich/detector.ts'
import { userAgent } from './feeds/user-agent.ts'
import type { KeysContext, KnowledgeNews } from './http/context.ts'
import type { KnowledgeContext, WorkerView } from './http/knowledge.ts'
import { FileMoves } from './intake/file-moves.ts'
import { IntakeFolders } from './intake/folders.ts'
import { PartialUploads } from './intake/partial-uploads.ts'
import { removeCutOff } from './intake/parts.ts'
import { Shelver } from './intake/shelve.ts'
import { takePage } from './intake/take-page.ts'
import { toolReport } from './intake/tools.ts'
import { watchFolders } from './intake/watch-folders.ts'
import { KeyTester } from './keys/key-test.ts'
import { openKnowledgeStores, stationReceiver } from './knowledge-stores.ts'
import type { Clock } from './lib/clock.ts'
import type { Database } from './lib/database.ts'
import { errorText } from './lib/errors.ts'
import type { Log } from './lib/log.ts'
import { SideProcess } from './lib/side-process.ts'
import type { Measured } from './metrics/point.ts'
import { PassageCodes } from './search/codes.ts'
import type { SearchDesk } from './search/desk.ts'
import { indexLags } from './search/lag.ts'
import { sideArgs } from './side-settings.ts'

interface Parts {
  options: StartOptions
  profile: Profile
  current: () => Config
  /** Something changed with documents. */
  tell: (news: KnowledgeNews) => void
  /** False in preview: documents are shown and searched, nothing is worked on. */
  works: boolean
  clock: Clock
  log: Log
}

/** The knowledge of a station as the rest of it sees it. Documents are read, converted and searched in other processes. */
export interface StationKnowledge {
  context: KnowledgeContext
  /** `knowledge.db`: the library has its rows there too. */
  db: Database
  keys: KeysContext
  /** For `!ask`. */
  library: Library
  measured: () => Measured
  /** Looks for work that is left, and for files in the intake folders, from now on. */
  start: () => void
  stop: () => Promise<void>
}

/** A board answers a question in this time, or the page says so. Milliseconds. */
const SEARCH_MS = 30_000
const ASK_MS = 200_000
/** Counts on the page need not be told more often. */
const TELL_MS = 1000
const SEARCHER_HEAP_MIB = 192
const SMALL_HEAP_MB = 128

/** Opens the rows and prepares the side processes; starts none of them. */
export async function openKnowledge(parts: Parts): Promise<StationKnowledge> {
  const { options, profile, current, works, clock, log } = parts
  const { dataFolder } = options
  const stores = await openKnowledgeStores({ dataFolder, clock, log })
  const side = new Sides(parts, stores)
  const receiver = stationReceiver({
    ...{ dataFolder, stores, config: current, profile, clock },
    onArrival: () => side.wake()
  })
  const { catalogue, uploads, jobs, db, keys } = stores
  const now = (): number => clock.now()
  const agent = (): string => userAgent(options.version, current().station.contact)
  const codes = new PassageCodes({ db, now })
  const shelver = new Shelver({ db, catalogue, moves: new FileMoves({ db, folder: dataFolder, now }), log })
  const folders = new IntakeFolders({ folder: dataFolder, catalogue, uploads, receiver, now, log })
  const partials = new PartialUploads({ receiver, now })
  if (works) await removeCutOff(receiver.partsFolder)
  const watch = (): (() => void) =>
    watchFolders({
      acquired: join(dataFolder, 'acquired'),
      clock,
      hasNews: async () => {
        await partials.sweep()
        return folders.hasNews()
      },
      onNews: () => side.wake(),
      onError: (error) => log.warn({ err: error }, 'the intake folders could not be looked at')
    })
  let stopped = false
  let stopWatch = (): void => undefined
  return {
    context: {
      ...{ folder: dataFolder, catalogue, uploads, jobs, receiver, codes, partials },
      search: side.search,
      decideDomain: (id, domain) => shelver.decideDomain(id, domain),
      takePage: (ask) => takePage(ask, { receiver, userAgent: agent() }),
      wake: () => side.wake(),
      tools: () => toolReport(),
      worker: () => side.view(),
      detector: () => side.detector()
    },
    db,
    keys: {
      store: keys,
      tester: new KeyTester({ keys, config: () => current().knowledge, now, userAgent: agent })
    },
    library: {
      documents: () => {
        const { complete, enriched, embedding } = catalogue.counts()
        return complete + enriched + embedding
      },
      ask: (question, signal) => side.ask({ question, limit: 5 }, signal),
      codeOf: ({ hash, page, item_id }) => {
        const found = catalogue.byHash(hash)
        return found === null ? null : codes.codeOf({ documentId: found.id, page, itemId: item_id })
      }
    },
    measured: () => measured(catalogue),
    start: () => {
      if (!works) return
      side.followJobs()
      // After a restore there may be nothing to do but to make again what is searched.
      indexLags({ knowledge: db, path: join(dataFolder, 'search.db') }).then(
        (lags) => {
          if (lags) side.wake()
        },
        (error: unknown) => log.error({ err: error }, `the search index could not be looked at: ${errorText(error)}`)
      )
      // The folders are there for people to put files into.
      folders.prepare().then(
        () => {
          if (!stopped) stopWatch = watch()
        },
        (error: unknown) => log.error({ err: error }, 'the intake folders could not be made')
      )
    },
    stop: async () => {
      stopped = true
      stopWatch()
      await side.stop()
      stores.health.flush()
      db.close()
    }
  }
}

type Stores = Awaited<ReturnType<typeof openKnowledgeStores>>

function measured(catalogue: Stores['catalogue']): Measured {
  const counts = catalogue.counts()
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const { complete, failed, skipped, needs_review } = counts
  const { items, vectors } = catalogue.totals()
  return {
    total,
    complete,
    failed,
    skipped,
    in_pipeline: total - complete - failed - skipped - needs_review,
    items,
    vectors
  }
}

/** The processes beside the station: one that works on documents, one that answers questions. */
class Sides {
  readonly #parts: Parts
  readonly #stores: Stores
  readonly #worker: SideProcess
  readonly #searcher: SideProcess
  #detector: DetectorState | null = null
  #cancelLook = (): void => undefined
  #cancelTell: (() => void) | null = null
  #stopped = false

  constructor(parts: Parts, stores: Stores) {
    const { options, profile, log } = parts
    this.#parts = parts
    this.#stores = stores
    const from = { dataFolder: options.dataFolder, profileName: options.profileName, logLevel: log.level }
    this.#worker = new SideProcess({
      ...{ name: 'knowledge worker', log, heapMib: Math.max(96, profile.tuning.heap_mb) },
      args: sideArgs('knowledge', from),
      onChange: () => this.#tell(),
      onNotify: (method, params) => this.#heard(method, params)
    })
    this.#searcher = new SideProcess({
      ...{ name: 'search', log, heapMib: SEARCHER_HEAP_MIB, niceness: 5 },
      args: sideArgs('search', from)
    })
  }

  readonly search: SearchDesk = {
    query: (query) => this.#searcher.request('query', query, { timeoutMs: SEARCH_MS }),
    ask: (query) => this.#searcher.request('ask', query, { timeoutMs: ASK_MS }),
    status: () => this.#searcher.request('status', null, { timeoutMs: SEARCH_MS })
  }

  ask(query: Parameters<SearchDesk['ask']>[0], signal: AbortSignal): ReturnType<SearchDesk['ask']> {
    return this.#searcher.request('ask', query, { timeoutMs: ASK_MS, signal })
  }

  wake(): void {
    if (!this.#parts.works || this.#stopped) return
    this.#worker.notify('wake', null)
    this.#tell()
  }

  /** The worker ends when it is idle: what is due later, and what an earlier process left, is seen to from here. */
  followJobs(): void {
    const { clock } = this.#parts
    const due = this.#stores.jobs.nextDue()
    const wait = due === null ? LOOK_EVERY_MS : Math.min(LOOK_EVERY_MS, Math.max(0, due - clock.now()))
    this.#cancelLook = clock.after(Math.max(LEAST_LOOK_MS, wait), () => {
      const next = this.#stores.jobs.nextDue()
      if (next !== null && next <= clock.now()) this.wake()
      this.followJobs()
    })
  }

  view(): WorkerView {
    if (!this.#parts.works) return { state: 'off', reason: null }
    const { state, lastCrash } = this.#worker.status()
    if (state === 'resting') return { state: 'failing', reason: lastCrash?.reason ?? null }
    return { state: state === 'stopped' ? 'asleep' : 'working', reason: null }
  }

  detector(): DetectorState {
    const { current, profile } = this.#parts
    this.#detector ??= createDetector({
      small: profile.tuning.heap_mb <= SMALL_HEAP_MB,
      allowed: () => current().knowledge.allowed_languages
    }).state()
    return this.#detector
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelLook()
    this.#cancelTell?.()
    await Promise.all([this.#worker.stop(), this.#searcher.stop()])
  }

  #heard(method: string, params: unknown): void {
    // Only this program talks here.
    if (method === 'news') this.#detector = (params as { detector: DetectorState }).detector
    this.#tell()
  }

  #tell(): void {
    const { clock, tell } = this.#parts
    if (this.#stopped) return
    this.#cancelTell ??= clock.after(TELL_MS, () => {
      this.#cancelTell = null
      tell(newsOf(this.#stores))
    })
  }
}

const LOOK_EVERY_MS = 60_000
const LEAST_LOOK_MS = 1000

function newsOf({ catalogue, jobs }: Stores): KnowledgeNews {
  const counts = catalogue.counts()
  const of = (state: string): number =>
    jobs
      .counts()
      .filter((row) => row.state === state)
      .reduce((sum, { count }) => sum + count, 0)
  return { counts, running: of('running'), held: of('held'), failed: counts.failed }
}
