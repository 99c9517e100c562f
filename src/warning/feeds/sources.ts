import { familyKeys } from '../../model/families.ts'
import { because, type Reason } from '../../model/reason.ts'
import { AppError, reasonOf } from '../../platform/errors.ts'
import type { WarningConfig } from '../settings.ts'
import { kindOf } from './create.ts'
import { Connectivity } from './polling/connectivity.ts'
import { HostQueue } from './polling/host-queue.ts'
import { readingOf } from './polling/poll-history.ts'
import { Poller } from './polling/poller.ts'
import type { PollerSetup, PollOrder } from './polling/poller-setup.ts'
import { Pusher } from './polling/pusher.ts'
import { userAgent } from './polling/user-agent.ts'
import { KNOWN_KINDS, type SourceConfig, sourceName } from './settings.ts'
import { blankStatus, type SourceStatus } from './status.ts'

export interface SourcesSetup
  extends Omit<
    PollerSetup,
    'hosts' | 'connectivity' | 'station' | 'coverage' | 'families' | 'coldStartGraceMs' | 'userAgent'
  > {
  /** Absolute: relative paths in settings begin here. */
  dataFolder: string
  config: () => WarningConfig
  /** Hears of every new configuration; answers how to stop listening. */
  onConfigChange: (listener: () => void) => () => void
  /** Finds a reader; another one in tests. */
  kindOf?: typeof kindOf
}

/** A kind there is, whether a source of it is configured or not. */
export interface KindStatus {
  kind: string
  mode: 'poll' | 'push'
  title: string
  about: string
  /** `off`: no source of this kind is configured and enabled. */
  state: 'off' | 'in use'
}

interface Running {
  entry: SourceConfig
  runner: Poller | Pusher | null
  /** While there is no runner: why. */
  reason: Reason | null
}

/** All configured sources: each is started, changed and stopped by itself as the configuration changes. */
export class Sources {
  readonly #o: SourcesSetup
  readonly #shared: Omit<PollerSetup, keyof SourcesSetup> & Pick<PollerSetup, 'hosts' | 'connectivity'>
  readonly #running = new Map<string, Running>()
  readonly #connectivity: Connectivity
  #queue: Promise<void> = Promise.resolve()
  #stopListening: () => void = () => undefined
  #started = false
  #stopped = false

  constructor(setup: SourcesSetup) {
    const { clock, random, log, config, version } = setup
    this.#o = setup
    this.#connectivity = new Connectivity({
      clock,
      random,
      onChange: (offline) => {
        if (offline) log.warn('no feed can be reached: one of them is asked each minute until the network is back')
        else log.info('feeds can be reached again')
      }
    })
    this.#shared = {
      hosts: new HostQueue(),
      connectivity: this.#connectivity,
      station: () => config().station,
      coverage: () => config().coverage,
      families: () => familyKeys(config().families),
      coldStartGraceMs: () => config().notifications.cold_start_grace_seconds * 1000,
      userAgent: () => userAgent(version, config().station.contact)
    }
  }

  /** Begins with what is configured, and follows every change. */
  start(): void {
    this.#started = true
    this.#stopListening = this.#o.onConfigChange(() => this.#follow())
    this.#follow()
  }

  /** Every configured source, in the order of the configuration. */
  list(): SourceStatus[] {
    return this.#o.config().sources.map((entry) => {
      const running = this.#running.get(sourceName(entry))
      return running?.runner?.status() ?? idleStatus(entry, this.#idleReason(entry, running))
    })
  }

  kinds(): KindStatus[] {
    const used = new Set(this.#o.config().sources.flatMap(({ kind, enabled }) => (enabled ? [kind as string] : [])))
    return KNOWN_KINDS.map((known) => ({ ...known, state: used.has(known.kind) ? 'in use' : 'off' }))
  }

  /** Asks one source now. @throws AppError `not-found`, or `conflict` for one that is off or comes by itself. */
  poll(name: string): PollOrder {
    const entry = this.#o.config().sources.find((one) => sourceName(one) === name)
    if (entry === undefined) throw new AppError('not-found', because('source_unknown', { source: name }))
    const running = this.#running.get(name)
    if (running?.runner instanceof Poller) return running.runner.pollNow()
    if (running?.runner instanceof Pusher)
      throw new AppError('conflict', because('source_sends_itself', { source: name }))
    throw new AppError('conflict', because('source_is_off', { source: name, why: this.#idleReason(entry, running) }))
  }

  /** Gives up what is under way; resolves within 2 s. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    this.#connectivity.stop()
    await Promise.all([...this.#running.values()].map(({ runner }) => runner?.stop()))
  }

  #idleReason(entry: SourceConfig, running: Running | undefined): Reason {
    if (!entry.enabled) return because('source_off')
    if (!this.#started) return because('nothing_asked')
    return running?.reason ?? because('being_started')
  }

  /** One change after the other: a source is stopped before its successor starts. */
  #follow(): void {
    this.#queue = this.#queue
      .then(() => this.#reconcile())
      .catch((error: unknown) => this.#o.log.error({ err: error }, 'the sources could not follow the configuration'))
  }

  async #reconcile(): Promise<void> {
    const wanted = new Map(
      this.#o.config().sources.flatMap((entry) => (entry.enabled ? [[sourceName(entry), entry]] : []))
    )
    for (const [name, { entry, runner }] of [...this.#running]) {
      const next = wanted.get(name)
      if (next !== undefined && JSON.stringify(next) === JSON.stringify(entry)) {
        if (runner instanceof Poller) runner.configChanged()
        wanted.delete(name)
        continue
      }
      await runner?.stop()
      this.#running.delete(name)
      if (next !== undefined) await this.#begin(name, next, isKnown(runner, entry, next))
      wanted.delete(name)
    }
    for (const [name, entry] of wanted) await this.#begin(name, entry, false)
  }

  async #begin(name: string, entry: SourceConfig, known: boolean): Promise<void> {
    if (this.#stopped) return
    const running: Running = { entry, runner: null, reason: null }
    this.#running.set(name, running)
    try {
      const kind = await (this.#o.kindOf ?? kindOf)(entry.kind)
      if (this.#stopped) return
      const setup = { ...this.#o, ...this.#shared }
      const source = { name, settings: entry, known }
      running.runner =
        kind.mode === 'poll' ? new Poller({ ...source, kind }, setup) : new Pusher({ ...source, kind }, setup)
      running.runner.start()
    } catch (error) {
      running.reason = because('cannot_be_started', { why: reasonOf(error) })
      this.#o.log.error({ err: error, source: name }, 'a source cannot be started')
    }
  }
}

/** True when a successor reads the same listings: then what they say is news for it, not the past. */
function isKnown(runner: Poller | Pusher | null, before: SourceConfig, after: SourceConfig): boolean {
  return runner instanceof Poller && runner.known && readingOf(before) === readingOf(after)
}

function idleStatus(entry: SourceConfig, reason: Reason): SourceStatus {
  const known = KNOWN_KINDS.find(({ kind }) => kind === entry.kind)
  return blankStatus({
    name: sourceName(entry),
    kind: entry.kind,
    mode: known?.mode ?? 'poll',
    enabled: entry.enabled,
    state: 'off',
    reason,
    about: known?.about ?? ''
  })
}
