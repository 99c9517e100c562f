import { KM_PER_MILE, type Units } from '../../model/units.ts'
import type { StationConfig } from '../station-settings.ts'
import { en } from './catalogue/en.ts'
import { put, putAll, type Words } from './catalogue/words.ts'
import { cleanText } from './sanitise.ts'
import { stateCode } from './states.ts'
import { pointIn, pointText } from './wording.ts'

export interface Point {
  lat: number
  lon: number
}

const EARTH_RADIUS_KM = 6371.0088
/** Beyond this a bearing from an anchor says little. */
const ANCHOR_REACH_KM = 150

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Great-circle distance on the mean sphere in kilometres. */
export function distanceKm(from: Point, to: Point): number {
  const dLat = radians(to.lat - from.lat)
  const dLon = radians(to.lon - from.lon)
  const a = Math.sin(dLat / 2) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(a)))
}

/** Initial great-circle bearing in degrees, 0 = north, clockwise. */
export function bearingDegrees(from: Point, to: Point): number {
  const dLon = radians(to.lon - from.lon)
  const y = Math.sin(dLon) * Math.cos(radians(to.lat))
  const x =
    Math.cos(radians(from.lat)) * Math.sin(radians(to.lat)) -
    Math.sin(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.cos(dLon)
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360
}

/** A distance in the station's units: whole kilometres or miles under 100, tens from there. */
export function distanceText(km: number, units: Units): string {
  const value = units === 'imperial' ? km / KM_PER_MILE : km
  const rounded = value < 99.5 ? Math.round(value) : Math.round(value / 10) * 10
  return `${rounded}${units === 'imperial' ? 'mi' : 'km'}`
}

/** `12km NE Ontario` from the nearest anchor within 150 km, or null when there is none. */
export function fromAnchor(
  point: Point,
  station: Pick<StationConfig, 'anchors' | 'units'>,
  words: Words = en
): string | null {
  let nearest: { name: string; km: number; at: Point } | null = null
  for (const { name, lat, lon } of station.anchors) {
    const km = distanceKm({ lat, lon }, point)
    if (nearest === null || km < nearest.km) nearest = { name: cleanText(name), km, at: { lat, lon } }
  }
  if (nearest === null || nearest.km > ANCHOR_REACH_KM) return null
  const distance = distanceText(nearest.km, station.units)
  if (distance.startsWith('0')) return put(words.at, nearest.name)
  return bearingText(words, [distance, pointText(words, bearingDegrees(nearest.at, point)), nearest.name])
}

/** The 6-character Maidenhead locator of a point, a field of about 4 x 5 km (IARU Region 1, 1980). */
export function maidenhead({ lat, lon }: Point): string {
  // The pole belongs to the last field.
  const east = (((lon + 180) % 360) + 360) % 360
  const north = Math.min(Math.max(lat + 90, 0), 179.999999)
  const letter = (index: number, first: 'A' | 'a'): string => String.fromCharCode(first.charCodeAt(0) + index)
  return [
    letter(Math.floor(east / 20), 'A'),
    letter(Math.floor(north / 10), 'A'),
    Math.floor((east % 20) / 2),
    Math.floor(north % 10),
    letter(Math.floor((east % 2) * 12), 'a'),
    letter(Math.floor((north % 1) * 24), 'a')
  ].join('')
}

/** `27km NNW Susitna`: a distance, a point of the compass and the place they are seen from. */
export function bearingText(words: Words, seen: readonly [distance: string, point: string, place: string]): string {
  const { bearing, bearingOfVowel = bearing } = words
  return putAll(/^[aeiouàâéèêîôûœ]/i.test(seen[2]) ? bearingOfVowel : bearing, seen)
}

const RELATIVE_PLACE = /^(\d{1,4}(?:\.\d+)?)\s*(km|mi|miles?)\s+([NSEW]{1,3})\s+of\s+(?:the\s+)?(.+)$/i

/** `Clear, Alaska` of `Clear, Alaska, Alaska`, as USGS writes towns that have their state in the name: said once. */
function withoutState(name: string, state: string): string {
  const comma = name.lastIndexOf(',')
  return comma > 0 && stateCode(name.slice(comma + 1).trim()) === state ? name.slice(0, comma).trim() : name
}

/** A source's own `27 km NNW of Susitna, Alaska` as `27km NNW Susitna AK` in the station's units, or null. */
export function relativePlace(text: string, units: Units, words: Words = en): string | null {
  const [, amount, unit, wind = '', of = ''] = RELATIVE_PLACE.exec(cleanText(text)) ?? []
  if (amount === undefined || unit === undefined) return null
  const km = Number(amount) * (unit.toLowerCase() === 'km' ? 1 : KM_PER_MILE)
  const comma = of.lastIndexOf(',')
  const state = comma > 0 ? stateCode(of.slice(comma + 1).trim()) : null
  const name = state === null ? of : `${withoutState(of.slice(0, comma).trim(), state)} ${state}`
  const distance = distanceText(km, units)
  return distance.startsWith('0') ? name : bearingText(words, [distance, pointIn(words, wind.toUpperCase()), name])
}
