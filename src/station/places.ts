import type { HttpContext } from '../dashboard/server/context.ts'
import type { Geometry, Position } from '../model/geojson.ts'
import type { Log } from '../platform/log/log.ts'
import { findGround, groundLines } from '../warning/atlas/ground.ts'
import { PlaceIndex } from '../warning/atlas/place-index.ts'
import { thinned } from '../warning/atlas/thin.ts'
import { findCountyAtlas } from '../warning/atlas/zone-files.ts'
import type { ZoneSupply } from './zone-supply.ts'

/** An outline is drawn a few hundred pixels wide: details finer than this share of it are not seen. */
const FINEST_SHARE = 1 / 400
const LEAST_TOLERANCE = 0.0005

/** Names and outlines of coded places, as pages ask for them: nothing is fetched for a visitor. */
export function stationPlaces({ zones, log }: { zones: ZoneSupply; log: Log }): HttpContext['places'] {
  const placeIndex = new PlaceIndex({
    atlasFile: findCountyAtlas(import.meta.url),
    packCodes: () => zones.codes(),
    onProblem: (problem) => log.warn({ problem }, 'the names of the county atlas cannot be read')
  })
  const ground = findGround(import.meta.url)
  return {
    ground: ground === null ? null : (box) => groundLines(ground, box),
    search: (query, limit) => placeIndex.search(query, limit),
    nameOf: (code) => placeIndex.nameOf(code),
    zones: zones.known,
    outline: (code) => {
      const shape = zones.known.shape(code)
      return shape === null ? null : thinned(shape, Math.max(LEAST_TOLERANCE, spanOf(shape) * FINEST_SHARE))
    }
  }
}

/** Degrees of latitude from the southernmost to the northernmost vertex. */
function spanOf(geometry: Geometry): number {
  let [south, north] = [90, -90]
  for (const [, y = 0] of positionsOf(geometry)) {
    if (y < south) south = y
    if (y > north) north = y
  }
  return Math.max(0, north - south)
}

function* positionsOf(geometry: Geometry): Iterable<Position> {
  switch (geometry.type) {
    case 'Point':
      yield geometry.coordinates
      return
    case 'MultiPoint':
    case 'LineString':
      yield* geometry.coordinates
      return
    case 'MultiLineString':
    case 'Polygon':
      for (const line of geometry.coordinates) yield* line
      return
    case 'MultiPolygon':
      for (const polygon of geometry.coordinates) for (const ring of polygon) yield* ring
      return
    case 'GeometryCollection':
      for (const member of geometry.geometries) yield* positionsOf(member)
  }
}
