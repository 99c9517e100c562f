import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { asBag, type Bag, reportedError } from '../reading/json.ts'
import { jsonListingSteps, looseTimeText } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { Element } from '../reading/xml.ts'
import type { CapIndex } from './index-entry.ts'

const FEED = 'CAP'
const MAX_DEPTH = 12

/**
 * Alerts written as JSON: `warnings[].alert` (MeteoAlarm), a list of alerts (MoWaS), or one alert. Keys are those of CAP.
 * Throws AppError `bad-input` for any other JSON.
 */
export function* jsonIndexSteps(text: string): Generator<void, CapIndex> {
  const { bag, list } = yield* jsonListingSteps(text, FEED)
  const index: CapIndex = { alerts: [], entries: [], skipped: [], updated: looseTimeText(bag['updated']) }
  let number = 0
  yield* eachInTurn(itemsOf(bag, list), (item) => {
    number++
    const alert = alertIn(item)
    if (alert === null) index.skipped.push({ id: `item ${number}`, reason: because('not_a_cap_alert') })
    else index.alerts.push(isLongitudeFirst(alert) ? turned(elementOf('alert', alert)) : elementOf('alert', alert))
  })
  return index
}

/** Unlike CAP, the German warning system (MoWaS, NINA) writes longitude first: what lies in Germany read so is of it. */
const GERMANY = { west: 5, south: 46.5, east: 16, north: 56 }

function isLongitudeFirst(alert: Bag): boolean {
  const points = polygonsIn(elementOf('alert', alert)).flatMap(({ text }) => text.trim().split(/\s+/))
  return points.length > 0 && points.every(isInGermany)
}

function isInGermany(pair: string): boolean {
  const [lon = Number.NaN, lat = Number.NaN] = pair.split(',').map(Number)
  return lon > GERMANY.west && lon < GERMANY.east && lat > GERMANY.south && lat < GERMANY.north
}

function polygonsIn(element: Element): Element[] {
  return element.name === 'polygon' ? [element] : element.children.flatMap(polygonsIn)
}

function turned(alert: Element): Element {
  for (const polygon of polygonsIn(alert))
    polygon.text = polygon.text.replaceAll(/(?<![^\s,])([^\s,]+),([^\s,]+)/g, '$2,$1')
  return alert
}

function itemsOf(bag: Bag, list: unknown[] | null): unknown[] {
  if (list !== null) return list
  const named = [bag['warnings'], bag['alerts']].find(Array.isArray)
  if (named !== undefined) return named
  if (alertIn(bag) !== null) return [bag]
  const said = reportedError(bag)
  throw new AppError(
    'bad-input',
    said === null ? because('body_no_alert_list', { feed: FEED }) : because('service_error', { feed: FEED, said })
  )
}

function alertIn(item: unknown): Bag | null {
  const bag = asBag(item)
  const alert = asBag(bag?.['alert']) ?? bag
  return alert !== null && typeof alert['identifier'] === 'string' ? alert : null
}

function elementOf(name: string, bag: Bag, depth = 0): Element {
  const children = Object.entries(bag).flatMap(([key, value]) => childrenOf(key, value, depth + 1))
  return { name, text: '', children }
}

/** A list repeats its element; what has no text is left out. */
function childrenOf(name: string, value: unknown, depth: number): Element[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((item) => childrenOf(name, item, depth + 1))
  if (typeof value === 'string' || typeof value === 'number') return [{ name, text: String(value), children: [] }]
  const bag = asBag(value)
  return bag === null ? [] : [elementOf(name, bag, depth)]
}
