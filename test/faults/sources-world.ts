import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { pino } from 'pino'
import * as v from 'valibot'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { type Config, configSchema } from '../../src/settings/schema.ts'
import { Core } from '../../src/station/core.ts'
import { NO_ZONE_SHAPES } from '../../src/warning/coverage/zones.ts'
import { kindOf } from '../../src/warning/feeds/create.ts'
import type { FeedChanges, FeedStore, PollState } from '../../src/warning/feeds/polling/feed-store.ts'
import type { Transport } from '../../src/warning/feeds/polling/polite-fetch.ts'
import type { PollTools, PushKind, SourceKind } from '../../src/warning/feeds/source.ts'
import { Sources } from '../../src/warning/feeds/sources.ts'
import { Chronicle } from './chronicle.ts'
import { DAY_START, PROVIDED } from './sources-bodies.ts'

/** The sources of the day on a clock that jumps from one timer to the next, with the rest of the walk behind them. */

export const CONTACT = 'ops@valley.example'
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** One poll as the source made it. */
export interface Poll {
  source: string
  at: number
  /** Reading goes on beside the clock: requests of a poll may come later than its beginning. Absent: it goes on. */
  until?: number
  /** The number of the program's life. */
  life: number
  outcome: 'ok' | 'unchanged' | 'failed'
  requests: { url: string; conditional: boolean }[]
}

/** Of 20 ms: a listing of megabytes takes seconds on a busy machine. */
const SETTLE_ROUNDS = 500

export interface WorldOptions {
  /** Carries a request; what it answers with is up to the test. */
  transport: Transport
  random: () => number
  /** Sources that are left out: nothing is recorded of them here. */
  without: ReadonlySet<string>
  intervalFactor?: number
}

/** Its timers are of whole milliseconds, as those of Node are. */
class WholeClock extends VirtualClock {
  override after(ms: number, task: () => void): () => void {
    return super.after(Math.ceil(ms), task)
  }
}

export class World {
  readonly clock = new WholeClock(DAY_START)
  readonly polls = new Chronicle<Poll>()
  /** `source|id` of what ended, and why it was told. */
  readonly ended = new Set<string>()
  readonly errors: string[] = []
  readonly minMs = new Map<string, number>()
  /** Sources of warnings, by name. */
  readonly warning = new Set<string>()
  events = 0
  life = 0
  readonly #o: WorldOptions
  readonly #config: Config
  readonly #folder = mkdtempSync(join(tmpdir(), 'lookout-sources-'))
  #core: Core | null = null
  #sources: Sources | null = null
  #store: MortalStore | null = null
  #flying = 0

  constructor(options: WorldOptions) {
    this.#o = options
    const sources = PROVIDED.map(({ source }) => source).filter(({ kind }) => !options.without.has(String(kind)))
    this.#config = v.parse(configSchema, { station: { contact: CONTACT }, sources })
  }

