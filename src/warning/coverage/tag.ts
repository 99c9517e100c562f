import type { LookoutEvent } from '../../model/event.ts'
import { unknown } from './gate.ts'
import type { Match } from './region-index.ts'

/** What tagging decided for an event. `reason` is a stable word for programs, `detail` a sentence for people. */
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
  detail: string
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
    return { ...kept, outcome: 'skipped', reason: 'tagging_off', detail: 'Region tagging is off.' }
  }
  if (options.areaCount === 0) {
    return { ...kept, outcome: 'skipped', reason: 'no_areas', detail: 'No coverage areas are configured.' }
  }
  if (kept.regions.length > 0) {
    const region = kept.region ?? kept.regions[0] ?? null
    const detail = `The event came with its regions: ${kept.regions.join(', ')}.`
    return { region, regions: kept.regions, outcome: 'kept', reason: 'preset', detail }
  }
  const [first] = match.names
  if (first === undefined) return { ...kept, outcome: 'untagged', ...whyNone(match) }
  const detail = `${HOW[match.how]} touches ${match.names.join(', ')}${note(match)}.`
  const byState = `${unknown(match.byState)} So all of its state is told: ${match.names.join(', ')}.`
  const why: Pick<Tagging, 'reason' | 'detail'> =
    match.byState.length === 0 ? { reason: 'tagged', detail } : { reason: 'tagged_by_state', detail: byState }
  return { region: first, regions: [...match.names], outcome: 'tagged', ...why }
}

const HOW: Readonly<Record<Match['how'], string>> = {
  geometry: 'Its geometry',
  circle: 'Its circle',
  bbox: 'Its box',
  point: 'Its position',
  codes: 'Its zone and county codes',
  none: 'Nothing of it'
}

function whyNone(match: Match): Pick<Tagging, 'reason' | 'detail'> {
  if (match.how === 'none') return { reason: 'no_location', detail: 'The event says nowhere where it is.' }
  if (match.unplaced.length > 0) return { reason: 'unknown_codes', detail: unknown(match.unplaced) }
  if (!match.located) {
    return {
      reason: 'unknown_codes',
      detail: `The outlines of its codes are not known: ${match.unknownCodes.join(', ')}.`
    }
  }
  const nameless = match.areas.length > 0
  const what = nameless ? 'only areas without a name' : 'no area'
  return { reason: nameless ? 'nameless_area' : 'no_area', detail: `${HOW[match.how]} touches ${what}${note(match)}.` }
}

function note(match: Match): string {
  const notes: string[] = []
  if (match.byCounty) notes.push('by county, not by zone')
  if (match.unknownCodes.length > 0) notes.push(`no outline known for ${match.unknownCodes.join(', ')}`)
  if (match.thinned) notes.push('its outline was too long and was thinned')
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`
}
