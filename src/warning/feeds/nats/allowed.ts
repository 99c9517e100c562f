import type { LookoutEvent } from '../../../model/event.ts'
import { isAtLeast } from '../../../model/severity.ts'
import type { NatsSettings } from './settings.ts'

/**
 * The reason why an event of the hub is not taken, null when it is. Default-deny: only what the settings allow. The end
 * of an event passes whatever its severity: it goes only where the event went.
 */
export function unwantedReason(
  { families, sources, min_severity: floor }: NatsSettings['allow'],
  { family, source, severity, lifecycle }: LookoutEvent
): string | null {
  if (!families.includes(family)) return `family ${family.slice(0, 60)} is not in allow.families`
  if (sources.length > 0 && !sources.includes(source)) return `source ${source.slice(0, 60)} is not in allow.sources`
  const isEnd = lifecycle === 'cancel' || lifecycle === 'expire'
  return isEnd || isAtLeast(severity, floor) ? null : 'below allow.min_severity'
}