  async open(): Promise<void> {
    const core = await Core.open({
      databasePath: join(this.#folder, 'lookout.db'),
      config: () => this.#config,
      configFor: () => this.#config,
      zones: NO_ZONE_SHAPES,
      radios: [],
      clock: this.clock,
      log: this.#log(),
      commitWindowMs: 0,
      transmit: false,
      retentionDays: { events: 30, deliveries: 30, traces: 14 }
    })
    core.observers.on('decided', ({ event, duplicate }) => {
      if (!duplicate) this.events++
      if (event.lifecycle === 'cancel' || event.lifecycle === 'expire') this.ended.add(`${event.source}|${event.id}`)
    })
    this.#core = core
  }

  /** Starts the sources on what the last life left; resolves when their readers are loaded. */
  async begin(): Promise<void> {
    const core = this.#core
    if (core === null) throw new Error('not open')
    this.life++
    this.#store = new MortalStore(core.sourceStore)
    this.#sources = new Sources({
      config: () => this.#config,
      onConfigChange: () => () => undefined,
      dataFolder: this.#folder,
      store: this.#store,
      accept: (arrivals) => core.accept(arrivals),
      inForce: () => [],
      transport: (request) => this.#carry(request),
      intervalFactor: this.#o.intervalFactor ?? 1,
      version: '1.0.0',
      startedAt: this.clock.now(),
      clock: this.clock,
      random: this.#o.random,
      log: this.#log(),
      onChange: () => undefined,
      kindOf: async (kind) => this.#watched(await kindOf(kind))
    })
    this.#sources.start()
    while (this.status().some(({ state }) => state === 'off')) await new Promise((resolve) => setTimeout(resolve, 1))
  }

  /** Killed: nothing is written any more. Stopped: as a service manager does it. */
  async end(how: 'killed' | 'stopped'): Promise<void> {
    if (how === 'killed') this.#store?.die()
    await this.#finish(this.#sources?.stop(), 5000)
    await this.#idle()
  }

  async close(): Promise<void> {
    await this.end('stopped')
    await this.#finish(this.#core?.close(), 0)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  status() {
    return this.#sources?.list() ?? []
  }

  /** Runs every timer until `time`; what goes over the network takes no time of this clock. */
  async runTo(time: number): Promise<void> {
    for (;;) {
      await this.#idle()
      const next = this.clock.nextAt
      if (next === null || next > time) break
      await this.clock.runTo(next)
    }
    await this.clock.runTo(time)
  }

  /** Listings are read in steps beside the clock: those that need no time of it are read to their end. */
  async settle(): Promise<void> {
    for (let round = 0; round < SETTLE_ROUNDS; round++) {
      await this.#idle()
      if (!this.polls.some(({ until }) => until === undefined)) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** MiB of the heap in use after collecting. */
  async heap(): Promise<number> {
    for (let round = 0; round < 2; round++) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      collect()
    }
    return process.memoryUsage().heapUsed / 2 ** 20
  }

  async #carry(request: Parameters<Transport>[0]): ReturnType<Transport> {
    this.#flying++
    try {
      return await this.#o.transport(request)
    } finally {
      this.#flying--
    }
  }

  /** The end of something may wait for the clock, however late it begins to: after so long without it time goes on. */
  async #finish(work: Promise<void> | undefined, patienceMs: number): Promise<void> {
    let isOver = work === undefined
    const over = work?.finally(() => {
      isOver = true
    })
    for (const begun = Date.now(); !isOver; await new Promise((resolve) => setTimeout(resolve, 1)))
      if (Date.now() - begun >= patienceMs) await this.clock.runTo(this.clock.now() + 1000)
    await over
  }

  async #idle(): Promise<void> {
    for (let calm = 0; calm < 8; calm = this.#flying > 0 ? 0 : calm + 1)
      await new Promise((resolve) => setImmediate(resolve))
  }

  #log() {
    return pino({ level: 'error' }, { write: (line: string) => void this.errors.push(line.trim()) })
  }

  #watched(kind: SourceKind | PushKind): SourceKind | PushKind {
    if (kind.mode === 'push') return kind
    return { ...kind, poll: (settings, tools) => this.#watch(kind, settings, tools) }
  }

  async #watch(
    kind: SourceKind,
    settings: Parameters<SourceKind['poll']>[0],
    tools: PollTools
  ): ReturnType<SourceKind['poll']> {
    const poll: Poll = { source: tools.source, at: tools.receivedAt, life: this.life, outcome: 'failed', requests: [] }
    this.polls.add(poll)
    this.minMs.set(tools.source, kind.minIntervalSeconds * 1000)
    if (kind.warns === true) this.warning.add(tools.source)
    try {
      const reading = await kind.poll(settings, {
        ...tools,
        fetch: (request) => {
          poll.requests.push({ url: request.url, conditional: request.conditional !== false })
          return tools.fetch(request)
        }
      })
      poll.outcome = reading === 'unchanged' ? 'unchanged' : 'ok'
      return reading
    } finally {
      poll.until = this.clock.now()
    }
  }
}

/** A store that a killed process can no longer write to. */
class MortalStore implements FeedStore {
  readonly #store: FeedStore
  #alive = true

  constructor(store: FeedStore) {
    this.#store = store
  }

  die(): void {
    this.#alive = false
  }

  state(source: string) {
    return this.#store.state(source)
  }

  validators(source: string, url: string) {
    return this.#store.validators(source, url)
  }

  recall(source: string, key: string): unknown {
    return this.#store.recall(source, key)
  }

  recallAll(source: string, prefix: string): [key: string, value: unknown][] {
    return this.#store.recallAll(source, prefix)
  }

  recallKeys(source: string, prefix: string): string[] {
    return this.#store.recallKeys(source, prefix)
  }

  save(source: string, changes: FeedChanges, now: number): void {
    if (this.#alive) this.#store.save(source, changes, now)
  }

  keep(source: string, state: PollState, now: number): void {
    if (this.#alive) this.#store.keep(source, state, now)
  }

  forget(source: string): void {
    if (this.#alive) this.#store.forget(source)
  }

  forgetUrls(source: string): void {
    if (this.#alive) this.#store.forgetUrls(source)
  }
}
