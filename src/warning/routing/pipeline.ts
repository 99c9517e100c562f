import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { AppError } from '../../platform/errors.ts'
import type { WarningConfig } from '../settings.ts'
import { type Accepted, type Arrival, duplicateOf, fail, type Group, isOpen, settle, type Waiting } from './accepted.ts'
import { decide } from './decide.ts'
import type { DecideContext } from './decide-context.ts'
import type { Decision, GuardView, PlannedFallback, PlannedSend, TraceStep, Withdrawal } from './decision.ts'
import { Sightings } from './sightings.ts'
import { cameColdly, type Located, withRegions } from './tagged.ts'
import { hasJoined, joinThread, type ThreadBook } from './thread-join.ts'

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
  config: (event: LookoutEvent) => WarningConfig
  /** Tags the event and judges where it lies. */
  locate: (event: LookoutEvent) => Located
  store: PipelineStore
  guards: GuardView
  /** Adds a planned message to the outbox, inside the same transaction. */
  send: (event: LookoutEvent, seq: number, planned: PlannedSend) => number
  /** Keeps a message that may have to stand in for another, inside the same transaction. */
  addFallback: (event: LookoutEvent, seq: number, fallback: PlannedFallback) => void
  withdraw: (withdrawal: Withdrawal) => void
  /** What follows of a decision, inside the same transaction: an escalation begins, or ends. */
  followUp: (event: LookoutEvent, decision: Decision) => void
  transaction: <T>(work: () => T) => T
  /** Why nothing is stored at present; null while it is. Contract §6: only `critical` and above is decided then, from memory. */
  refusal: () => AppError | null
  clock: Clock
  /** How long events below `critical` wait for others, so that the card sees one commit for many. Milliseconds. */
  commitWindowMs: number
  /** False where time is not real (replay): a batch is stored whole, so that the same events lead to the same on every machine. */
  inSlices?: boolean
  /** Called after the commit, once per event, in order. */
  onDecided: (accepted: Accepted) => void
  /** Called inside of each transaction, last: what may leave at once is stored as leaving with the event itself. */
  beforeCommit: () => void
  /** Called after each commit; `stored`: it is on the disk. */
  onCommitted: (stored: boolean) => void
}

/** A stored event that may be decided anew. */
interface Stored {
  seq: number
  event: LookoutEvent
  trace: readonly unknown[]
}

/** So many do not wait for more. */
const ENOUGH = 500
/** Milliseconds of work between two turns of whoever else waits: contract §6, *Warnings before work*. */
const SLICE_MS = 12
/** On a card that takes longer than a slice to sync, a storm in short slices would never be stored. */
const LONGEST_SLICE_MS = 100

/** How far back another source's event may be the same thing, and how many are read after a start. */
const LINEAGE_MS = 24 * 3_600_000
const LINEAGE_EVENTS = 500

/**
 * One event's walk: identity → thread → tag → gate → decide → one transaction with event, trace, decision and messages.
 * Many events share a transaction (group commit); none is split over two. A batch is stored in slices, and an `immediate` event
 * goes before whatever waits.
 */
export class Pipeline {
  readonly #o: PipelineOptions
  #waiting: Waiting[] = []
  #urgent: Waiting[] = []
  #cancelTimer: (() => void) | null = null
  #scheduledAt = Number.POSITIVE_INFINITY
  /** The rest of a batch waits for its next slice. */
  #goesOn = false
  #sliceMs = SLICE_MS
  #seen: Sightings | null = null

  constructor(options: PipelineOptions) {
    this.#o = options
  }

