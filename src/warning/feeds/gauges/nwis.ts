import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import type { SkippedItem } from '../feed.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { FetchRequest, ReadTools, SourceKind, SourceReading } from '../source.ts'
import { type GaugeRules, readGauge } from './episode.ts'
import { type NwisListing, type NwisValue, nwisSteps } from './nwis-parse.ts'
import type { NwisSettings, NwisSite } from './nwis-settings.ts'
import { convert } from './reading.ts'
import type { Thresholds } from './stages.ts'

const OGC = 'https://api.waterdata.usgs.gov/ogcapi/v0/collections/latest-continuous/items'
const WATERSERVICES = 'https://waterservices.usgs.gov/nwis/iv/'
/** So that an address stays shorter than what proxies take. */
const SITES_PER_REQUEST = 50

/**
 * Gauges of the U.S. Geological Survey, over its OGC API (the successor) or the old instantaneous values service, with
 * flood stages from the settings. Told is the change of a stage, never a value.
 */
export const nwisSource: SourceKind<NwisSettings> = {
  mode: 'poll',
  kind: 'nwis',
  about: 'River gauges of the U.S. Geological Survey, against flood stages of your own.',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 300,
  needsContact: false,
  missing: ({ sites }) => (sites.length === 0 ? because('needs_sites') : null),
  async poll(settings, tools) {
    const listings: NwisListing[] = []
    for (const request of requests(settings)) {
      const answer = await tools.fetch(request)
      if (answer.state === 'new')
        listings.push(await inTurns(nwisSteps(await inTurns(decodeSteps(answer.body), tools.signal)), tools.signal))
    }
    return listings.length === 0 ? 'unchanged' : inTurns(readingSteps(listings, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(readingSteps([drain(nwisSteps(decodeText(body)))], settings, tools))
}

function siteNumber({ id }: NwisSite): string {
  return id.slice(id.indexOf('-') + 1)
}

function siteName({ id }: NwisSite): string {
  return id.includes('-') ? id : `USGS-${id}`
}

function parameterOf({ parameter, unit }: NwisSite): string {
  return parameter ?? (unit === 'ft' || unit === 'm' ? '00065' : '00060')
}

function requests({ api, url, api_key, sites }: NwisSettings): FetchRequest[] {
  const chunks = Array.from({ length: Math.ceil(sites.length / SITES_PER_REQUEST) }, (_, index) =>
    sites.slice(index * SITES_PER_REQUEST, (index + 1) * SITES_PER_REQUEST)
  )
  return chunks.map((chunk) => {
    const parameters = [...new Set(chunk.map(parameterOf))].join(',')
    const address = new URL(url ?? (api === 'ogc' ? OGC : WATERSERVICES))
    const query =
      api === 'ogc'
        ? {
            f: 'json',
            monitoring_location_id: chunk.map(siteName).join(','),
            parameter_code: parameters,
            limit: '1000'
          }
        : { format: 'json', sites: chunk.map(siteNumber).join(','), parameterCd: parameters, siteStatus: 'active' }
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const headers = api === 'ogc' && api_key !== undefined && api_key !== '' ? { 'X-Api-Key': api_key } : {}
    return { url: address.href, headers }
  })
}

function* readingSteps(
  listings: NwisListing[],
  settings: NwisSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const rules: GaugeRules = {
    kind: tools.source,
    attribution: 'USGS',
    marginFeet: settings.hysteresis_ft,
    maxAgeMs: settings.max_age_hours * 3_600_000
  }
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = listings.flatMap((listing) => listing.skipped)
  yield* eachInTurn(newestOfEach(listings.flatMap(({ values }) => values)), (value) => {
    const result = told(value, settings.sites, rules, tools)
    if ('reason' in result) skipped.push(result)
    else events.push(result)
  })
  const times = listings.flatMap(({ updated }) => updated ?? [])
  const updated = times.length === 0 ? null : formatTime(Math.max(...times))
  return { kind: 'nwis', events, skipped, updated, items: listings.reduce((sum, { items }) => sum + items, 0) }
}

/** A site may have two sensors of one kind: the newer reading counts, of equally new ones the higher. */
function newestOfEach(values: readonly NwisValue[]): NwisValue[] {
  const best = new Map<string, NwisValue>()
  for (const value of values) {
    const key = `${value.site}:${value.parameter}`
    const other = best.get(key)
    if (other === undefined || value.time > other.time || (value.time === other.time && value.value > other.value))
      best.set(key, value)
  }
  return [...best.values()]
}

function told(
  value: NwisValue,
  sites: readonly NwisSite[],
  rules: GaugeRules,
  tools: ReadTools
): LookoutEvent | SkippedItem {
  const id = `${value.site}:${value.parameter}`
  const site = sites.find((entry) => siteNumber(entry) === value.site && parameterOf(entry) === value.parameter)
  if (site === undefined) return { id, reason: because('no_stages_set') }
  const converted = convert(value.value, value.unit, site.unit)
  if (converted === null) return { id, reason: because('other_unit', { unit: value.unit, stages: site.unit }) }
  const { name, lat, lon, time } = value
  const known = { site: value.site, lat, lon, time, category: null, crest: null, unit: site.unit, value: converted }
  return readGauge(
    { ...known, name: site.name ?? (name || `USGS ${value.site}`), thresholds: thresholdsOf(site) },
    rules,
    tools
  )
}

function thresholdsOf(site: NwisSite): Thresholds {
  const { action, minor, moderate, major } = site
  return Object.fromEntries(
    Object.entries({ action, minor, moderate, major }).filter(([, value]) => typeof value === 'number')
  )
}
