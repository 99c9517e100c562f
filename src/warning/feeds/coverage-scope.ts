import type { BBox } from '../../model/geojson.ts'
import type { AreaPart, CoverageConfig } from '../coverage/settings.ts'

/**
 * The extent of the coverage, as far as a request can say it: a box round what is drawn, or states when all of it is
 * coded.
 */
export type CoverageScope = { by: 'box'; box: BBox } | { by: 'states'; states: string[] } | { by: 'everywhere' }

const KM_PER_DEGREE = 110.5

/** State codes by the first two digits of a FIPS county code (FIPS 5-2), from 01 on. */
const FIPS_STATES =
  'AL AK -- AZ AR CA -- CO CT DE DC FL GA -- HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA -- RI SC SD TN TX UT VT VA -- WA WV WI WY -- -- -- AS -- -- -- -- -- GU -- -- MP -- -- PR -- -- -- -- -- VI'.split(
    ' '
  )

/** Drawn parts and coded ones together cannot be asked for in one request: then it is everywhere. */
export function coverageScope(coverage: Pick<CoverageConfig, 'enabled' | 'areas'>): CoverageScope {
  const parts = coverage.enabled ? coverage.areas.flatMap((area) => area.parts) : []
  if (parts.length === 0) return { by: 'everywhere' }
  const boxes = parts.map(partBox)
  const drawn = boxes.filter((box) => box !== null)
  if (drawn.length === boxes.length) return { by: 'box', box: drawn.reduce(around) }
  const states = parts.flatMap(({ codes }) => (codes ?? []).map(stateOf))
  const known = states.filter((state) => state !== null)
  if (drawn.length > 0 || known.length < states.length) return { by: 'everywhere' }
  return { by: 'states', states: [...new Set(known)].sort() }
}

/** `IDC013`, `ID` and `16013` lie in ID; `EMMA_ID:DE356` in no state. */
function stateOf(code: string): string | null {
  if (code.includes(':')) return null
  if (/^[A-Z]{2}/.test(code)) return code.slice(0, 2)
  const state = FIPS_STATES[Number(code.slice(-5, -3)) - 1]
  return state === undefined || state === '--' ? null : state
}

function partBox({ bbox, circle, geometry }: AreaPart): BBox | null {
  if (bbox !== undefined) return bbox[0] > bbox[2] ? [-180, bbox[1], 180, bbox[3]] : bbox
  if (circle !== undefined) {
    const { lat, lon, radius_km } = circle
    const dLat = radius_km / KM_PER_DEGREE
    const dLon = Math.min(180, dLat / Math.max(0.01, Math.cos((lat * Math.PI) / 180)))
    return [lon - dLon, Math.max(-90, lat - dLat), lon + dLon, Math.min(90, lat + dLat)]
  }
  return geometry === undefined ? null : geometryBox(geometry)
}

function around(a: BBox, b: BBox): BBox {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])]
}

/** The box round all positions of a geometry, or null when it has none that can be read. */
export function geometryBox(geometry: object): BBox | null {
  const box: BBox = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY
  ]
  widen(box, Reflect.get(geometry, 'coordinates'), 0)
  return box[0] <= box[2] && box[1] <= box[3] ? box : null
}

const MAX_DEPTH = 5

function widen(box: BBox, value: unknown, depth: number): void {
  if (!Array.isArray(value) || depth > MAX_DEPTH) return
  const [x, y]: unknown[] = value
  if (typeof x === 'number' && typeof y === 'number') {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
    return
  }
  for (const part of value) widen(box, part, depth + 1)
}
