import type { Geometry } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { type SkippedItem, TEST_REASON } from '../feed.ts'
import { greatest, least, looseTime } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { attributeOf, childrenOf, childText, decodeSteps, type Element, xmlSteps } from '../reading/xml.ts'
import { type Datex2Options, type Datex2Record, readRecord } from './datex2-record.ts'
import type { RoadReport } from './report.ts'
import { roadSource } from './road-source.ts'
import type { Datex2Settings } from './settings.ts'
import type { RoadListing } from './standing.ts'
import { roadInText } from './words.ts'

const FEED = 'DATEX II'

/** A full DATEX II situation publication, version 2 or 3: one event a situation, told by its gravest record. */
export const datex2Source = roadSource<Datex2Settings>({
  kind: 'datex2',
  about: 'Road situations of European road authorities.',
  intervalSeconds: 300,
  minIntervalSeconds: 60,
  request: (settings, page) => ({ url: page ?? settings.url ?? '', maxBytes: 64 * 1024 * 1024 }),
  *parse(body, { language, lon_lat, attribution }, now) {
    return yield* parseDatex2(yield* decodeSteps(body), { language, lonLat: lon_lat, attribution, now })
  }
})

interface Datex2ParseOptions extends Datex2Options {
  attribution: string
  /** Epoch milliseconds: of several records those in force now are told. */
  now: number
}

/** The situations of a publication. Throws AppError `bad-input` for what is none. */
function* parseDatex2(text: string, options: Datex2ParseOptions): Generator<void, RoadListing> {
  const publication = publicationOf(yield* xmlSteps(text, FEED))
  if (publication === null) throw new AppError('bad-input', because('body_no_publication', { feed: FEED }))
  const published = looseTime(childText(publication, 'publicationTime'))
  const situations = childrenOf(publication, 'situation')
  const listing: RoadListing = {
    reports: [],
    skipped: [],
    items: situations.length,
    updated: published === null ? null : formatTime(published)
  }
  yield* eachInTurn(situations, (situation) => {
    const read = readSituation(situation, published, options)
    if ('reason' in read) listing.skipped.push(read)
    else listing.reports.push(read)
  })
  return listing
}

/** Envelope, body, answer, model: how deep a service of SOAP may wrap a publication. */
const MOST_LEVELS = 6

/** `payloadPublication` in version 2, `payload` in version 3, either of them as the root in some services. */
function publicationOf(root: Element): Element | null {
  const isPublication = (element: Element): boolean =>
    attributeOf(element, 'type').endsWith('SituationPublication') ||
    element.children.some(({ name }) => name === 'situation')
  let level = [root]
  for (let depth = 0; depth < MOST_LEVELS; depth++) {
    const found = level.find((element) => /^payload(?:Publication)?$/.test(element.name) && isPublication(element))
    if (found !== undefined) return found
    level = level.flatMap(({ children }) => children)
  }
  return null
}

/** Not for the public (`ConfidentialityValueEnum`). */
const CONFIDENTIAL = /^(?:internalUse|restrictedToAuthorities|restrictedToAuthoritiesAndTrafficOperators)$/

function readSituation(
  situation: Element,
  published: number | null,
  options: Datex2ParseOptions
): RoadReport | SkippedItem {
  const elements = childrenOf(situation, 'situationRecord')
  const id = attributeOf(situation, 'id') || (elements[0] === undefined ? '' : attributeOf(elements[0], 'id'))
  if (id === '') return { id, reason: because('no_id') }
  const header = situation.children.find(({ name }) => name === 'headerInformation')
  const status = header === undefined ? '' : childText(header, 'informationStatus')
  if (status !== '' && status !== 'real') return { id, reason: TEST_REASON }
  if (header !== undefined && CONFIDENTIAL.test(childText(header, 'confidentiality')))
    return { id, reason: because('not_for_public') }
  const records = elements.map((element) => readRecord(element, options))
  const told = inForce(records, options.now)
  const [first] = told
  if (first === undefined) return { id, reason: because('no_record') }
  const times = [
    ...records.map(({ versionTime }) => versionTime),
    looseTime(childText(situation, 'situationVersionTime'))
  ]
  const known = greatest(times.filter((time) => time !== null)) ?? published
  if (known === null) return { id, reason: because('no_change_time') }
  const version = attributeOf(situation, 'version') || '0'
  const versions = greatest(records.map((record) => record.version)) ?? 0
  return reportOf({ id, records, told, updated: known, revision: `${version}.${versions}` }, options)
}

const GRAVEST = ['closure', 'incident', 'congestion', 'work'] as const

/** The records that hold now, else those that will, else all; of these the kind that matters most, first. */
function inForce(records: readonly Datex2Record[], now: number): Datex2Record[] {
  const live = records.filter(({ over }) => !over)
  const ahead = live.filter(({ end }) => end === null || end > now)
  const active = ahead.filter(({ start }) => start === null || start <= now)
  const told = [active, ahead, live, records].find((list) => list.length > 0) ?? []
  return [...told].sort((a, b) => GRAVEST.indexOf(a.kind) - GRAVEST.indexOf(b.kind))
}

interface Situation {
  id: string
  records: readonly Datex2Record[]
  told: readonly Datex2Record[]
  updated: number
  revision: string
}

function reportOf({ id, records, told, updated, revision }: Situation, options: Datex2ParseOptions): RoadReport {
  const kind = told[0]?.kind ?? 'incident'
  const telling = told.filter((record) => record.kind === kind)
  const comment = records.map((record) => record.comment).find((text) => text !== '') ?? ''
  const starts = telling.flatMap(({ start }) => start ?? [])
  const ends = telling.map(({ end }) => end)
  const known = ends.filter((end) => end !== null)
  return {
    id,
    revision,
    kind,
    planned: records.some(({ work }) => work) && !told.some(({ cause }) => cause),
    hazard: told.some(({ hazard }) => hazard),
    road: records.map(({ road }) => road).find((road) => road !== '') ?? roadInText(comment),
    text: comment === '' ? told.map(({ words }) => `${words}.`).join(' ') : paragraphs(comment),
    places: [...new Set(records.flatMap(({ places }) => places))].slice(0, 4),
    start: least(starts),
    end: known.length === ends.length ? greatest(known) : null,
    updated,
    geometry: shapeOf(telling) ?? shapeOf(told) ?? shapeOf(records),
    over: records.every(({ over }) => over),
    attribution: options.attribution
  }
}

/** Records of one situation often repeat its place: the first that has one is where it lies. */
function shapeOf(records: readonly Datex2Record[]): Geometry | null {
  return records.map(({ geometry }) => geometry).find((geometry) => geometry !== null) ?? null
}

/** Lines of a comment become sentences. */
function paragraphs(comment: string): string {
  const lines = comment.split(/\n+/).map((line) => line.replace(/\s+/g, ' ').trim())
  return lines
    .filter((line) => line !== '')
    .map((line) => (/[.!?:]$/.test(line) ? line : `${line}.`))
    .join(' ')
}
