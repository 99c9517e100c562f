import type { LookoutEvent } from '../../model/event.ts'
import type { Silence, TraceStep } from './decision.ts'

/**
 * Takes from the targets what somebody has silenced: a silence without a region stops the event, one with a region
 * stops that region, and a channel fed by others as well goes on for them. `immediate` passes every silence that does
 * not name it, and a cancel is never asked here: whoever was warned must hear of the end.
 */
export function applySilences<Target extends { regions: string[] }>(
  event: LookoutEvent,
  targets: readonly Target[],
  silences: readonly Silence[]
): { targets: Target[]; trace: TraceStep[] } {
  const about = silences.filter((silence) => silencesEvent(silence, event))
  const trace: TraceStep[] = []
  let left = [...targets]
  for (const silence of about) {
    if (event.severity === 'immediate' && !silence.includesImmediate) {
      const detail = `immediate passes ${nameOf(silence)}, which does not include it`
      trace.push({ stage: 'silence', outcome: 'pass', reason: 'immediate', detail, ...regionOf(silence) })
      continue
    }
    const until = new Date(silence.until).toISOString()
    const why = silence.reason === '' ? '' : ` (${silence.reason})`
    const detail = `${nameOf(silence)} by ${silence.author}${why} until ${until}`
    const stops = silence.region === null
    trace.push({
      stage: 'silence',
      outcome: stops ? 'stop' : 'skip',
      reason: 'silenced',
      detail,
      ...regionOf(silence)
    })
    left = stops ? [] : left.flatMap((target) => withoutRegion(target, silence.region))
  }
  return { targets: left, trace }
}

/** Whether the silence speaks of this event, whatever its severity. */
export function silencesEvent(silence: Silence, event: LookoutEvent): boolean {
  if (silence.family !== null && silence.family !== event.family) return false
  if (silence.threadId !== null && silence.threadId !== event.thread_id) return false
  return silence.region === null || event.regions.includes(silence.region)
}

function withoutRegion<Target extends { regions: string[] }>(target: Target, region: string | null): Target[] {
  if (region === null || !target.regions.includes(region)) return [target]
  const regions = target.regions.filter((name) => name !== region)
  return regions.length === 0 ? [] : [{ ...target, regions }]
}

function nameOf({ id, family, region, threadId }: Silence): string {
  const parts = [family, region, threadId === null ? null : 'this event'].filter((part) => part !== null)
  return `silence ${id} of ${parts.join(' in ')}`
}

function regionOf({ region }: Silence): { region?: string } {
  return region === null ? {} : { region }
}
