import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import { decideCancel } from './cancel.ts'
import type { DecideContext } from './decide-context.ts'
import type { Carried, Decision, GuardView, Hold, PlannedSend, TraceStep } from './decision.ts'
import { drillChannels, drillTargets } from './drill-channels.ts'
import { planSends } from './guards.ts'
import { applyInhibition } from './inhibit.ts'
import { channelKey } from './keys.ts'
import { askMatrix } from './matrix.ts'
import type { PlanTarget } from './plan-target.ts'
import { holdForQuiet } from './quiet-hours.ts'
import { readOnce, revivedEnds, without } from './revived.ts'
import { askRules } from './rules.ts'
import { applySilences } from './silences.ts'
import { judgeStaleness } from './staleness.ts'
import { judgeOrder } from './superseded.ts'

const COLD_START_LIMIT_MS = 2 * 3_600_000
/** The time for which the first listings after a start are waited for, to sum up what is in force. */
const SUMMARY_WAIT_MS = 60_000

/**
 * Decides the fate of one event: pure, so that the live path, explain, backtest and replay are the same code. Order:
 * gate → order of sending → master switch → end of life → cold start → staleness → matrix or rules → silences →
 * inhibition → cooldown → dedup → quiet hours (contract §3–5).
 */
export function decide(event: LookoutEvent, asked: DecideContext): Decision {
  const context = { ...asked, view: readOnce(asked.view) }
  const trace = [...context.before]
  const stop = (kind: Decision['kind'], step: TraceStep): Decision => {
    trace.push(step)
    return { kind, reason: step.reason, trace, sends: [], withdraw: [] }
  }
  const { gate, notifications, view, now } = context
  const { code, params } = gate.why
  trace.push({ stage: 'gate', outcome: gate.pass ? 'pass' : 'stop', reason: gate.reason, code, params })
  const late = judgeOrder(event, view.newer(event.thread_id, Date.parse(event.sent_at), now))
  if (late !== null) return stop('recorded', late)
  // A cancel is for the channels that carried the original; where it lies now does not matter to them.
  if (event.lifecycle === 'cancel' || event.lifecycle === 'expire')
    return finish(
      quieten(event, decideCancel(event, { notifications, view, now, regionsOf: context.regionsOf }), context),
      trace
    )
  if (!gate.pass) return { kind: 'dropped', reason: gate.reason, trace, sends: [], withdraw: [] }
  if (!notifications.enabled) return stop('recorded', switchedOff)

  const cold = context.coldStart ? judgeColdStart(event, view, now) : null
  if (cold !== null) trace.push(cold)
  if (cold?.outcome === 'stop') return { kind: 'recorded', reason: cold.reason, trace, sends: [], withdraw: [] }
  const staleness = judgeStaleness(event, notifications, now)
  trace.push(staleness)
  if (staleness.outcome === 'stop') return { kind: 'dropped', reason: staleness.reason, trace, sends: [], withdraw: [] }

  const revived = revivedEnds(event, view.carried(event.thread_id), context.regionsOf)
  const calm = { ...context, view: without(view, revived) }
  const routed = takenBack(route(event, calm), revived)
  return finish(quieten(event, cold?.reason === 'summary' ? summedUp(routed, now) : routed, calm), trace)
}

/** The end of what goes on again is not said. */
function takenBack(decision: Decision, ends: readonly Carried[]): Decision {
  if (ends.length === 0) return decision
  const why = because('ends_withdrawn', { count: ends.length })
  const step: TraceStep = { stage: 'lifecycle', outcome: 'note', reason: 'withdrawn', ...why }
  const withdraw = ends.map(({ id }) => ({ id, reason: 'superseded' }))
  return { ...decision, trace: [step, ...decision.trace], withdraw: [...decision.withdraw, ...withdraw] }
}

/** Held for the summary of its channel; what is in force anyway makes nothing cool that comes as news. */
function summedUp(decision: Decision, now: number): Decision {
  if (decision.sends.length === 0) return decision
  const hold: Hold = { reason: 'summary', until: now + SUMMARY_WAIT_MS }
  return { ...decision, reason: 'summary', sends: decision.sends.map((send) => ({ ...send, cooldown: [], hold })) }
}

/** Stand-ins follow their primaries: what is held in quiet hours needs nobody to take over. */
function quieten(event: LookoutEvent, decision: Decision, context: DecideContext): Decision {
  const { notifications, timezone, view, now } = context
  if (!notifications.quiet_hours.enabled || decision.sends.length === 0) return decision
  const carried = view.carried(event.thread_id)
  const held = holdForQuiet(event, decision.sends, { quiet: notifications.quiet_hours, timezone, now, carried })
  if (held.trace.length === 0) return decision
  const going = held.sends.filter(({ hold }) => hold?.reason !== 'quiet_hours').map(channelKey)
  const { fallbacks = [], ...rest } = decision
  const needed = fallbacks.filter(({ primaries }) => primaries.some((key) => going.includes(key)))
  return {
    ...rest,
    reason: going.length === 0 ? 'quiet_hours' : decision.reason,
    sends: held.sends,
    trace: [...decision.trace, ...held.trace],
    ...(needed.length === 0 ? {} : { fallbacks: needed })
  }
}

export const switchedOff: TraceStep = {
  stage: 'switch',
  outcome: 'stop',
  reason: 'notifications_off',
  ...because('switched_off')
}

function finish(decision: Decision, before: TraceStep[]): Decision {
  return { ...decision, trace: [...before, ...decision.trace] }
}

