import type { LookoutEvent } from '../../../model/event.ts'
import type { BBox, Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, reportedError, textOf } from '../reading/json.ts'
import { bagAt, bagsOf, jsonListingSteps, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import { isOutline, keepOutlines, outlineOf } from './areas.ts'
import { type DangerBulletin, readBulletin } from './bulletin.ts'
import type { AvalancheCanadaSettings } from './canada-settings.ts'

const FEED = 'Avalanche Canada'
const OUTLINES_EVERY_MS = 24 * 3_600_000
const OUTLINES_AT = 'areas_at'
const DEFAULT_VALIDITY_MS = 24 * 3_600_000
const MOST_BYTES = 16 * 1024 * 1024

/** Forecasts of Avalanche Canada: the danger of today is the highest of alpine, treeline and below treeline. */
export const avalancheCanadaSource: SourceKind<AvalancheCanadaSettings> = {
  mode: 'poll',
  kind: 'avalanche_canada',
  about: 'Avalanche forecasts of Avalanche Canada, area by area.',
  defaultIntervalSeconds: 1800,
  minIntervalSeconds: 900,
  needsContact: false,
  async poll(settings, tools) {
    const at = looseNumber(tools.memory.get(OUTLINES_AT))
    if (at === null || tools.receivedAt - at >= OUTLINES_EVERY_MS) {
      const answer = await tools.fetch({ url: settings.areas_url, maxBytes: MOST_BYTES })
      if (answer.state === 'new') await inTurns(outlineSteps(answer.body, tools), tools.signal)
      tools.memory.set(OUTLINES_AT, tools.receivedAt)
    }
    const answer = await tools.fetch({ url: settings.url, maxBytes: MOST_BYTES })
    if (answer.state === 'unchanged') return 'unchanged'
    return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

function* outlineSteps(bytes: Uint8Array, tools: ReadTools): Generator<void, void> {
  const { bag } = yield* jsonListingSteps(yield* decodeSteps(bytes), FEED)
  if (!isOutline(bag)) throw new AppError('bad-input', because('body_no_outlines', { feed: FEED }))
  yield* keepOutlines(bag, tools)
}

/** A list of forecasts, a single one of either generation, or outlines, which are kept for the forecasts to come. */
function* readSteps(
  bytes: Uint8Array,
  settings: AvalancheCanadaSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const { bag, list } = yield* jsonListingSteps(yield* decodeSteps(bytes), FEED)
  if (list === null && isOutline(bag))
    return { kind: 'avalanche_canada', events: [], updated: null, ...(yield* keepOutlines(bag, tools)) }
  const products: unknown[] = list ?? [bag]
  if (list === null && !isProduct(bag)) throw notAForecast(bag)
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  yield* eachInTurn(products, (product) => {
    const bulletin = readProduct(asBag(product), tools)
    const result = 'reason' in bulletin ? bulletin : readBulletin(bulletin, settings.min_danger, tools)
    if ('reason' in result) skipped.push(result)
    else events.push(withBox(result, asBag(product)))
  })
  return { kind: 'avalanche_canada', events, skipped, updated: null, items: products.length }
}

function isProduct(bag: Bag): boolean {
  return Array.isArray(reportOf(bag)['dangerRatings'])
}

function notAForecast(bag: Bag): AppError {
  const said = textOf(bag['message']) || reportedError(bag)
  if (said !== null && said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_forecasts', { feed: FEED }))
}

/** Since 2021 the bulletin is in `report`; before, it was the whole body. */
function reportOf(product: Bag): Bag {
  return asBag(product['report']) ?? product
}

function readProduct(product: Bag | null, tools: ReadTools): DangerBulletin | SkippedItem {
  const id = looseText(product?.['id'])
  if (product === null) return { id, reason: because('not_an_object') }
  const report = reportOf(product)
  const area = asBag(product['area'])
  const zone = looseText(area?.['id']) || looseText(product['region']) || looseText(report['region']) || id
  if (zone === '') return { id, reason: because('no_area') }
  const type = textOf(product['type'])
  if (type !== '' && type !== 'avalancheforecast') return { id: zone, reason: because('not_a_forecast', { type }) }
  const issued = looseTime(report['dateIssued'])
  if (issued === null) return { id: zone, reason: because('no_publication_date') }
  const danger = dangerToday(bagsOf(report['dangerRatings']), tools.receivedAt)
  if (danger === null) return { id: zone, reason: because('no_danger_rating') }
  return {
    zone,
    name: nameOf(product, report, zone),
    danger,
    product: null,
    start: issued,
    end: looseTime(report['validUntil']) ?? issued + DEFAULT_VALIDITY_MS,
    sent: issued,
    advice: adviceOf(report),
    detail: plain(textOf(report['highlights'])),
    attribution: textOf(bagAt(product, 'owner')?.['display']) || FEED,
    geometry: outlineOf([zone, looseText(product['slug']), looseText(area?.['name'])], tools)
  }
}

/** The title is `Avalanche Forecast - Sea-to-Sky`, or a list of places. */
function nameOf(product: Bag, report: Bag, zone: string): string {
  const title = textOf(report['title']) || textOf(report['bulletinTitle']) || textOf(product['title'])
  const name = oneLine(title.replace(/^Avalanche Forecast\s*[-–:]\s*/i, '')) || textOf(asBag(product['area'])?.['name'])
  return name || zone
}

function adviceOf(report: Bag): string {
  const list: unknown[] = Array.isArray(report['terrainAndTravelAdvice']) ? report['terrainAndTravelAdvice'] : []
  const problem = bagsOf(report['problems'])[0]
  return plain([...list, problem?.['travelAndTerrainAdvice']].map(textOf).find((text) => text !== '') ?? '')
}

/** Text of an HTML fragment: style sheets go with their content. */
function plain(html: string): string {
  return oneLine(html.replace(/<style[^>]{0,200}>[^<]{0,20000}<\/style>/gi, ' '))
}

/** Ratings begin with a day each; the one in force is the last that has begun, before the first begins the first. */
function dangerToday(ratings: Bag[], now: number): number | null {
  const begun = ratings.findLast((rating) => (dayOf(rating) ?? Number.POSITIVE_INFINITY) <= now)
  const today = begun ?? ratings[0]
  const bands = asBag(today?.['ratings']) ?? asBag(today?.['dangerRating'])
  const levels = ['alp', 'tln', 'btl'].map((band) => levelOf(bands?.[band])).filter((level) => level !== null)
  return levels.length === 0 ? null : Math.max(...levels)
}

function dayOf(rating: Bag): number | null {
  return looseTime(asBag(rating['date'])?.['value'] ?? rating['date'])
}

const LEVELS = ['low', 'moderate', 'considerable', 'high', 'extreme']

/** `2:Moderate` before 2021, `{rating: {value: 'moderate'}}` since. */
function levelOf(band: unknown): number | null {
  const rating = asBag(band)?.['rating'] ?? band
  const text = (textOf(asBag(rating)?.['value']) || textOf(rating)).toLowerCase()
  const level = LEVELS.indexOf(text.replace(/^\d\s*[:-]\s*/, ''))
  return level < 0 ? null : level + 1
}

/** Without an outline the box of the area is where it lies. */
function withBox(event: LookoutEvent, product: Bag | null): LookoutEvent {
  const geometry: Geometry | null = event.geometry
  const box = asBag(product?.['area'])?.['bbox']
  const [west, south, east, north] = Array.isArray(box) ? box.map(looseNumber) : []
  if (geometry !== null || west == null || south == null || east == null || north == null) return event
  const bbox: BBox = [west, south, east, north]
  return { ...event, bbox }
}
