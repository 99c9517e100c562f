import type { LookoutEvent } from '../events/event.ts'
import { highestSeverity, SEVERITIES } from '../events/severity.ts'

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
