import type { LookoutEvent } from '../../model/event.ts'
import { defaultFreshnessSeconds } from '../../model/families.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { TraceStep } from './decision.ts'
import type { NotificationsConfig } from './settings.ts'

/** Contract §4 rule 6, measured from the source's own time. `stop` means too old, or over. */
export function judgeStaleness(event: LookoutEvent, notifications: NotificationsConfig, now: number): TraceStep {
  const expires = event.expires === null ? null : Date.parse(event.expires)
  if (expires !== null && expires <= now) {
    return step('stop', 'expired', `it ended at ${event.expires}: too late to tell`)
  }
  const stored = notifications.toggles[event.family]?.freshness_seconds ?? null
  const limit = stored ?? defaultFreshnessSeconds(event.family)
  if (limit === 0) return step('pass', 'freshness_off', 'staleness is switched off for this family')
  const age = Math.round((now - Date.parse(event.sent_at)) / 1000)
  if (age <= limit) return step('pass', 'fresh', `${Math.max(0, age)} s old, limit ${limit} s`)
  // What a channel has of it already is for the dedup to say: after an outage it is told once, with "since".
  if (expires !== null && isAtLeast(event.severity, 'priority')) {
    return step('pass', 'in_force', `${age} s old, but ${event.severity} and in force until ${event.expires}`)
  }
  return step('stop', 'stale', `${age} s old: more than the ${limit} s after which ${event.family} is not news`)
}

function step(outcome: 'pass' | 'stop', reason: string, detail: string): TraceStep {
  return { stage: 'staleness', outcome, reason, detail }
}
