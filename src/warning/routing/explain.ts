import type { MessageKind, MessagePath } from '../../model/content.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { type CellVerdict, cellVerdictSteps } from './cell-verdicts.ts'
import type { Blocked } from './channel-verdict.ts'
import { decide } from './decide.ts'
import type { Decision, GuardView, Hold, PlannedSend, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import type { NotificationsConfig, RegionRoutes } from './settings.ts'
import { type Located, withRegions } from './tagged.ts'

/** One message that would go out. Airtime in seconds. */
export interface ExplainedMessage {
  transport: string
  channel: number | string
  kind: MessageKind
  regions: string[]
  path: MessagePath
  text: string | null
  bytes: number | null
  airtime_seconds: number | null
  merges_into: number | null
  /** `planned`: it would be handed to its radio. `held`: it would wait. `failed`: it would not go out. */
  state: 'planned' | 'held' | 'failed'
  /** The reason why it would wait or fail; null when it is planned. */
  blocked: Blocked['reason'] | Hold['reason'] | null
  /** Channels it only stands in for; absent on a message that is sent at once. */
  stands_in_for?: string[]
}

/** The fate that an event would have now, with every reason. Contract §4 rule 8. */
export interface Explanation {
  event: {
    id: string
    source: string
    family: string
    severity: string
    thread_id: string
    region: string | null
    regions: string[]
  }
  outcome: Decision['kind']
  reason: string
  messages: ExplainedMessage[]
  /** The verdict of each cell of the event's family. */
  cells: CellVerdict[]
  trace: TraceStep[]
}

export interface ExplainContext {
  notifications: NotificationsConfig
  timezone: string
  matrix?: RegionRoutes | undefined
  view: GuardView
  now: number
  locate: (event: LookoutEvent) => Located
  /** The text as the outbox would compose it; null where no text is made (network deliveries). */
  preview: (event: LookoutEvent, send: PlannedSend) => { text: string; airtimeMs: number } | null
  /** Finds the obstacle between a planned message and its radio at present; null when there is none. */
  blocked?: (send: PlannedSend) => Blocked | null
}

/**
 * Runs the very code of the live path; nothing is stored, armed or sent. A step for each text and each cell: forty regions would
 * hold up the radios (docs/interface.md §6).
 */
export function* explainSteps(event: LookoutEvent, context: ExplainContext): Generator<void, Explanation> {
  const location = context.locate(event)
  const tagged: LookoutEvent = withRegions(event, location)
  const notifications =
    context.matrix === undefined ? context.notifications : { ...context.notifications, region_routes: context.matrix }
  const deciding = {
    notifications,
    timezone: context.timezone,
    view: context.view,
    now: context.now,
    gate: location.gate,
    regionsOf: location.regionsOf,
    before: location.trace,
    coldStart: false
  }
  yield
  const decision = decide(tagged, deciding)
  const messages: ExplainedMessage[] = []
  for (const send of decision.sends) {
    yield
    messages.push(explainSend(tagged, send, context))
  }
  for (const { planned, primaries } of decision.fallbacks ?? []) {
    yield
    messages.push({ ...explainSend(tagged, planned, context), stands_in_for: primaries })
  }
  const cells = yield* cellVerdictSteps({ event: tagged, decision, context: deciding, blocked: context.blocked })
  return {
    event: {
      id: tagged.id,
      source: tagged.source,
      family: tagged.family,
      severity: tagged.severity,
      thread_id: tagged.thread_id,
      region: tagged.region,
      regions: tagged.regions
    },
    outcome: decision.kind,
    reason: decision.reason,
    messages,
    cells,
    trace: decision.trace
  }
}

/** Without its radio a message waits; without its channel it fails. */
const WAITS: ReadonlySet<ExplainedMessage['blocked']> = new Set([
  'no_radio',
  'radio_down',
  'quiet_hours',
  'cooldown',
  'summary'
])

function explainSend(event: LookoutEvent, send: PlannedSend, context: ExplainContext): ExplainedMessage {
  const blocked = send.hold?.reason ?? context.blocked?.(send)?.reason ?? null
  const preview = context.preview(event, send)
  return {
    transport: send.transport,
    channel: send.channel,
    kind: send.kind,
    regions: send.regions,
    path: send.path,
    text: preview?.text ?? null,
    bytes: preview === null ? null : new TextEncoder().encode(preview.text).length,
    airtime_seconds: preview === null ? null : Math.round(preview.airtimeMs) / 1000,
    merges_into: send.mergeInto,
    state: blocked === null ? 'planned' : WAITS.has(blocked) ? 'held' : 'failed',
    blocked
  }
}

/** For summaries: `mt:3`, `mc:north`. */
export function channelsOf(decision: Pick<Decision, 'sends'>): string[] {
  return decision.sends.map(channelKey)
}
