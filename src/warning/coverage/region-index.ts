import type { MonitoringArea } from './area.ts'
import { type Disc, discCovers, discMeetsOutline, discsMeet } from './circle.ts'
import { CodeMatcher, codesOf } from './code-match.ts'
import { makeOverlaps } from './coded.ts'
import { type Locatable, locate, type Place } from './locate.ts'
import { covers, type Outline, outlinesMeet, shifted } from './outline.ts'
import { compileTargets, type Target, type Targets } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** The relation of the areas to an event. */
export interface Match {
  /** Indices of all areas the event touches, nameless ones too, in configuration order. */
  readonly areas: readonly number[]
  /** Names of those that have one, in configuration order, without repeats. */
  readonly names: readonly string[]
  /** True when it could be told where the event is. */
  readonly located: boolean
  /** By what it was located. */
  readonly how: Place['how'] | 'codes' | 'none'
  /** County codes stood in for forecast zones: about one region in ten is one too many. */
  readonly byCounty: boolean
  /** Codes whose outline was needed and is not known, canonical. */
  readonly unknownCodes: readonly string[]
  /** Of these, codes that nothing else places either: whether an area lies there cannot be told. */
  readonly unplaced: readonly string[]
  /** The areas in whose state such a code lies, beside `areas`, and their names. */
  readonly maybe: { readonly areas: readonly number[]; readonly names: readonly string[] }
  /** Of `unplaced`, those for which `maybe` was joined with `areas` (`widened`); empty otherwise. */
  readonly byState: readonly string[]
  /** The geometry was beyond the limits and only a part of its vertices was read. */
  readonly thinned: boolean
}

/** The areas of a configuration, compiled. */
export interface RegionIndex {
  /** Finds the areas that an event touches. Synchronous, and never throws whatever the event holds. */
  match(event: Locatable): Match
}

/**
 * Compiles areas for matching (contract §3 and its geometry semantics). Outlines of region codes are read now; those
 * of event codes when an event first needs them. Build a new index when areas or zone packs change.
 */
export function buildRegionIndex(areas: readonly MonitoringArea[], zones: ZoneShapes): RegionIndex {
  const targets = compileTargets(areas, zones)
  const coded = new CodeMatcher(targets, makeOverlaps(targets, zones), zones)
  // Only the names are kept: the areas' GeoJSON takes ten times the memory of the index.
  const names = areas.map((area) => area.name)
  const hits = new Hits(names.length)
  return {
    match(event) {
      hits.clear()
      const place = locate(event)
      const codes = codesOf(event)
      if (place === null) {
        const { maybe, ...rest } = coded.match(codes, hits)
        return finish(names, hits, { ...rest, thinned: false }, maybe)
      }
      matchPlace(targets, place, hits)
      const { maybe, ...rest } = coded.matchUndrawn(codes, hits)
      const { how, thinned } = place
      return finish(names, hits, { located: true, how, unknownCodes: [], thinned, ...rest }, maybe)
    }
  }
}

/** The match with every area that may be meant: for warnings that must not be lost. The same match when there are none. */
export function widened(match: Match, areas: readonly { readonly name: string | null }[]): Match {
  if (match.maybe.areas.length === 0) return match
  const all = [...match.areas, ...match.maybe.areas].sort((a, b) => a - b)
  const names = namesOf(
    all,
    areas.map(({ name }) => name)
  )
  return { ...match, areas: all, names, byState: match.unplaced, maybe: { areas: [], names: [] } }
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

function finish(
  areaNames: readonly (string | null)[],
  hits: Hits,
  rest: Omit<Match, 'areas' | 'names' | 'maybe' | 'byState'>,
  maybe: readonly number[]
): Match {
  const areas = hits.ordered()
  return {
    areas,
    names: namesOf(areas, areaNames),
    ...rest,
    byState: [],
    maybe: { areas: maybe, names: namesOf(maybe, areaNames) }
  }
}

function namesOf(areas: readonly number[], areaNames: readonly (string | null)[]): string[] {
  const names = areas.flatMap((area) => areaNames[area] ?? [])
  return [...new Set(names)]
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
