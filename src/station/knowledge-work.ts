import { join } from 'node:path'
import type { WorkContext } from '../cli/verb.ts'
import { createDetector } from '../knowledge/enrich/detector.ts'
import { embedderSupply, MODEL_FOLDER } from '../knowledge/enrich/embed/create-embedder.ts'
import { knownModel } from '../knowledge/enrich/embed/embedder.ts'
import { embedJob, reembedPending } from '../knowledge/enrich/embed-job.ts'
import { enrichJob } from '../knowledge/enrich/enrich-job.ts'
import { extractJob } from '../knowledge/enrich/extract-job.ts'
import { modelSupply } from '../knowledge/enrich/llm/create.ts'
import { pageReader } from '../knowledge/enrich/read-pages.ts'
import { classifyItem } from '../knowledge/intake/classify.ts'
import { copyReview, copyWarning, dispatchJob } from '../knowledge/intake/dispatcher.ts'
import { FileMoves } from '../knowledge/intake/file-moves.ts'
import { IntakeFolders } from '../knowledge/intake/folders.ts'
import { shortOfRoom } from '../knowledge/intake/parts.ts'
import { systemReaders } from '../knowledge/intake/readers.ts'
import { reconcile } from '../knowledge/intake/reconcile.ts'
import { refusals } from '../knowledge/intake/refuse.ts'
import { trimRejected } from '../knowledge/intake/rejected.ts'
import { removeJob } from '../knowledge/intake/remove-job.ts'
import { secondLook } from '../knowledge/intake/second-look.ts'
import { Shelver } from '../knowledge/intake/shelve.ts'
import { migrateTaxonomy } from '../knowledge/intake/taxonomy.ts'
import { Workbench } from '../knowledge/intake/workbench.ts'
import type { JobKind } from '../knowledge/jobs/job.ts'
import { leaseOwner, WORKER_ROLE } from '../knowledge/jobs/owner.ts'
import { JobRunner } from '../knowledge/jobs/runner.ts'
import type { JobStore } from '../knowledge/jobs/store.ts'
import { openSearchIndex } from '../knowledge/search/index-store.ts'
import { missingFromIndex } from '../knowledge/search/reconcile.ts'
import { because, type Reason } from '../model/reason.ts'
import type { Shed } from '../model/shedding.ts'
import { systemClock } from '../platform/clock/clock.ts'
import { AppError, errorText } from '../platform/errors.ts'
import { Listeners } from '../platform/listeners.ts'
import { takeChildPeak } from '../platform/process/child-peak.ts'
import { boundJobMemory } from '../platform/process/job-memory.ts'
import { serveSide } from '../platform/process/side-service.ts'
import type { Config } from '../settings/schema.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import { bulkWork } from './bulk-work.ts'
import { openKnowledgeStores, stationReceiver } from './knowledge-stores.ts'
import { LIBRARY_LIMITS, libraryJobs } from './library-work.ts'
import { readSideSettings, type SideSettings } from './side-settings.ts'

/** With nothing to do for so long the process ends, and its memory with it. */
const IDLE_MS = 20_000
/** Messages about progress are gathered. */
const TELL_MS = 1000
const MIB = 2 ** 20
/** Items of one document whose words are put into the index anew in one go. */
const REPAIRED_AT_ONCE = 500

/** News for the station, told now and then. */
export interface WorkerNews {
  detector: ReturnType<ReturnType<typeof createDetector>['state']>
  /** The largest program that has ended since, in bytes; null: none has. */
  childPeak: number | null
}

/** Role `knowledge`: works through the jobs of documents until there are none. */
export async function runKnowledgeWorker(context: WorkContext): Promise<number> {
  const settings = await readSideSettings(context)
  boundJobMemory(settings.profile.tuning.job_memory_mb * MIB)
  const worker = await Worker.open(settings, context.version)
  return worker.serve()
}

class Worker {
  readonly #settings: SideSettings
  readonly #parts: Awaited<ReturnType<typeof openParts>>
  readonly #abort = new AbortController()
  #starting = true
  #looking: Promise<void> = Promise.resolve()
  #cancelTell: (() => void) | null = null

  private constructor(settings: SideSettings, parts: Awaited<ReturnType<typeof openParts>>) {
    this.#settings = settings
    this.#parts = parts
  }

  static async open(settings: SideSettings, version: string): Promise<Worker> {
    return new Worker(settings, await openParts(settings, version))
  }

