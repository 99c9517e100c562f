import type { StartOptions } from '../cli/verb.ts'
import type { KnowledgeNews } from '../dashboard/server/context.ts'
import type { WorkerView } from '../dashboard/server/knowledge.ts'
import { STAGES } from '../knowledge/catalogue/states.ts'
import { createDetector, type DetectorState } from '../knowledge/enrich/detector.ts'
import { followJobs } from '../knowledge/jobs/follow.ts'
import { ownerIsGone, WORKER_ROLE } from '../knowledge/jobs/owner.ts'
import type { SearchService } from '../knowledge/search/service.ts'
import { because, type Reason } from '../model/reason.ts'
import type { Shed } from '../model/shedding.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { AppError, errorText } from '../platform/errors.ts'
import type { Log } from '../platform/log/log.ts'
import { noteChildPeak } from '../platform/process/child-peak.ts'
import { type SideDeath, SideProcess } from '../platform/process/side-process.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import type { KnowledgeStores } from './knowledge-stores.ts'
import { sideArgs } from './side-settings.ts'

/** A board answers a question in this time, or the page says so. Milliseconds. */
const SEARCH_MS = 30_000
const ASK_MS = 200_000
/** Counts on the page need not be told more often. */
const TELL_MS = 1000
const TELL_SHARE = 100
/** A new embedding provider answers in this time, or is asked again after it. */
const EMBEDDING_MS = 5 * 60_000
export const SEARCHER_HEAP_MIB = 192
const SMALL_HEAP_MB = 128
/** The worker may hold so much beside its heap: its code, what SQLite caches, the token embeddings of a folder. */
const BESIDE_HEAP_MIB = 192
const MIB = 2 ** 20
/** Sent by whoever wants it to end. */
const ORDERS: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])

export interface SideParts {
  options: StartOptions
  profile: Profile
  current: () => Config
  /** Something changed with documents. */
  tell: (news: KnowledgeNews) => void
  /** The reason why this is given up at present; null while it is not. */
  shedFor: (step: Shed) => Reason | null
  /** False in preview: documents are shown and searched, nothing is worked on. */
  works: boolean
  clock: Clock
  log: Log
}

type Stores = Pick<KnowledgeStores, 'catalogue' | 'jobs' | 'uploads'>

/** The processes beside the station: one that works on documents, one that answers questions. */
export class SideProcesses {
  readonly #parts: SideParts
  readonly #stores: Stores
  readonly #worker: SideProcess
  readonly #searcher: SideProcess
  #detector: DetectorState | null = null
  /** The work at which the worker ended, until it runs again. */
  #blamed: Reason | null = null
  #follow: ReturnType<typeof followJobs> | null = null
  #cancelEmbedding = (): void => undefined
  #embedding: string
  #cancelTell: (() => void) | null = null
  #tellMs = TELL_MS
  #stopped = false
  /** The work that is given up under strain. */
  #shed: ReadonlySet<Shed> = new Set()

