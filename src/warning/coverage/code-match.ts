import type { Overlaps } from './coded.ts'
import { canonicalCodes, isCounty, isMarine, isZone, stateOf, systemOf } from './codes.ts'
import type { Locatable } from './locate.ts'
import type { Targets } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** The match of an event that is not drawn, as its codes tell it. */
export interface CodeMatch {
  readonly located: boolean
  readonly how: 'codes' | 'none'
  /** County codes stood in for forecast zones: about one region in ten is one too many. */
  readonly byCounty: boolean
  /** Codes whose outline was needed and is not known, canonical. */
  readonly unknownCodes: readonly string[]
  /** Of these, codes that nothing else places either: whether a region lies there cannot be told. */
  readonly unplaced: readonly string[]
  /** Regions in whose state such a code lies, beside those that were hit. */
  readonly maybe: readonly number[]
}

/** Regions hit so far. */
export interface HitSink {
  add(region: number): void
  has(region: number): boolean
  readonly count: number
}

/** The codes of an event, canonical. */
export interface EventCodes {
  readonly zones: readonly string[]
  readonly same: readonly string[]
  /** Of systems beside those of the United States: `EMMA_ID:DE356`. */
  readonly other: readonly string[]
  /** Names of the places, for zones that nothing else places. */
  readonly names: readonly string[]
}

export function codesOf({ zones, same, data }: Locatable): EventCodes {
  return {
    zones: canonicalCodes(zones),
    same: canonicalCodes(same),
    other: canonicalCodes(data?.geocodes).filter((code) => systemOf(code) !== null),
    names: Array.isArray(data?.places) ? data.places.filter((name) => typeof name === 'string') : []
  }
}

/** Matches codes with regions: by equality, by outlines, and by the counties that stand in for zones nobody can draw. */
export class CodeMatcher {
  readonly #targets: Targets
  readonly #overlaps: Overlaps
  readonly #zones: ZoneShapes

  constructor(targets: Targets, overlaps: Overlaps, zones: ZoneShapes) {
    this.#targets = targets
    this.#overlaps = overlaps
    this.#zones = zones
  }

  match(codes: EventCodes, hits: HitSink): CodeMatch {
    const equal = this.#byEquality(codes, hits)
    const own = this.#byOutline(codes, hits)
    const reverse = this.#countiesInZones(codes, hits)
    const other = this.#others(codes.other, hits)
    const { unplaced, maybe } = this.#maybe(own.unplaced, reverse.lost, hits)
    const coded = codes.zones.length + codes.same.length > 0
    const comparable = codes.other.some((code) => this.#targets.codes.knows(systemOf(code)))
    return {
      located: hits.count > 0 || (coded && unplaced.length === 0) || comparable || other.resolved,
      how: coded || codes.other.length > 0 ? 'codes' : 'none',
      byCounty: equal.sameForZone || own.byCounty || reverse.byCounty,
      unknownCodes: [...own.unknown, ...other.unknown],
      unplaced,
      maybe
    }
  }

  /** For an event that is drawn: only regions that are not still go by its codes. */
  matchUndrawn(codes: EventCodes, hits: HitSink): Pick<CodeMatch, 'byCounty' | 'unplaced' | 'maybe'> {
    if (this.#targets.undrawable.size === 0) return { byCounty: false, unplaced: [], maybe: [] }
    for (const code of [...codes.zones, ...codes.same, ...codes.other])
      this.#targets.undrawable.find(code, (region) => hits.add(region))
    const { byCounty, lost } = this.#countiesInZones(codes, hits)
    // A storm's outline is small, and all zones of its state would be told: better said to be unknown than told wrongly.
    return { byCounty, unplaced: lost, maybe: [] }
  }

  #byEquality(codes: EventCodes, hits: HitSink): { sameForZone: boolean } {
    const hit = (region: number): void => hits.add(region)
    for (const code of codes.zones) this.#targets.codes.find(code, hit)
    const byZone = hits.count
    for (const code of codes.same) this.#targets.codes.find(code, hit)
    const sameForZone = hits.count > byZone && codes.zones.some(isZone)
    for (const code of codes.other) this.#targets.codes.find(code, hit)
    return { sameForZone }
  }

  /**
   * The regions by the outlines of the codes. SAME codes name the counties the zones lie in, so they count only when there
   * are no zones, or for those whose outline is unknown.
   */
  #byOutline({ zones, same, names }: EventCodes, hits: HitSink) {
    const unknown = new Set<string>()
    const unplaced: string[] = []
    let byCounty = false
    const asked = zones.length === 0 ? same : zones
    for (const code of asked.filter((one) => this.#overlaps.needs(one))) {
      if (this.#hitByOutline(code, hits)) continue
      unknown.add(code)
      const counties = isZone(code) ? this.#countiesOf(code, { asked, same, names }) : null
      for (const county of counties?.codes ?? []) byCounty = this.#hitByCounty(county, hits, unknown) || byCounty
      if (counties?.whole !== true) unplaced.push(code)
    }
    return { unknown, unplaced, byCounty }
  }

  /** False when the county would have to be drawn and cannot be. */
  #hitByCounty(county: string, hits: HitSink, unknown: Set<string>): boolean {
    this.#targets.codes.find(county, (region) => hits.add(region))
    const isTold = !this.#overlaps.needs(county) || this.#hitByOutline(county, hits)
    if (!isTold) unknown.add(county)
    return isTold
  }

  /** False while the outline is unknown. */
  #hitByOutline(code: string, hits: HitSink): boolean {
    const regions = this.#overlaps.regionsOf(code)
    for (const region of regions ?? []) hits.add(region)
    return regions !== null
  }

