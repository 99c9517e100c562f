import type { LookoutEvent } from '../../model/event.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Carried, Heard } from './decision.ts'
import { materialOf } from './material.ts'
import { isCopy, isSameEvent, sightingOf, wordsOf } from './same-event.ts'

/** Sources round the end of one alert differently. */
const SAME_END_MS = 10 * 60_000
/** Key of what was said without naming codes. */
const EVERYWHERE = ''

/**
 * The part of one thread that a channel was told and not told the end of: per place, for an event lives and ends per
 * place.
 */
export interface Told {
  regions: ReadonlySet<string>
  /** The newest message about it; null when there is none, or it is over everywhere. */
  last: Carried | null
  /** Of the source of `last`: what a listener acts on, by code. */
  materials: ReadonlyMap<string, string>
}

/** Reads the messages of one thread on one channel, oldest first. A cancel takes back its regions; with the last of them, all. */
export function toldBy(history: readonly Carried[]): Told {
  const regions = new Set<string>()
  let rows: Carried[] = []
  for (const row of history) {
    if (row.kind !== 'cancel') {
      for (const region of row.regions) regions.add(region)
      rows.push(row)
      continue
    }
    for (const region of row.regions) regions.delete(region)
    if (regions.size === 0) rows = []
  }
  if (rows.length === 0) regions.clear()
  const last = rows.at(-1) ?? null
  return { regions, last, materials: materialsOf(rows.filter(({ source }) => source === last?.source)) }
}

function materialsOf(rows: readonly Carried[]): Map<string, string> {
  const materials = new Map<string, string>()
  for (const { zones, material } of rows.flatMap(({ pieces }) => pieces)) {
    if (zones.length === 0) materials.clear()
    for (const zone of zones.length === 0 ? [EVERYWHERE] : zones) materials.set(zone, material)
  }
  return materials
}

/**
 * True when a listener who knows `told` would act otherwise after this event. Segments of one product end at different
 * times, so each is compared with what was said of its own codes; of codes never named, with all that was said.
 * `heard`: what the thread told, or knew already, newest first; asked when another source told last.
 */
export function hasChanged(event: LookoutEvent, { last, materials }: Told, heard: () => readonly Heard[]): boolean {
  if (last === null) return true
  if (event.source !== last.source) return endsElsewhere(event, last) || saysAnew(event, heard())
  const material = materialOf(event)
  const codes = event.zones.length > 0 ? event.zones : event.same
  const known = codes.flatMap((code) => materials.get(code) ?? [])
  if (known.length === 0) return ![...materials.values()].includes(material)
  return known.some((said) => said !== material)
}

function endsElsewhere({ expires }: LookoutEvent, { expiresAt }: Carried): boolean {
  if (expires === null || expiresAt === null) return false
  return Math.abs(Date.parse(expires) - expiresAt) > SAME_END_MS
}

/**
 * Sources word their facts differently, so a copy of what is known is no news, nor what the source itself said before. What
 * is neither is: always where lives depend on it (docs/interface.md §4 rule 9), else when its own source says it anew.
 */
function saysAnew(event: LookoutEvent, heard: readonly Heard[]): boolean {
  const at = heard.findIndex((other) => other.event.source === event.source)
  const before = heard[at]?.event
  if (before === undefined) {
    const atOnce = event.severity === 'immediate'
    return isAtLeast(event.severity, 'critical') && !heard.some((other) => isKnownBy(event, other.event, atOnce))
  }
  if (materialOf(before) === materialOf(event)) return false
  // Its source says something new. Another one was first with that, or it is told now.
  return !heard.slice(0, at).some((other) => other.told && isKnownBy(event, other.event, true))
}

/** True when `other` said this already. `atOnce`: only what was said at about the same time counts. */
function isKnownBy(event: LookoutEvent, other: LookoutEvent, atOnce: boolean): boolean {
  if (event.id === other.id || wordsOf(event) === wordsOf(other)) return true
  const [mine, theirs] = [sightingOf(event), sightingOf(other)]
  return mine !== null && theirs !== null && (atOnce ? isCopy(mine, theirs) : isSameEvent(mine, theirs))
}
