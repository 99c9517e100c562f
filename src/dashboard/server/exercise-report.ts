import { wasOnAir } from '../../model/delivery.ts'
import { isDrill } from '../../model/event.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import type { Ack } from '../../warning/outbox/ack-store.ts'
import type { DeliveryView } from '../../warning/outbox/delivery.ts'
import type { StoredEvent } from '../../warning/outbox/stored-event.ts'
import type { Transmission } from '../../warning/outbox/transmissions.ts'
import type { TraceStep } from '../../warning/routing/decision.ts'
import { storedSteps } from '../../warning/routing/said-trace.ts'
import type { HttpContext } from './context.ts'
import { deliveryFilter } from './filters.ts'
import { type Asker, publicUrls } from './guest.ts'
import { shownDelivery } from './guest-view.ts'
import { listDeliveriesInSlices } from './long-lists.ts'
import type { Period } from './period.ts'

/** Messages of one report; a guest's may not cost the radios what is theirs. */
const mostMessages = ({ isGuest }: Pick<Asker, 'isGuest'>): number => (isGuest ? 100 : 500)
/** Drills of one day in one report. */
const MOST_DRILLS = 20
/** Events whose category alone is looked at in one go. */
const LOOKED_AT = 200
/** A piece may join a message that joins another one. */
const MOST_JOINS = 3

/** One message of an event, and its fate. */
export interface ToldMessage {
  /** As whoever asks may see it. */
  view: DeliveryView
  /** The message that told it, where it joined one of another event. */
  told: DeliveryView
  /** Every time it left a radio; of a simulated one too, which transmits nothing. */
  transmissions: Transmission[]
  /** The report that made it. */
  event: StoredEvent
  /** Its last step, when it was not told: why. */
  why: { at: string; state: string; step: TraceStepReason } | null
}
type TraceStepReason = ReturnType<HttpContext['deliveries']['steps']>[number]['step']

/** The reports of one real-world event or drill, and who was told of them. */
export interface ThreadReport {
  /** Oldest first. */
  events: StoredEvent[]
  drill: boolean
  messages: ToldMessage[]
  /** There are more messages than a report has. */
  isCut: boolean
  acks: Ack[]
  /** Steps that stopped it for a place or a channel, or for all. */
  stopped: TraceStep[]
}

type Known = Pick<HttpContext, 'ledger' | 'deliveries' | 'reactions'>
interface Reading {
  asker: Pick<Asker, 'isGuest'>
  left: () => boolean
}

/** The report of a thread, in slices; null when none of it is stored. @throws AppError `unavailable` once nobody waits for it any more. */
export async function threadReport(
  context: Known,
  thread: string,
  { asker, left }: Reading
): Promise<ThreadReport | null> {
  const stored = context.ledger.thread(thread).toReversed()
  const [first] = stored
  if (first === undefined) return null
  const events = asker.isGuest
    ? stored.map((one) => ({ ...one, event: { ...one.event, title: publicUrls(one.event.title) } }))
    : stored
  await readersTurn()
  const filter = deliveryFilter({ thread }, mostMessages(asker), asker)
  const { deliveries, next } = await listDeliveriesInSlices(context.deliveries, filter, left)
  const own = new Set(deliveries.map(({ id }) => id))
  const messages: ToldMessage[] = []
  for (const delivery of deliveries.toReversed()) {
    // Its words are told by a message that stands here itself.
    if (delivery.merged_into !== null && own.has(delivery.merged_into)) continue
    messages.push(toldMessage(context, delivery, { events, asker }))
    await readersTurn()
  }
  const stopped = stored.flatMap(({ trace }) =>
    storedSteps(trace).filter(
      ({ outcome, channel }) => outcome === 'stop' || (outcome === 'skip' && channel !== undefined)
    )
  )
  const drill = stored.some(({ event }) => isDrill(event))
  return { events, drill, messages, isCut: next !== null, acks: context.reactions.acks.of(thread), stopped }
}

function toldMessage(
  context: Known,
  delivery: DeliveryView,
  { events, asker }: { events: readonly StoredEvent[] } & Pick<Reading, 'asker'>
): ToldMessage {
  const told = messageThatTold(context, delivery)
  const transmissions = context.ledger.comms.transmissions(told.id)
  // That a simulated radio says that it was heard is no reason.
  const isOut = transmissions.length > 0 || firstTold({ told, transmissions }) !== null
  const last = isOut ? undefined : context.deliveries.steps(told.id).at(-1)
  return {
    view: shownDelivery(delivery, asker),
    told: shownDelivery(told, asker),
    transmissions,
    event: reportOf(delivery, events),
    why: last ?? null
  }
}

function messageThatTold({ deliveries }: Pick<Known, 'deliveries'>, delivery: DeliveryView): DeliveryView {
  let told = delivery
  for (let joins = 0; told.merged_into !== null && joins < MOST_JOINS; joins++) {
    const [into] = deliveries.list({ cursor: told.merged_into + 1, limit: 1 }).deliveries
    if (into === undefined || into.id !== told.merged_into) break
    told = into
  }
  return told
}

/** The newest report of its event that was there when the message was made. */
function reportOf({ event_ids: ids, created_at }: DeliveryView, events: readonly StoredEvent[]): StoredEvent {
  const made = Date.parse(created_at)
  const known = events.filter(({ event }) => Date.parse(event.received_at) <= made)
  const found = known.findLast(({ event }) => ids.includes(event.id)) ?? known.at(-1) ?? events[0]
  if (found === undefined) throw new Error('a thread without reports')
  return found
}

/** Threads of the drills of a span, oldest first, in slices; at most as many as one report has. */
export async function drillsOf(
  { ledger }: Pick<Known, 'ledger'>,
  { from, until }: Pick<Period, 'from' | 'until'>
): Promise<{ threads: string[]; isCut: boolean }> {
  const threads = new Set<string>()
  let after: { at: number; n: number } | null = { at: from, n: 0 }
  while (after !== null && threads.size <= MOST_DRILLS) {
    const { entries, next }: ReturnType<typeof ledger.comms.drills> = ledger.comms.drills({
      after,
      until,
      limit: LOOKED_AT
    })
    for (const thread of entries) threads.add(thread)
    after = next
    await readersTurn()
  }
  return { threads: [...threads].slice(0, MOST_DRILLS), isCut: threads.size > MOST_DRILLS }
}

/**
 * When it was told first, epoch milliseconds: by radio when it left first, else when the server took it; null when it was not, or is not known
 * to have been. A simulated radio tells nobody.
 */
export function firstTold({ told, transmissions }: Pick<ToldMessage, 'told' | 'transmissions'>): number | null {
  if (told.simulated) return null
  if (told.transport === 'mt' || told.transport === 'mc') return transmissions[0]?.at ?? null
  return told.sent_at !== null && wasOnAir(told.state) ? Date.parse(told.sent_at) : null
}

/** `unknown`: it was handed over, and no answer came. */
export function isTold(message: ToldMessage): 'yes' | 'no' | 'unknown' {
  if (firstTold(message) !== null) return 'yes'
  return message.told.state === 'sent_unknown' && !message.told.simulated ? 'unknown' : 'no'
}

/** Milliseconds from the moment at which the station had the report until it was told; null when it was not. */
export function delayOf(message: ToldMessage): number | null {
  const at = firstTold(message)
  return at === null ? null : at - Date.parse(message.event.event.received_at)
}