  async serve(): Promise<number> {
    const { runner, stores, index } = this.#parts
    const side = serveSide({
      handlers: {
        wake: async (params) => {
          this.#parts.resting.set(restsOf(params))
          await this.#look()
          runner.wake()
        },
        look: () => this.#look(),
        embedding: () => this.#embedding()
      },
      idleMs: IDLE_MS,
      busy: () => this.#starting || !runner.idle(),
      onStop: async () => {
        this.#abort.abort(new AppError('unavailable', because('program_is_stopping')))
        await runner.stop()
      }
    })
    this.#parts.onChange(() => this.#tell(side.notify))
    await this.#start()
    const code = await side.ended
    this.#cancelTell?.()
    await this.#looking
    stores.health.flush()
    index.close()
    stores.db.close()
    await this.#settings.config.close()
    return code
  }

  /** Puts in order what a crash left behind, before anything is worked on. */
  async #start(): Promise<void> {
    const { stores, shelver, bench, runner, folders, receiver, clock } = this.#parts
    const { log, dataFolder } = this.#settings
    try {
      await folders.prepare()
      const done = await reconcile({ ...stores, shelver, bench, log })
      if (Object.values(done).some((count) => count > 0)) log.info(done, 'files and rows were put in order')
      await migrateTaxonomy({ db: stores.db, catalogue: stores.catalogue, shelver })
      await folders.reconcile()
      await trimRejected({ folder: dataFolder, maxBytes: receiver.settings.maxBytes, now: clock.now(), log })
      await this.#parts.bulk.recover()
      await this.#parts.scrape?.recover()
      await this.#repairIndex()
    } catch (error) {
      if (!this.#abort.signal.aborted) log.error({ err: error }, `the start was not whole: ${errorText(error)}`)
    }
    this.#starting = false
    if (!this.#abort.signal.aborted) runner.start()
  }

  /** The rows stay open while somebody looks: `serve` waits for it. */
  #look(): Promise<void> {
    if (this.#abort.signal.aborted) return Promise.resolve()
    const look = async (): Promise<void> => {
      const { aside, taken } = await this.#parts.folders.look()
      if (taken + aside > 0) this.#settings.log.info({ taken, aside }, 'files were found in the intake folders')
    }
    const looking = look()
    this.#looking = looking.catch(() => undefined)
    return looking
  }

  /** The words first: they need nobody. Vectors are left to the jobs. */
  async #repairIndex(): Promise<void> {
    const { stores, index, vectors, embedder } = this.#parts
    const { signal } = this.#abort
    const model = await knownModel(embedder(), signal).catch(() => null)
    const { lexical } = index
    const missing = await missingFromIndex({ knowledge: stores.db, lexical, vectors, model })
    for (const id of missing.gone) {
      lexical.remove(id)
      await vectors.remove(id)
    }
    for (const id of missing.words) {
      const found = stores.catalogue.byId(id)
      if (found !== null) await lexical.putSlices(id, stores.catalogue.itemSlices(id, REPAIRED_AT_ONCE), found, signal)
    }
    if (model !== null) await this.#reembed()
  }

  /** Another provider may have been chosen. False: it cannot be asked now, so that nobody knows what there is to do. */
  async #embedding(): Promise<boolean> {
    await this.#settings.config.refresh()
    const model = await knownModel(this.#parts.embedder(), this.#abort.signal).catch(() => null)
    if (model === null) return false
    await this.#reembed()
    this.#parts.runner.wake()
    return true
  }

  async #reembed(): Promise<void> {
    const { stores, vectors, embedder, clock } = this.#parts
    const { catalogue, jobs } = stores
    await reembedPending({ catalogue, vectors, embedder, clock, jobs }, this.#abort.signal)
  }

  #tell(notify: (method: string, params: unknown) => void): void {
    this.#cancelTell ??= this.#parts.clock.after(TELL_MS, () => {
      this.#cancelTell = null
      const news: WorkerNews = { detector: this.#parts.detector.state(), childPeak: takeChildPeak() }
      notify('news', news)
    })
  }
}

