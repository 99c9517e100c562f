import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
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
      const why = because('passes_silence', { silence: nameOf(silence) })
      trace.push({ stage: 'silence', outcome: 'pass', reason: 'immediate', ...why, ...regionOf(silence) })
      continue
    }
    const stops = silence.region === null
    trace.push({
      stage: 'silence',
      outcome: stops ? 'stop' : 'skip',
      reason: 'silenced',
      ...whoSilenced(silence),
      ...regionOf(silence)
    })
    left = stops ? [] : left.flatMap((target) => withoutRegion(target, silence.region))
  }
  return { targets: left, trace }
}

/** The regions of a message about these events, the newest last, that no silence takes from it; null when nothing is left to say. */
export function unsilencedRegions(
  { regions, severity }: Pick<LookoutEvent, 'severity'> & { regions: string[] },
  events: readonly LookoutEvent[],
  silences: readonly Silence[]
): string[] | null {
  const event = events.at(-1)
  if (event === undefined) return regions
  const whole = { ...event, severity, regions: [...new Set([...event.regions, ...regions])] }
  return applySilences(whole, [{ regions }], silences).targets[0]?.regions ?? null
}

/** True when the silence speaks of this event, whatever its severity. */
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

function whoSilenced(silence: Silence): Reason {
  const { author, until, reason: said } = silence
  const known = { silence: nameOf(silence), author, until }
  return said === '' ? because('silenced', known) : because('silenced_because', { ...known, said })
}

function nameOf({ id, family, region, threadId }: Silence): Reason {
  const of = [family, region].filter((part) => part !== null)
  if (threadId === null) return because('silence_of', { id, of })
  return of.length === 0 ? because('silence_of_event', { id }) : because('silence_of_event_within', { id, of })
}

function regionOf({ region }: Silence): { region?: string } {
  return region === null ? {} : { region }
}
