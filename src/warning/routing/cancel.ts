import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import type { Carried, Decision, GuardView, PlannedSend, Target, TraceStep, Withdrawal } from './decision.ts'
import { type EndContext, Ending, namedRegions } from './ended.ts'
import { dedupKey } from './keys.ts'
import type { NotificationsConfig } from './settings.ts'

interface CancelContext extends Pick<EndContext, 'regionsOf'> {
  notifications: NotificationsConfig
  view: GuardView
  now: number
}

/**
 * The end of an event. Ended by time: silent. Cancelled: once, to the channels that carried the original and to no other
 * (contract §2, §4 rule 4). What still waits is withdrawn, so that a warning is never sent after its end.
 * An event ends per zone: what goes on for the next county stays.
 */
export function decideCancel(event: LookoutEvent, { notifications, view, now, regionsOf }: CancelContext): Decision {
  const carried = view.carried(event.thread_id)
  const messages = view.newer(event.thread_id, Number.NEGATIVE_INFINITY, now)
  const ending = new Ending(event, { messages, regionsOf })
  const reason = event.lifecycle === 'expire' ? 'ended' : 'cancelled'
  const withdraw = carried.flatMap((row): Withdrawal[] => {
    if (row.state !== 'waiting' || row.kind === 'cancel') return []
    const left = ending.left(row)
    if (left.length === 0) return [{ id: row.id, reason }]
    return left.length < row.regions.length ? [{ id: row.id, reason, left }] : []
  })
  const trace: TraceStep[] = []
  const answer = (kind: Decision['kind'], step: TraceStep, sends: PlannedSend[] = []): Decision => {
    trace.push(step)
    return { kind, reason: step.reason, trace, sends, withdraw }
  }
  if (withdraw.length > 0) {
    const why = because('waiting_withdrawn', { count: withdraw.length })
    trace.push({ stage: 'lifecycle', outcome: 'note', reason: 'withdrawn', ...why })
  }
  if (event.lifecycle === 'expire') {
    const why = because('ended_silently')
    return answer('silent', { stage: 'lifecycle', outcome: 'stop', reason: 'ended_by_time', ...why })
  }
  if (!notifications.enabled) {
    const why = because('cancel_recorded')
    return answer('recorded', { stage: 'switch', outcome: 'stop', reason: 'notifications_off', ...why })
  }
  const heir = heirOf(event)
  const heirs = heir === null ? [] : view.carried(heir)
  const sends = cancelSends(event, { carried, ending, trace, now, heirs })
  if (sends.length === 0) {
    const why = because('nothing_to_cancel')
    return answer('silent', { stage: 'lifecycle', outcome: 'stop', reason: 'nothing_to_cancel', ...why })
  }
  const channels = sends.map(({ dedup }) => dedup.key.slice(dedup.key.lastIndexOf('|') + 1))
  const why = because('cancel_to', { channels })
  return answer('send', { stage: 'plan', outcome: 'send', reason: 'cancel', ...why }, sends)
}

interface CancelInput {
  carried: readonly Carried[]
  ending: Ending
  trace: TraceStep[]
  now: number
  /** Messages of what takes its place. */
  heirs: readonly Carried[]
}

/** The thread of what takes the place of an upgraded event (`data.replaced_by`), or null. */
function heirOf({ data }: LookoutEvent): string | null {
  const heir = data['replaced_by']
  const thread = typeof heir === 'object' && heir !== null && 'thread_id' in heir ? heir.thread_id : null
  return typeof thread === 'string' ? thread : null
}

function cancelSends(event: LookoutEvent, { carried, ending, trace, now, heirs }: CancelInput): PlannedSend[] {
  const sends: PlannedSend[] = []
  for (const key of new Set(carried.map(({ channelKey }) => channelKey))) {
    const history = carried.filter(({ channelKey }) => channelKey === key)
    const told = toldEnding(history, ending)
    const last = told.at(-1)?.row
    if (last === undefined) continue
    const at = { channel: key }
    const skip = (reason: string, why: Reason): void => {
      trace.push({ stage: 'lifecycle', outcome: 'skip', reason, ...why, ...at })
    }
    const open = told.flatMap((one) => one.unheard)
    if (open.length === 0) {
      skip('already_cancelled', because('channel_told_end', at))
      continue
    }
    const taken = new Set(heirs.filter((row) => row.channelKey === key).flatMap(({ regions }) => regions))
    const unheard = open.filter((region) => !taken.has(region))
    if (unheard.length === 0) {
      skip('replaced', because('channel_hears_heir', at))
      continue
    }
    if (last.expiresAt !== null && last.expiresAt <= now) {
      skip('ended_before', because('channel_ended_itself', at))
      continue
    }
    const waiting = history.findLast(({ kind, state, id }) => kind === 'cancel' && state === 'waiting' && id > last.id)
    const planned = cancelOn(key, event, { regions: namedRegions(unheard), mergeInto: waiting?.id ?? null })
    sends.push({ ...planned, toldUntil: last.expiresAt })
  }
  return sends
}

interface ToldEnding {
  row: Carried
  /** Those of its regions whose people have not heard of this end. */
  unheard: readonly string[]
}

/** The messages that a channel was told and this event ends, oldest first. */
function toldEnding(history: readonly Carried[], ending: Ending): ToldEnding[] {
  return history.flatMap((row, at) => {
    const regions = row.kind === 'cancel' || row.state === 'waiting' ? [] : ending.regionsOf(row)
    if (regions.length === 0) return []
    const ends = history.slice(at + 1).filter(({ kind }) => kind === 'cancel')
    return [{ row, unheard: ending.unheard(row, regions, ends) }]
  })
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
