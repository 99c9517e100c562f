import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { isAtLeast } from '../../../model/severity.ts'
import type { NatsSettings } from './settings.ts'

/**
 * The reason why an event of the hub is not taken, null when it is. Default-deny: only what the settings allow. The end
 * of an event passes whatever its severity: it goes only where the event went.
 */
export function unwantedReason(
  { families, sources, min_severity: floor }: NatsSettings['allow'],
  { family, source, severity, lifecycle }: LookoutEvent
): Reason | null {
  if (!families.includes(family)) return because('family_not_allowed', { family: family.slice(0, 60) })
  if (sources.length > 0 && !sources.includes(source))
    return because('source_not_allowed', { source: source.slice(0, 60) })
  const isEnd = lifecycle === 'cancel' || lifecycle === 'expire'
  return isEnd || isAtLeast(severity, floor) ? null : because('below_allowed_severity')
}
