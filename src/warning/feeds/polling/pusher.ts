import type { LookoutEvent } from '../../../model/event.ts'
import type { Reason } from '../../../model/reason.ts'
import { sentenceOf } from '../../../model/words/sentences.ts'
import { settledWithin } from '../../../platform/clock/within.ts'
import { storageFaultOf } from '../../../platform/database/storage-fault.ts'
import { AppError, reasonOf } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { StationConfig } from '../../station-settings.ts'
import type { SourceSettings } from '../common-settings.ts'
import { deliver, type FeedArrival } from '../deliver.ts'
import type { PushKind, PushTools } from '../source.ts'
import { blankStatus, countOneMore, type SourceStatus } from '../status.ts'
import type { FeedStore, Validators } from './feed-store.ts'
import { BufferedMemory } from './memory.ts'
import { FetchRound, type FetchSetup } from './polite-fetch.ts'

/** The delay, for one write in one go, of what a source remembers without a message. */
const FLUSH_MS = 5000
const STOP_MS = 1500
/** The pause between two offers of what the disk did not take; the newest of it are kept. */
const OFFER_MS = 10_000
const MOST_KEPT = 500

export interface PusherSetup extends FetchSetup {
  store: FeedStore
  random: () => number
  log: Log
  station: () => StationConfig
  /** Absolute. */
  dataFolder: string
  families: () => ReadonlySet<string>
  accept: (arrivals: FeedArrival[]) => Promise<unknown>
  onChange: (status: SourceStatus) => void
}

export interface PushedSource {
  name: string
  kind: PushKind
  settings: SourceSettings
}

/** One source that comes by itself: opened, its messages handed on, closed. It finds its own way back after a loss. */
export class Pusher {
  readonly name: string
  readonly #s: PushedSource
  readonly #o: PusherSetup
  readonly #memory: BufferedMemory
  readonly #stop = new AbortController()
  readonly #learned = new Map<string, Validators>()
  readonly #status: SourceStatus
  #opening: Promise<void> = Promise.resolve()
  #opened: { close(): Promise<void> } | null = null
  #cancelFlush: (() => void) | null = null
  /** Messages on their way into the store: what belongs to them is not written before. */
  #accepting = 0
  /** Events that could not be stored: not every sender says them again (contract §6). */
  #unstored: { event: LookoutEvent; known: boolean }[] = []
  #cancelOffer: (() => void) | null = null
  #told = ''

  constructor(source: PushedSource, setup: PusherSetup) {
    const { name, kind } = source
    this.name = name
    this.#s = source
    this.#o = setup
    this.#memory = new BufferedMemory(setup.store, name)
    const reason = kind.missing?.(source.settings) ?? null
    const state = reason === null ? 'connecting' : 'blocked'
    this.#status = blankStatus({ name, kind: kind.kind, mode: 'push', enabled: true, state, reason, about: kind.about })
  }

