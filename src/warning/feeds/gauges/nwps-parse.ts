import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { bagAt, looseNumber, looseTime } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { type GaugeReading, type GaugeUnit, isFlow, isNoData, unitNamed } from './reading.ts'
import { STAGES, type Stage, stageNamed, type Thresholds } from './stages.ts'

const FEED = 'NWPS gauges'

export interface NwpsListing {
  readings: GaugeReading[]
  skipped: SkippedItem[]
  items: number
}

/** Values of `floodCategory` that say nothing about a flood (documentation of api.water.noaa.gov). */
const SILENT: ReadonlyMap<string, Reason> = new Map([
  ['obs_not_current', because('readings_not_current')],
  ['out_of_service', because('out_of_service')],
  ['not_defined', because('no_flood_categories')]
])

/**
 * A list of gauges (`{gauges: […]}`) or a single one, with its flood stages, of api.water.noaa.gov. Throws AppError
 * `bad-input` for anything else.
 */
export function* nwpsSteps(text: string): Generator<void, NwpsListing> {
  const body = yield* jsonBodySteps(text, FEED)
  const gauges = Array.isArray(body['gauges']) ? body['gauges'] : textOf(body['lid']) === '' ? null : [body]
  if (gauges === null) throw notAListing(body)
  const listing: NwpsListing = { readings: [], skipped: [], items: gauges.length }
  yield* eachInTurn(gauges, (gauge) => {
    const read = readGauge(asBag(gauge))
    if ('reason' in read) listing.skipped.push(read)
    else listing.readings.push(read)
  })
  return listing
}

function notAListing(body: Bag): AppError {
  const said = textOf(body['message']) || reportedError(body)
  if (said !== null && said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_gauges', { feed: FEED }))
}

function readGauge(gauge: Bag | null): GaugeReading | SkippedItem {
  const id = textOf(gauge?.['lid'])
  const observed = bagAt(gauge, 'status', 'observed')
  if (gauge === null || id === '') return { id, reason: because('no_name') }
  if (observed === null) return { id, reason: because('no_reading') }
  const said = textOf(observed['floodCategory'])
  const unit = unitNamed(observed['primaryUnit']) ?? 'ft'
  const thresholds = thresholdsOf(gauge, unit)
  const silent = SILENT.get(said)
  const hasStages = Object.keys(thresholds).length > 0
  if (silent !== undefined && !(said === 'not_defined' && hasStages)) return { id, reason: silent }
  const time = looseTime(observed['validTime'])
  const value = figureOf(observed['primary'])
  if (time === null || time <= 0) return { id, reason: because('no_reading_time') }
  const category = stageNamed(said) ?? (said === 'no_flooding' || said === 'low_threshold' ? 'none' : null)
  if (category === null && (value === null || !hasStages)) return { id, reason: because('no_category_no_stages') }
  const [lat, lon] = [looseNumber(gauge['latitude']), looseNumber(gauge['longitude'])]
  const name = textOf(gauge['name'])
  return { site: id, name, lat, lon, time, value, unit, thresholds, category, crest: crestOf(gauge, unit, time, value) }
}

function figureOf(value: unknown): number | null {
  const number = looseNumber(value)
  return number === null || isNoData(number) ? null : number
}

/** Stages where a stage is measured, flows where a flow is. */
function thresholdsOf(gauge: Bag, unit: GaugeUnit): Thresholds {
  const flood = bagAt(gauge, 'flood')
  const key = isFlow(unit) ? 'flow' : 'stage'
  const same = unitNamed(flood?.[`${key}Units`]) ?? unit
  if (same !== unit) return {}
  const known = STAGES.flatMap((stage): [Stage, number][] => {
    const value = figureOf(bagAt(flood, 'categories', stage)?.[key])
    return stage === 'none' || value === null ? [] : [[stage, value]]
  })
  return Object.fromEntries(known)
}

/** The forecast of the status is the highest one; it is worth a word while it lies ahead and above. */
function crestOf(gauge: Bag, unit: GaugeUnit, now: number, value: number | null): GaugeReading['crest'] {
  const forecast = bagAt(gauge, 'status', 'forecast')
  const time = looseTime(forecast?.['validTime'])
  const crest = figureOf(forecast?.['primary'])
  if (crest === null || time === null || time <= now) return null
  if ((unitNamed(forecast?.['primaryUnit']) ?? unit) !== unit) return null
  return value !== null && crest <= value ? null : { value: crest, time }
}
