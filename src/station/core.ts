import type { CoreSetup } from '../cli/verb.ts'
import type { LiveTopics, RadioStatus } from '../dashboard/server/context.ts'
import { CONTENT_TRAITS } from '../model/content.ts'
import type { LookoutEvent } from '../model/event.ts'
import type { Loop } from '../platform/clock/pulse.ts'
import { drain } from '../platform/clock/slices.ts'
import { Observers } from '../platform/observers.ts'
import { Locator } from '../warning/coverage/locator.ts'
import { sourceName } from '../warning/feeds/settings.ts'
import type { AirtimeAhead } from '../warning/outbox/airtime-ahead.ts'
import { bytesAirtimeMs } from '../warning/outbox/airtime-budget.ts'
import type { Planned } from '../warning/outbox/airtime-plans.ts'
import { Alarms } from '../warning/outbox/alarms.ts'
import { ByTime } from '../warning/outbox/by-time.ts'
import type { NewText } from '../warning/outbox/delivery.ts'
import { DeliveryList } from '../warning/outbox/delivery-list.ts'
import { Holds } from '../warning/outbox/holds.ts'
import { pruneStamps } from '../warning/outbox/identities.ts'
import { Ledger } from '../warning/outbox/ledger.ts'
import { NetworkQueue } from '../warning/outbox/network-queue.ts'
import { Outbox } from '../warning/outbox/outbox.ts'
import { previewText } from '../warning/outbox/preview.ts'
import { RadioQueues } from '../warning/outbox/radio-queues.ts'
import type { RowChanges } from '../warning/outbox/row-changes.ts'
import type { RowSources } from '../warning/outbox/row-text.ts'
import { SecondLook } from '../warning/outbox/second-look.ts'
import { SourceStore } from '../warning/outbox/source-store.ts'
import { Standby, standbyMs } from '../warning/outbox/standby.ts'
import { StandbyByIp } from '../warning/outbox/standby-by-ip.ts'
import type { LedgerStorage, ToldFromMemory } from '../warning/outbox/storage.ts'
import { blockedBy, heldBecause } from '../warning/outbox/turn.ts'
import { Waiting } from '../warning/outbox/waiting.ts'
import { Waypoints } from '../warning/outbox/waypoints.ts'
import { Pipeline } from '../warning/pipeline.ts'
import { Places } from '../warning/places.ts'
import type { Radio, RadioHealth } from '../warning/radios/radio.ts'
import { Reactions } from '../warning/reactions.ts'
import type { Problem } from '../warning/readiness/problem.ts'
import type { Accepted, Arrival } from '../warning/routing/accepted.ts'
import type { BacktestReport } from '../warning/routing/backtest.ts'
import type { PlannedSend } from '../warning/routing/decision.ts'
import { type Explanation, explainSteps } from '../warning/routing/explain.ts'
import { Lineage } from '../warning/routing/lineage.ts'
import { isGraveAndLost } from '../warning/routing/lost.ts'
import { namedChannels } from '../warning/routing/named-channels.ts'
import type { RegionRoutes } from '../warning/routing/settings.ts'
import { withRegions } from '../warning/routing/tagged.ts'
import { tryMatrix } from '../warning/try-matrix.ts'
import { threadFor, type WalkStores } from '../warning/walk.ts'
import { openStorage } from './core-storage.ts'
import { healthBehind, radioStatus } from './radio-details.ts'
import { LESSONS, zoneLessons } from './zone-lessons.ts'

const SWEEP_EVERY_MS = 30_000
/** Events come first: between two slices of tidying there is room for them. */
const TIDY_ON_MS = 500

/** The walk from an event to a radio, whole: used by `start`, `replay`, the bench and the tests alike. */
export class Core {
  readonly observers: Observers<LiveTopics>
  readonly ledger: Ledger
  readonly deliveries: DeliveryList
  readonly waiting: Waiting
  /** The memory of sources from poll to poll. */
  readonly sourceStore: SourceStore
  readonly pipeline: Pipeline
  readonly reactions: Reactions
  readonly storage: LedgerStorage
  readonly byIp: StandbyByIp
  readonly #o: CoreSetup
  readonly #outbox: Outbox
  readonly #changes: Observers<RowChanges>
  readonly #holds: Holds
  readonly #secondLook: SecondLook
  readonly #queues: RadioQueues
  readonly #network: NetworkQueue
  readonly #locator: Locator
  readonly #places: Places
  readonly #walk: WalkStores
  readonly #cancelTimers: (() => void)[] = []
  #cancelTidying: () => void = () => undefined

