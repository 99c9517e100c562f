import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import type { SkippedItem } from '../feed.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, decodeText } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import { type GaugeRules, readGauge } from './episode.ts'
import { type NwpsListing, nwpsSteps } from './nwps-parse.ts'
import type { NwpsSettings } from './nwps-settings.ts'

/** A box with some hundred gauges. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Gauges of the National Water Prediction Service with its own flood stages: singly with their thresholds, or all in a box
 * by the category it gives them.
 */
export const nwpsSource: SourceKind<NwpsSettings> = {
  mode: 'poll',
  kind: 'nwps',
  about: 'River gauges of the U.S. National Water Prediction Service, with flood stages and crests.',
  defaultIntervalSeconds: 900,
  minIntervalSeconds: 300,
  needsContact: false,
  missing: ({ gauges, bbox }) => (gauges.length === 0 && bbox === undefined ? because('needs_gauges') : null),
  async poll(settings, tools) {
    const listings: NwpsListing[] = []
    for (const url of addresses(settings)) {
      const answer = await tools.fetch({ url, maxBytes: MOST_BYTES })
      if (answer.state === 'new')
        listings.push(await inTurns(nwpsSteps(await inTurns(decodeSteps(answer.body), tools.signal)), tools.signal))
    }
    return listings.length === 0 ? 'unchanged' : inTurns(readingSteps(listings, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(readingSteps([drain(nwpsSteps(decodeText(body)))], settings, tools))
}

function addresses({ url, gauges, bbox }: NwpsSettings): string[] {
  const base = url.replace(/\/+$/, '')
  const single = gauges.map((gauge) => `${base}/${encodeURIComponent(gauge.toUpperCase())}`)
  if (bbox === undefined) return single
  const address = new URL(base)
  for (const [index, name] of ['xmin', 'ymin', 'xmax', 'ymax'].entries())
    address.searchParams.set(`bbox.${name}`, String(bbox[index]))
  address.searchParams.set('srid', 'EPSG_4326')
  // The single ones come last: they know their thresholds.
  return [address.href, ...single]
}

function* readingSteps(
  listings: NwpsListing[],
  settings: NwpsSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const rules: GaugeRules = {
    kind: tools.source,
    attribution: 'NWPS',
    marginFeet: settings.hysteresis_ft,
    maxAgeMs: settings.max_age_hours * 3_600_000
  }
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = listings.flatMap((listing) => listing.skipped)
  const readings = new Map(listings.flatMap((listing) => listing.readings).map((entry) => [entry.site, entry]))
  yield* eachInTurn([...readings.values()], (entry) => {
    const result = readGauge(entry, rules, tools)
    if ('reason' in result) skipped.push(result)
    else events.push(result)
  })
  return { kind: 'nwps', events, skipped, updated: null, items: listings.reduce((sum, { items }) => sum + items, 0) }
}
