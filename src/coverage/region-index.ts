import type { MonitoringArea } from './area.ts'
import { type Disc, discCovers, discMeetsOutline, discsMeet } from './circle.ts'
import { makeOverlaps, type Overlaps } from './coded.ts'
import { canonicalCodes, isZone, systemOf } from './codes.ts'
import { type Locatable, locate, type Place } from './locate.ts'
import { covers, type Outline, outlinesMeet, shifted } from './outline.ts'
import { compileTargets, type Target, type Targets } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** What the areas have to do with an event. */
export interface Match {
  /** Indices of all areas the event touches, nameless ones too, in configuration order. */
  readonly areas: readonly number[]
  /** Names of those that have one, in configuration order, without repeats. */
  readonly names: readonly string[]
  /** Whether it could be told where the event is. */
  readonly located: boolean
  /** By what it was located. */
  readonly how: Place['how'] | 'codes' | 'none'
  /** County codes stood in for forecast zones: about one region in ten is one too many. */
  readonly byCounty: boolean
  /** Codes whose outline was needed and is not known, canonical. */
  readonly unknownCodes: readonly string[]
  /** The geometry was beyond the limits and only a part of its vertices was read. */
  readonly thinned: boolean
}

/** The areas of a configuration, compiled. */
export interface RegionIndex {
  /** Which areas an event touches. Synchronous, and never throws whatever the event holds. */
  match(event: Locatable): Match
}

/**
 * Compiles areas for matching (contract §3 and its geometry semantics). Outlines of region codes are read now; those
 * of event codes when an event first needs them. Build a new index when areas or zone packs change.
 */
export function buildRegionIndex(areas: readonly MonitoringArea[], zones: ZoneShapes): RegionIndex {
  const targets = compileTargets(areas, zones)
  const overlaps = makeOverlaps(targets, zones)
  // Only the names are kept: the areas' GeoJSON takes ten times the memory of the index.
  const names = areas.map((area) => area.name)
  const hits = new Hits(names.length)
  return {
    match(event) {
      hits.clear()
      const place = locate(event)
      const codes = codesOf(event)
      if (place === null) return finish(names, hits, matchCodes(targets, overlaps, codes, hits))
      matchPlace(targets, place, hits)
      if (targets.undrawable.size > 0) {
        for (const code of [...codes.zones, ...codes.same, ...codes.other])
          targets.undrawable.find(code, (region) => hits.add(region))
      }
      const { how, thinned } = place
      return finish(names, hits, { located: true, how, byCounty: false, unknownCodes: [], thinned })
    }
  }
}

/** The regions hit by one event. Clearing costs nothing: a region is hit when it bears the present number. */
class Hits {
  readonly #stamps: Uint32Array
  #present = 0
  #list: number[] = []

  constructor(regions: number) {
    this.#stamps = new Uint32Array(regions)
  }

  clear(): void {
    this.#list = []
    this.#present = (this.#present + 1) >>> 0
    if (this.#present === 0) {
      this.#stamps.fill(0)
      this.#present = 1
    }
  }

  has(region: number): boolean {
    return this.#stamps[region] === this.#present
  }

  add(region: number): void {
    if (this.has(region)) return
    this.#stamps[region] = this.#present
    this.#list.push(region)
  }

  get count(): number {
    return this.#list.length
  }

  ordered(): number[] {
    return this.#list.sort((a, b) => a - b)
  }
}

function finish(areaNames: readonly (string | null)[], hits: Hits, rest: Omit<Match, 'areas' | 'names'>): Match {
  const ordered = hits.ordered()
  const names = new Set<string>()
  for (const region of ordered) {
    const name = areaNames[region] ?? null
    if (name !== null) names.add(name)
  }
  return { areas: ordered, names: [...names], ...rest }
}

function matchPlace(targets: Targets, place: Place, hits: Hits): void {
  const { points, outlines, disc } = place
  for (let at = 0; at < points.length; at += 2) matchPoint(targets, points[at] ?? 0, points[at + 1] ?? 0, hits)
  for (const outline of outlines) matchOutline(targets, outline, hits)
  if (disc !== null) matchDisc(targets, disc, hits)
}

function matchPoint(targets: Targets, x: number, y: number, hits: Hits): void {
  targets.search({ minX: x, minY: y, maxX: x, maxY: y }, ({ region, form }, turn) => {
    if (hits.has(region)) return
    const hit = 'disc' in form ? discCovers(form.disc, x, y) : covers(form.outline, x + turn, y)
    if (hit) hits.add(region)
  })
}

