import { isAtLeast } from '../model/severity.ts'
import { type Loop, Pulse } from '../platform/clock/pulse.ts'
import type { CommitGroup, Database } from '../platform/database/database.ts'
import type { AppError } from '../platform/errors.ts'
import {
  type Accepted,
  type Arrival,
  duplicateOf,
  fail,
  type Group,
  isOpen,
  settle,
  type Waiting
} from './routing/accepted.ts'
import type { TraceStep } from './routing/decision.ts'
import { beginSlice } from './slice.ts'
import { type Stored, type Walked, type WalkStores, walk, walkAgain } from './walk.ts'

export interface PipelineOptions {
  stores: WalkStores
  transaction: <T>(work: () => T) => T
  group: Pick<Database, 'join' | 'commitGroup'>
  /** Called before events join a commit: what is stored must be where it was (`LedgerStorage.look`). */
  look: () => void
  /**
   * The reason why nothing is stored at present; null while it is. Contract §6: only `critical` and above is decided
   * then, from memory.
   */
  refusal: () => AppError | null
  /**
   * The time for which events below `critical` wait for others, so that the card sees one commit for many.
   * Milliseconds.
   */
  commitWindowMs: number
  /** False where time is not real (replay): a batch is stored whole, so that the same events lead to the same on every machine. */
  inSlices?: boolean
  /** Called after the commit, once per event, in order. */
  onDecided: (accepted: Accepted) => void
  /** Called inside of the transaction, last: what may leave at once is stored as leaving with the event itself. */
  beforeCommit: () => void
  /** Called after each commit; `stored`: it is on the disk. */
  onCommitted: (stored: boolean) => void
}

/** So many do not wait for more. */
const ENOUGH = 500
/**
 * The longest time between the first event of a commit and the commit, by the clock on the wall: the fewer commits, the less a storm
 * costs. On a card that takes longer than that to sync, as long as a sync takes, so that a storm gets half of the time at least.
 */
const GROUP_MS = 100
const LONGEST_GROUP_MS = 250

/** Events that joined one commit, with what was decided of them. */
interface Joined {
  taken: Waiting[]
  accepted: Accepted[]
}

/**
 * The entrance of events to their walk (`walk.ts`): one transaction has event, trace, decision and messages. Many
 * events share a transaction (group commit); none is split over two. A batch is decided in slices, several of which join one commit,
 * and an `immediate` event goes before whatever waits, and is committed at once.
 */
export class Pipeline implements Loop {
  readonly name = 'pipeline'
  readonly pulse = new Pulse()
  readonly #o: PipelineOptions
  #waiting: Waiting[] = []
  #urgent: Waiting[] = []
  #cancelTimer: (() => void) | null = null
  #scheduledAt = Number.POSITIVE_INFINITY
  /** The rest of a batch waits for its next slice. */
  #goesOn = false
  readonly #group: CommitGroup = { stored: (tell) => this.#stored(tell), lost: () => this.#lost() }
  /** They are in the open transaction. */
  #joined: Joined = { taken: [], accepted: [] }
  #joinedSince = 0
  #groupMs = GROUP_MS
  /** They are stored, which nobody was told yet. */
  #untold: (Joined & { tell: () => void })[] = []
  /** Their transaction was undone: they come before whatever waits. */
  #returned: Waiting[] = []
  /** So many are stored slice by slice: some among them cannot be stored, or a disk fails. */
  #apart = 0

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

  /** Nothing waits: it lives. What waits is moved on by its slices alone. */
  tick(): void {
    if (!this.#isWaiting()) this.pulse.beat()
  }

  /** Stores what waits, now, all of it. */
  flush(): void {
    this.#unschedule()
    while (this.#isBusy()) this.#step()
  }

  #isBusy(): boolean {
    return this.#isWaiting() || this.#joined.taken.length + this.#untold.length + this.#returned.length > 0
  }

  #isWaiting(): boolean {
    return this.#urgent.length + this.#waiting.length > 0
  }

