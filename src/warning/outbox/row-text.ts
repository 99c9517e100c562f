import { type HoldReason, wordsOf } from '../../model/content.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import type { WarningConfig } from '../settings.ts'
import type { Delivery, DigestMember } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import { composeFor, digestText, type HeldHead, namedEnd, type Setting, withRemains } from './text.ts'

/** Tells for codes of an event the regions each reaches; null when nobody can tell. */
export interface EventPlaces {
  where: (event: LookoutEvent) => { regionsOf: (code: string) => readonly string[] | null }
}

/** The stores from which the words of a stored message come. */
export interface RowSources {
  ledger: Pick<Ledger, 'get' | 'thread' | 'over' | 'heads' | 'goesOn'>
  outbox: Pick<Outbox, 'get' | 'membersOf'>
  config: () => WarningConfig
  configFor: (event: LookoutEvent) => WarningConfig
  places: EventPlaces
}

/** The stored events a row tells of, the newest last. */
export function eventsOf(
  delivery: Pick<Delivery, 'eventSeqs' | 'threadId'>,
  { ledger }: Pick<RowSources, 'ledger'>
): LookoutEvent[] {
  const thread = (): LookoutEvent[] => ledger.thread(delivery.threadId).map(({ event }) => event)
  return delivery.eventSeqs.flatMap((seq) => ledger.get(seq)?.event ?? []).map((one) => namedEnd(one, thread))
}

/**
 * The text of a stored message as it would leave now; no part when everything it would have told of is over. `again`: the row whose
 * words are said once more behind its mark, where they fit.
 */
export function composeRow(
  delivery: Delivery,
  sources: RowSources,
  { description, nowMs, again = null }: Pick<Setting, 'description' | 'nowMs'> & { again?: Delivery | null }
): string[] {
  const setting = { description, nowMs }
  const { content } = delivery
  switch (content.kind) {
    case 'alert':
    case 'end':
      return composeEventRow(delivery, sources, { ...setting, again })
    case 'digest':
      return composeDigestRow(delivery, content.of, sources, setting)
    case 'reply':
    case 'broadcast':
    case 'test':
    case 'notice':
    case 'alert_packet':
    case 'waypoint':
      return [...(delivery.parts ?? [])]
  }
}

function composeEventRow(
  delivery: Delivery,
  sources: RowSources,
  { description, nowMs, again }: Pick<Setting, 'description' | 'nowMs'> & { again: Delivery | null }
): string[] {
  // An end ends its codes wherever it is placed itself, and all of it when it names no place.
  const concerning = ({ regions, lifecycle, zones, same }: LookoutEvent): boolean =>
    delivery.regions.length === 0 ||
    regions.some((region) => delivery.regions.includes(region)) ||
    ((lifecycle === 'cancel' || lifecycle === 'expire') && (regions.length === 0 || zones.length + same.length > 0))
  const thread = sources.ledger.thread(delivery.threadId).map(({ event: told }) => told)
  const told = thread.reverse().filter(concerning)
  const events = eventsOf(delivery, sources).map((one) =>
    one.lifecycle === 'cancel'
      ? withRemains(one, inRegions(told, delivery.regions, sources.places.where(one).regionsOf), nowMs)
      : one
  )
  const event = events.at(-1)
  if (event === undefined) throw new Error(`delivery ${delivery.id} names no stored event`)
  const origin = again ?? (delivery.origin === null ? null : sources.outbox.get(delivery.origin))
  return composeFor(
    event,
    { ...delivery, kind: wordsOf(delivery.content).kind, origin, events },
    settingOf(sources.configFor(event), delivery, { description, nowMs })
  )
}

function settingOf(
  config: WarningConfig,
  place: Pick<Delivery, 'transport' | 'channel' | 'direct'>,
  { description, nowMs }: Pick<Setting, 'description' | 'nowMs'>
): Setting {
  return { config, spoken: spokenOn(config, place), description, nowMs }
}

/** Limits a beginning to the codes of these regions: what goes on next door is no news here. Codes that nobody can place stay. */
function inRegions(
  thread: readonly LookoutEvent[],
  regions: readonly string[],
  regionsOf: (code: string) => readonly string[] | null
): LookoutEvent[] {
  const lies = (code: string): boolean => regionsOf(code)?.some((region) => regions.includes(region)) ?? true
  return thread.map((event) => {
    if (regions.length === 0 || event.lifecycle === 'cancel' || event.lifecycle === 'expire') return event
    const [zones, same] = [event.zones.filter(lies), event.same.filter(lies)]
    return zones.length + same.length === 0 ? event : { ...event, zones, same }
  })
}

function composeDigestRow(
  delivery: Delivery,
  reason: HoldReason,
  sources: RowSources,
  { description, nowMs }: Pick<Setting, 'description' | 'nowMs'>
): string[] {
  const heads = headsOf(sources.outbox.membersOf(delivery.id), sources, nowMs)
  const setting = { ...settingOf(sources.config(), delivery, { description, nowMs }), mark: delivery.mark }
  return heads.length === 0 ? [] : [digestText(heads, reason, setting).text]
}

/** Those of the rows, all of one channel, that one text has room for: what is left over is told by another. */
export function fittingRows(
  rows: readonly Delivery[],
  reason: HoldReason,
  sources: RowSources,
  { description, nowMs }: Pick<Setting, 'description' | 'nowMs'>
): Delivery[] {
  const heads = headsOf(rows, sources, nowMs)
  const [first] = rows
  if (first === undefined) return []
  const { told } = digestText(heads, reason, settingOf(sources.config(), first, { description, nowMs }))
  return rows.filter(({ threadId }) => told.has(threadId))
}

/**
 * An event that is over by now has no place in a text. Whatever was held may be in one digest, and three of it find room: the others
 * are judged by their columns alone.
 */
function headsOf(rows: readonly DigestMember[], { ledger }: Pick<RowSources, 'ledger'>, nowMs: number): HeldHead[] {
  const over = ledger.over(
    rows.filter(({ content }) => content.kind !== 'end').map(({ threadId }) => threadId),
    nowMs
  )
  const newest = ledger.heads(rows.map(({ eventSeqs }) => eventSeqs))
  return rows.flatMap((row, n) => {
    const head = newest[n]
    if (head === undefined || head === null || (row.content.kind !== 'end' && over.has(row.threadId))) return []
    const event = (): LookoutEvent => {
      const told = eventsOf({ ...row, eventSeqs: [head.seq] }, { ledger }).at(-1)
      if (told === undefined) throw new Error(`event ${head.seq} is not stored`)
      return told
    }
    return { ...head, kind: wordsOf(row.content).kind, regions: row.regions, event }
  })
}
