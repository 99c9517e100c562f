import type { Circle, Geometry, Position } from '../../../model/geojson.ts'
import { oneLine } from '../reading/prose.ts'
import { childrenOf, childText, childTexts, type Element } from '../reading/xml.ts'
import { thinRings } from './thin.ts'

/** The place of a CAP info, in the event's terms. */
export interface CapPlace {
  geometry: Geometry | null
  circle: Circle | null
  zones: string[]
  same: string[]
  places: string[]
  /** Codes of other systems (EMMA_ID, NUTS3, …), as `name:value`; the first 500. */
  otherCodes: string[]
}

const MAX_OTHER_CODES = 500
/** Fillers that software writes where a name belongs. */
const NO_NAME = /^(?:polygon(?:al)?(?: event)?(?: area)?|circle|area|unknown|n\/a)$/i

/**
 * The areas of one info, joined. Shapes beat codes; but when an area has codes only, and every area has codes,
 * the codes are all there is for all of them, so no area is lost.
 */
export function placeOf(info: Element): CapPlace {
  const areas = childrenOf(info, 'area').map(readArea)
  const codes = (system: (name: string) => boolean): string[] =>
    unique(
      areas.flatMap((area) => area.geocodes.filter(({ name }) => system(name)).map(({ value }) => value.toUpperCase()))
    )
  const zones = codes(isUgc)
  const same = codes(isSame)
  return {
    ...(isBetterByCode(areas) ? { geometry: null, circle: null } : shapeOf(areas)),
    zones,
    same,
    places: unique(areas.flatMap(({ places }) => places)),
    otherCodes: unique(
      areas.flatMap((area) => area.geocodes.filter(({ name }) => !isUgc(name) && !isSame(name)).map(label))
    ).slice(0, MAX_OTHER_CODES)
  }
}

interface Area {
  polygons: Position[][]
  circles: Circle[]
  geocodes: { name: string; value: string }[]
  places: string[]
}

/** `Gemeinde/Stadt: Duisburg`: which kind of place it is nobody asks. */
const KIND_OF_PLACE = /^(?:Gemeinde|Landkreis|Kreis|Stadt|Bundesland|Land)(?:\/(?:Stadt|Kreis|Gemeinde))?: +/

function readArea(area: Element): Area {
  return {
    polygons: childTexts(area, 'polygon').flatMap(readPolygon),
    circles: childTexts(area, 'circle').flatMap(readCircle),
    geocodes: childrenOf(area, 'geocode').flatMap(readGeocode),
    places: childText(area, 'areaDesc')
      .split(';')
      .map((place) => oneLine(place).replace(KIND_OF_PLACE, ''))
      .filter((place) => place !== '' && !NO_NAME.test(place))
  }
}

/** Indexes of the NWS write several codes into one value, `009007 009009`, and several pairs into one geocode. */
function readGeocode(geocode: Element): { name: string; value: string }[] {
  let name = ''
  return geocode.children.flatMap((child) => {
    const text = child.text.trim()
    if (child.name === 'valueName') name = text
    if (child.name !== 'value' || text === '') return []
    const values = isUgc(name) || isSame(name) ? text.split(/[\s,]+/) : [text]
    return values.map((value) => ({ name, value }))
  })
}

function isUgc(name: string): boolean {
  return name === 'UGC'
}

/** FIPS6 is what the NWS called SAME before 2011. */
function isSame(name: string): boolean {
  return name === 'SAME' || name === 'FIPS6'
}

function label({ name, value }: { name: string; value: string }): string {
  return `${name}:${value}`
}

function isBetterByCode(areas: readonly Area[]): boolean {
  const coded = areas.filter(({ geocodes }) => geocodes.some(({ name }) => isUgc(name) || isSame(name)))
  const withoutShape = areas.some(({ polygons, circles }) => polygons.length + circles.length === 0)
  return withoutShape && coded.length === areas.length
}

/** CAP writes `lat,lon lat,lon …`, latitude first. Less than three readable points are no area. */
function readPolygon(text: string): Position[][] {
  const ring = joined(text).split(/\s+/).map(readPoint)
  const points = ring.filter((point) => point !== null)
  return points.length === ring.length && points.length >= 3 ? [points] : []
}

/** Some senders write a blank behind the comma. */
function joined(text: string): string {
  return text.trim().replace(/(?<!\s)\s*,\s*/g, ',')
}

function readPoint(pair: string): Position | null {
  const comma = pair.indexOf(',')
  const [lat, lon] = [pair.slice(0, Math.max(0, comma)), pair.slice(comma + 1)]
  // An empty text would count as 0, and one with a second comma as no number.
  if (lat === '' || lon === '') return null
  const [x, y] = [Number(lon), Number(lat)]
  return Number.isFinite(x) && Math.abs(y) <= 90 ? [x, y] : null
}

/** CAP writes `lat,lon radius`, in kilometres. */
function readCircle(text: string): Circle[] {
  const [pair = '', size = ''] = joined(text).split(/\s+/)
  const [lon, lat] = readPoint(pair) ?? []
  const radius_km = size === '' ? Number.NaN : Number(size)
  if (lon === undefined || lat === undefined || !Number.isFinite(radius_km) || radius_km < 0) return []
  return [{ lat, lon, radius_km }]
}

function shapeOf(areas: readonly Area[]): Pick<CapPlace, 'geometry' | 'circle'> {
  const polygons = areas.flatMap((area) => area.polygons)
  const circles = areas.flatMap((area) => area.circles)
  const [only] = circles
  if (polygons.length === 0 && circles.length === 1 && only !== undefined) return { geometry: null, circle: only }
  const rings = thinRings([...polygons, ...circles.map(outline)])
  const [first] = rings
  if (first === undefined) return { geometry: null, circle: null }
  if (rings.length === 1) return { geometry: { type: 'Polygon', coordinates: [first] }, circle: null }
  return { geometry: { type: 'MultiPolygon', coordinates: rings.map((ring) => [ring]) }, circle: null }
}

const CORNERS = 64
const KM_PER_DEGREE = 111.195

/** A circle among other shapes becomes a ring of 64 points on the sphere; one alone stays a circle. */
function outline({ lat, lon, radius_km }: Circle): Position[] {
  const radians = Math.PI / 180
  const distance = (radius_km / KM_PER_DEGREE) * radians
  const at = lat * radians
  return Array.from({ length: CORNERS + 1 }, (_, step) => {
    const bearing = ((step % CORNERS) / CORNERS) * 2 * Math.PI
    const north = Math.asin(Math.sin(at) * Math.cos(distance) + Math.cos(at) * Math.sin(distance) * Math.cos(bearing))
    const east = Math.atan2(
      Math.sin(bearing) * Math.sin(distance) * Math.cos(at),
      Math.cos(distance) - Math.sin(at) * Math.sin(north)
    )
    return [lon + east / radians, north / radians]
  })
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
