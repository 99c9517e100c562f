import type { Geometry } from '../lib/geojson.ts'
import { canonicalCode } from './codes.ts'

/** Where the outlines of counties, zones and states come from. */
export interface ZoneShapes {
  /** The outline of a canonical code (`COC013`, `COZ039`, `CO`), or null when it is not known here. Never throws. */
  shape(code: string): Geometry | null
}

/** Asks one source after the other; the first that knows the code answers. */
export function combineZoneShapes(...sources: readonly ZoneShapes[]): ZoneShapes {
  return {
    shape(code) {
      for (const source of sources) {
        const geometry = source.shape(code)
        if (geometry !== null) return geometry
      }
      return null
    }
  }
}

/** Outlines given code by code, in any spelling (`lookout tag --zones`). Keys that are no codes are ignored. */
export function zoneShapesFromMap(map: Readonly<Record<string, Geometry>>): ZoneShapes {
  const shapes = new Map<string, Geometry>()
  for (const [key, geometry] of Object.entries(map)) {
    const code = canonicalCode(key)
    if (code !== null) shapes.set(code, geometry)
  }
  return { shape: (code) => shapes.get(code) ?? null }
}

/** Knows nothing: for a configuration without codes, and for tests. */
export const NO_ZONE_SHAPES: ZoneShapes = { shape: () => null }
