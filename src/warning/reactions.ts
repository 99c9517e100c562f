import type { LookoutEvent } from '../model/event.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { ClaimOffer, CommandContext, HotspotSwitch, Library } from './commands/ask.ts'
import { CommandHandler } from './commands/handler.ts'
import { CommandJournal, type GivenCommand } from './commands/journal.ts'
import { Latecomers } from './commands/latecomers.ts'
import { type PeopleInside, type PlacedNode, peopleInside, placedNodes } from './commands/who.ts'
import { insideOf } from './coverage/inside.ts'
import type { ZoneShapes } from './coverage/zones.ts'
import { sanitise } from './messages/sanitise.ts'
import { type Ack, AckStore } from './outbox/ack-store.ts'
import type { DeliveryList } from './outbox/delivery-list.ts'
import { Fallbacks } from './outbox/fallbacks.ts'
import { FollowUps, type FollowUpView } from './outbox/follow-ups.ts'
import type { Ledger } from './outbox/ledger.ts'
import type { Outbox } from './outbox/outbox.ts'
import { PinnedKeys } from './outbox/pinned-keys.ts'
import { Reminders } from './outbox/reminders.ts'
import type { ChangesListener, ChangesTeller } from './outbox/row-changes.ts'
import type { RowSources } from './outbox/row-text.ts'
import type { NewSilence, SilenceStore, StoredSilence } from './outbox/silence-store.ts'
import { silenceRows } from './outbox/silenced-rows.ts'
import type { Standby } from './outbox/standby.ts'
import type { LedgerStorage } from './outbox/storage.ts'
import type { Waiting } from './outbox/waiting.ts'
import type { InboundText, MeshNode, Radio, RadioHealth } from './radios/radio.ts'
import type { Problem } from './readiness/problem.ts'
import type { Decision, PlannedFallback } from './routing/decision.ts'
import { planEscalation } from './routing/escalate.ts'
import type { EscalationStep } from './routing/settings.ts'
import { applySilences, unsilencedRegions } from './routing/silences.ts'
import type { WarningConfig } from './settings.ts'
import { Silencing } from './silencing.ts'

export interface ReactionsOptions {
  db: Database
  storage: Pick<LedgerStorage, 'commit' | 'fault'>
  clock: Clock
  config: () => WarningConfig
  configFor: (event: LookoutEvent) => WarningConfig
  ledger: Ledger
  deliveries: DeliveryList
  outbox: Outbox
  waiting: Waiting
  radios: readonly Radio[]
  zones: ZoneShapes
  sources: Pick<RowSources, 'places'>
  /** See `RemindersOptions`. */
  hasRoom: (network: 'mt' | 'mc') => boolean
  /** The state of a radio, as its texts tell it too. */
  healthOf: (radio: Radio) => RadioHealth
  changes: ChangesListener & ChangesTeller
  /** A text from the mesh, or a step, could not be dealt with. */
  onError: (error: unknown) => void
  /** For `!ask`; absent where the profile runs without knowledge. */
  library?: Library
  /** For `!hotspot`; absent where there is none. */
  hotspot?: HotspotSwitch
  /** For `!claim`; absent where there is none. */
  claim?: ClaimOffer
  /** Of several stations. */
  standby: Standby
  /** See `CommandContext`; absent where nobody judges the station. */
  problems?: () => readonly Problem[]
}

const DAY_MS = 86_400_000
const REASON_CHARACTERS = 200
const EVERYTHING = { family: null, threadId: null }

/**
 * The life after a message: somebody acknowledges, asks or silences; nobody does, and it is told again; a network
 * fails.
 */
export class Reactions {
  readonly silences: Pick<SilenceStore, 'active' | 'add' | 'end'>
  readonly acks: AckStore
  /** Keys of admins' nodes. */
  readonly keys: PinnedKeys
  readonly #o: ReactionsOptions
  readonly #fallbacks: Fallbacks
  readonly #followUps: FollowUps
  readonly #reminders: Reminders
  readonly #journal: CommandJournal
  readonly #commands: CommandHandler
  readonly #silencing: Silencing
  readonly #latecomers: Latecomers
  #unsubscribe: (() => void)[] = []
  readonly #listening = new Map<Radio, () => void>()

