import Flatbush from 'flatbush'
import type { MonitoringArea } from './area.ts'
import { type Disc, readCircle } from './circle.ts'
import { CodeMap, canonicalCodes } from './codes.ts'
import type { Box } from './edges.ts'
import { type Outline, prepare } from './outline.ts'
import type { AreaPart } from './settings.ts'
import { readBox, readShape } from './shape.ts'
import type { ZoneShapes } from './zones.ts'

/** One outline or circle of a region. */
export interface Target {
  /** Index of the area. */
  readonly region: number
  /** The code of the region it stands for, canonical; null when it is drawn. */
  readonly code: string | null
  readonly form: { readonly outline: Outline } | { readonly disc: Disc }
}

/** Called for each target whose box touches; `turn` is what brings a longitude of the asker into the target's frame. */
export type Visit = (target: Target, turn: number) => void

/** The compiled areas. */
export interface Targets {
  readonly all: readonly Target[]
  /** Codes of the coded regions, and of those the ones without an outline. */
  readonly codes: CodeMap
  readonly undrawable: CodeMap
  /** Finds what may touch a box that begins in [-180, 180). */
  search(box: Box, visit: Visit): void
}

/** Compiles areas; outlines of codes come from `zones`, once for each code. */
export function compileTargets(areas: readonly MonitoringArea[], zones: ZoneShapes): Targets {
  const all: Target[] = []
  const codes = new CodeMap()
  const undrawable = new CodeMap()
  const outlinesOf = rememberOutlines(zones)
  const addCode = (region: number, code: string): void => {
    const outlines = outlinesOf(code)
    codes.add(code, region)
    if (outlines.length === 0) undrawable.add(code, region)
    for (const outline of outlines) all.push({ region, code, form: { outline } })
  }
  const parts = areas.flatMap((area, region) => area.parts.map((part) => ({ region, part })))
  for (const { region, part } of parts) {
    for (const form of drawnForms(part)) all.push({ region, code: null, form })
    for (const code of canonicalCodes(part.codes)) addCode(region, code)
  }
  return { all, codes, undrawable, search: treeOf(all) }
}

function rememberOutlines(zones: ZoneShapes): (code: string) => readonly Outline[] {
  const known = new Map<string, readonly Outline[]>()
  return (code) => {
    const outlines = known.get(code) ?? areasOf(zones.shape(code))
    known.set(code, outlines)
    return outlines
  }
}

function drawnForms(part: Readonly<AreaPart>): Target['form'][] {
  const disc = part.circle === undefined ? null : readCircle(part.circle)
  if (disc !== null) return [{ disc }]
  const box = part.bbox === undefined ? null : readBox(part.bbox)
  const outlines = box === null ? areasOf(part.geometry) : [box]
  return outlines.map((outline) => ({ outline }))
}

/** The polygons of a geometry, edges sorted; regions and zones are areas, so lines and points are left out. */
export function areasOf(geometry: unknown): readonly Outline[] {
  const outlines = readShape(geometry, Infinity)?.outlines.filter((outline) => outline.filled) ?? []
  outlines.forEach(prepare)
  return outlines
}

/** A target that reaches 180° is entered a second time one turn further west, so that every longitude finds it. */
function treeOf(all: readonly Target[]): Targets['search'] {
  const boxes = all.map(({ form }): Box => ('disc' in form ? form.disc : form.outline))
  const again = boxes.flatMap((box, at) => (box.maxX >= 180 ? [at] : []))
  if (all.length === 0) return () => undefined
  const tree = new Flatbush(boxes.length + again.length)
  for (const { minX, minY, maxX, maxY } of boxes) tree.add(minX, minY, maxX, maxY)
  for (const at of again) {
    const { minX = 0, minY = 0, maxX = 0, maxY = 0 } = boxes[at] ?? {}
    tree.add(minX - 360, minY, maxX - 360, maxY)
  }
  tree.finish()
  return ({ minX, minY, maxX, maxY }, visit) => {
    const first = (entry: number): boolean => {
      const target = all[entry] ?? all[again[entry - all.length] ?? 0]
      if (target !== undefined) visit(target, entry < all.length ? 0 : 360)
      return false
    }
    tree.search(minX, minY, maxX, maxY, first)
    if (maxX < 180) return
    const second = (entry: number): boolean => {
      const target = all[entry]
      if (target !== undefined) visit(target, -360)
      return false
    }
    tree.search(minX - 360, minY, maxX - 360, maxY, second)
  }
}
