import type { AlertWords } from '../../model/content.ts'
import { isDrill, type LookoutEvent } from '../../model/event.ts'
import { gravityOf, hasRisen } from '../../model/gravity.ts'
import { because, type Reason } from '../../model/reason.ts'
import { severityRank } from '../../model/severity.ts'
import type { DecideContext } from './decide-context.ts'
import type {
  Armed,
  Carried,
  Decision,
  Heard,
  Hold,
  PlannedAlert,
  PlannedFallback,
  PlannedSend,
  TraceStep
} from './decision.ts'
import { channelKey, dedupKey } from './keys.ts'
import { materialOf } from './material.ts'
import type { PlanTarget } from './plan-target.ts'
import { toggleOf } from './rules.ts'
import { hasChanged, toldBy } from './told.ts'

/** No end passes the guards: it has its own way. */
interface PlannedAlerts extends Decision {
  sends: PlannedAlert[]
}

/** The guards every path shares: cooldown per region, then dedup per channel (contract §4 rules 3–5). */
export function planSends(event: LookoutEvent, targets: PlanTarget[], context: DecideContext): PlannedAlerts {
  const trace: TraceStep[] = []
  const carried = context.view.carried(event.thread_id)
  const cooling = coolingRegions(event, targets, context)
  const sends: PlannedAlert[] = []
  const later: PlannedFallback[] = []
  for (const target of targets) {
    const answer = planOne(event, target, { context, carried, cooling })
    if (target.fallbackFor !== undefined && answer.send !== null) {
      // A fallback whose primary may go and does not get through has waited long enough.
      const { hold: _, ...planned } = answer.send
      later.push({ planned, primaries: target.fallbackFor })
      continue
    }
    trace.push(...answer.trace)
    if (answer.send !== null) sends.push(answer.send)
  }
  const fallbacks = fallbacksOf(later, sends, trace)
  const kind = sends.length > 0 ? 'send' : 'suppressed'
  return {
    kind,
    reason: headline(sends, trace),
    trace,
    sends,
    withdraw: [],
    ...(fallbacks.length === 0 ? {} : { fallbacks })
  }
}

/** The reason that holds every message, else that some go, else what stopped the last. */
function headline(sends: readonly PlannedSend[], trace: readonly TraceStep[]): string {
  const [first] = sends
  if (first === undefined) return trace.findLast(({ outcome }) => outcome === 'skip')?.reason ?? 'duplicate'
  return sends.every(({ hold }) => hold !== undefined) ? (first.hold?.reason ?? 'planned') : 'planned'
}

/** Of the messages that stand in for others, those whose primary is sent now: for nothing sent, nothing needs to stand in. */
function fallbacksOf(
  later: readonly PlannedFallback[],
  sends: readonly PlannedSend[],
  trace: TraceStep[]
): PlannedFallback[] {
  const sending = new Set(sends.map(channelKey))
  const fallbacks = later.filter(({ primaries }) => primaries.some((key) => sending.has(key)))
  for (const { planned, primaries } of fallbacks) {
    const channel = channelKey(planned)
    const why = because('kept_as_fallback', { channel, primaries })
    trace.push({ stage: 'plan', outcome: 'note', reason: 'held_back', ...why, channel })
  }
  return fallbacks
}

interface PlanInput {
  context: DecideContext
  carried: readonly Carried[]
  cooling: Map<string, number>
}

/**
 * Regions whose cooldown holds this event, with its end (epoch milliseconds): asked once per event and region, before the
 * first send. What is graver than what armed it, by level or by its hazard's measure, is not held.
 */
function coolingRegions(
  event: LookoutEvent,
  targets: readonly Pick<PlanTarget, 'regions'>[],
  { notifications, view, now }: DecideContext
): Map<string, number> {
  const limitMs = toggleOf(notifications, event.family).cooldown_seconds * 1000
  const cooling = new Map<string, number>()
  // A drill arms none, so none holds the next text of it.
  if (limitMs === 0 || isDrill(event) || severityRank(event.severity) >= severityRank('critical')) return cooling
  for (const region of new Set(targets.flatMap((target) => cooldownRegions(target.regions)))) {
    const armed = view.armed(event.family, event.category, region)
    // Armed in the future: the clock was set back since, and a region must not stay silent until it has caught up.
    if (armed === null || armed.at > now || now - armed.at >= limitMs || isGraver(event, armed)) continue
    cooling.set(region, armed.at + limitMs)
  }
  return cooling
}

function isGraver(event: LookoutEvent, { severity, gravity }: Armed): boolean {
  return (severity !== null && severityRank(event.severity) > severityRank(severity)) || hasRisen(event, gravity)
}

/** Events without a region cool under one key of their own. */
function cooldownRegions(regions: readonly string[]): readonly string[] {
  return regions.length === 0 ? ['*'] : regions
}