  /** The counties of a zone without an outline: those the event names itself, else what else is known. */
  #countiesOf(zone: string, { asked, same, names }: Pick<EventCodes, 'same' | 'names'> & { asked: readonly string[] }) {
    const beside = same.filter((code) => isCounty(code) && stateOf(code) === stateOf(zone))
    if (beside.length > 0) return { codes: beside, whole: beside.some((code) => this.#isKnown(code)) }
    if (isMarine(zone)) return null
    // Names in the order of the codes say which is whose.
    const own = names.length === asked.length ? names.slice(asked.indexOf(zone)).slice(0, 1) : names
    return this.#zones.counties?.(zone, own) ?? null
  }

  /** True when a county can be compared with the regions at all. */
  #isKnown(county: string): boolean {
    return !this.#overlaps.needs(county) || this.#overlaps.regionsOf(county) !== null
  }

  /** Zones of regions that nobody can draw: a county of the event that such a zone lies in reaches the region. */
  #countiesInZones({ zones, same }: EventCodes, hits: HitSink): { byCounty: boolean; lost: readonly string[] } {
    const counties = (zones.length === 0 ? same : zones).filter(isCounty)
    const lost: string[] = []
    let byCounty = false
    if (counties.length === 0) return { byCounty, lost }
    for (const zone of this.#targets.undrawable.keys()) {
      if (!isZone(zone) || !counties.some((county) => stateOf(county) === stateOf(zone))) continue
      const found = this.#zones.counties?.(zone, []) ?? null
      if (found?.codes.some((code) => counties.includes(code)) === true) {
        this.#targets.undrawable.find(zone, (region) => hits.add(region))
        byCounty = true
      } else if (found === null || !found.whole) lost.push(zone)
    }
    return { byCounty, lost }
  }

  /**
   * The uncertain rest: the regions in the states of codes nothing places, and those of zones nobody can draw (`lost`).
   * A code whose state no region touches lies elsewhere: it is placed.
   */
  #maybe(codes: readonly string[], lost: readonly string[], hits: HitSink): Pick<CodeMatch, 'unplaced' | 'maybe'> {
    const found = new Set<number>()
    const unplaced: string[] = []
    for (const code of codes) {
      const regions = this.#regionsIn(stateOf(code))
      if (regions?.length !== 0) unplaced.push(code)
      for (const region of regions ?? []) found.add(region)
    }
    for (const zone of lost) this.#targets.undrawable.find(zone, (region) => found.add(region))
    const maybe = [...found].filter((region) => !hits.has(region)).sort((a, b) => a - b)
    return { unplaced: [...unplaced, ...(maybe.length === 0 ? [] : lost)], maybe }
  }

  /** The regions that touch a state, or null while its outline is unknown and a region is drawn. */
  #regionsIn(state: string): number[] | null {
    const drawn = this.#overlaps.drawn ? this.#overlaps.regionsOf(state) : []
    if (drawn === null) return null
    const regions = [...drawn]
    this.#targets.codes.find(state, (region) => regions.push(region))
    return regions
  }

  /**
   * The drawn regions by codes of other systems. An area is often named in several; where the outlines of one are known,
   * that those of another are not is no news.
   */
  #others(codes: readonly string[], hits: HitSink): { resolved: boolean; unknown: string[] } {
    if (!this.#overlaps.drawn) return { resolved: false, unknown: [] }
    const found = codes.map((code) => ({ code, isKnown: this.#hitByOutline(code, hits) }))
    const known = new Set(found.filter(({ isKnown }) => isKnown).map(({ code }) => systemOf(code)))
    const unknown = found.filter(({ isKnown }) => !isKnown).map(({ code }) => code)
    return {
      resolved: known.size > 0,
      unknown: unknown.filter((code) => known.size === 0 || known.has(systemOf(code)))
    }
  }
}
