import type { Geometry } from '../../../src/model/geojson.ts'
import { buildAreas } from '../../../src/warning/coverage/area.ts'
import type { Locatable } from '../../../src/warning/coverage/locate.ts'
import { buildRegionIndex, type RegionIndex } from '../../../src/warning/coverage/region-index.ts'
import type { AreaPart, CoverageConfig } from '../../../src/warning/coverage/settings.ts'
import { NO_ZONE_SHAPES, type ZoneShapes } from '../../../src/warning/coverage/zones.ts'

/** A coverage configuration as the schema leaves it. */
export function coverageOf(areas: CoverageConfig['areas'], rest: Partial<CoverageConfig> = {}): CoverageConfig {
  return { enabled: true, region_tagging: true, excluded_sources: [], zones_online: false, areas, ...rest }
}

/** One area of one part per name. */
export function areasOf(parts: Record<string, AreaPart>): CoverageConfig['areas'] {
  return Object.entries(parts).map(([name, part]) => ({ name, parts: [part] }))
}

export function indexOf(areas: CoverageConfig['areas'], zones: ZoneShapes = NO_ZONE_SHAPES): RegionIndex {
  return buildRegionIndex(buildAreas(coverageOf(areas)), zones)
}

/** An event that says where it is, and nothing else. */
export function at(place: Partial<Locatable>): Locatable {
  return { geometry: null, bbox: null, circle: null, lat: null, lon: null, zones: [], same: [], ...place }
}

export function drawn(geometry: unknown): Locatable {
  return at({ geometry: geometry as Geometry })
}

export const point = (x: number, y: number): Geometry => ({ type: 'Point', coordinates: [x, y] })
export const polygon = (...rings: number[][][]): Geometry & { type: 'Polygon' } => ({
  type: 'Polygon',
  coordinates: rings
})
export const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south]
]
