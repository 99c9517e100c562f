import type { LookoutEvent } from '../../model/event.ts'
import { highestSeverity, SEVERITIES } from '../../model/severity.ts'
import type { GateVerdict } from '../coverage/gate.ts'
import type { TraceStep } from './decision.ts'

/** The place of an event among regions and gate. */
export interface Located {
  region: string | null
  regions: string[]
  gate: GateVerdict
  trace: TraceStep[]
  /** The regions a single code reaches; null when nobody can tell. */
  regionsOf: (code: string) => readonly string[] | null
}

/** The event with its regions; one that its source calls graver inside a region is raised when it lies in one. */
export function withRegions(
  event: LookoutEvent,
  { region, regions }: Pick<LookoutEvent, 'region' | 'regions'>
): LookoutEvent {
  const inside = event.data.severity_inside_region
  const raised = regions.length > 0 && inside !== undefined && SEVERITIES.includes(inside)
  const severity = raised ? highestSeverity([event.severity, inside]) : event.severity
  return { ...event, region, regions, severity }
}

/** Outcomes of an event that carried its regions already, or none, when it came. */
const KEPT = new Set(['preset', 'tagging_off', 'no_areas'])

/** The stored event as it came: without the regions it was stamped with then, so that the areas of today decide. */
export function asItCame(event: LookoutEvent, trace: readonly unknown[]): LookoutEvent {
  return trace.some(isKept) ? event : { ...event, region: null, regions: [] }
}

function isKept(step: unknown): boolean {
  return isOf(step, 'tag') && 'reason' in step && KEPT.has(String(step.reason))
}

/** True when a stored event was listed when its source had just started (contract §4 rule 6), by its trace. */
export function cameColdly(trace: readonly unknown[]): boolean {
  return trace.some((step) => isOf(step, 'cold_start'))
}

function isOf(step: unknown, stage: string): step is object {
  return typeof step === 'object' && step !== null && 'stage' in step && step.stage === stage
}