  constructor(options: ReactionsOptions) {
    const { db, clock, config, ledger, outbox } = options
    const wake = (): void => options.changes.tell('ready', null)
    const shared = { db, ledger, outbox, clock, onSent: wake, onError: options.onError }
    this.#o = options
    const store = outbox.guards.silenceStore
    this.silences = {
      active: (now) => store.active(now),
      end: (id, by, now) => store.end(id, by, now),
      add: (silence) => this.#silence(silence)
    }
    this.acks = new AckStore(db)
    this.#fallbacks = new Fallbacks({ ...shared, blocked: (event) => this.#blocked(event) })
    this.#followUps = new FollowUps({
      ...shared,
      escalationOf: (event) => options.configFor(event).notifications.escalation[event.family],
      plan: (event, step, number) => this.#plan(event, step, number),
      blocked: (event) => this.#blocked(event)
    })
    this.#reminders = new Reminders({ ...shared, config, places: options.sources.places, hasRoom: options.hasRoom })
    this.#silencing = new Silencing(options)
    this.#journal = new CommandJournal(db)
    this.keys = new PinnedKeys(db)
    const context = this.#commandContext()
    this.#commands = new CommandHandler({
      config,
      now: () => clock.now(),
      journal: this.#journal,
      keys: this.keys,
      context,
      reply: (reply) => outbox.addText(reply),
      transaction: (work) => options.storage.commit(work),
      wake,
      onError: options.onError,
      after: (ms, task) => clock.after(ms, task)
    })
    this.#latecomers = new Latecomers({
      ...options,
      context,
      reply: (reply) => outbox.addText(reply),
      transaction: (work) => options.storage.commit(work),
      wake
    })
  }

  /** Everything that people at a radio may know and do. */
  #commandContext(): CommandContext {
    return {
      ledger: this.#o.ledger,
      deliveries: this.#o.deliveries,
      silences: this.silences,
      acks: this.acks,
      acknowledge: (threadId, by) => this.acknowledge(threadId, by).stopped,
      isStored: () => this.#o.storage.fault === null,
      radios: () => this.#radios(),
      problems: this.#o.problems ?? (() => []),
      startedAt: this.#o.clock.now(),
      nodes: () => this.#nodes(),
      insideOf: (event) => insideOf(event, this.#o.zones),
      ...(this.#o.hotspot === undefined ? {} : { hotspot: this.#o.hotspot }),
      ...(this.#o.claim === undefined ? {} : { claim: this.#o.claim }),
      ...(this.#o.library === undefined ? {} : { knowledge: this.#o.library })
    }
  }

  start(): void {
    const { changes } = this.#o
    this.#unsubscribe.push(changes.on('row', (row) => this.#fallbacks.changed(row)))
    this.#unsubscribe.push(changes.on('thread', (threadId) => this.#fallbacks.changed({ threadId })))
    this.#fallbacks.start()
    this.#followUps.start()
    this.#reminders.start()
    this.#latecomers.start()
    // An end of the program kept these questions from being asked.
    if (this.silences.active(this.#o.clock.now()).length > 0) this.#silencing.goOn(this.#ask(EVERYTHING))
    for (const radio of this.#o.radios) this.listen(radio)
  }

  /** From now on what people ask over this radio is answered. */
  listen(radio: Radio): void {
    const unsubscribe = radio.onText?.((text) => {
      try {
        this.#latecomers.wrote(radio.description.network, text)
        if (this.#heardStation(radio, text) || this.#commands.receive(radio.description, text))
          this.#o.changes.tell('ready', null)
      } catch (error) {
        this.#o.onError(error)
      }
    })
    if (unsubscribe !== undefined) this.#listening.set(radio, unsubscribe)
  }

  /** Stored before anything is said: a kill forgets nothing that was heard. */
  #heardStation({ description: { network } }: Radio, text: InboundText): boolean {
    const { standby, storage } = this.#o
    if (!standby.isTagged(network, text)) return false
    storage.commit(() => standby.hear(network, text))
    return true
  }

  /** Nobody listens to this radio any more. */
  ignore(radio: Radio): void {
    this.#listening.get(radio)?.()
    this.#listening.delete(radio)
  }

  /** Nodes that told a position inside of an event's area; null for one without an area. For operators' eyes alone. */
  inside(event: LookoutEvent): PeopleInside | null {
    const area = insideOf(event, this.#o.zones)
    return area === null ? null : peopleInside(this.#nodes(), area)
  }

  /** Nodes that told a place, the one heard last first. For operators' eyes alone. */
  placed(): PlacedNode[] {
    return placedNodes(this.#nodes())
  }

  #nodes(): MeshNode[] {
    return this.#o.radios.flatMap((radio) => radio.details?.().nodes ?? [])
  }

  /** Hears of every command that came over the radio. Answers how to stop listening. */
  onCommand(listener: (command: GivenCommand) => void): () => void {
    return this.#journal.onAdd(listener)
  }

  stop(): void {
    this.#commands.stop()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#unsubscribe = []
    for (const unsubscribe of this.#listening.values()) unsubscribe()
    this.#listening.clear()
    this.#silencing.stop()
    this.#fallbacks.stop()
    this.#followUps.stop()
    this.#reminders.stop()
    this.#latecomers.stop()
  }

  /** Part of the transaction of the decision. */
  addFallback(event: LookoutEvent, seq: number, fallback: PlannedFallback): void {
    this.#fallbacks.add(event, seq, fallback)
  }

  /** Part of the transaction of the decision. */
  decided(event: LookoutEvent, { sends }: Decision): void {
    this.#followUps.decided(event, sends.length > 0)
    if (sends.length > 0) this.#o.standby.decided(event.thread_id)
  }

  /** Somebody has the alert in hand: recorded, and nothing more follows. */
  acknowledge(threadId: string, by: Omit<Ack, 'at'>): { ack: Ack; stopped: boolean } {
    const clean = (text: string): string => sanitise(text).slice(0, REASON_CHARACTERS)
    const ack = { author: by.author, name: clean(by.name), reason: clean(by.reason), at: this.#o.clock.now() }
    return this.#o.db.transaction(() => {
      this.acks.add(threadId, ack)
      return { ack, stopped: this.#followUps.end(threadId, 'acknowledged') }
    })
  }

  followUp(threadId: string): FollowUpView | null {
    return this.#followUps.view(threadId)
  }

  /** True when there is more to forget. */
  prune(now: number): boolean {
    this.#o.ledger.codes.prune(now)
    this.#journal.prune(now)
    this.acks.prune(now)
    this.#o.standby.tags.prune(now)
    this.#o.outbox.guards.silenceStore.prune(now)
    this.#fallbacks.prune(now - 30 * DAY_MS)
    this.#followUps.prune(now - 30 * DAY_MS)
    return this.#o.outbox.guards.prune(now)
  }

  #silence(silence: NewSilence): StoredSilence {
    const { db, outbox } = this.#o
    const steps = this.#ask(silence)
    const [stored, done] = db.transaction(() => {
      const added = outbox.guards.silenceStore.add(silence)
      return [added, steps.next().done] as const
    })
    if (done !== true) this.#silencing.goOn(steps)
    return stored
  }

  #ask(silence: Pick<NewSilence, 'family' | 'threadId'>): Generator<void> {
    const { ledger } = this.#o
    return silenceRows(this.#o, silence, (row) => {
      const events = row.eventSeqs.flatMap((seq) => ledger.get(seq)?.event ?? [])
      return unsilencedRegions(row, events, this.silences.active(this.#o.clock.now()))
    })
  }

  #plan(event: LookoutEvent, step: EscalationStep, number: number): ReturnType<typeof planEscalation> {
    const { clock, configFor, outbox } = this.#o
    const carried = outbox.guards.carried(event.thread_id)
    const { notifications } = configFor(event)
    return planEscalation({ event, step, number, carried, notifications, now: clock.now() })
  }

  #blocked(event: LookoutEvent): string | null {
    if (!this.#o.configFor(event).notifications.enabled) return 'notifications_off'
    const silences = this.silences.active(this.#o.clock.now())
    return applySilences(event, [{ regions: event.regions }], silences).targets.length === 0 ? 'silenced' : null
  }

  #radios(): { network: 'mt' | 'mc'; state: RadioHealth['state']; waiting: number }[] {
    return this.#o.radios.map((radio) => {
      const { network } = radio.description
      return { network, state: this.#o.healthOf(radio).state, waiting: this.#o.waiting.open(network) }
    })
  }
}
