import { discMeetsOutline, discOutline } from './circle.ts'
import { type Outline, outlinesMeet, shifted } from './outline.ts'
import { areaOf, overlapsEnough } from './overlap.ts'
import { areasOf, type Target, type Targets } from './targets.ts'
import type { ZoneShapes } from './zones.ts'

/** Answers which drawn regions a code reaches. */
export interface Overlaps {
  /** False when no region is drawn: then outlines of codes are never asked for. */
  readonly any: boolean
  /** The drawn regions the outline of a code overlaps by 2 % of the smaller area; null while the outline is unknown. */
  regionsOf(code: string): readonly number[] | null
}

interface Drawn {
  readonly outlines: readonly Outline[]
  readonly area: number
}

/** Computes each code when it is first asked for and remembers it; an unknown code is asked for again each time. */
export function makeOverlaps(targets: Targets, zones: ZoneShapes): Overlaps {
  const regions = new Map<string, readonly number[]>()
  const drawnOf = rememberDrawn(targets.all)
  return {
    any: targets.all.some((target) => target.drawn),
    regionsOf(code) {
      const known = regions.get(code)
      if (known !== undefined) return known
      const zone = readZone(zones, code)
      if (zone === null) return null
      const found = [...candidates(targets, zone)].filter((region) => reaches(drawnOf(region), zone))
      regions.set(code, found)
      return found
    }
  }
}

function readZone(zones: ZoneShapes, code: string): Drawn | null {
  const outlines = areasOf(zones.shape(code))
  return outlines.length === 0 ? null : { outlines, area: areaOf(outlines) }
}

/** Regions with a drawn part that touches the zone: only those can overlap it. */
function candidates(targets: Targets, zone: Drawn): Set<number> {
  const found = new Set<number>()
  for (const outline of zone.outlines) {
    targets.search(outline, (target, turn) => {
      if (target.drawn && !found.has(target.region) && touches(target, outline, turn)) found.add(target.region)
    })
  }
  return found
}

function touches({ form }: Target, outline: Outline, turn: number): boolean {
  if ('disc' in form) return discMeetsOutline(form.disc, outline)
  return outlinesMeet(shifted(outline, turn), form.outline)
}

/** A region without area (a point, a line) is reached when it is touched: 2 % of nothing is nothing. */
function reaches(region: Drawn, zone: Drawn): boolean {
  const smaller = Math.min(region.area, zone.area)
  return smaller === 0 || overlapsEnough(region.outlines, zone.outlines, smaller)
}

function rememberDrawn(all: readonly Target[]): (region: number) => Drawn {
  const known = new Map<number, Drawn>()
  return (region) => {
    const before = known.get(region)
    if (before !== undefined) return before
    const mine = all.filter((target) => target.drawn && target.region === region)
    const outlines = mine.map(({ form }) => ('disc' in form ? discOutline(form.disc) : form.outline))
    const drawn = { outlines, area: areaOf(outlines) }
    known.set(region, drawn)
    return drawn
  }
}
