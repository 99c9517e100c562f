import type { LookoutEvent } from '../../model/event.ts'
import type { DecideContext } from './decide-context.ts'
import type { Decision, Hold, PlannedSend, Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import { NETWORK_NAMES } from './network-switches.ts'
import { type CellState, type Obstacle, obstacle } from './obstacles.ts'
import { silencesEvent } from './silences.ts'

/** An obstacle to a planned message, by the words of a delivery. */
export interface Blocked {
  reason: 'no_radio' | 'radio_down' | 'no_channel' | 'channel_disabled'
}

/** The fate of one channel of a cell. */
export interface ChannelVerdict {
  channel: string
  state: CellState
  reason: string
  /** Empty when nothing has to change. */
  wanted: Obstacle[]
}

export interface ChannelInput {
  event: LookoutEvent
  decision: Decision
  context: DecideContext
  blocked?: ((send: PlannedSend) => Blocked | null) | undefined
  region: string
  /** Channel key of the one it only stands in for. */
  fallbackFor?: string | undefined
}

/** The stages before the matrix is asked: what they stop, no cell can send. */
const EARLY: ReadonlySet<TraceStep['stage']> = new Set(['gate', 'switch', 'lifecycle', 'cold_start', 'staleness'])

/** Reads off the decision what the channel does for this region; what stands in its way, in the order it was asked. */
export function channelVerdict(target: Target, input: ChannelInput): ChannelVerdict {
  const channel = channelKey(target)
  const send = input.decision.sends.find((planned) => concerns(planned, channel, input.region))
  if (send !== undefined) return sendVerdict(send, channel, input)
  const fallback = input.decision.fallbacks?.find(({ planned }) => concerns(planned, channel, input.region))
  if (fallback !== undefined)
    return verdict(channel, 'stood_by', [obstacle('stands_by', { channels: fallback.primaries })])
  return verdict(channel, 'suppressed', [obstacleOf(channel, input)])
}

function concerns({ path, regions, ...target }: PlannedSend, channel: string, region: string): boolean {
  return (path === 'matrix' || path === 'cancel') && channelKey(target) === channel && regions.includes(region)
}

function sendVerdict(send: PlannedSend, channel: string, { blocked, context, event }: ChannelInput): ChannelVerdict {
  const problem = blocked?.(send) ?? null
  // Without its radio a message waits; without its channel it fails.
  if (problem?.reason === 'no_radio' || problem?.reason === 'radio_down')
    return verdict(channel, 'held', [radioObstacle(problem.reason, send)])
  if (problem !== null)
    return verdict(channel, 'suppressed', [obstacle(problem.reason, { channel: String(send.channel) })])
  if (send.hold !== undefined) return verdict(channel, 'held', [holdObstacle(send.hold, context, event)])
  return { channel, state: 'sent', reason: send.mergeInto === null ? send.kind : 'merged', wanted: [] }
}

/** Names the network and no channel: all channels of a radio wait for the same thing, which is told once. */
function radioObstacle(reason: 'no_radio' | 'radio_down', { transport }: PlannedSend): Obstacle {
  return obstacle(reason, { network: transport === 'mt' || transport === 'mc' ? NETWORK_NAMES[transport] : transport })
}

function holdObstacle({ reason, until }: Hold, { now }: DecideContext, { family }: LookoutEvent): Obstacle {
  if (reason === 'cooldown') return obstacle(reason, { seconds: Math.ceil((until - now) / 1000), family })
  return obstacle(reason, { until })
}

function verdict(channel: string, state: CellState, wanted: Obstacle[]): ChannelVerdict {
  return { channel, state, reason: wanted[0]?.reason ?? 'silent', wanted }
}

/** The steps that stopped the event before any cell was asked; none when cells were asked. */
export function eventStop(event: LookoutEvent, { sends, trace }: Pick<Decision, 'sends' | 'trace'>): Obstacle[] {
  const isEnd = event.lifecycle === 'cancel' || event.lifecycle === 'expire'
  const step =
    sends.length > 0
      ? undefined
      : trace.findLast(({ stage, outcome }) => outcome === 'stop' && EARLY.has(stage) && !(isEnd && stage === 'gate'))
  return step === undefined ? [] : [obstacle(step.reason, { family: event.family })]
}

function obstacleOf(channel: string, input: ChannelInput): Obstacle {
  const { event, decision } = input
  const [stop] = eventStop(event, decision)
  const step = decision.trace.findLast((candidate) => candidate.channel === channel && candidate.outcome === 'skip')
  return (
    ended(step) ??
    stop ??
    silenceOn(input) ??
    inhibitionOn(input) ??
    idleOf(input) ??
    // An end that goes elsewhere; else the channel goes on for other regions, or has it whole.
    obstacle(event.lifecycle === 'cancel' ? 'nothing_to_cancel' : 'duplicate')
  )
}

function ended(step: TraceStep | undefined): Obstacle | null {
  return step?.stage === 'lifecycle' ? obstacle(step.reason) : null
}

/** A fallback stays idle where its first channel sends nothing. */
function idleOf({ decision, fallbackFor }: ChannelInput): Obstacle | null {
  if (fallbackFor === undefined || decision.sends.some((send) => channelKey(send) === fallbackFor)) return null
  return obstacle('stands_idle', { channels: [fallbackFor] })
}

function silenceOn({ event, context, region }: ChannelInput): Obstacle | null {
  const found = context.view
    .silences(context.now)
    .find(
      (silence) =>
        silencesEvent(silence, event) &&
        (silence.region === null || silence.region === region) &&
        (event.severity !== 'immediate' || silence.includesImmediate)
    )
  if (found === undefined || event.lifecycle === 'cancel') return null
  return obstacle('silenced', { author: found.author, until: found.until })
}

function inhibitionOn({ decision, region }: ChannelInput): Obstacle | null {
  const step = decision.trace.find((candidate) => candidate.stage === 'inhibit' && candidate.region === region)
  return step === undefined ? null : obstacle('inhibited', { by: String(step.params['by']) })
}
