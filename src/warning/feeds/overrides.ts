import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { categoryNames } from '../../model/weather-hazards.ts'
import type { SourceSettings } from './common-settings.ts'
import type { SkippedItem } from './feed.ts'

/** Reason of events the settings of their source switch off. */
export const OFF_REASON = because('off_by_overrides')

type Overrides = SourceSettings['overrides']

/**
 * The events as the settings of their source want them: an entry of `overrides` names an event (`data.event_name`) or a
 * category, in any case; the event name is looked at first, the widest category last.
 */
export function applyOverrides(
  events: readonly LookoutEvent[],
  overrides: Overrides
): { events: LookoutEvent[]; skipped: SkippedItem[] } {
  const table = new Map(Object.entries(overrides).map(([name, override]) => [normal(name), override]))
  if (table.size === 0) return { events: [...events], skipped: [] }
  const kept: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  for (const event of events) {
    const names = [event.data.event_name ?? '', ...categoryNames(event.category)]
    const override = names.map((name) => table.get(normal(name))).find((found) => found !== undefined)
    if (override === undefined) kept.push(event)
    else if (override.off === true) skipped.push({ id: event.id, reason: OFF_REASON })
    else kept.push(overridden(event, override))
  }
  return { events: kept, skipped }
}

function normal(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase()
}

function overridden(event: LookoutEvent, { severity, family }: Overrides[string]): LookoutEvent {
  const { severity_inside_region: _, ...data } = event.data
  return {
    ...event,
    ...(family === undefined ? {} : { family }),
    // A level somebody has chosen holds everywhere.
    ...(severity === undefined ? {} : { severity, data })
  }
}
