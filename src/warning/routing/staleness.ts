import type { LookoutEvent } from '../../model/event.ts'
import { defaultFreshnessSeconds } from '../../model/families.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { TraceStep } from './decision.ts'
import type { NotificationsConfig } from './settings.ts'

/** Contract §4 rule 6, measured from the source's own time. `stop` means too old, or over. */
export function judgeStaleness(event: LookoutEvent, notifications: NotificationsConfig, now: number): TraceStep {
  const expires = event.expires === null ? null : Date.parse(event.expires)
  if (expires !== null && expires <= now) {
    return step('stop', 'expired', because('over_since', { expires: event.expires ?? '' }))
  }
  const stored = notifications.toggles[event.family]?.freshness_seconds ?? null
  const limit = stored ?? defaultFreshnessSeconds(event.family)
  if (limit === 0) return step('pass', 'freshness_off', because('freshness_off'))
  const age = Math.round((now - Date.parse(event.sent_at)) / 1000)
  if (age <= limit) return step('pass', 'fresh', because('fresh', { age: Math.max(0, age), limit }))
  // The dedup knows what a channel has of it already: after an outage it is told once, with "since".
  if (expires !== null && isAtLeast(event.severity, 'priority')) {
    const { severity } = event
    return step('pass', 'in_force', because('old_in_force', { age, severity, expires: event.expires ?? '' }))
  }
  return step('stop', 'stale', because('stale', { age, limit, family: event.family }))
}

function step(outcome: 'pass' | 'stop', reason: string, { code, params }: Reason): TraceStep {
  return { stage: 'staleness', outcome, reason, code, params }
}
