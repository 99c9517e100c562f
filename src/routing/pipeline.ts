import type { Config } from '../config/schema.ts'
import type { GateVerdict } from '../coverage/gate.ts'
import type { LookoutEvent } from '../events/event.ts'
import { isAtLeast } from '../events/severity.ts'
import type { Clock } from '../lib/clock.ts'
import { type DecideContext, decide } from './decide.ts'
import type { Decision, GuardView, PlannedSend, StandIn, TraceStep } from './decision.ts'
import { Sightings } from './sightings.ts'
import { cameColdly, withRegions } from './tagged.ts'
import { hasJoined, joinThread, type ThreadBook } from './thread-join.ts'

/** What an event is as it enters: where it came from decides about the cold start. */
export interface Arrival {
  event: LookoutEvent
  /** True for an event of a polled source's listing that falls under the cold-start rule (contract §4 rule 6). */
  coldStart?: boolean
}

export interface Accepted {
  id: string
  threadId: string
  duplicate: boolean
  /** Row of the stored event; null for a duplicate. */
  seq: number | null
  event: LookoutEvent
  decision: Decision | null
}

/** The store as the pipeline uses it. */
export interface PipelineStore extends ThreadBook {
  /** The newest stored events since a time with their traces, oldest first. */
  since(time: number, limit: number): Iterable<{ event: LookoutEvent; trace: readonly unknown[] }>
  knows(event: LookoutEvent): boolean
  knowsId(event: LookoutEvent): boolean
  add(event: LookoutEvent): number | null
  decide(seq: number, outcome: { kind: string; reason: string; trace: readonly TraceStep[] }): void
}

export interface PipelineOptions {
  /** The configuration this event is judged by. */
  config: (event: LookoutEvent) => Config
  /** Tags the event and judges where it lies. */
  locate: (event: LookoutEvent) => { region: string | null; regions: string[]; gate: GateVerdict; trace: TraceStep[] }
  store: PipelineStore
  guards: GuardView
  /** Adds a planned message to the outbox, inside the same transaction. */
  send: (event: LookoutEvent, seq: number, planned: PlannedSend) => number
  /** Keeps a message that may have to stand in for another, inside the same transaction. */
  holdBack: (event: LookoutEvent, seq: number, standIn: StandIn) => void
  withdraw: (deliveryId: number, reason: string) => void
  /** What follows of a decision, inside the same transaction: an escalation begins, or ends. */
  followUp: (event: LookoutEvent, decision: Decision) => void
  transaction: <T>(work: () => T) => T
  clock: Clock
  /** How long events below `critical` wait for others, so that the card sees one commit for many. Milliseconds. */
  commitWindowMs: number
  /** Called after the commit, once per event, in order. */
  onDecided: (accepted: Accepted) => void
  /** Called inside of each transaction, last: what may leave at once is stored as leaving with the event itself. */
  beforeCommit: () => void
  /** Called after each commit. */
  onCommitted: () => void
}

/** A stored event that may be decided anew. */
interface Stored {
  seq: number
  event: LookoutEvent
  trace: readonly unknown[]
}

interface Waiting {
  arrivals: Arrival[]
  resolve: (accepted: Accepted[]) => void
  reject: (error: unknown) => void
}

/** Upper limit of one transaction: a storm is stored in slices, and nobody waits for the whole of it. */
const MAX_BATCH = 500

/** How far back another source's event may be the same thing, and how many are read after a start. */
const LINEAGE_MS = 24 * 3_600_000
const LINEAGE_EVENTS = 500

/**
 * One event's walk: identity → thread → tag → gate → decide → one transaction with event, trace, decision and messages.
 * Many events share a transaction (group commit); none is split over two.
 */
export class Pipeline {
  readonly #o: PipelineOptions
  #waiting: Waiting[] = []
  #cancelTimer: (() => void) | null = null
  #scheduledAt = Number.POSITIVE_INFINITY
  #seen: Sightings | null = null

  constructor(options: PipelineOptions) {
    this.#o = options
  }

