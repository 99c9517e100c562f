import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import type { Match } from './region-index.ts'
import type { CoverageConfig } from './settings.ts'

/** The decision of the coverage gate for an event. `reason` is a stable word for programs. */
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
  why: Reason
  /** It passed because nobody could tell where it is. */
  unlocated: boolean
}

/**
 * Decides whether an event concerns the covered areas (contract §3). Looks at the location only, never at the tags, so
 * tagging cannot change it. Without a usable location everything passes but weather; that an event lies outside is only
 * said of one whose place is known.
 */
export function gateEvent(
  event: Pick<LookoutEvent, 'source' | 'family'>,
  coverage: Pick<CoverageConfig, 'enabled' | 'excluded_sources' | 'areas'>,
  match: Match
): GateVerdict {
  if (!coverage.enabled) return verdict(true, 'coverage_off', because('coverage_off'))
  if (coverage.areas.length === 0) return verdict(true, 'no_areas', because('coverage_empty'))
  if (coverage.excluded_sources.includes(event.source)) {
    return verdict(true, 'excluded_source', because('source_has_own_scope', { source: event.source }))
  }
  if (match.areas.length > 0) {
    const { byState } = match
    if (byState.length === 0) return verdict(true, 'inside', because('inside_area'))
    return verdict(true, 'by_state', because('state_passes', { why: unknown(byState) }))
  }
  if (match.unplaced.length > 0 && event.family === 'weather')
    return verdict(false, 'unplaced', because('import_zones', { why: unknown(match.unplaced) }))
  if (!match.located || match.unplaced.length > 0) {
    if (event.family !== 'weather') return verdict(true, 'unlocated', because('no_usable_place'))
    return verdict(false, 'unlocated_weather', because('weather_without_place'))
  }
  return verdict(false, 'outside', because('outside_areas'))
}

/** Dropped only because nobody can tell where it is. */
export function isLost({ reason }: Pick<GateVerdict, 'reason'> | { reason: string }): boolean {
  return reason === 'unlocated_weather' || reason === 'unplaced'
}

/** Grave weather without a place: every region is told where its source is set so (docs/interface.md §3). */
export function passEverywhere({ why }: GateVerdict): GateVerdict {
  return verdict(true, 'everywhere', because('told_everywhere', { why }))
}

const NAMED = 8

/** Neither an outline nor a county places these codes. */
export function unknown(codes: readonly string[]): Reason {
  if (codes.length <= NAMED) return because('unplaced_codes', { codes })
  return because('unplaced_codes_more', { codes: codes.slice(0, NAMED), more: codes.length - NAMED })
}

function verdict(pass: boolean, reason: GateVerdict['reason'], why: Reason): GateVerdict {
  return { pass, reason, why, unlocated: reason === 'unlocated' }
}
