import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { bagAt, bagsOf, geometryOf, looseText, looseTime, looseTimeText } from '../reading/loose.ts'
import { oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { RoadKind, RoadReport } from './report.ts'
import { roadSource } from './road-source.ts'
import type { DigitrafficSettings } from './settings.ts'
import type { RoadListing } from './standing.ts'

const FEED = 'Digitraffic'

/** Traffic messages of Fintraffic as GeoJSON. Its etiquette asks for the name of the program in a header of its own. */
export const digitrafficSource = roadSource<DigitrafficSettings>({
  kind: 'digitraffic',
  about: 'Traffic messages of Finland.',
  intervalSeconds: 300,
  minIntervalSeconds: 60,
  request: (settings, page) => ({
    url: page ?? settings.url,
    headers: { 'Digitraffic-User': 'Lookout' },
    maxBytes: 32 * 1024 * 1024
  }),
  *parse(body, settings) {
    return yield* parseDigitraffic(yield* decodeSteps(body), settings.attribution)
  }
})

/** The messages of a listing. Throws AppError `bad-input` for what is none. */
function* parseDigitraffic(text: string, attribution: string): Generator<void, RoadListing> {
  const body = yield* jsonBodySteps(text, FEED)
  const features = body['type'] === 'Feature' ? [body] : body['features']
  if (!Array.isArray(features)) throw notAListing(body)
  const listing: RoadListing = {
    reports: [],
    skipped: [],
    items: features.length,
    updated: looseTimeText(body['dataUpdatedTime'])
  }
  yield* eachInTurn(features, (feature) => {
    const read = readFeature(asBag(feature), attribution)
    if ('reason' in read) listing.skipped.push(read)
    else listing.reports.push(read)
  })
  return listing
}

function notAListing(body: Bag): AppError {
  const said = reportedError(body) ?? textOf(body['message'])
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_traffic', { feed: FEED }))
}

function readFeature(feature: Bag | null, attribution: string): RoadReport | SkippedItem {
  const properties = asBag(feature?.['properties'])
  const id = looseText(properties?.['situationId'])
  if (properties === null || id === '') return { id, reason: because('no_situation_id') }
  const announcements = bagsOf(properties['announcements'])
  const announcement = announcements.find(({ language }) => language === 'EN') ?? announcements[0]
  const updated = looseTime(properties['versionTime']) ?? looseTime(properties['releaseTime'])
  if (announcement === undefined) return { id, reason: because('nothing_announced') }
  if (updated === null) return { id, reason: because('no_change_time') }
  const features = bagsOf(announcement['features']).map(({ name }) => oneLine(textOf(name)))
  const situation = textOf(properties['situationType'])
  const duration = asBag(announcement['timeAndDuration'])
  const closed = features.some((name) => /\b(?:tie|katu|ajorata) on suljettu\b|\broad closed\b/i.test(name))
  return {
    id,
    revision: looseText(properties['version']) || String(updated),
    kind: kindOf(situation, closed),
    planned: situation === 'ROAD_WORK' || situation === 'EXEMPTED_TRANSPORT' || situation === 'WEIGHT_RESTRICTION',
    hazard: features.some((name) => /\b(?:maanvyöry|sortuma|tulva|metsäpalo|landslide|flood|forest fire)/i.test(name)),
    road: roadOf(announcement),
    text: [...features, oneLine(textOf(announcement['comment']))].filter(Boolean).map(stopped).join(' '),
    places: placesOf(announcement),
    start: looseTime(duration?.['startTime']),
    end: looseTime(duration?.['endTime']),
    updated,
    geometry: geometryOf(feature?.['geometry']),
    over: ['CLOSED', 'CANCELED'].includes(textOf(announcement['earlyClosing'])),
    attribution
  }
}

function stopped(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function kindOf(situation: string, closed: boolean): RoadKind {
  if (closed) return 'closure'
  return situation === 'ROAD_WORK' ? 'work' : 'incident'
}

function roadOf(announcement: Bag): string {
  const address = bagAt(announcement, 'locationDetails', 'roadAddressLocation', 'primaryPoint')
  const road = bagAt(address, 'roadAddress')
  const name = oneLine(textOf(address?.['roadName']))
  const number = looseText(road?.['road'])
  return name || (number === '' ? '' : `Tie ${number}`)
}

function placesOf(announcement: Bag): string[] {
  const details = asBag(announcement['locationDetails'])
  const areas = bagsOf(bagAt(details, 'areaLocation')?.['areas']).map(({ name }) => oneLine(textOf(name)))
  const point = bagAt(details, 'roadAddressLocation', 'primaryPoint')
  const description = oneLine(textOf(bagAt(announcement, 'location')?.['description'])).replace(/\.$/, '')
  const names = [...areas, oneLine(textOf(point?.['municipality'])), description]
  return [...new Set(names.filter((name) => name !== '' && name.length <= 80))].slice(0, 5)
}