/**
 * docs/interface.md §4 rule 6: known at start, not new — except what is in force and was never told. Critical or above and young
 * speaks for itself, the rest from priority on in one summary per channel.
 */
function judgeColdStart(event: LookoutEvent, view: GuardView, now: number): TraceStep {
  const inForce = event.expires !== null && Date.parse(event.expires) > now
  const young = now - Date.parse(event.sent_at) < COLD_START_LIMIT_MS
  // A message that still waits may be another part of the same listing.
  const told = (): boolean => view.carried(event.thread_id).some(({ state }) => state !== 'waiting')
  if (inForce && isAtLeast(event.severity, 'priority') && !told()) {
    const alone = young && isAtLeast(event.severity, 'critical')
    const why = because(alone ? 'told_at_start' : 'told_in_summary', { severity: event.severity })
    return { stage: 'cold_start', outcome: 'pass', reason: alone ? 'in_force' : 'summary', ...why }
  }
  return { stage: 'cold_start', outcome: 'stop', reason: 'cold_start', ...because('known_at_start') }
}

function route(event: LookoutEvent, context: DecideContext): Decision {
  const { notifications } = context
  const drill = drillTargets(event)
  if (drill !== null) return plan(event, drill, { context, trace: [drillChannels(drill)] })
  const matrix = askMatrix(event, notifications.region_routes)
  const rules = askRules(event, notifications)
  const trace = [...matrix.trace]
  const targets: PlanTarget[] = matrix.targets.map((routed) => ({ ...routed, path: 'matrix' }))
  for (const routed of rules.targets) {
    const broadcasts = isMesh(routed.target.transport) && !routed.target.direct
    if (!matrix.authoritative || !broadcasts) targets.push(routed)
  }
  trace.push(
    ...(matrix.authoritative
      ? [authoritative, ...rules.trace.filter(({ stage }) => stage === 'destination')]
      : rules.trace)
  )
  if (targets.length === 0) {
    const { reason, why } = whyNobody(matrix)
    trace.push({ stage: 'plan', outcome: 'stop', reason, ...why })
    return { kind: matrix.authoritative ? 'suppressed' : 'unrouted', reason, trace, sends: [], withdraw: [] }
  }
  return plan(event, targets, { context, trace })
}

/** Asks silences, graver messages and guards for what the routed targets are left with. */
function plan(
  event: LookoutEvent,
  targets: PlanTarget[],
  { context, trace }: { context: DecideContext; trace: TraceStep[] }
): Decision {
  const heard = applySilences(event, targets, context.view.silences(context.now))
  trace.push(...heard.trace)
  if (heard.targets.length === 0) return { kind: 'suppressed', reason: 'silenced', trace, sends: [], withdraw: [] }
  const { free, inhibited, trace: mutes } = inhibit(event, heard.targets, context)
  trace.push(...mutes)
  if (free.length === 0)
    return { kind: 'suppressed', reason: 'inhibited', trace, sends: [], withdraw: [], ...inhibited }
  const planned = planSends(event, free, context)
  return { ...planned, trace: [...trace, ...planned.trace], ...inhibited }
}

function inhibit(
  event: LookoutEvent,
  targets: PlanTarget[],
  context: DecideContext
): { free: PlanTarget[]; inhibited: Pick<Decision, 'inhibited'>; trace: TraceStep[] } {
  const { notifications, view, now, regionsOf } = context
  const {
    targets: free,
    muted,
    trace
  } = applyInhibition(event, targets, {
    config: notifications.inhibition,
    inForce: () => view.inForce(now),
    carried: () => view.carried(event.thread_id),
    regionsOf
  })
  const kept = muted.flatMap((one) => planInhibited(event, one, { context, free }))
  return { free, inhibited: kept.length === 0 ? {} : { inhibited: kept }, trace }
}

/**
 * Plans what is told when the graver message is over: in the regions of the same channel that hear of it now, news of
 * places only.
 */
function planInhibited(
  event: LookoutEvent,
  { routed, until }: { routed: PlanTarget; until: number },
  { context, free }: { context: DecideContext; free: readonly PlanTarget[] }
): PlannedSend[] {
  // As in the quiet hours, nothing stands in for what is held.
  if (routed.fallbackFor !== undefined) return []
  const key = channelKey(routed.target)
  const toldNow = free.some((other) => channelKey(other.target) === key)
  return planSends(event, [routed], context).sends.map((send) => ({
    ...send,
    ...(toldNow && send.kind === 'new' ? { kind: 'update', newPlacesOnly: true } : {}),
    // Two messages of one event on one channel: each with a key of its own.
    dedup: {
      ...send.dedup,
      key: toldNow ? send.dedup.key.replace('|', `+${send.regions.join('+')}|`) : send.dedup.key
    },
    hold: { reason: 'inhibited', until }
  }))
}

/** Muted only when no cell would have sent it with a lower floor or the network on: that is what somebody can change. */
function whyNobody({ authoritative: matched, trace }: ReturnType<typeof askMatrix>): {
  reason: string
  why: Reason
} {
  if (!matched) return { reason: 'no_route', why: because('no_route') }
  const told = new Set(trace.map(({ reason }) => reason))
  if (told.has('network_off')) return { reason: 'network_off', why: because('all_networks_off') }
  return told.has('below_min_severity')
    ? { reason: 'below_min_severity', why: because('all_floors_higher') }
    : { reason: 'muted', why: because('all_cells_muted') }
}

const authoritative: TraceStep = {
  stage: 'matrix',
  outcome: 'note',
  reason: 'authoritative',
  ...because('matrix_decides')
}

function isMesh(transport: string): boolean {
  return transport === 'mt' || transport === 'mc'
}
