// The parts of coverage areas in words.

/** @typedef {import('../../src/warning/coverage/settings.ts').AreaPart} AreaPart */

/** Eleven metres are fine enough to read; sums in binary end in a row of nines. @param {number} value */
const degrees = (value) => Number(Math.abs(value).toFixed(4))

/** @param {number} value */
const latitude = (value) => `${degrees(value)}° ${value < 0 ? 'S' : 'N'}`

/** @param {number} value */
const longitude = (value) => `${degrees(value)}° ${value < 0 ? 'W' : 'E'}`

/**
 * @param {import('./words.js').Say} t
 * @param {AreaPart} part
 * @param {{ nameOf: (code: string) => string, most: number }} codes `nameOf`: empty for one without; more names than `most` make nothing clearer
 */
export function partInWords(t, { bbox, circle, geometry, codes = [] }, { nameOf, most }) {
  if (bbox !== undefined) {
    const [west, south, east, north] = bbox
    const at = { south: latitude(south), north: latitude(north), west: longitude(west), east: longitude(east) }
    return t('Box from {south} to {north} and from {west} to {east}', at)
  }
  if (circle !== undefined) {
    const at = { radius: circle.radius_km, lat: latitude(circle.lat), lon: longitude(circle.lon) }
    return t('Circle of {radius} km around {lat}, {lon}', at)
  }
  if (geometry !== undefined) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const corners = polygons.flat().reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0)
    return polygons.length === 1
      ? t('Polygon with {corners} corners', { corners })
      : t('{count} polygons with {corners} corners', { count: polygons.length, corners })
  }
  const named = codes.slice(0, most).map((code) => {
    const name = nameOf(code)
    return name === '' ? code : `${name} (${code})`
  })
  const more = codes.length - named.length
  return `${named.join(', ')}${more > 0 ? ` ${t('and {count} more', { count: more })}` : ''}`
}
