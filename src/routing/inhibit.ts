import type { InhibitionConfig, InhibitionMatcher } from '../config/inhibition-schema.ts'
import type { LookoutEvent } from '../events/event.ts'
import { isAtLeast, severityRank } from '../events/severity.ts'
import { categoryNames } from '../events/weather-hazards.ts'
import type { InForce, TraceStep } from './decision.ts'

/** Watches that have another name than the warning that follows them (NWS Directive 10-401). */
const STEM_OF_WARNING = new Map([['red flag', 'fire weather']])

type Mutes = (event: LookoutEvent, other: InForce) => boolean

/**
 * Takes from the targets the regions in which a graver message about the same thing was sent and is in force: a warning
 * mutes its watch and its advisory, and rules of the configuration say what else mutes what. `immediate` is never muted,
 * nor anything by a lesser one; an end is not asked here. `inForce` is called only for an event that could be muted.
 */
export function applyInhibition<Target extends { regions: string[] }>(
  event: LookoutEvent,
  targets: readonly Target[],
  { config, inForce }: { config: InhibitionConfig; inForce: () => readonly InForce[] }
): { targets: Target[]; trace: TraceStep[] } {
  const rules = rulesAbout(event, config)
  if (rules.length === 0 || event.severity === 'immediate') return { targets: [...targets], trace: [] }
  const trace: TraceStep[] = []
  let left = [...targets]
  for (const other of inForce()) {
    if (other.threadId === event.thread_id || severityRank(other.severity) < severityRank(event.severity)) continue
    const rule = rules.find(({ mutes }) => mutes(event, other))
    const regions = new Set(left.flatMap((target) => target.regions.filter((name) => other.regions.includes(name))))
    if (rule === undefined || regions.size === 0) continue
    for (const region of regions) {
      const detail = `${other.eventName || other.category} is in force in ${region}: ${rule.name}`
      trace.push({ stage: 'inhibit', outcome: 'skip', reason: 'inhibited', detail, region })
    }
    left = left.flatMap((target) => {
      const rest = target.regions.filter((name) => !regions.has(name))
      if (rest.length === target.regions.length) return [target]
      return rest.length === 0 ? [] : [{ ...target, regions: rest }]
    })
  }
  return { targets: left, trace }
}

function rulesAbout(event: LookoutEvent, config: InhibitionConfig): { name: string; mutes: Mutes }[] {
  const own = config.rules
    .filter(({ enabled, target }) => enabled && matches(target, factsOf(event)))
    .map(({ name, source }) => ({ name, mutes: (_: LookoutEvent, other: InForce) => matches(source, other) }))
  if (!config.warning_mutes_watch || stemOf(factsOf(event).eventName, /^(.+) (?:watch|advisory)$/) === null) return own
  return [{ name: 'a warning mutes its watch', mutes: isItsWarning }, ...own]
}

function isItsWarning(event: LookoutEvent, other: InForce): boolean {
  const stem = stemOf(event.data.event_name ?? '', /^(.+) (?:watch|advisory)$/)
  const warned = stemOf(other.eventName, /^(.+) warning$/)
  if (stem === null || warned === null || other.family !== event.family) return false
  return warned === stem || STEM_OF_WARNING.get(warned) === stem
}

function stemOf(name: string, pattern: RegExp): string | null {
  return pattern.exec(name.trim().toLowerCase())?.[1] ?? null
}

function factsOf({ family, category, severity, data }: LookoutEvent): Omit<InForce, 'threadId' | 'regions'> {
  return { family, category, severity, eventName: data.event_name ?? '' }
}

function matches(matcher: InhibitionMatcher, facts: Omit<InForce, 'threadId' | 'regions'>): boolean {
  const { families, categories, events, min_severity } = matcher
  if (families.length > 0 && !families.includes(facts.family)) return false
  if (categories.length > 0 && !categoryNames(facts.category).some((name) => categories.includes(name))) return false
  const name = facts.eventName.trim().toLowerCase()
  if (events.length > 0 && !events.some((wanted) => wanted.trim().toLowerCase() === name)) return false
  return isAtLeast(facts.severity, min_severity)
}