  /**
   * Resolves once the events and everything decided about them are stored. Rejects when that failed: what was stored before
   * stays, and is a duplicate when it comes again.
   */
  accept(arrivals: Arrival[]): Promise<Accepted[]> {
    return new Promise((resolve, reject) => {
      const group: Group = { accepted: [], open: arrivals.length, resolve, reject }
      if (arrivals.length === 0) return resolve([])
      for (const [index, arrival] of arrivals.entries()) {
        const line = arrival.event.severity === 'immediate' ? this.#urgent : this.#waiting
        line.push({ arrival, index, group })
      }
      const urgent = arrivals.some(({ event }) => isAtLeast(event.severity, 'critical'))
      const atOnce = urgent || this.#waiting.length >= ENOUGH
      this.#schedule(atOnce ? 0 : this.#o.commitWindowMs)
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

  /** Stores what waits, now, all of it. */
  flush(): void {
    this.#unschedule()
    while (this.#isWaiting()) this.#slice()
  }

  #isWaiting(): boolean {
    return this.#urgent.length + this.#waiting.length > 0
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
    if (told.length > 0) this.#tell(told)
  }

  #tell(decided: readonly Accepted[]): void {
    for (const one of decided) this.#o.onDecided(one)
    this.#o.onCommitted(this.#o.refusal() === null)
  }

  #decideStored({ seq, event: stored, trace }: Stored, why: TraceStep): Accepted[] {
    const refusal = this.#o.refusal()
    if (refusal !== null && !isAtLeast(stored.severity, 'critical')) return []
    const location = this.#o.locate(stored)
    const event = withRegions(stored, location)
    const before = [why, ...location.trace]
    const { gate, regionsOf } = location
    const decision = this.#decide(event, { gate, regionsOf, before, coldStart: cameColdly(trace) })
    const { sends, inhibited = [], withdraw } = decision
    if (sends.length + inhibited.length + withdraw.length === 0) return []
    this.#carryOut(event, seq, decision)
    return [
      { id: event.id, threadId: event.thread_id, duplicate: false, seq, event, decision, stored: refusal === null }
    ]
  }

  #schedule(ms: number): void {
    const at = this.#o.clock.now() + ms
    if (at >= this.#scheduledAt) return
    this.#cancelTimer?.()
    this.#scheduledAt = at
    this.#cancelTimer = this.#o.clock.after(ms, () => {
      this.#unschedule()
      this.#goOn()
    })
  }

  #unschedule(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
    this.#scheduledAt = Number.POSITIVE_INFINITY
  }

  /** Slice by slice: radios, pages and further events have their turn in between. */
  #goOn(): void {
    if (this.#isWaiting()) this.#slice()
    if (!this.#isWaiting() || this.#goesOn) return
    this.#goesOn = true
    setImmediate(() => {
      this.#goesOn = false
      this.#goOn()
    })
  }

  /** `immediate` events first, with what waits of their own threads, so that nothing of one alert is told out of turn. */
  #takeSlice(): Waiting[] {
    if (this.#urgent.length === 0) return this.#waiting.splice(0, ENOUGH)
    const urgent = this.#urgent.splice(0)
    const threads = new Set(urgent.map(threadKey))
    const before = this.#waiting.filter((waiting) => threads.has(threadKey(waiting)))
    if (before.length > 0) this.#waiting = this.#waiting.filter((waiting) => !threads.has(threadKey(waiting)))
    return [...before, ...urgent]
  }

  #slice(): void {
    const taken = this.#takeSlice()
    const rest = taken.slice(this.#commit(taken))
    this.#waiting = [...rest, ...this.#waiting].filter(isOpen)
    this.#urgent = this.#urgent.filter(isOpen)
  }

  /** Stores events until the slice is over, one at least, in one transaction; answers how many were dealt with. */
  #commit(taken: readonly Waiting[]): number {
    const begun = performance.now()
    let accepted: Accepted[] = []
    let tried = 0
    let worked = begun
    try {
      this.#o.transaction(() => {
        ;[accepted, tried] = [[], 0]
        for (const { arrival } of taken) {
          tried++
          accepted.push(this.#acceptOne(arrival))
          if (this.#o.inSlices !== false && performance.now() - begun >= this.#sliceMs) break
        }
        this.#o.beforeCommit()
        worked = performance.now()
      })
    } catch (error) {
      const [first] = taken
      // One caller's broken event must not cost another caller's warning: each is tried by itself.
      if (tried > 1) for (const one of taken.slice(0, tried)) if (isOpen(one)) this.#commit([one])
      if (tried <= 1 && first !== undefined) fail(first.group, error)
      return Math.max(1, tried)
    }
    this.#sliceMs = Math.min(LONGEST_SLICE_MS, Math.max(SLICE_MS, performance.now() - worked))
    for (const [at, one] of accepted.entries()) settle(taken[at], one)
    this.#tell(accepted.filter(({ refused }) => refused === undefined))
    return accepted.length
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
    const refusal = this.#o.refusal()
    const stored = refusal === null
    if (this.#o.store.knows(arrived)) return duplicateOf(arrived, { stored })
    if (refusal !== null && !isAtLeast(arrived.severity, 'critical'))
      return { ...duplicateOf(arrived, { stored }), duplicate: false, refused: refusal }
    const update = asUpdate(arrived, this.#o.store)
    const location = this.#o.locate(update)
    const others = this.#sightings(now)
    const joined = joinThread(withRegions(update, location), { book: this.#o.store, others, now })
    const { event: tagged, trace } = joined
    const seq = this.#o.store.add(tagged)
    if (seq === null) return duplicateOf(tagged, { stored })
    others.note(tagged, hasJoined(trace))
    const decision = this.#decide(tagged, {
      gate: location.gate,
      regionsOf: location.regionsOf,
      before: [...trace, ...location.trace],
      coldStart
    })
    this.#carryOut(tagged, seq, decision)
    return { id: tagged.id, threadId: tagged.thread_id, duplicate: false, seq, event: tagged, decision, stored }
  }

  #decide(event: LookoutEvent, how: Pick<DecideContext, 'gate' | 'regionsOf' | 'before' | 'coldStart'>): Decision {
    const { notifications, station } = this.#o.config(event)
    const now = this.#o.clock.now()
    return decide(event, { ...how, notifications, timezone: station.timezone, view: this.#o.guards, now })
  }

  #carryOut(event: LookoutEvent, seq: number, decision: Decision): void {
    for (const one of decision.withdraw) this.#o.withdraw(one)
    for (const planned of [...decision.sends, ...(decision.inhibited ?? [])]) this.#o.send(event, seq, planned)
    for (const fallback of decision.fallbacks ?? []) this.#o.addFallback(event, seq, fallback)
    this.#o.store.decide(seq, decision)
    this.#o.followUp(event, decision)
  }
}

function threadKey({ arrival: { event } }: Waiting): string {
  return JSON.stringify([event.source, event.thread_id])
}

/** Contract §2: the same `(source, id)` with a new revision is an update. */
function asUpdate(event: LookoutEvent, store: PipelineStore): LookoutEvent {
  return event.lifecycle === 'new' && store.knowsId(event) ? { ...event, lifecycle: 'update' } : event
}
