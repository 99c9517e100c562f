import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { unknown } from './gate.ts'
import type { Match } from './region-index.ts'

/** The result of tagging an event. `reason` is a stable word for programs. */
export interface Tagging {
  region: string | null
  regions: string[]
  outcome: 'tagged' | 'untagged' | 'kept' | 'skipped'
  reason:
    | 'tagged'
    | 'tagged_by_state'
    | 'preset'
    | 'tagging_off'
    | 'no_areas'
    | 'no_location'
    | 'unknown_codes'
    | 'nameless_area'
    | 'no_area'
  why: Reason
}

/**
 * The regions an event is to carry (contract §3): those it has already, else, when tagging is on and there are areas,
 * the names of the areas it touches; the first is `region`. The event itself is not changed.
 */
export function tagEvent(
  event: Pick<LookoutEvent, 'region' | 'regions'>,
  match: Match,
  options: { region_tagging: boolean; areaCount: number }
): Tagging {
  const kept = { region: event.region, regions: [...event.regions] }
  if (!options.region_tagging) {
    return { ...kept, outcome: 'skipped', reason: 'tagging_off', why: because('tag_off') }
  }
  if (options.areaCount === 0) {
    return { ...kept, outcome: 'skipped', reason: 'no_areas', why: because('tag_no_areas') }
  }
  if (kept.regions.length > 0) {
    const region = kept.region ?? kept.regions[0] ?? null
    const why = because('tag_kept', { regions: kept.regions })
    return { region, regions: kept.regions, outcome: 'kept', reason: 'preset', why }
  }
  const [first] = match.names
  if (first === undefined) return { ...kept, outcome: 'untagged', ...whyNone(match) }
  const regions = [...match.names]
  const found: Why =
    match.byState.length === 0
      ? { reason: 'tagged', why: touched(match) }
      : { reason: 'tagged_by_state', why: because('state_told', { why: unknown(match.byState), regions }) }
  return { region: first, regions, outcome: 'tagged', ...found }
}

const HOW: Readonly<Record<Match['how'], string>> = {
  geometry: 'Its geometry',
  circle: 'Its circle',
  bbox: 'Its box',
  point: 'Its position',
  codes: 'Its zone and county codes',
  none: 'Nothing of it'
}

type Why = Pick<Tagging, 'reason' | 'why'>

function whyNone(match: Match): Why {
  if (match.how === 'none') return { reason: 'no_location', why: because('says_no_place') }
  if (match.unplaced.length > 0) return { reason: 'unknown_codes', why: unknown(match.unplaced) }
  if (!match.located)
    return { reason: 'unknown_codes', why: because('codes_unknown', { codes: [...match.unknownCodes] }) }
  return { reason: match.areas.length > 0 ? 'nameless_area' : 'no_area', why: touched(match) }
}

function touched(match: Match): Reason {
  const how = HOW[match.how]
  const regions = [...match.names]
  const notes = noteOf(match)
  if (regions.length > 0)
    return notes === null ? because('touches', { how, regions }) : because('touches_noted', { how, regions, notes })
  const what = match.areas.length > 0 ? 'touches_nameless' : 'touches_none'
  return notes === null ? because(what, { how }) : because(`${what}_noted`, { how, notes })
}

function noteOf(match: Match): Reason | null {
  const notes: Reason[] = []
  if (match.byCounty) notes.push(because('by_county'))
  if (match.unknownCodes.length > 0) notes.push(because('no_outline', { codes: [...match.unknownCodes] }))
  if (match.thinned) notes.push(because('outline_thinned'))
  const [first, ...rest] = notes
  return first === undefined ? null : rest.reduce((one, two) => because('and_also', { first: one, second: two }), first)
}
