import type { Geometry } from '../../model/geojson.ts'
import { canonicalCode } from './codes.ts'

/** A source of the outlines of counties, zones and states. */
export interface ZoneShapes {
  /** The outline of a canonical code (`COC013`, `COZ039`, `CO`), or null when it is not known here. Never throws. */
  shape(code: string): Geometry | null
  /** The counties a forecast zone lies in, for zones nobody here can draw; null when that is not known. Never throws. */
  counties?(zone: string, names: readonly string[]): ZoneCounties | null
}

/** The known counties of a zone. */
export interface ZoneCounties {
  /** Canonical county codes; never empty. */
  readonly codes: readonly string[]
  /** True when no county is missing. */
  readonly whole: boolean
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
    },
    counties(zone, names) {
      for (const source of sources) {
        const found = source.counties?.(zone, names) ?? null
        if (found !== null) return found
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
