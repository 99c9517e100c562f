import type { AlertWords } from '../../model/content.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { targetOf } from './cancel.ts'
import type { Carried, PlannedSend, Target, TraceStep } from './decision.ts'
import { channelKey, dedupKey } from './keys.ts'
import { materialOf } from './material.ts'
import { openCell } from './network-switches.ts'
import { toggleOf } from './rules.ts'
import type { EscalationStep, NotificationsConfig } from './settings.ts'

export interface EscalationInput {
  event: LookoutEvent
  step: EscalationStep
  /** 1 for the first. */
  number: number
  /** The messages of the thread on its channels. */
  carried: readonly Carried[]
  notifications: NotificationsConfig
  now: number
}

/** A message of a step, before it is made complete. */
interface Piece extends Target {
  regions: string[]
  mark?: string
  /** The alert that it says again. */
  origin?: { id: number; kind: AlertWords['kind'] }
}

/** Plans one step of an escalation, with a line of trace for each message, or for why there is none. */
export function planEscalation(input: EscalationInput): { sends: PlannedSend[]; trace: TraceStep[] } {
  const { step, number } = input
  const trace: TraceStep[] = []
  const sends = piecesOf(input, trace).map((piece) => sendOf(piece, input))
  for (const send of sends) {
    const channel = channelKey(send)
    const why = because('step_tells', { step: number, type: step.type, channel })
    trace.push({ stage: 'escalation', outcome: 'send', reason: step.type, ...why, channel })
  }
  if (sends.length === 0) {
    const why = because('step_tells_nobody', { step: number, type: step.type })
    trace.push({ stage: 'escalation', outcome: 'skip', reason: 'nothing_to_send', ...why })
  }
  return { sends, trace }
}

function piecesOf(input: EscalationInput, trace: TraceStep[]): Piece[] {
  const { step } = input
  const regions = toldRegions(input)
  const direct = (transport: 'mt' | 'mc', channel: string): Piece => ({ transport, channel, direct: true, regions })
  switch (step.type) {
    case 'repeat':
      return repeats(input, trace)
    case 'other_network':
      return otherNetwork(input)
    case 'dm':
      return [
        ...step.node_ids.map((node) => direct('mt', String(node))),
        ...step.contacts.map((contact) => direct('mc', contact))
      ]
    case 'webhook':
      return overNetwork(input, trace, regions)
  }
}

/** The last message of every mesh channel, once it has left; one that still waits is not said twice. */
function repeats({ carried, number }: EscalationInput, trace: TraceStep[]): Piece[] {
  const last = new Map<string, Carried>()
  for (const row of carried) if (isBroadcast(row)) last.set(row.channelKey, row)
  return [...last.values()].flatMap((origin) => {
    const { id, kind, regions } = origin
    if (kind === 'cancel') return []
    if (origin.state === 'sent') return [{ ...targetOf(origin.channelKey), regions, mark: 'RPT', origin: { id, kind } }]
    const channel = origin.channelKey
    const why = because('step_not_had_once', { step: number, channel })
    trace.push({ stage: 'escalation', outcome: 'skip', reason: 'still_waiting', ...why, channel })
    return []
  })
}

/** Channels of the network that has not carried it: those of the cells, else of the family's policy. */
function otherNetwork(input: EscalationInput): Piece[] {
  const { event, carried, notifications } = input
  const told = new Set(carried.filter(isBroadcast).map(({ channelKey: key }) => targetOf(key).transport))
  const pieces = new Map<string, Piece>()
  const add = (transport: 'mt' | 'mc', channel: number | string | null, regions: string[]): void => {
    if (channel === null || told.has(transport)) return
    const piece: Piece = { transport, channel, direct: false, regions, mark: `VIA ${transport.toUpperCase()}` }
    const known = pieces.get(channelKey(piece))
    pieces.set(channelKey(piece), { ...piece, regions: [...new Set([...(known?.regions ?? []), ...regions])] })
  }
  const { region_routes: routes } = notifications
  const cells = event.regions.flatMap((region) => {
    const cell = routes.enabled ? routes.cells[event.family]?.[region] : undefined
    return cell?.enabled === true ? [{ region, cell: openCell(cell, routes) }] : []
  })
  for (const { region, cell } of cells) {
    add('mt', cell.mt, [region])
    add('mc', cell.mc, [region])
  }
  if (cells.length === 0) {
    const toggle = toggleOf(notifications, event.family)
    add('mt', toggle.broadcast_channel, event.regions)
    add('mc', toggle.meshcore_channel, event.regions)
  }
  return [...pieces.values()]
}

function overNetwork({ step, notifications, number }: EscalationInput, trace: TraceStep[], regions: string[]): Piece[] {
  const type = notifications.destinations[step.destination]?.type
  if (type === 'webhook' || type === 'ntfy' || type === 'email')
    return [{ transport: type, channel: `destination:${step.destination}`, direct: false, regions }]
  const why = because('step_no_destination', { step: number, destination: step.destination })
  trace.push({ stage: 'escalation', outcome: 'skip', reason: 'unknown_destination', ...why })
  return []
}

function isBroadcast({ channelKey: key }: Carried): boolean {
  const { transport, direct } = targetOf(key)
  return (transport === 'mt' || transport === 'mc') && !direct
}

function toldRegions({ event, carried }: EscalationInput): string[] {
  const told = [...new Set(carried.flatMap(({ regions }) => regions))]
  return told.length > 0 ? told : event.regions
}

function sendOf({ origin, mark, regions, ...target }: Piece, { event, number, now }: EscalationInput): PlannedSend {
  return {
    ...target,
    kind: origin?.kind ?? 'new',
    regions,
    newPlacesOnly: false,
    path: 'escalation',
    dedup: dedupKey({
      source: event.source,
      threadId: event.thread_id,
      // Not the key of the alert itself: this one is meant to be said again.
      revision: `step${number}@${now}`,
      channelKey: channelKey(target)
    }),
    cooldown: [],
    mergeInto: null,
    material: materialOf(event),
    ...(mark === undefined ? {} : { mark }),
    ...(origin === undefined ? {} : { origin: origin.id })
  }
}