  /** Resolves once the events and everything decided about them are stored. Rejects when that failed: nothing is stored then. */
  accept(arrivals: Arrival[]): Promise<Accepted[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ arrivals, resolve, reject })
      const urgent = arrivals.some(({ event }) => isAtLeast(event.severity, 'critical'))
      const count = this.#waiting.reduce((sum, { arrivals: list }) => sum + list.length, 0)
      this.#schedule(urgent || count >= MAX_BATCH ? 0 : this.#o.commitWindowMs)
    })
  }

  /** The thread a new event of these regions would be of, with the reason; nothing is remembered of the question. */
  threadFor(event: LookoutEvent): { threadId: string; trace: TraceStep[] } {
    const now = this.#o.clock.now()
    const { store } = this.#o
    const book: ThreadBook = {
      threadOf: (name) => store.threadOf(name),
      toldBy: (threadId, at) => store.toldBy(threadId, at),
      nameThread: () => undefined
    }
    const joined = joinThread(event, { book, others: this.#sightings(now), now })
    return { threadId: joined.event.thread_id, trace: joined.trace }
  }

  /** What was heard has changed in the store: it is read again with the next event. */
  forget(): void {
    this.#seen = null
  }

  /** Stores what waits, now. */
  flush(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#scheduledAt = Number.POSITIVE_INFINITY
    while (this.#waiting.length > 0) this.#commit(this.#takeBatch())
  }

  /**
   * Decides stored events once more, in one transaction: with the same code, and with what was told since. One that leads to no
   * message keeps what was decided before.
   */
  decideAnew(stored: readonly Stored[], why: TraceStep): void {
    const told = this.#o.transaction(() => {
      const accepted = stored.flatMap((one) => this.#decideStored(one, why))
      this.#o.beforeCommit()
      return accepted
    })
    for (const accepted of told) this.#o.onDecided(accepted)
    if (told.length > 0) this.#o.onCommitted()
  }

  #decideStored({ seq, event: stored, trace }: Stored, why: TraceStep): Accepted[] {
    const location = this.#o.locate(stored)
    const event = withRegions(stored, location)
    const before = [why, ...location.trace]
    const decision = this.#decide(event, { gate: location.gate, before, coldStart: cameColdly(trace) })
    if (decision.sends.length === 0 && decision.withdraw.length === 0) return []
    this.#carryOut(event, seq, decision)
    return [{ id: event.id, threadId: event.thread_id, duplicate: false, seq, event, decision }]
  }

  #schedule(ms: number): void {
    const at = this.#o.clock.now() + ms
    if (at >= this.#scheduledAt) return
    this.#cancelTimer?.()
    this.#scheduledAt = at
    this.#cancelTimer = this.#o.clock.after(ms, () => this.flush())
  }

  #takeBatch(): Waiting[] {
    let size = 0
    let count = 0
    for (const { arrivals } of this.#waiting) {
      if (count > 0 && size + arrivals.length > MAX_BATCH) break
      size += arrivals.length
      count++
    }
    return this.#waiting.splice(0, count)
  }

  #commit(batch: Waiting[]): void {
    let results: Accepted[][]
    try {
      results = this.#o.transaction(() => {
        const accepted = batch.map(({ arrivals }) => arrivals.map((arrival) => this.#acceptOne(arrival)))
        this.#o.beforeCommit()
        return accepted
      })
    } catch (error) {
      // One caller's broken event must not cost another caller's warning: each is tried by itself.
      if (batch.length > 1) for (const waiting of batch) this.#commit([waiting])
      else for (const { reject } of batch) reject(error)
      return
    }
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] ?? [])
    for (const accepted of results.flat()) this.#o.onDecided(accepted)
    this.#o.onCommitted()
  }

  /** What was told before this start counts too: read with the first event. */
  #sightings(now: number): Sightings {
    if (this.#seen === null) {
      this.#seen = new Sightings()
      for (const { event, trace } of this.#o.store.since(now - LINEAGE_MS, LINEAGE_EVENTS))
        this.#seen.note(event, hasJoined(trace))
    }
    return this.#seen
  }

  #acceptOne({ event: arrived, coldStart = false }: Arrival): Accepted {
    const now = this.#o.clock.now()
    if (this.#o.store.knows(arrived)) return duplicateOf(arrived)
    const update = asUpdate(arrived, this.#o.store)
    const location = this.#o.locate(update)
    const others = this.#sightings(now)
    const joined = joinThread(withRegions(update, location), { book: this.#o.store, others, now })
    const { event: tagged, trace } = joined
    const seq = this.#o.store.add(tagged)
    if (seq === null)
      return { id: tagged.id, threadId: tagged.thread_id, duplicate: true, seq, event: tagged, decision: null }
    others.note(tagged, hasJoined(trace))
    const decision = this.#decide(tagged, { gate: location.gate, before: [...trace, ...location.trace], coldStart })
    this.#carryOut(tagged, seq, decision)
    return { id: tagged.id, threadId: tagged.thread_id, duplicate: false, seq, event: tagged, decision }
  }

  #decide(event: LookoutEvent, how: Pick<DecideContext, 'gate' | 'before' | 'coldStart'>): Decision {
    const { notifications, station } = this.#o.config(event)
    const now = this.#o.clock.now()
    return decide(event, { ...how, notifications, timezone: station.timezone, view: this.#o.guards, now })
  }

  #carryOut(event: LookoutEvent, seq: number, decision: Decision): void {
    for (const { id, reason } of decision.withdraw) this.#o.withdraw(id, reason)
    for (const planned of decision.sends) this.#o.send(event, seq, planned)
    for (const standIn of decision.standIns ?? []) this.#o.holdBack(event, seq, standIn)
    this.#o.store.decide(seq, decision)
    this.#o.followUp(event, decision)
  }
}

/** Contract §2: the same `(source, id)` with a new revision is an update. */
function asUpdate(event: LookoutEvent, store: PipelineStore): LookoutEvent {
  return event.lifecycle === 'new' && store.knowsId(event) ? { ...event, lifecycle: 'update' } : event
}

function duplicateOf(event: LookoutEvent): Accepted {
  return { id: event.id, threadId: event.thread_id, duplicate: true, seq: null, event, decision: null }
}
