import type { Cell, RegionRoutes } from '../config/notifications-schema.ts'
import type { LookoutEvent } from '../events/event.ts'
import { isAtLeast } from '../events/severity.ts'
import type { Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'

export interface RoutedTarget {
  target: Target
  regions: string[]
}

export interface MatrixAnswer {
  /** True when a stored, enabled cell exists for one of the event's regions: contract §4 rules 1 and 2. */
  authoritative: boolean
  targets: RoutedTarget[]
  trace: TraceStep[]
}

/** Asks the region matrix about one event. A match below its floor is still authoritative: nothing is sent. */
export function askMatrix(event: LookoutEvent, routes: RegionRoutes): MatrixAnswer {
  if (!routes.enabled)
    return { authoritative: false, targets: [], trace: [skip('matrix_off', 'the region matrix is switched off')] }
  if (event.regions.length === 0) {
    return {
      authoritative: false,
      targets: [],
      trace: [skip('no_region', 'the event carries no region, so no cell can match')]
    }
  }
  const trace: TraceStep[] = []
  const collected = new Map<string, RoutedTarget>()
  let authoritative = false
  for (const region of new Set(event.regions)) {
    const cell = routes.cells[event.family]?.[region]
    const step = judgeCell(event, region, cell)
    trace.push(step)
    if (step.outcome === 'skip' && step.reason !== 'below_min_severity') continue
    authoritative = true
    if (step.outcome === 'match' && cell !== undefined) collectTargets(collected, region, cell)
  }
  return { authoritative, targets: [...collected.values()], trace }
}

function judgeCell(event: LookoutEvent, region: string, cell: Cell | undefined): TraceStep {
  const where = `${event.family} × ${region}`
  if (cell === undefined || (cell.mt === null && cell.mc === null)) {
    return { stage: 'matrix', outcome: 'skip', reason: 'no_cell', detail: `${where} has no cell`, region }
  }
  if (!cell.enabled) {
    return {
      stage: 'matrix',
      outcome: 'skip',
      reason: 'cell_disabled',
      detail: `the cell ${where} is disabled: enable it to send`,
      region
    }
  }
  if (!isAtLeast(event.severity, cell.min_severity)) {
    const detail = `${event.severity} is below the floor ${cell.min_severity} of ${where}: nothing is sent`
    return { stage: 'matrix', outcome: 'skip', reason: 'below_min_severity', detail, region }
  }
  const channels = [cell.mt === null ? null : `mt:${cell.mt}`, cell.mc === null ? null : `mc:${cell.mc}`].filter(
    (name) => name !== null
  )
  return { stage: 'matrix', outcome: 'match', reason: 'cell', detail: `${where} → ${channels.join(' and ')}`, region }
}

function collectTargets(collected: Map<string, RoutedTarget>, region: string, cell: Cell): void {
  const targets: Target[] = []
  if (cell.mt !== null) targets.push({ transport: 'mt', channel: cell.mt, direct: false })
  if (cell.mc !== null) targets.push({ transport: 'mc', channel: cell.mc, direct: false })
  for (const target of targets) {
    const key = channelKey(target)
    const known = collected.get(key)
    if (known === undefined) collected.set(key, { target, regions: [region] })
    else known.regions.push(region)
  }
}

function skip(reason: string, detail: string): TraceStep {
  return { stage: 'matrix', outcome: 'skip', reason, detail }
}
