import { because } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import type { FireFeature, Layer } from './fire.ts'

/** One fire of both layers. */
export interface Fire extends Omit<FireFeature, 'layer' | 'drawn' | 'mapped' | 'outline'> {
  layers: Layer[]
  outline: FireFeature['outline']
  /** The time of the source's last change of anything about it; null when it never says. */
  changed: number | null
}

/** Perimeters and locations by IRWIN id: one fire, whichever layer has it, and the newer figures of both. */
export function joinFires(features: readonly FireFeature[], skipped: SkippedItem[]): Fire[] {
  const fires = new Map<string, { incident?: FireFeature; perimeter?: FireFeature }>()
  for (const feature of features) {
    const pair = fires.get(feature.id) ?? {}
    const role = feature.layer === 'incidents' ? 'incident' : 'perimeter'
    const other = pair[role]
    if (other !== undefined) skipped.push({ id: feature.id, reason: because('twice_among', { layer: feature.layer }) })
    if (other === undefined || timeOf(feature) > timeOf(other)) pair[role] = feature
    fires.set(feature.id, pair)
  }
  return [...fires.values()].flatMap(({ incident, perimeter }) => {
    const joined = join(incident, perimeter)
    return joined === null ? [] : [joined]
  })
}

function timeOf({ modified, drawn }: FireFeature): number {
  return Math.max(modified ?? 0, drawn ?? 0)
}

/** Figures come from whichever layer was changed last, and from the other one where that is silent. */
function join(incident: FireFeature | undefined, perimeter: FireFeature | undefined): Fire | null {
  const present = [incident, perimeter].filter((feature) => feature !== undefined)
  const newestFirst = present.toSorted((a, b) => (b.modified ?? 0) - (a.modified ?? 0))
  const [first] = newestFirst
  if (first === undefined) return null
  const { drawn: _, layer: __, mapped: ___, ...facts } = first
  const known = <Key extends keyof FireFeature>(key: Key): FireFeature[Key] =>
    newestFirst.map((feature) => feature[key]).find((value) => value !== null && value !== '') ?? first[key]
  const changed = Math.max(...present.map(timeOf))
  return {
    ...facts,
    name: known('name'),
    acres: acresOf(known('acres'), perimeter?.mapped ?? null),
    contained: known('contained'),
    out: known('out'),
    description: known('description'),
    behaviour: known('behaviour'),
    county: known('county'),
    state: known('state'),
    fips: known('fips'),
    point: incident?.point ?? perimeter?.point ?? null,
    outline: perimeter?.outline ?? null,
    layers: present.map(({ layer }) => layer).sort(),
    changed: changed === 0 ? null : changed
  }
}

/** Larger than any fire of the United States was; a perimeter of more is drawn wrong. Acres. */
const MOST_ACRES = 5_000_000
/** The report and the map differ by this much where both are right. */
const SAME_SIZE = 1.25

/**
 * Hours into a fire the report still says a tenth of an acre while the perimeter has ten thousand: the larger one counts
 * where they differ, the report where they agree.
 */
function acresOf(reported: number | null, mapped: number | null): number | null {
  if (mapped === null || mapped > MOST_ACRES) return reported
  return reported === null || mapped > reported * SAME_SIZE ? mapped : reported
}