  static async open(options: CoreSetup): Promise<Core> {
    const core: Core = new Core(await openStorage(options, () => core), options)
    return core
  }

  private constructor(storage: LedgerStorage, options: CoreSetup) {
    const [{ clock, log }, { db }] = [options, storage]
    this.#o = options
    this.storage = storage
    this.observers = new Observers((error) => log.error({ err: error }, 'an observer failed'))
    this.#changes = new Observers((error) => log.error({ err: error }, 'what follows a message failed unexpectedly'))
    this.ledger = new Ledger(db, (event) => storage.knownOnDisk(event))
    this.deliveries = new DeliveryList(db, () => clock.now())
    this.sourceStore = new SourceStore(db)
    const lessons = zoneLessons(this.sourceStore, options)
    this.#locator = new Locator(lessons.zones)
    this.#places = new Places({ locator: this.#locator, lessons, configFor: options.configFor })
    this.#outbox = new Outbox({
      db,
      now: () => clock.now(),
      ledger: this.ledger,
      coalesceSeconds: () => options.config().notifications.coalesce_seconds,
      standbyMs: (severity) =>
        standbyMs(options.config().notifications.standby, severity, { now: clock.now(), random: options.random }),
      heldBecause: (transport) => heldBecause(options.radios, transport),
      onChange: (delivery) => this.#changes.tell('row', delivery),
      onThread: (threadId) => this.#changes.tell('thread', threadId)
    })
    this.waiting = new Waiting(db, this.#outbox)
    const common = { ...options, db, ledger: this.ledger, deliveries: this.deliveries, outbox: this.#outbox }
    const sources: RowSources = { ...common, places: this.#places }
    const later = { waiting: this.waiting, changes: this.#changes }
    const shared = { ...common, ...later, sources, standby: new Standby(common) }
    this.reactions = new Reactions({
      ...shared,
      storage,
      healthOf: (radio) => this.healthOf(radio),
      hasRoom: (network) => this.#queues.hasRoom(network, clock.now()),
      onError: (error) => log.error({ err: error }, 'what follows a message failed unexpectedly')
    })
    this.#queues = new RadioQueues({
      ...shared,
      waypoints: new Waypoints(common),
      enabled: () => options.config().notifications.enabled,
      alarms: new Alarms(db, () => options.config().notifications.mt_alert),
      replyShare: () => options.config().commands.reply_airtime_percent / 100,
      onError: (error, delivery) => log.error({ err: error, delivery: delivery?.id }, 'sending failed unexpectedly')
    })
    this.byIp = new StandbyByIp({
      ...shared,
      store: (work) => db.transaction(work),
      wake: () => this.#wake(),
      onError: (error) => log.error({ err: error }, 'other stations could not be asked')
    })
    this.#holds = new Holds({
      ...shared,
      onError: (error) => log.error({ err: error }, 'what was held could not be let go')
    })
    this.#network = new NetworkQueue({
      ...shared,
      store: (work) => this.storage.db.transaction(work),
      onError: (error, delivery) =>
        log.error({ err: error, delivery: delivery.id }, 'a network delivery failed unexpectedly')
    })
    // As soon as anything is stored, whether it is sent or not (`start`).
    this.#changes.on('row', (row) => storage.told(row))
    this.#changes.on('row', (row) => this.observers.tell('delivery', row))
    this.#changes.on('ready', () => this.#wake())
    this.#walk = {
      configFor: options.configFor,
      places: this.#places,
      ledger: this.ledger,
      outbox: this.#outbox,
      clock,
      reactions: this.reactions,
      lineage: new Lineage(this.ledger)
    }
    this.pipeline = new Pipeline({
      stores: this.#walk,
      transaction: (work) => storage.commit(work),
      group: db,
      look: () => storage.look(),
      refusal: () => storage.refusal(),
      commitWindowMs: options.commitWindowMs,
      inSlices: options.inSlices ?? true,
      onDecided: (accepted) => {
        storage.remember(accepted)
        const { source, id } = accepted.event
        if (isGraveAndLost(accepted))
          log.warn({ source, id }, 'nobody can tell where a grave warning is: sent to nobody')
        this.observers.tell('decided', accepted)
      },
      beforeCommit: () => {
        if (options.transmit) this.#queues.prepare()
      },
      onCommitted: (stored) => {
        storage.committed()
        if (stored) options.report?.written(clock.now())
        this.#wake()
      }
    })
    this.#secondLook = new SecondLook({
      clock,
      byTime: new ByTime(db),
      decideAnew: (stored, why) => this.pipeline.decideAnew(stored, why),
      onBehind: (ms) => options.report?.clockJumped(-Math.round(ms / 1000), clock.now()),
      onError: (error) => log.error({ err: error }, 'what a wrong clock kept back could not be decided anew')
    })
  }

  /** The time of the newest event that is stored; null when none ever came. */
  newestEventAt(): number | null {
    return new ByTime(this.storage.db).newest()
  }

  /** The wall clock was set: what a wrong time kept from being told is decided anew, and what sources left out is read again. */
  clockSet(): void {
    this.sourceStore.readAllAnew()
    this.#secondLook.clockSet()
    this.#holds.release()
  }

  /** Takes up what the last run left, then starts the queues. Radios connect in their own time. */
  start(): void {
    const now = this.#o.clock.now()
    if (this.#secondLook.mayForget()) this.#outbox.guards.prune(now)
    if (!this.#o.transmit) return
    const recovered = this.waiting.recover(now)
    if (recovered.offeredAgain + recovered.closed > 0)
      this.#o.log.warn(recovered, 'messages were cut off while transmitting')
    this.#queues.start(now)
    this.#network.start()
    this.reactions.start()
    this.#holds.start()
    this.byIp.start()
    this.#secondLook.start()
    this.#every(SWEEP_EVERY_MS, () => {
      if (this.waiting.expireOverdue(this.#o.clock.now()) > 0) this.#wake()
      this.#queues.listened()
      this.#holds.release()
    })
  }

  /** Removes what is older than its retention; run by the schedule, hourly. A storm's share goes in slices. */
  tidy(): void {
    this.#cancelTidying()
    if (this.storage.fault !== null || !this.#secondLook.mayForget()) return
    const some = this.reactions.prune(this.#o.clock.now())
    if (this.ledger.prune(this.#o.clock.now(), this.#o.retentionDays) || some)
      this.#cancelTidying = this.#o.clock.after(TIDY_ON_MS, () => this.tidy())
    pruneStamps(this.storage.db, this.#o.clock.now())
    this.sourceStore.prune(this.#o.clock.now(), new Set([LESSONS, ...this.#o.config().sources.map(sourceName)]))
  }

  /** The watchdog's loops; of radios once they have started. */
  loops(): readonly Loop[] {
    return [this.pipeline, ...this.#queues.loops]
  }

  accept(arrivals: Arrival[]): Promise<Accepted[]> {
    this.#o.report?.eventsCame(this.#o.clock.now())
    return this.pipeline.accept(arrivals)
  }

  /** Puts a finished text into the outbox, a scheduled broadcast or a test; answers the id of its delivery. */
  addText(text: NewText): number {
    if (CONTENT_TRAITS[text.kind].needsStorage) this.storage.demand()
    const id = this.#outbox.addText(text)
    this.#wake()
    return id
  }

  /** Takes out what the demo left; true while something of it is still on its way to a radio. */
  forgetDemo(): boolean {
    const more = this.ledger.demo.remove()
    this.#walk.lineage.forget()
    return more
  }

  /** Outlines of zones have changed: regions are computed anew with the next event. */
  zonesChanged(): void {
    this.#places.forget()
  }

  explain(event: LookoutEvent, matrix?: RegionRoutes): Explanation {
    return drain(this.explainSteps(event, matrix))
  }

  *explainSteps(event: LookoutEvent, matrix?: RegionRoutes): Generator<void, Explanation> {
    const { notifications, station } = this.#o.configFor(event)
    const location = this.#places.where(event)
    yield
    const { threadId, trace } = threadFor(withRegions(event, location), this.#walk)
    return yield* explainSteps(
      { ...event, thread_id: threadId },
      {
        notifications,
        timezone: station.timezone,
        matrix,
        view: this.#outbox.guards,
        now: this.#o.clock.now(),
        locate: () => ({ ...location, trace: [...trace, ...location.trace] }),
        preview: (located, send) => this.#preview(located, send),
        blocked: (send) => blockedBy(this.#o.radios, send)
      }
    )
  }

  /** `pace` is called between two small steps: a week of events must not keep the radios waiting. */
  backtest(matrix: RegionRoutes, since: number, until: number, pace?: () => Promise<void>): Promise<BacktestReport> {
    const { config, radios } = this.#o
    const stores = { config: config(), radios, ledger: this.ledger, locator: this.#locator }
    return tryMatrix(matrix, { since, until }, stores, pace)
  }

  /** Time-on-air of a text to a channel of this network; 0 without a radio of it. Milliseconds. */
  airtimeMs(network: 'mt' | 'mc', bytes: number): number {
    const radio = this.#o.radios.find(({ description }) => description.network === network)
    return radio === undefined ? 0 : bytesAirtimeMs(bytes, false, radio.description)
  }

  /** The problems of the station now, as far as somebody judges it. */
  problems(): readonly Problem[] {
    return this.#o.problems?.() ?? []
  }

  radioStatus(): RadioStatus[] {
    const named = namedChannels(this.#o.config().notifications)
    return this.#o.radios.map((radio) => {
      const { network } = radio.description
      return radioStatus(radio, {
        health: this.healthOf(radio),
        named: named[network],
        waiting: this.waiting.open(network),
        airtime: this.#queues.airtimeOf(radio, this.#o.clock.now())
      })
    })
  }

  /** See `RadioQueues.airtimeAhead`; one radio after the other. */
  async airtimeAhead(planned: readonly Planned[]): Promise<AirtimeAhead[]> {
    const ahead: AirtimeAhead[] = []
    const now = this.#o.clock.now()
    for (const radio of this.#o.radios) ahead.push(await this.#queues.airtimeAhead(radio, planned, now))
    return ahead
  }

  /** A radio that was chosen while the station runs; it stands in the list of radios already. */
  takeRadio(radio: Radio): void {
    this.#queues.take(radio, this.#o.clock.now())
    this.reactions.listen(radio)
  }

  /** A radio that is no longer configured, and no longer in the list: its queue ends, `closed` closes it. */
  dropRadio(radio: Radio, closed: () => Promise<void>): Promise<void> {
    this.reactions.ignore(radio)
    return this.#queues.drop(radio, closed)
  }

  /** The health of a radio, as its link and its answers to texts tell. */
  healthOf(radio: Radio): RadioHealth {
    return healthBehind(radio.health(), this.#queues.silentSince(radio))
  }

  async close(): Promise<void> {
    this.#cancelTidying()
    for (const cancel of this.#cancelTimers.splice(0)) cancel()
    this.reactions.stop()
    this.#holds.stop()
    this.byIp.close()
    this.#secondLook.stop()
    this.pipeline.flush()
    await Promise.all([this.#queues.close(), this.#network.close()])
    this.storage.close()
  }

  /** Lets go on what waits on the disk, but for what is older than its channel was told from memory. */
  storedAgain(told: readonly ToldFromMemory[]): void {
    this.waiting.supersede(told)
    this.#queues.resume()
    this.#network.wake()
    this.#secondLook.rescued()
  }

  #wake(): void {
    if (!this.#o.transmit) return
    this.#queues.wake()
    this.#network.wake()
  }

  #every(ms: number, task: () => void): void {
    const index = this.#cancelTimers.length
    const again = (): void => {
      this.#cancelTimers[index] = this.#o.clock.after(ms, () => {
        task()
        again()
      })
    }
    again()
  }

  #preview(event: LookoutEvent, send: PlannedSend): { text: string; airtimeMs: number } | null {
    const { configFor, radios, clock } = this.#o
    return previewText(event, send, { config: configFor(event), radios, ledger: this.ledger, nowMs: clock.now() })
  }
}
