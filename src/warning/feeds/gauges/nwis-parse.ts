import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { bagAt, bagsOf, looseNumber, looseTime } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { type GaugeUnit, isNoData, unitNamed } from './reading.ts'

const FEED = 'USGS water data'

/** One value of one site, before it is known whether anybody watches it. */
export interface NwisValue {
  /** The site number without its agency: `13247500`. */
  site: string
  name: string
  parameter: string
  lat: number | null
  lon: number | null
  time: number
  value: number
  unit: GaugeUnit
}

export interface NwisListing {
  values: NwisValue[]
  skipped: SkippedItem[]
  items: number
  /** Epoch milliseconds, when the service says when it answered. */
  updated: number | null
}

/**
 * The newest value of each series of a listing, of either generation: OGC features (`latest-continuous`, `continuous`) or
 * WaterML as JSON. Daily means and values that stand for none are skipped. Throws AppError `bad-input` for anything else.
 */
export function* nwisSteps(text: string): Generator<void, NwisListing> {
  const body = yield* jsonBodySteps(text, FEED)
  const series = bagAt(body, 'value')?.['timeSeries']
  if (Array.isArray(series)) return { ...(yield* collect(series, readSeries)), updated: requestTime(body) }
  const features = featuresOf(body)
  if (features === null) throw notAListing(body)
  return { ...(yield* collect(features, readFeature)), updated: looseTime(body['timeStamp']) }
}

/** Of a file that holds several collections by name it is the one with the newest values. */
function featuresOf(body: Bag): unknown[] | null {
  const collection = body['type'] === 'FeatureCollection' ? body : asBag(body['latest-continuous'])
  const features = collection?.['features']
  return collection?.['type'] === 'FeatureCollection' && Array.isArray(features) ? features : null
}

function notAListing(body: Bag): AppError {
  const said = reportedError(body) ?? (textOf(body['description']) || textOf(body['code']))
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_series', { feed: FEED }))
}

function requestTime(body: Bag): number | null {
  const notes = bagsOf(bagAt(body, 'value', 'queryInfo')?.['note'])
  return looseTime(notes.find(({ title }) => title === 'requestDT')?.['value'])
}

type Read = NwisValue | SkippedItem

function* collect(
  entries: unknown[],
  read: (entry: Bag | null) => Read
): Generator<void, Pick<NwisListing, 'values' | 'skipped' | 'items'>> {
  const values: NwisValue[] = []
  const skipped: SkippedItem[] = []
  yield* eachInTurn(entries, (entry) => {
    const result = read(asBag(entry))
    if ('reason' in result) skipped.push(result)
    else values.push(result)
  })
  return { values, skipped, items: entries.length }
}

function siteNumber(id: string): string {
  return id.slice(id.indexOf('-') + 1)
}

function readFeature(feature: Bag | null): Read {
  const properties = asBag(feature?.['properties'])
  const site = siteNumber(textOf(properties?.['monitoring_location_id']))
  const parameter = textOf(properties?.['parameter_code'])
  if (properties === null || site === '' || parameter === '')
    return { id: textOf(feature?.['id']), reason: because('no_site_or_parameter') }
  const id = `${site}:${parameter}`
  if (/^\d{4}-\d\d-\d\d$/.test(textOf(properties['time']))) return { id, reason: because('daily_value') }
  const [lon, lat] = coordinates(asBag(feature?.['geometry'])?.['coordinates'])
  const name = textOf(properties['monitoring_location_name'])
  const unit = unitNamed(properties['unit_of_measure'])
  return finish({ site, name, parameter, lat, lon }, [properties['value'], properties['time']], unit, null)
}

function coordinates(value: unknown): [lon: number | null, lat: number | null] {
  const [lon, lat] = Array.isArray(value) ? value.map(looseNumber) : []
  return [lon ?? null, lat ?? null]
}

function readSeries(series: Bag | null): Read {
  const source = asBag(series?.['sourceInfo'])
  const variable = asBag(series?.['variable'])
  const site = textOf(bagsOf(source?.['siteCode'])[0]?.['value'])
  const parameter = textOf(bagsOf(variable?.['variableCode'])[0]?.['value'])
  if (source === null || variable === null || site === '' || parameter === '')
    return { id: textOf(series?.['name']), reason: because('no_site_or_parameter') }
  const id = `${site}:${parameter}`
  const statistic = textOf(bagsOf(bagAt(variable, 'options')?.['option'])[0]?.['optionCode'])
  if (statistic !== '' && statistic !== '00000' && statistic !== '00011') return { id, reason: because('daily_value') }
  const noData = looseNumber(variable['noDataValue'])
  const newest = bagsOf(series?.['values'])
    .flatMap((method) => bagsOf(method['value']))
    .filter((entry) => hasValue(entry, noData))
    .reduce<Bag | null>((best, entry) => (timeOf(entry) > timeOf(best) ? entry : best), null)
  const place = bagAt(source, 'geoLocation', 'geogLocation')
  const [lat, lon] = [looseNumber(place?.['latitude']), looseNumber(place?.['longitude'])]
  const name = textOf(source['siteName'])
  const unit = unitNamed(bagAt(variable, 'unit')?.['unitCode'])
  return finish({ site, name, parameter, lat, lon }, [newest?.['value'], newest?.['dateTime']], unit, noData)
}

/** A gauge that was frozen for an hour says so with values that stand for none. */
function hasValue(entry: Bag, noData: number | null): boolean {
  const value = looseNumber(entry['value'])
  return value !== null && !isNoData(value, noData)
}

function timeOf(entry: Bag | null): number {
  return looseTime(entry?.['dateTime']) ?? Number.NEGATIVE_INFINITY
}

function finish(
  head: Pick<NwisValue, 'site' | 'name' | 'parameter' | 'lat' | 'lon'>,
  [figure, at]: [unknown, unknown],
  unit: GaugeUnit | null,
  noData: number | null
): Read {
  const id = `${head.site}:${head.parameter}`
  const value = looseNumber(figure)
  const time = looseTime(at)
  if (value === null || isNoData(value, noData)) return { id, reason: because('no_value') }
  if (time === null) return { id, reason: because('no_reading_time') }
  return unit === null ? { id, reason: because('no_stage_nor_flow') } : { ...head, time, value, unit }
}
