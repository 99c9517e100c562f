// In which states of the US the areas lie: from their codes, and for circles from the outlines of the bundled atlas.
import { get } from '/static/lib/api.js'

/** @import { FirstRunDocument } from '../../editing/first-run-document.ts' */

/** FIPS state number to letters (ANSI INCITS 38). */
const FIPS =
  'AL01AK02AZ04AR05CA06CO08CT09DE10DC11FL12GA13HI15ID16IL17IN18IA19KS20KY21LA22ME23MD24MA25MI26MN27MS28MO29MT30NE31NV32NH33NJ34NM35NY36NC37ND38OH39OK40OR41PA42RI44SC45SD46TN47TX48UT49VT50VA51WA53WV54WI55WY56AS60GU66MP69PR72VI78'
const LETTERS = new Map((FIPS.match(/[A-Z]{2}\d{2}/g) ?? []).map((pair) => [pair.slice(2), pair.slice(0, 2)]))
const KM_PER_DEGREE = 110.5

/** @param {string} code `IDC013`, `ID`, `16013`, `016013` @returns {string | null} */
export function stateOfCode(code) {
  if (/^[A-Z]{2}/.test(code)) return code.slice(0, 2)
  return LETTERS.get(code.slice(-5, -3)) ?? null
}

/**
 * Sorted letters; none outside of the United States. Loads the outlines of the states (about 30 kB) when there is a circle.
 * @param {FirstRunDocument['areas']} areas
 */
export async function statesOf(areas) {
  const coded = areas.flatMap(({ codes }) => (codes ?? []).map(stateOfCode)).filter((state) => state !== null)
  const points = areas.flatMap(({ circle }) => (circle === null ? [] : pointsOf(circle)))
  const touched = points.length === 0 ? [] : await statesAt(points)
  return [...new Set([...coded, ...touched])].sort()
}

/** The middle, and rings of points inside: what a circle touches, it touches there. @param {{ lat: number, lon: number, radius_km: number }} circle */
function pointsOf({ lat, lon, radius_km }) {
  /** @type {[number, number][]} */
  const points = [[lon, lat]]
  const degrees = radius_km / KM_PER_DEGREE
  const wide = degrees / Math.max(0.05, Math.cos((lat * Math.PI) / 180))
  for (const share of [0.35, 0.7, 1]) {
    for (let nth = 0; nth < 24; nth++) {
      const angle = (nth / 12) * Math.PI
      points.push([lon + share * wide * Math.cos(angle), lat + share * degrees * Math.sin(angle)])
    }
  }
  return points
}

/** @param {[number, number][]} points */
async function statesAt(points) {
  const [{ body: topology }, { feature }] = await Promise.all([
    get('/static/vendor/atlas/states-10m.json'),
    import('/static/vendor/topojson.js')
  ])
  /** @type {unknown} */
  const made = feature(topology, topology.objects.states)
  const collection = /** @type {import('geojson').FeatureCollection} */ (made)
  return collection.features.flatMap(({ id, geometry }) => {
    const state = LETTERS.get(String(id).padStart(2, '0'))
    return state !== undefined && points.some((point) => isInside(point, geometry)) ? [state] : []
  })
}

/** @param {[number, number]} point @param {import('geojson').Geometry} geometry */
function isInside(point, geometry) {
  const polygons =
    geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.type === 'MultiPolygon' ? geometry.coordinates : []
  return polygons.some((rings) => rings.filter((ring) => crosses(point, ring)).length % 2 === 1)
}

/** True when a line to the east crosses the ring an odd number of times. @param {[number, number]} point @param {import('geojson').Position[]} ring */
function crosses([x, y], ring) {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [ax = 0, ay = 0] = ring[at] ?? []
    const [bx = 0, by = 0] = ring[before] ?? []
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
  }
  return inside
}
