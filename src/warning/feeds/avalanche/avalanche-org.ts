import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { geometryOf, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import { type DangerBulletin, readBulletin } from './bulletin.ts'
import type { AvalancheSettings } from './settings.ts'

const FEED = 'avalanche.org'
/** A bulletin without an end holds until the next one, which comes daily. */
const DEFAULT_VALIDITY_MS = 24 * 3_600_000

/**
 * The map layer of avalanche.org: zones with their danger. In summer, and where nothing is rated, it tells nothing.
 * `is_training` is not looked at: all zones of the Northwest Avalanche Center carry it.
 */
export const avalancheSource: SourceKind<AvalancheSettings> = {
  mode: 'poll',
  kind: 'avalanche',
  about: 'Avalanche danger of the U.S. avalanche centres, zone by zone.',
  defaultIntervalSeconds: 1800,
  minIntervalSeconds: 900,
  needsContact: false,
  async poll(settings, tools) {
    const base = settings.url.replace(/\/+$/, '')
    const urls = settings.centers.length === 0 ? [base] : settings.centers.map((center) => `${base}/${center}`)
    const bodies: Uint8Array[] = []
    for (const url of urls) {
      const answer = await tools.fetch({ url })
      if (answer.state === 'new') bodies.push(answer.body)
    }
    return bodies.length === 0 ? 'unchanged' : inTurns(readSteps(bodies, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(readSteps([body], settings, tools))
}

function* layerSteps(bytes: Uint8Array): Generator<void, unknown[]> {
  const body: Bag = yield* jsonBodySteps(yield* decodeSteps(bytes), FEED)
  if (body['type'] === 'FeatureCollection' && Array.isArray(body['features'])) return body['features']
  const said = textOf(body['message']) || reportedError(body)
  if (said !== null && said !== '') throw new AppError('bad-input', because('service_error', { feed: FEED, said }))
  throw new AppError('bad-input', because('body_no_map_layer', { feed: FEED }))
}

function* readSteps(
  bodies: readonly Uint8Array[],
  settings: AvalancheSettings,
  tools: ReadTools
): Generator<void, SourceReading> {
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  const features: unknown[] = []
  for (const body of bodies) for (const feature of yield* layerSteps(body)) features.push(feature)
  yield* eachInTurn(features, (feature) => {
    const zone = readZone(asBag(feature), tools.receivedAt)
    const result = 'reason' in zone ? zone : readBulletin(zone, settings.min_danger, tools)
    if ('reason' in result) skipped.push(result)
    else events.push(result)
  })
  return { kind: 'avalanche', events, skipped, updated: null, items: features.length }
}

function readZone(feature: Bag | null, now: number): DangerBulletin | SkippedItem {
  const properties = asBag(feature?.['properties'])
  const zone = looseText(feature?.['id']) || looseText(properties?.['id'])
  const name = oneLine(textOf(properties?.['name']))
  if (properties === null || zone === '') return { id: zone || name, reason: because('no_id_or_properties') }
  if (properties['off_season'] === true) return { id: zone, reason: because('off_season') }
  const danger = dangerOf(properties)
  const product = productOf(properties)
  if (danger === null && product === null) return { id: zone, reason: because('no_danger_rating') }
  const start = looseTime(properties['start_date'])
  if (start === null) return { id: zone, reason: because('no_publication_date') }
  if (start > now + 24 * 3_600_000) return { id: zone, reason: because('dated_in_future') }
  return {
    zone,
    name: name || zone,
    danger,
    product,
    start,
    end: looseTime(properties['end_date']) ?? start + DEFAULT_VALIDITY_MS,
    sent: start,
    advice: oneLine(textOf(properties['travel_advice'])),
    detail: '',
    attribution: textOf(properties['center_id']) || textOf(properties['center']) || FEED,
    geometry: geometryOf(feature?.['geometry'])
  }
}

/** `danger_level` is -1 without a bulletin and 0 without a rating; `danger` says the same in a word. */
function dangerOf(properties: Bag): number | null {
  const level = looseNumber(properties['danger_level'])
  if (level !== null) return Number.isInteger(level) && level >= 1 && level <= 5 ? level : null
  const word = textOf(properties['danger']).toLowerCase()
  const index = ['low', 'moderate', 'considerable', 'high', 'extreme'].indexOf(word)
  return index < 0 ? null : index + 1
}

function productOf(properties: Bag): DangerBulletin['product'] {
  const product = textOf(asBag(properties['warning'])?.['product']).toLowerCase()
  return (['warning', 'watch'] as const).find((known) => known === product) ?? null
}
