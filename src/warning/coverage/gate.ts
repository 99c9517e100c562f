import type { LookoutEvent } from '../../model/event.ts'
import type { Match } from './region-index.ts'
import type { CoverageConfig } from './settings.ts'

/** What the coverage gate decided for an event. `reason` is a stable word for programs, `detail` a sentence for people. */
export interface GateVerdict {
  pass: boolean
  reason:
    | 'coverage_off'
    | 'no_areas'
    | 'excluded_source'
    | 'unlocated'
    | 'unlocated_weather'
    | 'unplaced'
    | 'by_state'
    | 'everywhere'
    | 'inside'
    | 'outside'
  detail: string
  /** It passed because nobody could tell where it is. */
  unlocated: boolean
}

/**
 * Whether an event concerns the covered areas (contract §3). Looks at the location only, never at the tags, so tagging
 * cannot change it. Without a usable location everything passes but weather; that an event lies outside is only said of
 * one whose place is known.
 */
export function gateEvent(
  event: Pick<LookoutEvent, 'source' | 'family'>,
  coverage: Pick<CoverageConfig, 'enabled' | 'excluded_sources' | 'areas'>,
  match: Match
): GateVerdict {
  if (!coverage.enabled) return verdict(true, 'coverage_off', 'Coverage is off: events from everywhere pass.')
  if (coverage.areas.length === 0)
    return verdict(true, 'no_areas', 'No coverage areas are configured: all events pass.')
  if (coverage.excluded_sources.includes(event.source)) {
    return verdict(true, 'excluded_source', `Source ${event.source} has a scope of its own and skips the gate.`)
  }
  if (match.areas.length > 0) {
    const { byState } = match
    if (byState.length === 0) return verdict(true, 'inside', 'The event touches a coverage area.')
    return verdict(true, 'by_state', `${unknown(byState)} So all areas in its state are told.`)
  }
  if (match.unplaced.length > 0 && event.family === 'weather')
    return verdict(false, 'unplaced', `${unknown(match.unplaced)} Import a zone pack: lookout zones import.`)
  if (!match.located || match.unplaced.length > 0) {
    if (event.family !== 'weather') return verdict(true, 'unlocated', 'The event has no usable location.')
    return verdict(false, 'unlocated_weather', 'Weather without a usable location is not for anyone in particular.')
  }
  return verdict(false, 'outside', 'The event lies outside every coverage area.')
}

/** Dropped only because nobody can tell where it is. */
export function isLost({ reason }: Pick<GateVerdict, 'reason'> | { reason: string }): boolean {
  return reason === 'unlocated_weather' || reason === 'unplaced'
}

/** Grave weather without a place: every region is told where its source is set so (docs/interface.md §3). */
export function passEverywhere({ detail }: GateVerdict): GateVerdict {
  return verdict(true, 'everywhere', `${detail} So every region is told, as its source is set.`)
}

const NAMED = 8

/** The sentence about codes that neither an outline nor a county places. */
export function unknown(codes: readonly string[]): string {
  const more = codes.length > NAMED ? ` and ${codes.length - NAMED} more` : ''
  return `Nothing here tells where ${codes.slice(0, NAMED).join(', ')}${more} lies.`
}

function verdict(pass: boolean, reason: GateVerdict['reason'], detail: string): GateVerdict {
  return { pass, reason, detail, unlocated: reason === 'unlocated' }
}
