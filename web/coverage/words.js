// Areas and their parts in words, as the page has them without a script.
import { t } from '../lib/i18n.js'
import { polygonsOf } from './shapes.js'

/** @typedef {import('../../src/warning/coverage/settings.ts').AreaPart} AreaPart */

const NAMED_CODES = 6

/** @param {number} value */
export function latitude(value) {
  return `${Math.abs(value)}° ${value < 0 ? 'S' : 'N'}`
}

/** @param {number} value */
export function longitude(value) {
  return `${Math.abs(value)}° ${value < 0 ? 'W' : 'E'}`
}

/** @param {AreaPart} part @param {ReadonlyMap<string, string>} names of codes */
export function partInWords(part, names) {
  const { bbox, circle, geometry, codes } = part
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
    const polygons = polygonsOf(part)
    const corners = polygons.flat().reduce((sum, ring) => sum + Math.max(0, ring.length - 1), 0)
    return polygons.length === 1
      ? t('Polygon with {corners} corners', { corners })
      : t('{count} polygons with {corners} corners', { count: polygons.length, corners })
  }
  return codesInWords(codes ?? [], names)
}

/** @param {readonly string[]} codes @param {ReadonlyMap<string, string>} names */
function codesInWords(codes, names) {
  const named = codes.slice(0, NAMED_CODES).map((code) => {
    const name = names.get(code)
    return name ? `${name} (${code})` : code
  })
  const more = codes.length - named.length
  return `${named.join(', ')}${more > 0 ? ` ${t('and {count} more', { count: more })}` : ''}`
}

/** Kind of a part, as a heading. @param {AreaPart} part */
export function kindOf({ bbox, circle, geometry }) {
  if (bbox !== undefined) return t('Box')
  if (circle !== undefined) return t('Circle')
  return geometry !== undefined ? t('Polygon') : t('Counties and zones')
}
