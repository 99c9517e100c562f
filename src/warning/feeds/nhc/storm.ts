import { COMPASS } from '../../../model/compass.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { SkippedItem } from '../feed.ts'
import { pointIn } from '../georss/shape.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { feedDate, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'

/** The strength of the winds, by what it concerns: `low` is a depression, or what is left of a storm. */
export type StormClass = 'low' | 'storm' | 'hurricane'

/** One cyclone at the time of an advisory. */
export interface Storm {
  /** Of the ATCF, in capitals: `AL142024`. */
  id: string
  name: string
  /** In words: `Tropical Storm`. */
  type: string
  class: StormClass
  lat: number
  lon: number
  /** Sustained, miles an hour, as advisories round them. */
  windMph: number | null
  /** Millibars. */
  pressure: number | null
  /** Degrees the storm moves to, and miles an hour; 0 is stationary. */
  movement: { degrees: number | null; mph: number } | null
  headline: string
  /** Number of the advisory, '' when the listing has none. */
  advisory: string
  /** Epoch milliseconds. */
  time: number
}

/** NHC, "Tropical Cyclone Status JSON File Reference". */
const TYPES = new Map([
  ['TD', 'Tropical Depression'],
  ['STD', 'Subtropical Depression'],
  ['TS', 'Tropical Storm'],
  ['STS', 'Subtropical Storm'],
  ['HU', 'Hurricane'],
  ['TY', 'Typhoon'],
  ['PC', 'Potential Tropical Cyclone'],
  ['PTC', 'Post-Tropical Cyclone']
])

export const MPH_PER_KNOT = 1.15078
const MPH_PER_KMH = 0.621371
const EARLIEST = Date.UTC(2000, 0)

/** A storm of `CurrentStorms.json`: winds in knots, most numbers as text; or why it is none. */
export function stormOfJson(value: unknown): Storm | SkippedItem {
  const bag = asBag(value) ?? {}
  const id = looseText(bag['id']).toUpperCase()
  const point = pointOf(bag)
  const knots = bounded(looseNumber(bag['intensity']), 250)
  const time = looseTime(bag['lastUpdate'])
  const code = looseText(bag['classification']).toUpperCase()
  return checked({
    id,
    name: looseText(bag['name']),
    type: TYPES.get(code) ?? '',
    point,
    windMph: knots === null ? null : toFive(knots * MPH_PER_KNOT),
    pressure: bounded(looseNumber(bag['pressure']), 1100),
    movement: movementOf(bag),
    headline: '',
    advisory: looseText(asBag(bag['publicAdvisory'])?.['advNum']).replace(/^0+(?=\w)/, ''),
    time
  })
}

function pointOf(bag: Bag): { lat: number; lon: number } | null {
  const lat = looseNumber(bag['latitudeNumeric']) ?? degrees(looseText(bag['latitude']))
  const lon = looseNumber(bag['longitudeNumeric']) ?? degrees(looseText(bag['longitude']))
  return lat === null || lon === null ? null : { lat, lon }
}

/** `17.1N`, `58.4W`. */
function degrees(text: string): number | null {
  const [, number = '', side = ''] = /^(\d{1,3}(?:\.\d+)?)\s*([NSEW])$/i.exec(text) ?? []
  if (side === '') return null
  return /[SW]/i.test(side) ? -Number(number) : Number(number)
}

function movementOf(bag: Bag): Storm['movement'] {
  const knots = bounded(looseNumber(bag['movementSpeed']), 120)
  const to = bounded(looseNumber(bag['movementDir']), 360)
  return knots === null ? null : { degrees: to, mph: Math.round(knots * MPH_PER_KNOT) }
}

/** A storm of an item of a basin's RSS feed; null for an item about something else. */
export function stormOfItem(item: Element): Storm | SkippedItem | null {
  const [cyclone] = childrenOf(item, 'Cyclone')
  if (cyclone === undefined) return null
  const [lat, lon, ...rest] = childText(cyclone, 'center')
    .split(/[\s,]+/)
    .map(looseNumber)
  const centre = lat == null || lon == null || rest.length > 0 ? pointIn(item) : { lat, lon }
  const [, to = '', speed] = /^([NSEW]{1,3}) at (\d{1,3}) mph/i.exec(childText(cyclone, 'movement')) ?? []
  const towards = COMPASS.indexOf(to.toUpperCase())
  const stands = /^stationary/i.test(childText(cyclone, 'movement'))
  const type = usualCase(childText(cyclone, 'type'))
  return checked({
    id: childText(cyclone, 'atcf').toUpperCase(),
    name: usualCase(childText(cyclone, 'name')),
    type,
    point: centre,
    windMph: speedOf(childText(cyclone, 'wind')),
    pressure: bounded(looseNumber(childText(cyclone, 'pressure').replace(/(?<!\s)\s*mb$/i, '')), 1100),
    movement: stands
      ? { degrees: null, mph: 0 }
      : towards < 0 || speed === undefined
        ? null
        : { degrees: towards * 22.5, mph: Number(speed) },
    headline: headlineOf(childText(cyclone, 'headline')),
    advisory: '',
    time: feedDate(childText(item, 'pubDate'))
  })
}

/** `40 mph`, or `85 km/h` in feeds of others. */
function speedOf(text: string): number | null {
  const [, number = '', unit = ''] = /^(\d{1,3})\s*(mph|kt|km\/h)$/i.exec(text) ?? []
  if (unit === '') return null
  const factor = { mph: 1, kt: MPH_PER_KNOT, 'km/h': MPH_PER_KMH }[unit.toLowerCase()] ?? 1
  return unit.toLowerCase() === 'mph' ? Number(number) : toFive(Number(number) * factor)
}

/** `...FIRST... ...SECOND...`. Capitals stay: small letters would take those of names too. */
function headlineOf(text: string): string {
  const parts = oneLine(text).split(/\.{3,}/)
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('. ')
}

/** `TROPICAL STORM` and `Tropical Storm` are one. */
function usualCase(text: string): string {
  return oneLine(text)
    .toLowerCase()
    .replace(/(^|[\s-])(\p{Ll})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}

type Unchecked = Omit<Storm, 'class' | 'lat' | 'lon' | 'time'> & {
  point: { lat: number; lon: number } | null
  time: number | null
}

function checked({ point, time, ...storm }: Unchecked): Storm | SkippedItem {
  const refuse = (reason: Reason): SkippedItem => ({ id: storm.id || storm.name, reason })
  if (!/^[A-Z]{2}\d{6}$/.test(storm.id)) return refuse(because('no_storm_number'))
  if (storm.name === '' || storm.type === '') return refuse(because('no_name_or_class'))
  if (point === null || Math.abs(point.lat) > 90 || Math.abs(point.lon) > 360 || (point.lat === 0 && point.lon === 0))
    return refuse(because('no_centre'))
  if (time === null || time < EARLIEST) return refuse(because('no_advisory_time'))
  return { ...storm, ...point, time, class: classOf(storm.type) }
}

function classOf(type: string): StormClass {
  if (/hurricane|typhoon/i.test(type)) return 'hurricane'
  return /^(?:sub)?tropical storm$/i.test(type) ? 'storm' : 'low'
}

function bounded(value: number | null, most: number): number | null {
  return value === null || value < 0 || value > most ? null : value
}

/** Advisories give winds in fives. */
function toFive(mph: number): number {
  return Math.round(mph / 5) * 5
}
