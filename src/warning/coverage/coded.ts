import { discMeetsOutline, discOutline } from './circle.ts'
import { isCounty, isZone } from './codes.ts'
import { type Outline, outlinesMeet, shifted } from './outline.ts'
import { areaOf, overlapsEnough } from './overlap.ts'
import { areasOf, type Target, type Targets } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** Answers which regions the outline of a code reaches. */
export interface Overlaps {
  /** False when no region is drawn. */
  readonly drawn: boolean
  /** False when the code itself tells all regions it reaches: none is drawn, and none is coded in the other kind. */
  needs(code: string): boolean
  /**
   * The regions the outline of a code overlaps by 2 % of the smaller area: drawn ones, and of coded ones those of the other
   * kind, a county for a zone and a zone for a county. Null while the outline is unknown.
   */
  regionsOf(code: string): readonly number[] | null
}

interface Form {
  readonly outlines: readonly Outline[]
  readonly area: number
}

/** Computes each code when it is first asked for and remembers it; an unknown code is asked for again each time. */
export function makeOverlaps(targets: Targets, zones: ZoneShapes): Overlaps {
  const regions = new Map<string, readonly number[]>()
  const formOf = rememberForms(targets.all)
  const drawn = targets.all.some(({ code }) => code === null)
  const coded = [...targets.codes.keys()]
  const hasZones = coded.some(isZone)
  const hasCounties = coded.some(isCounty)
  return {
    drawn,
    needs: (code) => drawn || (isZone(code) ? hasCounties : isCounty(code) && hasZones),
    regionsOf(code) {
      const known = regions.get(code)
      if (known !== undefined) return known
      const shape = readZone(zones, code)
      if (shape === null) return null
      const found = new Set<number>()
      for (const target of candidates(targets, shape, code))
        if (!found.has(target.region) && reaches(formOf(target), shape)) found.add(target.region)
      regions.set(code, [...found])
      return [...found]
    }
  }
}

function readZone(zones: ZoneShapes, code: string): Form | null {
  const outlines = areasOf(zones.shape(code))
  return outlines.length === 0 ? null : { outlines, area: areaOf(outlines) }
}

/** Targets that touch the zone, and whose code cannot be compared with its: only those can overlap it. */
function candidates(targets: Targets, zone: Form, code: string): Set<Target> {
  const found = new Map<string, Target>()
  for (const outline of zone.outlines) {
    targets.search(outline, (target, turn) => {
      if (!isComparedByOutline(target.code, code)) return
      const name = `${target.region} ${target.code ?? ''}`
      if (!found.has(name) && touches(target, outline, turn)) found.set(name, target)
    })
  }
  return new Set(found.values())
}

/** Counties with counties, and zones with zones, go by their codes: neighbours share a border (geometry semantics, rule 9). */
function isComparedByOutline(ofRegion: string | null, code: string): boolean {
  if (ofRegion === null) return true
  return (isZone(code) && isCounty(ofRegion)) || (isCounty(code) && isZone(ofRegion))
}

function touches({ form }: Target, outline: Outline, turn: number): boolean {
  if ('disc' in form) return discMeetsOutline(form.disc, outline)
  return outlinesMeet(shifted(outline, turn), form.outline)
}

/** A region without area (a point, a line) is reached when it is touched: 2 % of nothing is nothing. */
function reaches(region: Form, zone: Form): boolean {
  const smaller = Math.min(region.area, zone.area)
  return smaller === 0 || overlapsEnough(region.outlines, zone.outlines, smaller)
}

/** All that is drawn of a region is one form; of each code of it the outlines are another. */
function rememberForms(all: readonly Target[]): (target: Target) => Form {
  const known = new Map<string, Form>()
  return ({ region, code }) => {
    const name = `${region} ${code ?? ''}`
    const before = known.get(name)
    if (before !== undefined) return before
    const mine = all.filter((target) => target.region === region && target.code === code)
    const outlines = mine.map(({ form }) => ('disc' in form ? discOutline(form.disc) : form.outline))
    const form = { outlines, area: areaOf(outlines) }
    known.set(name, form)
    return form
  }
}