function matchOutline(targets: Targets, outline: Outline, hits: Hits): void {
  const turned = new Map<number, Outline>()
  const inFrame = (turn: number): Outline => {
    if (turn === 0) return outline
    const moved = turned.get(turn) ?? shifted(outline, turn)
    turned.set(turn, moved)
    return moved
  }
  targets.search(outline, ({ region, form }: Target, turn) => {
    if (hits.has(region)) return
    const hit = 'disc' in form ? discMeetsOutline(form.disc, outline) : outlinesMeet(inFrame(turn), form.outline)
    if (hit) hits.add(region)
  })
}

function matchDisc(targets: Targets, disc: Disc, hits: Hits): void {
  targets.search(disc, ({ region, form }) => {
    if (hits.has(region)) return
    const hit = 'disc' in form ? discsMeet(disc, form.disc) : discMeetsOutline(disc, form.outline)
    if (hit) hits.add(region)
  })
}

/** The codes of an event, canonical. */
interface EventCodes {
  readonly zones: readonly string[]
  readonly same: readonly string[]
  /** Of systems beside those of the United States: `EMMA_ID:DE356`. */
  readonly other: readonly string[]
}

function codesOf({ zones, same, data }: Locatable): EventCodes {
  return {
    zones: canonicalCodes(zones),
    same: canonicalCodes(same),
    other: canonicalCodes(data?.geocodes).filter((code) => systemOf(code) !== null)
  }
}

/** An event that has only codes: coded regions go by code, drawn ones by the overlap of the outlines. */
function matchCodes(
  targets: Targets,
  overlaps: Overlaps,
  codes: EventCodes,
  hits: Hits
): Omit<Match, 'areas' | 'names'> {
  const hit = (region: number) => hits.add(region)
  for (const code of codes.zones) targets.codes.find(code, hit)
  const byZone = hits.count
  for (const code of codes.same) targets.codes.find(code, hit)
  const byOwn = hits.count
  for (const code of codes.other) targets.codes.find(code, hit)
  const sameForZone = byOwn > byZone && codes.zones.some(isZone)
  const { resolved, byCounty, unknown } = matchOverlaps(overlaps, codes, hits)
  const other = matchOther(overlaps, codes.other, hits)
  const coded = codes.zones.length + codes.same.length > 0
  const comparable =
    (coded && targets.codes.knows(null)) || codes.other.some((code) => targets.codes.knows(systemOf(code)))
  return {
    located: comparable || resolved || other.resolved,
    how: coded || codes.other.length > 0 ? 'codes' : 'none',
    byCounty: byCounty || sameForZone,
    unknownCodes: [...unknown, ...other.unknown],
    thinned: false
  }
}

/**
 * The drawn regions by codes of other systems. An area is often named in several; where the outlines of one are known,
 * that those of another are not is no news.
 */
function matchOther(overlaps: Overlaps, codes: readonly string[], hits: Hits) {
  if (!overlaps.any) return { resolved: false, unknown: [] }
  const found = codes.map((code) => ({ code, regions: overlaps.regionsOf(code) }))
  for (const { regions } of found) for (const region of regions ?? []) hits.add(region)
  const known = new Set(found.filter(({ regions }) => regions !== null).map(({ code }) => systemOf(code)))
  const unknown = found.filter(({ regions }) => regions === null).map(({ code }) => code)
  return { resolved: known.size > 0, unknown: unknown.filter((code) => known.size === 0 || known.has(systemOf(code))) }
}

/**
 * The drawn regions of coded events. SAME codes name the counties the zones lie in, so they count only when there are
 * no zones or the outline of one is unknown.
 */
function matchOverlaps(overlaps: Overlaps, { zones, same }: EventCodes, hits: Hits) {
  const unknown = new Set<string>()
  const resolve = (codes: readonly string[]): boolean => {
    const found = codes.map((code) => ({ code, regions: overlaps.regionsOf(code) }))
    for (const { code, regions } of found) {
      if (regions === null) unknown.add(code)
      for (const region of regions ?? []) hits.add(region)
    }
    return found.some(({ regions }) => regions !== null)
  }
  if (!overlaps.any) return { resolved: false, byCounty: false, unknown }
  if (zones.length === 0) return { resolved: resolve(same), byCounty: false, unknown }
  const resolved = resolve(zones)
  if (unknown.size === 0) return { resolved, byCounty: false, unknown }
  const zoneUnknown = [...unknown].some(isZone)
  const stoodIn = resolve(same)
  return { resolved: resolved || stoodIn, byCounty: zoneUnknown && stoodIn, unknown }
}