  /**
   * Decides stored events once more, in one transaction: with the same code, and with what was told since. One that leads to no
   * message keeps what was decided before.
   */
  decideAnew(stored: readonly Stored[], why: TraceStep): void {
    this.#end()
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

  #decideStored(stored: Stored, why: TraceStep): Accepted[] {
    const refusal = this.#o.refusal()
    if (refusal !== null && !isAtLeast(stored.event.severity, 'critical')) return []
    const walked = walkAgain(stored, why, this.#o.stores)
    return walked === null ? [] : [acceptedOf(walked, refusal === null)]
  }

  #schedule(ms: number): void {
    const at = this.#o.stores.clock.now() + ms
    if (at >= this.#scheduledAt) return
    this.#cancelTimer?.()
    this.#scheduledAt = at
    this.#cancelTimer = this.#o.stores.clock.after(ms, () => {
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
    this.#step()
    if (!this.#isBusy() || this.#goesOn) return
    this.#goesOn = true
    setImmediate(() => {
      this.#goesOn = false
      this.#goOn()
    })
  }

  /** A slice, or the commit of those before it. */
  #step(): void {
    this.pulse.beat()
    this.#tellStored()
    this.#takeBack()
    const isDue = this.#joined.taken.length > 0 && performance.now() - this.#joinedSince >= this.#groupMs
    if (this.#isWaiting() && !isDue) this.#slice()
    else this.#end()
  }

  /** `immediate` events first, with what waits of their own threads, so that nothing of one alert is told out of turn. */
  #takeSlice(): Waiting[] {
    if (this.#urgent.length === 0) return this.#waiting.splice(0, ENOUGH)
    const urgent = this.#urgent.splice(0)
    const isOfThem = ofThreads(urgent)
    const before = this.#waiting.filter(isOfThem)
    if (before.length > 0) this.#waiting = this.#waiting.filter((waiting) => !isOfThem(waiting))
    return [...before, ...urgent]
  }

  #slice(): void {
    this.#o.look()
    if (this.#returned.length > 0) return
    const taken = this.#takeSlice()
    const mayJoin = this.#apart === 0 && this.#o.inSlices !== false && this.#o.refusal() === null
    const done = mayJoin ? this.#join(taken) : this.#commit(taken)
    if (!mayJoin) this.#apart = Math.max(0, this.#apart - done)
    this.#waiting = [...taken.slice(done), ...this.#waiting].filter(isOpen)
    this.#urgent = this.#urgent.filter(isOpen)
    this.#takeBack()
  }

  #takeBack(): void {
    if (this.#returned.length > 0) this.#waiting = [...this.#returned.splice(0), ...this.#waiting].filter(isOpen)
  }

  /** Decides events until the slice is over, one at least, as part of the next commit; answers how many were dealt with. */
  #join(taken: readonly Waiting[]): number {
    const isOver = beginSlice()
    const isFirst = this.#joined.taken.length === 0
    if (isFirst) this.#joinedSince = performance.now()
    const accepted: Accepted[] = []
    const error = this.#o.group.join(() => {
      for (const { arrival } of taken) {
        accepted.push(this.#acceptOne(arrival))
        if (isOver()) break
      }
    }, this.#group)
    if (error !== null) {
      this.#apart = this.#returned.length + accepted.length + 1
      return 0
    }
    const done = taken.slice(0, accepted.length)
    this.#joined.taken.push(...done)
    this.#joined.accepted.push(...accepted)
    const isAll = isFirst && done.length === taken.length && !this.#isWaiting()
    if (isAll || done.some(({ arrival }) => arrival.event.severity === 'immediate')) this.#end()
    return done.length
  }

  /** Commits what has joined. */
  #end(): void {
    const begun = performance.now()
    this.#o.group.commitGroup(() => this.#o.beforeCommit())
    this.#groupMs = Math.min(LONGEST_GROUP_MS, Math.max(GROUP_MS, performance.now() - begun))
    this.#tellStored()
  }

  /** Whoever else uses the database may have ended the commit, in the middle of work of their own: all hear of it in a turn of its own. */
  #stored(tell: () => void): void {
    this.#untold.push({ ...this.#joined, tell })
    this.#joined = { taken: [], accepted: [] }
  }

  #lost(): void {
    this.#returned.push(...this.#joined.taken)
    this.#apart = this.#returned.length
    this.#joined = { taken: [], accepted: [] }
  }

  #tellStored(): void {
    for (const { taken, accepted, tell } of this.#untold.splice(0)) {
      try {
        tell()
      } catch (error) {
        for (const { group } of taken) fail(group, error)
      }
      this.#settle(taken, accepted)
    }
  }

  #settle(taken: readonly Waiting[], accepted: readonly Accepted[]): void {
    for (const [at, one] of accepted.entries()) settle(taken[at], one)
    this.#tell(accepted.filter(({ refused }) => refused === undefined))
  }

  /** Stores events until the slice is over, one at least, in one transaction; answers how many were dealt with. */
  #commit(taken: readonly Waiting[]): number {
    const isOver = beginSlice()
    let accepted: Accepted[] = []
    let tried = 0
    try {
      this.#o.transaction(() => {
        ;[accepted, tried] = [[], 0]
        for (const { arrival } of taken) {
          tried++
          accepted.push(this.#acceptOne(arrival))
          if (this.#o.inSlices !== false && isOver()) break
        }
        this.#o.beforeCommit()
      })
    } catch (error) {
      const [first] = taken
      // One caller's broken event must not cost another caller's warning: each is tried by itself.
      if (tried > 1) for (const one of taken.slice(0, tried)) if (isOpen(one)) this.#commit([one])
      if (tried <= 1 && first !== undefined) fail(first.group, error)
      return Math.max(1, tried)
    }
    this.#settle(taken, accepted)
    return accepted.length
  }

  /** While nothing can be stored, what is below `critical` is not taken, and its sender is told (docs/interface.md §6). */
  #acceptOne(arrival: Arrival): Accepted {
    const { event } = arrival
    const refusal = this.#o.refusal()
    const stored = refusal === null
    if (refusal !== null && !isAtLeast(event.severity, 'critical') && !this.#o.stores.ledger.knows(event))
      return { ...duplicateOf(event, { stored }), duplicate: false, refused: refusal }
    const walked = walk(arrival, this.#o.stores)
    return walked === null ? duplicateOf(event, { stored }) : acceptedOf(walked, stored)
  }
}

function acceptedOf({ seq, event, decision }: Walked, stored: boolean): Accepted {
  return { id: event.id, threadId: event.thread_id, duplicate: false, seq, event, decision, stored }
}

/** Tells of one that waits whether it is of a thread of these; asked of all that waits, so no key is made for it. */
function ofThreads(events: readonly Waiting[]): (waiting: Waiting) => boolean {
  const bySource = new Map<string, Set<string>>()
  for (const { arrival } of events) {
    const { source, thread_id: thread } = arrival.event
    const threads = bySource.get(source) ?? new Set<string>()
    bySource.set(source, threads.add(thread))
  }
  return ({ arrival: { event } }) => bySource.get(event.source)?.has(event.thread_id) === true
}