  constructor(parts: SideParts, stores: Stores) {
    const { options, profile, log } = parts
    this.#parts = parts
    this.#stores = stores
    this.#embedding = embeddingOf(parts.current())
    const from = { dataFolder: options.dataFolder, profileName: options.profileName, logLevel: log.level }
    this.#worker = new SideProcess({
      name: 'knowledge worker',
      log,
      heapMib: workerHeapMib(profile),
      memoryBytes: workerMemory(profile),
      args: sideArgs('knowledge', from),
      onDeath: (death) => this.#blame(death),
      onChange: () => {
        this.#tell()
        if (this.#worker.status().state === 'stopped') this.#follow?.look()
      },
      onNotify: (method, params) => this.#heard(method, params)
    })
    this.#searcher = new SideProcess({
      name: 'search',
      log,
      heapMib: SEARCHER_HEAP_MIB,
      niceness: 5,
      args: sideArgs('search', from)
    })
  }

  readonly search: SearchService = {
    query: (query) => this.#asked('query', query, { timeoutMs: SEARCH_MS }),
    ask: (query) => this.#asked('ask', query, { timeoutMs: ASK_MS }),
    status: () => this.#asked('status', null, { timeoutMs: SEARCH_MS })
  }

  ask(query: Parameters<SearchService['ask']>[0], signal: AbortSignal): ReturnType<SearchService['ask']> {
    return this.#asked('ask', query, { timeoutMs: ASK_MS, signal })
  }

  wake(): void {
    // From archiving on there is nothing left that the worker might do.
    if (!this.#parts.works || this.#stopped || this.#shed.has('crawls')) return
    const shed = [...this.#shed].flatMap((step) => {
      const reason = this.#parts.shedFor(step)
      return reason === null ? [] : [{ step, reason }]
    })
    this.#worker.notify('wake', { shed })
    this.#tell()
  }

  /** Under strain: what is begun of it ends now, waits, and goes on by itself. */
  give(shed: ReadonlySet<Shed>): void {
    this.#shed = shed
    if (this.#stopped) return
    if (shed.has('search')) void this.#searcher.rest()
    else this.#searcher.resume()
    if (shed.has('crawls')) void this.#worker.rest()
    else {
      this.#worker.resume()
      // A worker that sleeps has nothing to give up.
      if (shed.size === 0 || this.#worker.status().state !== 'stopped') this.wake()
    }
  }

  async #asked<Answer>(
    method: string,
    params: unknown,
    options: { timeoutMs: number; signal?: AbortSignal }
  ): Promise<Answer> {
    const shed = this.#shed.has('search') ? this.#parts.shedFor('search') : null
    if (shed !== null) throw new AppError('unavailable', shed)
    return this.#searcher.request<Answer>(method, params, options)
  }

  /** Tries again now what failed for the disk. */
  diskIsBack(): void {
    if (this.#stopped) return
    this.#searcher.retry()
    this.#worker.retry()
    this.wake()
  }

  /** The worker ends when it is idle: what is due later, and what an earlier process left, is seen to from here. */
  followJobs(): void {
    const { clock, profile, log } = this.#parts
    this.#takeBack()
    // Jobs of the library that are left from another profile wait until it is on again: nobody is woken for them.
    const kinds = profile.subsystems.library ? undefined : ['dispatch', ...STAGES, 'remove']
    this.#follow = followJobs({
      nextDue: () => this.#stores.jobs.nextDue(kinds),
      asleep: () => this.#worker.status().state === 'stopped',
      wake: () => this.wake(),
      onError: (error) => log.error({ err: error }, `the jobs could not be looked at: ${errorText(error)}`),
      clock
    })
  }

  /** Work that the worker of an earlier run had begun is due now, not when its leases end. */
  #takeBack(): void {
    const { jobs } = this.#stores
    try {
      for (const owner of jobs.owners()) if (ownerIsGone(owner)) jobs.releaseOwner(owner)
    } catch (error) {
      this.#parts.log.error({ err: error }, `the jobs of an earlier run wait for their leases: ${errorText(error)}`)
    }
  }

  /** Work for the old provider ends at once, and documents that have vectors get new ones, in the background. */
  followEmbedding(): void {
    const chosen = embeddingOf(this.#parts.current())
    if (!this.#parts.works || this.#stopped || chosen === this.#embedding) return
    this.#embedding = chosen
    this.#stores.jobs.releaseHeld('embed')
    void this.#reembed()
  }

  /** Other files lie under the name of a model: where it is in use, vectors of the one before are made again. */
  modelChanged(name: string): void {
    const { provider, model } = this.#parts.current().knowledge.embedding
    if (!this.#parts.works || this.#stopped || provider !== 'static' || model.trim() !== name) return
    this.#stores.jobs.releaseHeld('embed')
    void this.#reembed()
  }

  async #reembed(): Promise<void> {
    this.#cancelEmbedding()
    const { clock, log } = this.#parts
    try {
      if (await this.#worker.request<boolean>('embedding', null, { timeoutMs: EMBEDDING_MS })) return
    } catch (error) {
      if (this.#stopped) return
      log.warn({ err: error }, `vectors of the new provider are not made yet: ${errorText(error)}`)
    }
    if (!this.#stopped) this.#cancelEmbedding = clock.after(EMBEDDING_MS, () => void this.#reembed())
  }

  view(): WorkerView {
    if (!this.#parts.works) return { state: 'off', reason: null }
    const { state, lastCrash } = this.#worker.status()
    const shed = this.#shed.has('crawls') ? this.#parts.shedFor('crawls') : null
    if (shed !== null) return { state: 'asleep', reason: shed }
    if (state === 'running') this.#blamed = null
    if (this.#blamed !== null) return { state: 'working', reason: this.#blamed }
    if (state === 'resting') return { state: 'failing', reason: lastCrash?.reason ?? null }
    return { state: state === 'stopped' ? 'asleep' : 'working', reason: null }
  }

  /**
   * The worker ended by itself while we go on: what it was working on is remembered for it. Told to end by somebody, such as the service
   * manager, it is to blame for nothing; and when the whole station ends nobody is left to ask.
   */
  #blame({ pid, signal, reason, outOfMemory }: SideDeath): boolean {
    if (signal !== null && ORDERS.has(signal)) return false
    const { log } = this.#parts
    const { jobs, catalogue, uploads } = this.#stores
    const how = outOfMemory ? because('out_of_memory', { how: reason }) : reason
    try {
      const blamed = jobs.died(`${WORKER_ROLE}:${pid}:`, how)
      const names = blamed.map(({ kind, subject }) =>
        kind === 'dispatch' ? uploads.get(subject)?.filename : catalogue.byId(Number(subject))?.filename
      )
      const known = names.filter((name) => name !== undefined)
      this.#blamed = blamed.length === 0 ? null : because('worker_again_after', { what: known, how })
      for (const { kind, subject, deaths } of blamed)
        log.warn({ kind, subject, deaths, reason: sentenceOf(how) }, 'the worker ended while it worked on this')
      return blamed.length > 0
    } catch (error) {
      log.error({ err: error }, `nobody remembers what ended the worker: ${errorText(error)}`)
      return false
    }
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
    this.#follow?.stop()
    this.#cancelEmbedding()
    this.#cancelTell?.()
    await Promise.all([this.#worker.stop(), this.#searcher.stop()])
  }

  #heard(method: string, params: unknown): void {
    // Only this program talks here.
    if (method === 'news') {
      const { detector, childPeak } = params as { detector: DetectorState; childPeak: number | null }
      this.#detector = detector
      noteChildPeak(childPeak)
    }
    this.#tell()
  }

  #tell(): void {
    const { clock, tell } = this.#parts
    if (this.#stopped) return
    this.#cancelTell ??= clock.after(this.#tellMs, () => {
      this.#cancelTell = null
      const begun = performance.now()
      tell(newsOf(this.#stores))
      // Counting a large library takes its time, and the radios wait for it: then it is done less often.
      this.#tellMs = Math.max(TELL_MS, TELL_SHARE * (performance.now() - begun))
    })
  }
}

export const workerHeapMib = ({ tuning }: Profile): number => Math.max(96, tuning.heap_mb)

const workerMemory = (profile: Profile): number => (workerHeapMib(profile) + BESIDE_HEAP_MIB) * MIB

/** The settings that decide who makes vectors. */
function embeddingOf({ knowledge }: Config): string {
  return JSON.stringify([knowledge.embedding, knowledge.llm.url, knowledge.llm.provider])
}

function newsOf({ catalogue, jobs }: Stores): KnowledgeNews {
  const counts = catalogue.counts()
  const of = (state: string): number =>
    jobs
      .counts()
      .filter((row) => row.state === state)
      .reduce((sum, { count }) => sum + count, 0)
  return { counts, running: of('running'), held: of('held'), failed: counts.failed }
}
