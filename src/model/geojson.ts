/** `[longitude, latitude, …]`; a third ordinate is ignored. */
export type Position = number[]

/** A GeoJSON geometry (RFC 7946). Feeds send broken ones: whoever reads the coordinates checks them. */
export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'MultiPoint' | 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString' | 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'GeometryCollection'; geometries: Geometry[] }

/** `[west, south, east, north]` in degrees; west > east crosses the antimeridian. */
export type BBox = [number, number, number, number]

export interface Circle {
  lat: number
  lon: number
  radius_km: number
}