  start(): void {
    if (this.#status.state !== 'blocked') this.#opening = this.#open()
    this.#tell()
  }

  status(): SourceStatus {
    return { ...this.#status, skipped_reasons: [...this.#status.skipped_reasons] }
  }

  /** Resolves within 2 s. */
  async stop(): Promise<void> {
    this.#stop.abort()
    const closing = this.#opening.then(() => this.#opened?.close())
    closing.catch((error: unknown) => this.#o.log.error({ err: error, source: this.name }, 'a source did not close'))
    await settledWithin(closing, STOP_MS, this.#o.clock)
    this.#cancelFlush?.()
    this.#cancelOffer?.()
    this.#flush()
  }

  async #open(): Promise<void> {
    try {
      this.#opened = await this.#s.kind.open(this.#s.settings, this.#tools())
    } catch (error) {
      if (!(error instanceof AppError))
        this.#o.log.error({ err: error, source: this.name }, 'a source failed unexpectedly')
      this.#report('down', reasonOf(error))
    }
  }

  #tools(): PushTools {
    const { clock, log, random, station, families, dataFolder } = this.#o
    return {
      source: this.name,
      clock,
      log: log.child({ source: this.name }),
      station,
      dataFolder,
      families,
      random,
      memory: this.#observedMemory(),
      signal: this.#stop.signal,
      accept: (events, options) => this.#accept(events, options?.known ?? false),
      fetch: async (request) => {
        const round = new FetchRound(this.#o, this.name, this.#stop.signal)
        try {
          return await round.fetch(request)
        } finally {
          this.#status.requests += round.requests
          this.#status.bytes += round.bytes
          for (const [url, validators] of round.learned) this.#learned.set(url, validators)
        }
      },
      readAny: async (body, as) =>
        (await import('../recorded.ts')).readSourceFile(body, {
          receivedAt: clock.now(),
          ...(as === undefined ? {} : { as })
        }),
      report: (state, reason) => this.#report(state, reason),
      counted: ({ bytes, refused }) => this.#counted(bytes, refused)
    }
  }

  async #accept(events: readonly LookoutEvent[], known: boolean): Promise<void> {
    this.#accepting++
    try {
      const { overrides } = this.#s.settings
      const { accept } = this.#o
      const done = await deliver(events, { accept, overrides, coldStart: known, signal: this.#stop.signal })
      this.#status.events += done.events
      for (const { reason } of done.skipped) this.#skip(reason)
      this.#status.last_change = this.#nowText()
    } catch (error) {
      if (storageFaultOf(error) !== null) this.#keep(events, known)
      throw error
    } finally {
      this.#accepting--
    }
    this.#flush()
  }

  /** Until storing works again, or this process ends; what was taken of them is known then. */
  #keep(events: readonly LookoutEvent[], known: boolean): void {
    const all = [...this.#unstored, ...events.map((event) => ({ event, known }))]
    const lost = all.length - MOST_KEPT
    if (lost > 0) this.#o.log.warn({ source: this.name, lost }, 'more came than is kept while nothing can be stored')
    this.#unstored = all.slice(-MOST_KEPT)
    this.#cancelOffer ??= this.#o.clock.after(OFFER_MS, () => this.#offer())
  }

  #offer(): void {
    this.#cancelOffer = null
    const kept = this.#unstored
    this.#unstored = []
    for (const known of [false, true]) {
      const events = kept.flatMap((one) => (one.known === known ? [one.event] : []))
      if (events.length === 0) continue
      this.#accept(events, known).catch((error: unknown) => {
        if (storageFaultOf(error) === null && !this.#stop.signal.aborted)
          this.#o.log.error({ err: error, source: this.name }, 'what was kept could not be stored')
      })
    }
  }

  #counted(bytes: number, refused: Reason | undefined): void {
    this.#status.items++
    this.#status.bytes += bytes
    this.#status.last_attempt = this.#nowText()
    if (refused === undefined) this.#status.last_ok = this.#status.last_attempt
    else {
      this.#status.error = refused
      this.#skip(refused)
    }
    this.#tell()
  }

  #skip(reason: Reason): void {
    this.#status.skipped++
    this.#status.skipped_reasons = countOneMore(this.#status.skipped_reasons, reason)
  }

  #report(state: 'connecting' | 'ready' | 'down', reason: Reason | null): void {
    const { log } = this.#o
    const was = this.#status.state
    this.#status.state = state
    this.#status.reason = reason
    if (was !== state && state === 'down')
      log.warn({ source: this.name, reason: reason === null ? null : sentenceOf(reason) }, 'a source is down')
    if (was !== state && state === 'ready') log.info({ source: this.name }, 'a source is ready')
    if (state === 'ready') this.#status.error = null
    this.#tell()
  }

  /** The source's memory, with an eye on when there is something to write. */
  #observedMemory(): PushTools['memory'] {
    return {
      get: (key) => this.#memory.get(key),
      entries: (prefix) => this.#memory.entries(prefix),
      keys: (prefix) => this.#memory.keys(prefix),
      set: (key, value) => {
        this.#memory.set(key, value)
        this.#flushSoon()
      },
      delete: (key) => {
        this.#memory.delete(key)
        this.#flushSoon()
      }
    }
  }

  #flushSoon(): void {
    this.#cancelFlush ??= this.#o.clock.after(FLUSH_MS, () => {
      this.#cancelFlush = null
      if (this.#accepting > 0) this.#flushSoon()
      else this.#flush()
    })
  }

  /** Addresses are remembered with what was made of their answers, so that a reader that failed reads them again. */
  #flush(): void {
    if (this.#accepting > 0 || this.#unstored.length > 0 || !this.#memory.changed) return
    const urls = new Map(this.#learned)
    this.#learned.clear()
    try {
      this.#o.store.save(this.name, { urls, memory: this.#memory.takeChanges() }, this.#o.clock.now())
    } catch (error) {
      this.#o.log.error({ err: error, source: this.name }, 'what a source remembers could not be stored')
    }
  }

  #nowText(): string {
    return new Date(this.#o.clock.now()).toISOString()
  }

  #tell(): void {
    const { state, reason, error } = this.#status
    const now = JSON.stringify([state, reason, error])
    if (now === this.#told) return
    this.#told = now
    this.#o.onChange(this.status())
  }
}
