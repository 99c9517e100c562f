import type { LookoutEvent } from '../model/event.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Ledger } from './outbox/ledger.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Places } from './places.ts'
import type { Reactions } from './reactions.ts'
import type { Arrival } from './routing/accepted.ts'
import { decide as judge } from './routing/decide.ts'
import type { Decision, TraceStep } from './routing/decision.ts'
import type { Lineage } from './routing/lineage.ts'
import { cameColdly, type Located, withRegions } from './routing/tagged.ts'
import { hasJoined, joinThread, type ThreadStore } from './routing/thread-join.ts'
import type { WarningConfig } from './settings.ts'

/** The stores that the steps read and write, and the configuration an event is judged by. */
export interface WalkStores {
  configFor: (event: LookoutEvent) => WarningConfig
  places: Places
  ledger: Pick<Ledger, 'knows' | 'knowsId' | 'threadOf' | 'nameThread' | 'toldBy' | 'add' | 'decide'>
  outbox: Pick<Outbox, 'guards' | 'addAll' | 'withdraw'>
  reactions: Pick<Reactions, 'addFallback' | 'decided'>
  lineage: Lineage
  clock: Clock
}

/** An event with what the steps have found out about it so far. */
interface Underway {
  event: LookoutEvent
  located: Located
  trace: readonly TraceStep[]
}

/** The result of the walk: the row of an event, and the decision. */
export interface Walked {
  seq: number
  event: LookoutEvent
  decision: Decision
}

/** A stored event that is decided once more. */
export interface Stored {
  seq: number
  event: LookoutEvent
  trace: readonly unknown[]
}

/**
 * One event's walk, inside of one transaction (docs/interface.md §4, §6). Nothing is handed back up. The queue of each radio goes on
 * by itself from the rows that are left here and the stores it was given (`outbox/radio-queue.ts`, read in this order): it composes at
 * the first attempt (`outbox/row-text.ts`), transmits, and settles what the radio answers (`outbox/outcomes.ts`).
 *
 * @returns null for what is known already.
 */
export function walk({ event: arrived, coldStart = false }: Arrival, stores: WalkStores): Walked | null {
  const event = identify(arrived, stores)
  if (event === null) return null
  const underway = thread(locate(event, stores), stores)
  const decision = decide(underway, coldStart, stores)
  const seq = store(underway, decision, stores)
  if (seq === null) return null
  queue(underway.event, seq, decision, stores)
  return { seq, event: underway.event, decision }
}

/**
 * The second half of the walk for an event that is stored: with the same code, and with what was told since.
 *
 * @returns null where it leads to no message; what was decided before stays then.
 */
export function walkAgain({ seq, event, trace }: Stored, why: TraceStep, stores: WalkStores): Walked | null {
  const underway = locate(event, stores)
  const decision = decide({ ...underway, trace: [why] }, cameColdly(trace), stores)
  const { sends, inhibited = [], withdraw } = decision
  if (sends.length + inhibited.length + withdraw.length === 0) return null
  stores.ledger.decide(seq, decision)
  queue(underway.event, seq, decision, stores)
  return { seq, event: underway.event, decision }
}

/** The thread a new event of these regions would be of, with the reason; nothing is remembered of the question. */
export function threadFor(
  event: LookoutEvent,
  { ledger, lineage, clock }: WalkStores
): { threadId: string; trace: TraceStep[] } {
  const now = clock.now()
  const threadStore: ThreadStore = {
    threadOf: (name) => ledger.threadOf(name),
    toldBy: (threadId, at) => ledger.toldBy(threadId, at),
    nameThread: () => undefined
  }
  const joined = joinThread(event, { threadStore, others: lineage.at(now), now })
  return { threadId: joined.event.thread_id, trace: joined.trace }
}

/** Known already, new, or a new revision: docs/interface.md §2. */
function identify(event: LookoutEvent, { ledger }: WalkStores): LookoutEvent | null {
  if (ledger.knows(event)) return null
  return event.lifecycle === 'new' && ledger.knowsId(event) ? { ...event, lifecycle: 'update' } : event
}

/** The regions it touches, and whether it matters here. */
function locate(event: LookoutEvent, { places }: WalkStores): Underway {
  const located = places.locate(event)
  return { event: withRegions(event, located), located, trace: [] }
}

/** The earlier messages it belongs to, by names or as the same thing told by another source. */
function thread({ event, located }: Underway, { ledger, lineage, clock }: WalkStores): Underway {
  const now = clock.now()
  const joined = joinThread(event, { threadStore: ledger, others: lineage.at(now), now })
  return { event: joined.event, located, trace: joined.trace }
}

/** The event has its row, with what was decided of it: written once. Null when another has it. */
function store({ event, trace }: Underway, decision: Decision, { ledger, lineage, clock }: WalkStores): number | null {
  const seq = ledger.add(event, decision)
  if (seq !== null) lineage.at(clock.now()).note(event, hasJoined(trace))
  return seq
}

/** Decides: pure, from the configuration and what the guards know. */
function decide({ event, located, trace }: Underway, coldStart: boolean, stores: WalkStores): Decision {
  const { notifications, station } = stores.configFor(event)
  const { gate, regionsOf } = located
  return judge(event, {
    notifications,
    gate,
    regionsOf,
    coldStart,
    timezone: station.timezone,
    view: stores.outbox.guards,
    now: stores.clock.now(),
    before: [...trace, ...located.trace]
  })
}

/** Its messages wait for their radios, and what follows of the decision begins or ends. */
function queue(event: LookoutEvent, seq: number, decision: Decision, { outbox, reactions }: WalkStores): void {
  for (const { id, reason, left } of decision.withdraw) outbox.withdraw(id, reason, left, event.thread_id)
  outbox.addAll(event, seq, [...decision.sends, ...(decision.inhibited ?? [])])
  for (const fallback of decision.fallbacks ?? []) reactions.addFallback(event, seq, fallback)
  reactions.decided(event, decision)
}
