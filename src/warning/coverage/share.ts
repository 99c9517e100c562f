import { discCovers, discMeetsOutline, discOutline, discsMeet } from './circle.ts'
import type { Place } from './locate.ts'
import { covers, type Outline, outlinesMeet, shifted } from './outline.ts'
import { areaOf, commonArea } from './overlap.ts'

const TURNS = [-360, 0, 360]

/**
 * Of two drawn places, the share that both have in common: of both together where both are outlines, for copies draw the
 * same; of the smaller one where a circle or a box stands for it, for those are drawn by the eye. What has no area (a
 * point, a line) is common wholly or not at all.
 */
export function commonShare(a: Place, b: Place): number {
  const [one, other] = [areasOf(a), areasOf(b)]
  const [sizeA, sizeB] = [areaOf(one), areaOf(other)]
  if (sizeA === 0 || sizeB === 0) return meet(a, b) ? 1 : 0
  const common = commonArea(one, other)
  const rough = a.how !== 'geometry' || b.how !== 'geometry'
  return common / (rough ? Math.min(sizeA, sizeB) : sizeA + sizeB - common)
}

/** The share of `inner` that lies in `outer`. */
export function coveredShare(inner: Place, outer: Place): number {
  const [mine, theirs] = [areasOf(inner), areasOf(outer)]
  const size = areaOf(mine)
  if (size === 0) return meet(inner, outer) ? 1 : 0
  return commonArea(mine, theirs) / size
}

function areasOf({ outlines, disc }: Place): Outline[] {
  const filled = outlines.filter((outline) => outline.filled)
  return disc === null || disc.radiusKm === 0 ? filled : [...filled, discOutline(disc)]
}

/** True when two places share a point. */
function meet(a: Place, b: Place): boolean {
  if (holdsPoint(a, b) || holdsPoint(b, a)) return true
  if (a.outlines.some((mine) => b.outlines.some((theirs) => turned(mine, (one) => outlinesMeet(one, theirs)))))
    return true
  const [mine, theirs] = [a.disc, b.disc]
  if (mine !== null && b.outlines.some((outline) => discMeetsOutline(mine, outline))) return true
  if (theirs !== null && a.outlines.some((outline) => discMeetsOutline(theirs, outline))) return true
  return mine !== null && theirs !== null && discsMeet(mine, theirs)
}

function turned(outline: Outline, test: (outline: Outline) => boolean): boolean {
  return TURNS.some((turn) => test(shifted(outline, turn)))
}

/** True when a point of `inner` lies in `outer`. */
function holdsPoint({ points, outlines, disc }: Place, { points: inner }: Place): boolean {
  for (let at = 0; at < inner.length; at += 2) {
    const [x, y] = [inner[at] ?? 0, inner[at + 1] ?? 0]
    if (disc !== null && discCovers(disc, x, y)) return true
    if (outlines.some((outline) => TURNS.some((turn) => covers(outline, x + turn, y)))) return true
    for (let own = 0; own < points.length; own += 2) if (points[own] === x && points[own + 1] === y) return true
  }
  return false
}
