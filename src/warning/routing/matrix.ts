import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import type { Cell, RegionRoutes } from './settings.ts'

export interface RoutedTarget {
  target: Target
  regions: string[]
  /** Channel keys this one only stands in for (the option `fallback` of a cell); absent: it is sent at once. */
  standsInFor?: string[]
}

export interface MatrixAnswer {
  /** True when a stored, enabled cell exists for one of the event's regions: contract §4 rules 1 and 2. */
  authoritative: boolean
  targets: RoutedTarget[]
  trace: TraceStep[]
}

/** Nothing is sent for the region, and nothing else broadcasts the event either: contract §4 rules 2 and 12. */
const SILENT_MATCHES: ReadonlySet<string> = new Set(['below_min_severity', 'muted'])

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
    if (step.outcome === 'skip' && !SILENT_MATCHES.has(step.reason)) continue
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
  if (!cell.enabled && cell.mute === true) {
    const detail = `the cell ${where} is muted: nothing is sent, and nothing else broadcasts it`
    return { stage: 'matrix', outcome: 'skip', reason: 'muted', detail, region }
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
  const targets = targetsOfCell(cell)
  const joint = targets.some(({ standsInFor }) => standsInFor !== undefined) ? ', else ' : ' and '
  const channels = targets.map(({ target }) => channelKey(target)).join(joint)
  return { stage: 'matrix', outcome: 'match', reason: 'cell', detail: `${where} → ${channels}`, region }
}

function collectTargets(collected: Map<string, RoutedTarget>, region: string, cell: Cell): void {
  for (const { target, standsInFor } of targetsOfCell(cell)) {
    const key = channelKey(target)
    const known = collected.get(key)
    const regions = [...(known?.regions ?? []), region]
    // A channel that one cell feeds at once is not held back for another cell's sake.
    const atOnce = standsInFor === undefined || (known !== undefined && known.standsInFor === undefined)
    const primaries = atOnce ? {} : { standsInFor: [...new Set([...(known?.standsInFor ?? []), standsInFor])] }
    collected.set(key, { target, regions, ...primaries })
  }
}

/** The channels of a cell, the one that only stands in for the other marked. */
export function targetsOfCell({ mt, mc, fallback = false }: Cell): { target: Target; standsInFor?: string }[] {
  const onMt: Target | null = mt === null ? null : { transport: 'mt', channel: mt, direct: false }
  const onMc: Target | null = mc === null ? null : { transport: 'mc', channel: mc, direct: false }
  if (onMt === null || onMc === null || fallback === false)
    return [onMt, onMc].filter((target) => target !== null).map((target) => ({ target }))
  const [first, second] = fallback === 'mc_first' ? [onMc, onMt] : [onMt, onMc]
  return [{ target: first }, { target: second, standsInFor: channelKey(first) }]
}

function skip(reason: string, detail: string): TraceStep {
  return { stage: 'matrix', outcome: 'skip', reason, detail }
}
