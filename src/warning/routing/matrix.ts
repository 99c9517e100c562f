import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import { NETWORK_NAMES, openCell, shutNetworks, targetOn } from './network-switches.ts'
import type { Cell, RegionRoutes } from './settings.ts'

export interface RoutedTarget {
  target: Target
  regions: string[]
  /** Channel keys this one only stands in for (the option `fallback` of a cell); absent: it is sent at once. */
  fallbackFor?: string[]
}

export interface MatrixAnswer {
  /** True when a stored, enabled cell exists for one of the event's regions: contract §4 rules 1 and 2. */
  authoritative: boolean
  targets: RoutedTarget[]
  trace: TraceStep[]
}

/** Nothing is sent for the region, and nothing else broadcasts the event either: contract §4 rules 2, 12 and 13. */
const SILENT_MATCHES: ReadonlySet<string> = new Set(['below_min_severity', 'muted', 'network_off'])

/** Asks the region matrix about one event. A match below its floor is still authoritative: nothing is sent. */
export function askMatrix(event: LookoutEvent, routes: RegionRoutes): MatrixAnswer {
  if (!routes.enabled) return { authoritative: false, targets: [], trace: [skip('matrix_off', because('matrix_off'))] }
  if (event.regions.length === 0) {
    return {
      authoritative: false,
      targets: [],
      trace: [skip('no_region', because('no_region'))]
    }
  }
  const trace: TraceStep[] = []
  const collected = new Map<string, RoutedTarget>()
  let authoritative = false
  for (const region of new Set(event.regions)) {
    const cell = routes.cells[event.family]?.[region]
    const steps = judgeCell(event, { region, cell, routes })
    trace.push(...steps)
    if (steps.every((step) => step.outcome === 'skip' && !SILENT_MATCHES.has(step.reason))) continue
    authoritative = true
    if (cell !== undefined && steps.some(({ outcome }) => outcome === 'match'))
      collectTargets(collected, region, openCell(cell, routes))
  }
  return { authoritative, targets: [...collected.values()], trace }
}

interface Asked {
  region: string
  cell: Cell | undefined
  routes: RegionRoutes
}

/** The steps of one cell: its answer, and each of its networks that the matrix is switched off for. */
function judgeCell(event: LookoutEvent, { region, cell, routes }: Asked): TraceStep[] {
  const where = { family: event.family, region }
  if (cell === undefined || (cell.mt === null && cell.mc === null)) {
    return [judged('skip', 'no_cell', because('no_cell', where), region)]
  }
  if (!cell.enabled && cell.mute === true) {
    return [judged('skip', 'muted', because('cell_muted', where), region)]
  }
  if (!cell.enabled) {
    return [judged('skip', 'cell_disabled', because('cell_disabled', where), region)]
  }
  if (!isAtLeast(event.severity, cell.min_severity)) {
    const why = because('below_cell_floor', { severity: event.severity, floor: cell.min_severity, ...where })
    return [judged('skip', 'below_min_severity', why, region)]
  }
  const shut = shutNetworks(cell, routes).flatMap((network) => {
    const target = targetOn(network, cell)
    if (target === null) return []
    const channel = channelKey(target)
    const why = because('cell_network_off', { ...where, network: NETWORK_NAMES[network], channel })
    return [{ ...judged('skip', 'network_off', why, region), channel }]
  })
  const open = shut.length === 0 ? cell : openCell(cell, routes)
  if (open.mt === null && open.mc === null) return shut
  return [judged('match', 'cell', saidOf(open, where), region), ...shut]
}

/** Spelt out, as all that a storm has for each event: behind a spread an object grows field by field. */
function judged(outcome: 'match' | 'skip', reason: string, { code, params }: Reason, region: string): TraceStep {
  return { stage: 'matrix', outcome, reason, code, params, region }
}

function saidOf(cell: Cell, where: { family: string; region: string }): Reason {
  const targets = targetsOfCell(cell)
  const channels = targets.map(({ target }) => channelKey(target))
  const [first = '', second = ''] = channels
  return targets.some(({ fallbackFor }) => fallbackFor !== undefined)
    ? because('cell_falls_back', { ...where, first, second })
    : because('cell_sends', { ...where, channels })
}

function collectTargets(collected: Map<string, RoutedTarget>, region: string, cell: Cell): void {
  for (const { target, fallbackFor } of targetsOfCell(cell)) {
    const key = channelKey(target)
    const known = collected.get(key)
    const regions = [...(known?.regions ?? []), region]
    // A channel that one cell feeds at once is not held back for another cell's sake.
    const atOnce = fallbackFor === undefined || (known !== undefined && known.fallbackFor === undefined)
    const routed: RoutedTarget = { target, regions }
    if (!atOnce) routed.fallbackFor = [...new Set([...(known?.fallbackFor ?? []), fallbackFor])]
    collected.set(key, routed)
  }
}

/** The channels of a cell, the one that only stands in for the other marked. */
export function targetsOfCell({ mt, mc, fallback = false }: Cell): { target: Target; fallbackFor?: string }[] {
  const onMt: Target | null = mt === null ? null : { transport: 'mt', channel: mt, direct: false }
  const onMc: Target | null = mc === null ? null : { transport: 'mc', channel: mc, direct: false }
  if (onMt === null || onMc === null || fallback === false)
    return [onMt, onMc].filter((target) => target !== null).map((target) => ({ target }))
  const [first, second] = fallback === 'mc_first' ? [onMc, onMt] : [onMt, onMc]
  return [{ target: first }, { target: second, fallbackFor: channelKey(first) }]
}

function skip(reason: string, why: Reason): TraceStep {
  return { stage: 'matrix', outcome: 'skip', reason, ...why }
}
