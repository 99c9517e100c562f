import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import { type Blocked, type ChannelVerdict, channelVerdict, eventStop } from './channel-verdict.ts'
import { decide } from './decide.ts'
import type { DecideContext } from './decide-context.ts'
import type { Decision, PlannedSend } from './decision.ts'
import { channelKey } from './keys.ts'
import { targetsOfCell } from './matrix.ts'
import { type MeshNetwork, NETWORK_NAMES, openCell, shutNetworks, targetOn } from './network-switches.ts'
import { type CellState, type Obstacle, obstacle } from './obstacles.ts'
import type { Cell, RegionRoutes } from './settings.ts'

/** The work of one cell of the matrix on an event, and what would have to change for it to send. */
export interface CellVerdict {
  family: string
  region: string
  /** The best of its channels: sent, held, stood_by, suppressed; `none`: the cell has no say in this event. */
  state: CellState
  /** A stable word for programs. */
  reason: string
  /** The changes it would take; empty when it takes none. */
  wanted: Obstacle[]
  channels: ChannelVerdict[]
}

export interface VerdictInput {
  /** With its regions. */
  event: LookoutEvent
  decision: Decision
  /** The context of the decision; its `notifications` hold the matrix that is tried. */
  context: DecideContext
  /** Finds the obstacle between a planned message and its radio: no radio, no such channel. */
  blocked?: ((send: PlannedSend) => Blocked | null) | undefined
}

const BEST: readonly CellState[] = ['sent', 'held', 'stood_by', 'suppressed', 'none']

/**
 * One verdict for each stored cell of the event's family, and for each region it touches that has none. Cells of other
 * families are never asked and left out. An obstacle of the cell itself (off, a floor) is taken away in thought and the
 * event decided anew, so that what comes after it is told too: the code of the live path, as everywhere.
 */
export function* cellVerdictSteps(input: VerdictInput): Generator<void, CellVerdict[]> {
  const { event, context } = input
  const row = context.notifications.region_routes.cells[event.family] ?? {}
  const regions = new Set([...Object.keys(row), ...event.regions])
  const verdicts: CellVerdict[] = []
  for (const region of regions) {
    yield
    verdicts.push(verdictOf(input, region, row[region]))
  }
  return verdicts
}

/** Obstacles of a cell that has its say all the same: it sends nothing, and nothing else does. */
const SILENT: ReadonlySet<string> = new Set(['below_min_severity', 'muted', 'network_off'])

function verdictOf(input: VerdictInput, region: string, cell: Cell | undefined): CellVerdict {
  const { event, decision } = input
  if (!event.regions.includes(region))
    return silent(input, region, 'none', [obstacle(event.regions.length === 0 ? 'no_region' : 'not_touched')])
  if (cell === undefined || (cell.mt === null && cell.mc === null))
    return silent(input, region, 'none', [obstacle('no_cell'), ...eventStop(event, decision)])
  // An end goes where the beginning went, whatever the cell says now.
  const own = isEnd(event) ? [] : ownObstacles(input, cell)
  if (own.length === 0) return overall(input, region, channelsOf(input, region, cell))
  const after = overall(input, region, channelsOf(withoutObstacles(input, region, cell), region, cell))
  const state = own.every(({ reason }) => SILENT.has(reason)) ? 'suppressed' : 'none'
  return silent(input, region, state, [...own, ...after.wanted])
}

const isEnd = ({ lifecycle }: LookoutEvent): boolean => lifecycle === 'cancel' || lifecycle === 'expire'

/** The obstacles in the matrix itself that keep the cell from sending. */
function ownObstacles({ event, context }: VerdictInput, cell: Cell): Obstacle[] {
  const found: Obstacle[] = []
  const routes = context.notifications.region_routes
  if (!routes.enabled) found.push(obstacle('matrix_off'))
  const open = openCell(cell, routes)
  if (open.mt === null && open.mc === null)
    for (const network of shutNetworks(cell, routes)) found.push(networkOff(network))
  if (!cell.enabled) found.push(obstacle(cell.mute === true ? 'muted' : 'cell_disabled'))
  if (!isAtLeast(event.severity, cell.min_severity))
    found.push(obstacle('below_min_severity', { severity: event.severity }))
  return found
}

const networkOff = (network: MeshNetwork): Obstacle => obstacle('network_off', { network: NETWORK_NAMES[network] })

function withoutObstacles(input: VerdictInput, region: string, cell: Cell): VerdictInput {
  const { event, context } = input
  const { notifications } = context
  const routes = notifications.region_routes
  const cured: Cell = { ...cell, enabled: true, min_severity: 'routine' }
  const cells: RegionRoutes['cells'] = {
    ...routes.cells,
    [event.family]: { ...routes.cells[event.family], [region]: cured }
  }
  const open = openCell(cell, routes)
  const switches = open.mt === null && open.mc === null ? { mt_enabled: true, mc_enabled: true } : {}
  const region_routes = { ...routes, ...switches, enabled: true, cells }
  const changed = { ...context, notifications: { ...notifications, region_routes } }
  return { ...input, context: changed, decision: decide(event, changed) }
}

function channelsOf(input: VerdictInput, region: string, cell: Cell): ChannelVerdict[] {
  const { event, context, decision, blocked } = input
  const routes = context.notifications.region_routes
  const open = targetsOfCell(isEnd(event) ? cell : openCell(cell, routes)).map(({ target, fallbackFor }) =>
    channelVerdict(target, { event, context, decision, blocked, region, fallbackFor })
  )
  if (isEnd(event)) return open
  const shut = shutNetworks(cell, routes).flatMap((network): ChannelVerdict[] => {
    const target = targetOn(network, cell)
    const wanted = [networkOff(network)]
    return target === null ? [] : [{ channel: channelKey(target), state: 'suppressed', reason: 'network_off', wanted }]
  })
  return [...open, ...shut]
}

/** The cell is as good as its best channel; what has to change is told of the best ones. */
function overall({ event }: VerdictInput, region: string, channels: ChannelVerdict[]): CellVerdict {
  const state = BEST.find((candidate) => channels.some((channel) => channel.state === candidate)) ?? 'none'
  const best = channels.filter((channel) => channel.state === state)
  const wanted = unique(best.flatMap((channel) => channel.wanted))
  const reason = best[0]?.reason ?? 'no_cell'
  return { family: event.family, region, state, reason, wanted, channels }
}

function silent({ event }: VerdictInput, region: string, state: CellState, wanted: Obstacle[]): CellVerdict {
  const all = unique(wanted)
  const reason = all[0]?.reason ?? 'no_cell'
  return { family: event.family, region, state, reason, wanted: all, channels: [] }
}

/** Each once. That nothing stands in goes without saying where something else has to change first. */
function unique(wanted: readonly Obstacle[]): Obstacle[] {
  const active = wanted.filter(({ reason }) => reason !== 'stands_idle')
  const told = active.length > 0 ? active : wanted
  return [...new Map(told.map((entry) => [JSON.stringify(entry), entry])).values()]
}