/** Everything the worker is made of. */
async function openParts({ dataFolder, profile, current, log }: SideSettings, version: string) {
  const clock = systemClock
  const now = (): number => clock.now()
  const stores = await openKnowledgeStores({ dataFolder, clock, log, made: true })
  const { db, jobs, catalogue, uploads, keys } = stores
  const index = await openSearchIndex({ path: join(dataFolder, 'search.db'), anew: { now, log } })
  const { vectors } = index
  const moves = new FileMoves({ db, folder: dataFolder, now })
  const shelver = new Shelver({ db, catalogue, moves, log })
  const bench = new Workbench({ moves })
  const outside = {
    keys,
    clock,
    random: Math.random,
    config: () => current().knowledge,
    userAgent: () => userAgent(version, current().station.contact)
  }
  const model = modelSupply(outside)
  const embedder = embedderSupply({ ...outside, models: join(dataFolder, MODEL_FOLDER) })
  const detector = createDetector({
    small: profile.tuning.heap_mb <= SMALL_HEAP_MB,
    allowed: () => current().knowledge.allowed_languages
  })
  const receiver = stationReceiver({
    dataFolder,
    stores,
    config: current,
    profile,
    clock,
    onArrival: () => runner.wake()
  })
  const folders = new IntakeFolders({ folder: dataFolder, catalogue, uploads, receiver, now, log })
  const work = { dataFolder, version, stores, receiver, current, profile, clock, log, wake: () => runner.wake() }
  const bulk = bulkWork(work)
  const scrape = profile.subsystems.scraper ? (await import('./scrape-work.ts')).scrapeWork(work) : null
  const kinds: JobKind[] = [
    dispatchJob({
      catalogue,
      uploads,
      moves,
      shelver,
      bench,
      readers: systemReaders,
      model,
      now,
      log,
      videoPlatform: () => current().knowledge.video_platform
    }),
    extractJob({
      catalogue,
      readPages: pageReader({ folder: dataFolder, ocr: () => ocrOf(current()) }),
      ...refusals({ catalogue, uploads, moves, shelver, bench, log }),
      secondLook: secondLook({ catalogue, shelver }),
      copyReview,
      copyWarning,
      now
    }),
    enrichJob({
      catalogue,
      index: index.lexical,
      vectors,
      detector,
      model,
      classifyItem,
      clock,
      settings: () => current().knowledge
    }),
    embedJob({ catalogue, vectors, embedder, clock }),
    removeJob({ catalogue, uploads, jobs, moves, shelver, lexical: index.lexical, vectors, now, log }),
    ...(profile.subsystems.library
      ? libraryJobs({ dataFolder, stores, lexical: index.lexical, vectors, current, clock, log })
      : []),
    ...bulk.kinds,
    ...(scrape?.kinds ?? [])
  ]
  const { convert, extract, embed } = profile.tuning.workers
  const news = new Listeners<[]>()
  const resting = new Resting(jobs, () => runner.strained())
  const runner: JobRunner = new JobRunner({
    store: jobs,
    kinds,
    limits: { dispatch: convert, extract, enrich: extract, embed, remove: 1, ...LIBRARY_LIMITS, scrape: 1 },
    owner: leaseOwner(WORKER_ROLE),
    clock,
    log,
    shortOfRoom: () => shortOfRoom(dataFolder, current().uploads.min_free_bytes),
    restsFor: (kind) => resting.reasonOf(kind),
    onChange: () => news.tell()
  })
  const onChange = (listener: () => void): void => void news.add(listener)
  const supply = { embedder, detector, receiver, folders, bulk }
  return { clock, stores, index, vectors, moves, shelver, bench, ...supply, scrape, runner, resting, onChange }
}

/** The kinds of jobs that are given up with each step; removing makes room and never is. */
const KINDS_OF: Readonly<Partial<Record<Shed, readonly string[]>>> = {
  models: ['enrich', 'embed'],
  ocr: ['dispatch', 'extract'],
  crawls: ['scrape', 'detect', 'ingest', 'bulk']
}

/** The kinds of jobs that are given up at present. */
class Resting {
  readonly #jobs: JobStore
  readonly #onMore: () => void
  #reasons: ReadonlyMap<string, Reason> = new Map()

  constructor(jobs: JobStore, onMore: () => void) {
    this.#jobs = jobs
    this.#onMore = onMore
  }

  reasonOf(kind: string): Reason | null {
    return this.#reasons.get(kind) ?? null
  }

  set(reasons: ReadonlyMap<string, Reason>): void {
    const back = [...this.#reasons.keys()].filter((kind) => !reasons.has(kind))
    const more = [...reasons.keys()].some((kind) => !this.#reasons.has(kind))
    this.#reasons = reasons
    for (const kind of back) this.#jobs.releaseHeld(kind)
    if (more) this.#onMore()
  }
}

/** Of what the station told with its wake-up. */
function restsOf(params: unknown): ReadonlyMap<string, Reason> {
  // Only this program talks here.
  const told = (params as { shed?: readonly { step: Shed; reason: Reason }[] } | null)?.shed ?? []
  return new Map(told.flatMap(({ step, reason }) => (KINDS_OF[step] ?? []).map((kind) => [kind, reason] as const)))
}

/** MiB: such a board keeps the smaller detector. */
const SMALL_HEAP_MB = 128

function ocrOf({ knowledge }: Config): { enabled: boolean; languages: string[] } {
  return { enabled: knowledge.ocr, languages: knowledge.ocr_languages }
}
