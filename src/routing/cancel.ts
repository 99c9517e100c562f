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
 */
export function decideCancel(event: LookoutEvent, { notifications, view, now }: CancelContext): Decision {
  const affected = view.carried(event.thread_id).filter((carried) => concerns(event, carried))
  const reason = event.lifecycle === 'expire' ? 'ended' : 'cancelled'
  const withdraw = affected.filter(({ state }) => state === 'waiting').map(({ id }) => ({ id, reason }))
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
    return answer('silent', {
      stage: 'lifecycle',
      outcome: 'stop',
      reason: 'ended_by_time',
      detail: 'ended by time: silent'
    })
  }
  if (!notifications.enabled) {
    const detail = 'notifications are switched off: the cancel is recorded, not sent'
    return answer('recorded', { stage: 'switch', outcome: 'stop', reason: 'notifications_off', detail })
  }
  const sends = cancelSends(event, affected, trace, now)
  if (sends.length === 0) {
    const detail = 'no channel carries the original any more: nothing to cancel'
    return answer('silent', { stage: 'lifecycle', outcome: 'stop', reason: 'nothing_to_cancel', detail })
  }
  const channels = sends.map(({ dedup }) => dedup.key.slice(dedup.key.lastIndexOf('|') + 1)).join(', ')
  return answer(
    'send',
    { stage: 'plan', outcome: 'send', reason: 'cancel', detail: `cancel to ${channels}, which carried it` },
    sends
  )
}

/** A product may end for one county and go on for the next: only messages about the same regions are concerned. */
function concerns(event: LookoutEvent, carried: Carried): boolean {
  if (event.regions.length === 0 || carried.regions.length === 0) return true
  return carried.regions.some((region) => event.regions.includes(region))
}

function cancelSends(event: LookoutEvent, affected: Carried[], trace: TraceStep[], now: number): PlannedSend[] {
  const byChannel = new Map<string, Carried[]>()
  for (const carried of affected)
    byChannel.set(carried.channelKey, [...(byChannel.get(carried.channelKey) ?? []), carried])
  const sends: PlannedSend[] = []
  for (const [key, history] of byChannel) {
    const told = history.filter(({ state, kind }) => kind !== 'cancel' && (state === 'sent' || state === 'flying'))
    const last = told.at(-1)
    if (last === undefined) continue
    const regions = toldRegions(event, told)
    const ended = history
      .filter(({ kind, id }) => kind === 'cancel' && id > last.id)
      .flatMap((cancel) => cancel.regions)
    const open = regions.filter((region) => !ended.includes(region))
    const alreadyEnded = history.some(({ kind, id }) => kind === 'cancel' && id > last.id) && open.length === 0
    if (alreadyEnded) {
      trace.push({
        stage: 'dedup',
        outcome: 'skip',
        reason: 'already_cancelled',
        detail: `${key} has been told of the end`,
        channel: key
      })
      continue
    }
    if (last.expiresAt !== null && last.expiresAt <= now) {
      trace.push({
        stage: 'lifecycle',
        outcome: 'skip',
        reason: 'ended_before',
        detail: `what ${key} was told has ended by itself`,
        channel: key
      })
      continue
    }
    sends.push(cancelOn(key, event, open))
  }
  return sends
}

function toldRegions(event: LookoutEvent, told: Carried[]): string[] {
  const regions = [...new Set(told.flatMap((carried) => carried.regions))]
  return event.regions.length === 0 ? regions : regions.filter((region) => event.regions.includes(region))
}

function cancelOn(key: string, event: LookoutEvent, regions: string[]): PlannedSend {
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
    mergeInto: null,
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
