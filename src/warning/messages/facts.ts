import type { LookoutEvent } from '../../model/event.ts'
import type { Point } from './position.ts'
import { cleanText } from './sanitise.ts'

/** No text on a mesh needs more of any one source field. */
const MOST_CHARACTERS = 2000
const MOST_PLACES = 500

type Data = LookoutEvent['data']

/** A text of the event, cleaned to one line; empty when the sender gave none or something else. */
export function textFact(data: Data, key: string): string {
  const value = data[key]
  return typeof value === 'string' ? clean(value) : ''
}

/** A finite number of the event, also written as text; null when there is none. */
export function numberFact(data: Data, key: string): number | null {
  const value = data[key]
  if (typeof value === 'string' && !/^-?\d{1,9}(?:\.\d{1,6})?$/.test(value.trim())) return null
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** `text` cleaned to one line; only its first 2000 characters are looked at. */
export function clean(text: string): string {
  return cleanText(text.slice(0, MOST_CHARACTERS))
}

/** The places an event and its pieces name, in order, lists separated by semicolons taken apart. */
export function placesOf(events: readonly LookoutEvent[]): string[] {
  const names: string[] = []
  for (const { data, zones } of events) {
    // Text products write counties as `Calcasieu LA`, JSON as `Calcasieu, LA`.
    const areCounties = /^[A-Z]{2}C\d{3}$/.test(zones[0] ?? '')
    const value: unknown = data.places
    if (!Array.isArray(value)) continue
    for (const item of value.slice(0, MOST_PLACES)) {
      if (typeof item === 'string')
        names.push(
          ...item
            .slice(0, MOST_CHARACTERS)
            .split(';')
            .map((name) => (areCounties ? cleanText(name).replace(/(?<=[a-z.]) ([A-Z]{2})$/, ', $1') : cleanText(name)))
        )
    }
  }
  return [...new Set(names)].filter((name) => name !== '').slice(0, MOST_PLACES)
}

/** The place of a small event: its own coordinates, its point, or the middle of its circle. */
export function pointOf(event: LookoutEvent): Point | null {
  const { lat, lon, geometry, circle } = event
  if (lat !== null && lon !== null) return validPoint(lat, lon)
  if (geometry?.type === 'Point') return validPoint(geometry.coordinates[1], geometry.coordinates[0])
  return circle === null ? null : validPoint(circle.lat, circle.lon)
}

function validPoint(lat: number | undefined, lon: number | undefined): Point | null {
  if (lat === undefined || lon === undefined || !Number.isFinite(lat) || !Number.isFinite(lon)) return null
  return Math.abs(lat) <= 90 ? { lat, lon } : null
}