function planOne(
  event: LookoutEvent,
  routed: PlanTarget,
  input: PlanInput
): { send: PlannedAlert | null; trace: TraceStep[] } {
  const key = channelKey(routed.target)
  const history = input.carried.filter((carried) => carried.channelKey === key)
  const heard = () => input.context.view.heard(event.thread_id)
  const news = whatIsNew(event, routed.regions, { history, heard })
  if (news === null) {
    const why = because('nothing_new', { channel: key })
    return { send: null, trace: [stepOf({ stage: 'dedup', outcome: 'skip', reason: 'duplicate' }, why, key)] }
  }
  const waiting = history.findLast(isWaiting)
  const hold = news.passes ? undefined : cooldownOf(routed, input)
  const send = planned(event, routed, { key, news, mergeInto: waiting?.id ?? null, again: history.length > 0, hold })
  if (waiting !== undefined) {
    const why = because('joins_waiting', { id: waiting.id, channel: key })
    return { send, trace: [stepOf({ stage: 'plan', outcome: 'merge', reason: 'merged' }, why, key)] }
  }
  if (input.context.view.seen(send.dedup.source, send.dedup.key)) {
    const why = because('sent_before_as', send.dedup)
    return { send: null, trace: [stepOf({ stage: 'dedup', outcome: 'skip', reason: 'duplicate' }, why, key)] }
  }
  if (hold !== undefined) {
    const why = because('cools_down', { until: hold.until, category: event.category, channel: key })
    return { send, trace: [stepOf({ stage: 'cooldown', outcome: 'note', reason: 'cooldown' }, why, key)] }
  }
  const { kind } = news
  const { regions } = send
  const why =
    regions.length > 0
      ? because('planned_for', { kind, regions, channel: key })
      : because('planned', { kind, channel: key })
  return { send, trace: [stepOf({ stage: 'plan', outcome: 'send', reason: kind }, why, key)] }
}

/** Spelt out: behind a spread an object grows field by field. */
function stepOf(
  { stage, outcome, reason }: Pick<TraceStep, 'stage' | 'outcome' | 'reason'>,
  { code, params }: Reason,
  channel: string
): TraceStep {
  return { stage, outcome, reason, code, params, channel }
}

/** A channel is held until the first of its regions has cooled (docs/interface.md §4 rule 5); undefined: one does not cool. */
function cooldownOf({ regions }: PlanTarget, { cooling }: PlanInput): Hold | undefined {
  const ends = cooldownRegions(regions).map((region) => cooling.get(region))
  const known = ends.filter((end) => end !== undefined)
  return known.length === 0 || known.length < ends.length
    ? undefined
    : { reason: 'cooldown', until: Math.min(...known) }
}

interface News {
  kind: AlertWords['kind']
  regions: string[]
  newPlacesOnly: boolean
  /** A cooldown does not hold it: its level has risen, or what the channel was told of this very thread has changed. */
  passes: boolean
}

/** Compares with what the channel carried of this thread; null when a listener would learn nothing. */
function whatIsNew(
  event: LookoutEvent,
  regions: string[],
  { history, heard }: { history: Carried[]; heard: () => readonly Heard[] }
): News | null {
  const waiting = history.findLast(isWaiting)
  const told = toldBy(history.filter((row) => row !== waiting))
  const newest = waiting ?? told.last
  const raises = newest !== null && severityRank(event.severity) > severityRank(newest.severity)
  if (told.last === null) return { kind: 'new', regions, newPlacesOnly: false, passes: raises }
  // A waiting message may say something else of these places than was told, and this event takes it back.
  const changed = hasChanged(event, told, heard) || (waiting !== undefined && hasChanged(event, toldBy(history), heard))
  if (raises || changed) return { kind: 'update', regions, newPlacesOnly: false, passes: true }
  const fresh = regions.filter((region) => !told.regions.has(region))
  return fresh.length > 0 ? { kind: 'update', regions: fresh, newPlacesOnly: true, passes: false } : null
}

function isWaiting({ state, kind }: Carried): boolean {
  return state === 'waiting' && kind !== 'cancel'
}

function planned(
  event: LookoutEvent,
  routed: PlanTarget,
  {
    key,
    news,
    mergeInto,
    again,
    hold
  }: { key: string; news: News; mergeInto: number | null; again: boolean; hold: Hold | undefined }
): PlannedAlert {
  // A second message of the thread on this channel needs a key of its own, or the first one's would silence it.
  const revision = event.revision === '' && again ? event.id : event.revision
  const { family, category } = event
  const gravity = gravityOf(event)
  const { transport, channel, direct } = routed.target
  // Spelt out: behind a spread each field grows the object, which took 3.5 KiB for each message of a storm.
  const send: PlannedAlert = {
    transport,
    channel,
    direct,
    kind: news.kind,
    regions: news.regions,
    newPlacesOnly: news.newPlacesOnly,
    path: routed.path,
    dedup: dedupKey({ source: event.source, threadId: event.thread_id, revision, channelKey: key }),
    cooldown: isDrill(event)
      ? []
      : cooldownRegions(routed.regions).map((region) => ({ family, category, region, gravity })),
    mergeInto,
    material: materialOf(event)
  }
  if (hold !== undefined) send.hold = hold
  return send
}
