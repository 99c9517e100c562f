import type { NotificationsConfig } from '../config/notifications-schema.ts'
import type { LookoutEvent } from '../events/event.ts'
import type { Carried, Decision, GuardView, PlannedSend, Target, TraceStep } from './decision.ts'
import { dedupKey } from './keys.ts'

interface CancelContext {
  notifications: NotificationsConfig
  view: GuardView
  now: number
}

/**
 * The end of an event. Ended by time: silent. Cancelled: once, to the channels that carried the original and to no other
 * (contract §2, §4 rule 4). What still waits is withdrawn, so that a warning is never sent after its end.
 * An event ends per zone: what goes on for the next county stays.
 */
export function decideCancel(event: LookoutEvent, { notifications, view, now }: CancelContext): Decision {
  const carried = view.carried(event.thread_id)
  const reason = event.lifecycle === 'expire' ? 'ended' : 'cancelled'
  const over = carried.filter((row) => row.state === 'waiting' && row.kind !== 'cancel' && endsWhole(event, row))
  const withdraw = over.map(({ id }) => ({ id, reason }))
  const trace: TraceStep[] = []
  const answer = (kind: Decision['kind'], step: TraceStep, sends: PlannedSend[] = []): Decision => {
    trace.push(step)
    return { kind, reason: step.reason, trace, sends, withdraw }
  }
  if (withdraw.length > 0) {
    const detail = `${withdraw.length} message(s) of this event still waited and are withdrawn`
    trace.push({ stage: 'lifecycle', outcome: 'note', reason: 'withdrawn', detail })
  }
  if (event.lifecycle === 'expire') {
    const detail = 'ended by time: silent'
    return answer('silent', { stage: 'lifecycle', outcome: 'stop', reason: 'ended_by_time', detail })
  }
  if (!notifications.enabled) {
    const detail = 'notifications are switched off: the cancel is recorded, not sent'
    return answer('recorded', { stage: 'switch', outcome: 'stop', reason: 'notifications_off', detail })
  }
  const sends = cancelSends(event, { carried, trace, now })
  if (sends.length === 0) {
    const detail = 'no channel carries the original any more: nothing to cancel'
    return answer('silent', { stage: 'lifecycle', outcome: 'stop', reason: 'nothing_to_cancel', detail })
  }
  const channels = sends.map(({ dedup }) => dedup.key.slice(dedup.key.lastIndexOf('|') + 1)).join(', ')
  const detail = `cancel to ${channels}, which carried it`
  return answer('send', { stage: 'plan', outcome: 'send', reason: 'cancel', detail }, sends)
}

/** Where a message is about: codes where both sides have them, else regions. Empty means everywhere. */
function placesOf(event: LookoutEvent, row: Carried): { event: string[]; row: string[] } {
  const codes = event.zones.length > 0 ? event.zones : event.same
  return codes.length > 0 && row.zones.length > 0
    ? { event: codes, row: row.zones }
    : { event: event.regions, row: row.regions }
}

function endsWhole(event: LookoutEvent, row: Carried): boolean {
  const places = placesOf(event, row)
  if (places.event.length === 0) return true
  return places.row.every((place) => places.event.includes(place))
}

function touches(event: LookoutEvent, row: Carried): boolean {
  const places = placesOf(event, row)
  if (places.event.length === 0 || places.row.length === 0) return true
  if (!places.row.some((place) => places.event.includes(place))) return false
  return endsWhole(event, row) || sharesRegion(event, row)
}

/** A product lists more counties than one channel is about: the end of another region's is no news there. */
function sharesRegion({ regions }: LookoutEvent, row: Carried): boolean {
  return regions.length === 0 || row.regions.length === 0 || row.regions.some((region) => regions.includes(region))
}

interface CancelInput {
  carried: Carried[]
  trace: TraceStep[]
  now: number
}

function cancelSends(event: LookoutEvent, { carried, trace, now }: CancelInput): PlannedSend[] {
  const sends: PlannedSend[] = []
  for (const key of new Set(carried.map(({ channelKey }) => channelKey))) {
    const history = carried.filter(({ channelKey }) => channelKey === key)
    const told = history.filter((row) => row.kind !== 'cancel' && row.state !== 'waiting' && touches(event, row))
    const last = told.at(-1)
    if (last === undefined) continue
    const skip = (reason: string, detail: string): void => {
      trace.push({ stage: 'lifecycle', outcome: 'skip', reason, detail, channel: key })
    }
    const cancels = history.filter(({ kind, id }) => kind === 'cancel' && id > last.id)
    if (cancels.length > 0 && allEnded(event, told, cancels)) {
      skip('already_cancelled', `${key} has been told of the end`)
      continue
    }
    if (last.expiresAt !== null && last.expiresAt <= now) {
      skip('ended_before', `what ${key} was told has ended by itself`)
      continue
    }
    const waiting = cancels.findLast(({ state }) => state === 'waiting')
    const regions = toldRegions(event, told)
    sends.push({ ...cancelOn(key, event, { regions, mergeInto: waiting?.id ?? null }), toldUntil: last.expiresAt })
  }
  return sends
}

/** Whether the cancels sent already cover every told place that this one ends. */
function allEnded(event: LookoutEvent, told: Carried[], cancels: Carried[]): boolean {
  return told.every((row) => {
    const places = placesOf(event, row)
    const ending = places.event.length === 0 ? places.row : places.row.filter((place) => places.event.includes(place))
    const ended = cancels.flatMap((cancel) =>
      places.row === row.zones && cancel.zones.length > 0 ? cancel.zones : cancel.regions
    )
    return ending.length === 0 ? cancels.length > 0 : ending.every((place) => ended.includes(place))
  })
}

function toldRegions(event: LookoutEvent, told: Carried[]): string[] {
  const regions = [...new Set(told.flatMap((carried) => carried.regions))]
  return event.regions.length === 0 ? regions : regions.filter((region) => event.regions.includes(region))
}

function cancelOn(
  key: string,
  event: LookoutEvent,
  { regions, mergeInto }: { regions: string[]; mergeInto: number | null }
): PlannedSend {
  return {
    ...targetOf(key),
    kind: 'cancel',
    regions,
    newPlacesOnly: false,
    path: 'cancel',
    dedup: dedupKey({
      source: event.source,
      threadId: event.thread_id,
      revision: `cancel:${event.id}`,
      channelKey: key
    }),
    cooldown: [],
    mergeInto,
    material: 'cancel'
  }
}

/** The target a channel key was made from. */
export function targetOf(key: string): Target {
  const [, transport = '', mark = ':', address = ''] = /^([a-z]+)([:@])(.*)$/s.exec(key) ?? []
  const direct = mark === '@'
  if (transport === 'mt') return { transport, channel: direct ? address : Number(address), direct }
  if (transport === 'mc' || transport === 'email' || transport === 'webhook' || transport === 'ntfy') {
    return { transport, channel: address, direct }
  }
  throw new Error(`not a channel key: ${key}`)
}
