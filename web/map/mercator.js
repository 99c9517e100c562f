// The projection of the maps: spherical Mercator onto a square of side 1, north up, longitudes modulo 360.

/** Beyond these latitudes the square ends. */
export const MAX_LAT = 85.0511287798
const RADIANS = Math.PI / 180
const EARTH_KM = 6371.0088
const CORNERS = 72

/** @typedef {[number, number]} Pair */

/** @param {number} lon */
export function worldX(lon) {
  return (lon + 180) / 360
}

/** @param {number} lat */
export function worldY(lat) {
  const sin = Math.sin(Math.max(-MAX_LAT, Math.min(MAX_LAT, lat)) * RADIANS)
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)
}

/** @param {number} x */
export function lonOf(x) {
  return normalLon(x * 360 - 180)
}

/** @param {number} y */
export function latOf(y) {
  return Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) / RADIANS
}

/**
 * In [-180, 180).
 * @param {number} lon
 */
export function normalLon(lon) {
  return lon >= -180 && lon < 180 ? lon : lon - 360 * Math.floor((lon + 180) / 360)
}

/**
 * Flat world coordinates of a ring or line; each step is the short way round the earth, beginning near `nearX`.
 * @param {readonly (readonly number[])[]} positions
 * @param {number | null} nearX
 */
export function toWorld(positions, nearX) {
  const flat = new Float64Array(2 * positions.length)
  let before = nearX
  let used = 0
  for (const [lon, lat] of positions) {
    if (!Number.isFinite(lon) || !Number.isFinite(lat)) continue
    const x = worldX(Number(lon))
    const near = before === null ? x : x - Math.round(x - before)
    flat[used++] = near
    flat[used++] = worldY(Number(lat))
    before = near
  }
  return flat.subarray(0, used)
}

/**
 * Positions of a geodesic circle (on the sphere: 0.5 % off at most). Round a pole it is the cap, as a box.
 * @param {{ lat: number, lon: number, radius_km: number }} circle
 * @returns {Pair[]}
 */
export function circleRing({ lat, lon, radius_km }) {
  const angle = radius_km / EARTH_KM
  const reach = angle / RADIANS
  if (lat + reach >= 90) return boxRing([-180, lat - reach, 180, 90])
  if (lat - reach <= -90) return boxRing([-180, -90, 180, lat + reach])
  const [sinLat, cosLat] = [Math.sin(lat * RADIANS), Math.cos(lat * RADIANS)]
  /** @type {Pair[]} */
  const ring = []
  for (let corner = 0; corner <= CORNERS; corner++) {
    const bearing = (2 * Math.PI * (corner % CORNERS)) / CORNERS
    const y = Math.asin(sinLat * Math.cos(angle) + cosLat * Math.sin(angle) * Math.cos(bearing))
    const x = Math.atan2(Math.sin(bearing) * Math.sin(angle) * cosLat, Math.cos(angle) - sinLat * Math.sin(y))
    ring.push([lon + x / RADIANS, y / RADIANS])
  }
  return ring
}

/**
 * Positions of a box; west > east crosses the antimeridian. Wide boxes get corners between, or the short way would be the wrong one.
 * @param {readonly number[]} box west, south, east, north
 * @returns {Pair[]}
 */
export function boxRing([west = 0, south = 0, east = 0, north = 0]) {
  const right = east < west ? east + 360 : east
  const steps = Math.max(1, Math.ceil((right - west) / 90))
  /** @type {(lat: number, back: boolean) => Pair[]} */
  const side = (lat, back) =>
    Array.from({ length: steps + 1 }, (_, index) => {
      const share = (back ? steps - index : index) / steps
      return [west + (right - west) * share, lat]
    })
  return [...side(south, false), ...side(north, true), [west, south]]
}

/**
 * Along the surface of the sphere, kilometres.
 * @param {Pair} from longitude, latitude
 * @param {Pair} to
 */
export function distanceKm([lon1, lat1], [lon2, lat2]) {
  const sinLat = Math.sin(((lat2 - lat1) * RADIANS) / 2)
  const sinLon = Math.sin(((lon2 - lon1) * RADIANS) / 2)
  const half = sinLat * sinLat + Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * sinLon * sinLon
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(half)))
}
