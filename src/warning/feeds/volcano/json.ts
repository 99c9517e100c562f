import { because } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { asBag, type Bag } from '../reading/json.ts'
import { bagsOf, jsonListingSteps, looseNumber, looseText, looseTime } from '../reading/loose.ts'
import { clip, oneLine } from '../reading/prose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { colourOf, levelOf, type Notice, type Notices, type VolcanoLevel } from './notice.ts'

/**
 * JSON of the USGS notification system (its lists of elevated volcanoes, of VONAs and the sections of a notice name the same
 * things differently) or GeoNet's listing of alert levels. @throws AppError `bad-input` for anything else.
 */
export function* noticesOfJson(text: string, feed: string): Generator<void, Notices> {
  const { bag, list } = yield* jsonListingSteps(text, feed)
  if (list !== null) return yield* read(bagsOf(list), noticeOfHans, list.some(isElevatedList) || list.length === 0)
  if (Array.isArray(bag['notice_sections'])) {
    const { sent_unixtime, notice_identifier, obs_fullname } = bag
    const shared = { sent_unixtime, notice_identifier, obs_fullname }
    return yield* read(
      bagsOf(bag['notice_sections']).map((section) => ({ ...shared, ...section })),
      noticeOfHans,
      false
    )
  }
  const features = bagsOf(bag['features'])
  if (Array.isArray(bag['features']) && features.every(isVolcanoFeature))
    return yield* read(features, noticeOfGeonet, true)
  throw new AppError('bad-input', because('body_no_volcanoes', { feed }))
}

/** The lists of elevated volcanoes are whole; that of VONAs holds the notices of a year. */
function isElevatedList(row: unknown): boolean {
  const bag = asBag(row)
  return bag !== null && 'alert_level' in bag
}

function isVolcanoFeature(feature: Bag): boolean {
  return 'volcanoID' in (asBag(feature['properties']) ?? {})
}

type Reader = (row: Bag) => Notice | SkippedItem

function* read(rows: readonly Bag[], reader: Reader, complete: boolean): Generator<void, Notices> {
  const result: Notices = { notices: [], skipped: [], complete }
  yield* eachInTurn(rows, (row) => {
    const notice = reader(row)
    if ('reason' in notice) result.skipped.push(notice)
    else result.notices.push(notice)
  })
  return result
}

function first(row: Bag, ...names: string[]): string {
  return names.map((name) => looseText(row[name])).find((text) => text !== '') ?? ''
}

function noticeOfHans(row: Bag): Notice | SkippedItem {
  const name = clip(oneLine(first(row, 'volcano_name', 'vName', 'volcano_name_appended')), 80)
  const id = first(row, 'vnum') || name.toLowerCase()
  const alert = first(row, 'alert_level', 'alertLevel')
  const colour = colourOf(first(row, 'color_code', 'colorCode'))
  const level = levelOf(alert, colour)
  if (id === '' || name === '') return { id: id || name, reason: because('no_volcano') }
  if (level === null) {
    const said = clip(alert, 20)
    const reason = said === '' ? because('volcano_level_missing') : because('volcano_level_unknown', { level: said })
    return { id, reason }
  }
  return {
    id: clip(id, 80),
    name,
    level,
    colour,
    product: `Volcano ${level.charAt(0).toUpperCase()}${level.slice(1)}`,
    area: '',
    ...placeOf(looseNumber(row['latitude'] ?? row['lat']), looseNumber(row['longitude'] ?? row['lng'] ?? row['lon'])),
    time: timeOf(row),
    number: first(row, 'notice_identifier', 'noticeId', 'guid'),
    ash: null,
    summary: oneLine(first(row, 'synopsis', 'noticeSynopsis')).slice(0, 5000),
    attribution: observatoryOf(first(row, 'obs_fullname', 'obs_abbr', 'obs'))
  }
}

const EARLIEST = Date.UTC(2000, 0)

function timeOf(row: Bag): number | null {
  const seconds = looseNumber(row['sent_unixtime'])
  const text = first(row, 'sent_date_cap', 'sent_utc', 'sentUtc')
  const time = seconds === null ? looseTime(text) : seconds * 1000
  return time !== null && time >= EARLIEST && time < 8e15 ? time : null
}

/** `Hawaiian Volcano Observatory` and `hvo` are `USGS HVO`. */
function observatoryOf(text: string): string {
  const initials = text.includes(' ') ? (text.match(/\b[A-Z]/g) ?? []).join('') : text.toUpperCase()
  return /^[A-Z]{2,6}$/.test(initials) ? `USGS ${initials}` : 'USGS'
}

/** New Zealand's volcanic alert levels: 1 and 2 are unrest, from 3 on it erupts. */
const GEONET_LEVELS: readonly VolcanoLevel[] = ['normal', 'advisory', 'advisory', 'watch', 'warning', 'warning']

function noticeOfGeonet(feature: Bag): Notice | SkippedItem {
  const properties = asBag(feature['properties']) ?? {}
  const id = clip(looseText(properties['volcanoID']), 80)
  const number = looseNumber(properties['level'])
  const level = number === null ? undefined : GEONET_LEVELS[number]
  if (id === '' || level === undefined) return { id, reason: because('no_volcano_or_level') }
  const coordinates: unknown = asBag(feature['geometry'])?.['coordinates']
  const [lon, lat]: unknown[] = Array.isArray(coordinates) ? coordinates : []
  const activity = ['activity', 'hazards'].map((name) => oneLine(looseText(properties[name])).replace(/\.$/, ''))
  return {
    id,
    name: clip(oneLine(looseText(properties['volcanoTitle'])) || id, 80),
    level,
    colour: colourOf(looseText(properties['acc'])),
    product: `Volcanic Alert Level ${number}`,
    area: '',
    ...placeOf(looseNumber(lat), looseNumber(lon)),
    time: null,
    number: String(number),
    ash: null,
    summary: activity
      .filter((text) => text !== '')
      .join('. ')
      .slice(0, 1000),
    attribution: 'GeoNet'
  }
}

function placeOf(lat: number | null, lon: number | null): Pick<Notice, 'lat' | 'lon'> {
  const isPlace =
    lat !== null && lon !== null && Math.abs(lat) <= 90 && Math.abs(lon) <= 360 && (lat !== 0 || lon !== 0)
  return isPlace ? { lat, lon } : { lat: null, lon: null }
}
