import type { Geometry, Position } from '../../../model/geojson.ts'
import { because } from '../../../model/reason.ts'
import { severityRank } from '../../../model/severity.ts'
import { AppError } from '../../../platform/errors.ts'
import { leaf } from '../cap/index-entry.ts'
import { indexSteps } from '../cap/index-read.ts'
import { readCap } from '../cap/poll.ts'
import { type CapProfile, CapReading } from '../cap/reading.ts'
import { asBag, textOf } from '../reading/json.ts'
import { geometryOf, jsonListingSteps, looseNumber } from '../reading/loose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps, type Element } from '../reading/xml.ts'
import type { PollTools, SourceKind, SourceReading } from '../source.ts'
import type { NinaSettings } from './settings.ts'

const KIND = 'nina'
const FEED = 'NINA'
/** So many failures in a row: the host is away, and is left alone until the next poll. */
const FAILURES_IN_A_ROW = 3
/** After so many failures of a warning its outline is not asked for. */
const MOST_WITHOUT_OUTLINE = 2

/**
 * Warnings of the German civil protection. A list names each by its id and version; the warning itself is CAP written as
 * JSON, and its outline stands in a file beside it.
 */
export const ninaSource: SourceKind<NinaSettings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Warnings of the German civil protection (MoWaS and others).',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 120,
  warns: true,
  needsContact: false,
  poll,
  // A recorded warning is plain CAP as JSON.
  read: (body, settings, tools) => readCap(body, profileOf(settings), tools)
}

function profileOf({ max_details: maxDetails, ...settings }: NinaSettings): CapProfile {
  const { language, default_expires_hours: defaultExpiresHours } = settings
  const read = { language, defaultExpiresHours, category: 'Safety' }
  return { kind: KIND, format: 'json', wanted: settings, details: 'always', maxDetails, read }
}

/** A row of a list. `stamp` changes with every version. */
interface Listed {
  id: string
  stamp: string
  rank: number
  isOver: boolean
}

async function poll(settings: NinaSettings, tools: PollTools): Promise<SourceReading | 'unchanged'> {
  const reading = new CapReading(profileOf(settings), tools)
  const { memory } = reading
  const listed: Listed[] = []
  for (const system of settings.systems) {
    // The lists are small, and each is needed whole: what none of them has any more is forgotten.
    const fetched = await tools.fetch({ url: `${settings.url}/${system}/mapData.json`, conditional: false })
    if (fetched.state === 'new') listed.push(...(await inTurns(listSteps(fetched.body, reading), tools.signal)))
  }
  const failures = ({ id, stamp }: Listed): number => memory.failures(id, stamp)
  const left = listed
    .filter(({ id, stamp }) => !memory.isSettled(id, stamp))
    // One that could not be had must not stand before the others for ever.
    .sort((a, b) => failures(a) - failures(b) || b.rank - a.rank)
  if (left.length === 0 && reading.skipped.length === 0) return 'unchanged'
  await takeAll(left, { reading, settings, tools })
  memory.waiting = left.some(({ id, stamp }) => !memory.isSettled(id, stamp))
  memory.commit()
  await inTurns(memory.tidy(new Set(listed.map(({ id }) => id))), tools.signal)
  return inTurns(reading.finish(listed.length, null), tools.signal)
}

const RANKS = new Map([
  ['Extreme', severityRank('immediate')],
  ['Severe', severityRank('critical')],
  ['Moderate', severityRank('priority')]
])

function* listSteps(body: Uint8Array, reading: CapReading): Generator<void, Listed[]> {
  const { list } = yield* jsonListingSteps(yield* decodeSteps(body), FEED)
  if (list === null) throw new AppError('bad-input', because('body_no_alert_list', { feed: FEED }))
  const rows: Listed[] = []
  let number = 0
  yield* eachInTurn(list, (item) => {
    number++
    const bag = asBag(item)
    const id = textOf(bag?.['id'])
    // The id is a part of an address.
    if (bag === null || !/^[\w.:-]{1,200}$/.test(id)) {
      reading.skipped.push({ id: `item ${number}`, reason: because('not_a_cap_alert') })
      return
    }
    const isOver = textOf(bag['type']) === 'Cancel'
    const stamp = `${looseNumber(bag['version']) ?? ''}|${textOf(bag['startDate'])}|${textOf(bag['type'])}`
    rows.push({
      id,
      stamp,
      isOver,
      rank: isOver ? Number.POSITIVE_INFINITY : (RANKS.get(textOf(bag['severity'])) ?? 0)
    })
  })
  return rows
}

interface Work {
  reading: CapReading
  settings: NinaSettings
  tools: PollTools
}

async function takeAll(rows: readonly Listed[], work: Work): Promise<void> {
  let row = 0
  for (const [place, listed] of rows.entries()) {
    if (place >= work.settings.max_details || row >= FAILURES_IN_A_ROW)
      work.reading.skipped.push({ id: listed.id, reason: because('detail_waits') })
    else row = (await take(listed, work)) ? 0 : row + 1
  }
}

/** Fetches and reads one warning; false when it could not be had. */
async function take({ id, stamp, isOver }: Listed, { reading, settings, tools }: Work): Promise<boolean> {
  try {
    const url = `${settings.url}/warnings/${id}`
    const detail = await tools.fetch({ url: `${url}.json`, conditional: false })
    if (detail.state === 'unchanged') throw new AppError('unavailable', because('detail_did_not_come'))
    const { alerts } = await inTurns(indexSteps(detail.body, { base: detail.url, format: 'json' }), tools.signal)
    const [alert] = alerts
    if (alert === undefined) throw new AppError('bad-input', because('no_alert_behind_entry'))
    // Without its outline it is told by the names of its places, rather than not at all.
    const isPatient = reading.memory.failures(id, stamp) < MOST_WITHOUT_OUTLINE
    const rings = isOver || !isPatient ? [] : await outlineAt(`${url}.geojson`, tools)
    reading.take(rings.length === 0 ? alert : drawn(alert, rings))
    reading.memory.settle(id, stamp)
    return true
  } catch (error) {
    if (!(error instanceof AppError) || tools.signal.aborted) throw error
    reading.memory.failed(id, stamp)
    reading.skipped.push({ id, reason: because('detail_failed', { why: error.reason }) })
    return false
  }
}

async function outlineAt(url: string, tools: PollTools): Promise<Position[][]> {
  const fetched = await tools.fetch({ url, conditional: false })
  if (fetched.state === 'unchanged') throw new AppError('unavailable', because('detail_did_not_come'))
  return inTurns(ringsIn(fetched.body), tools.signal)
}

/** The outer rings of every polygon of a collection; a hole of a warned area is a detail that nobody needs on the air. */
function* ringsIn(body: Uint8Array): Generator<void, Position[][]> {
  const { bag } = yield* jsonListingSteps(yield* decodeSteps(body), FEED)
  const features = Array.isArray(bag['features']) ? bag['features'] : []
  const rings: Position[][] = []
  yield* eachInTurn<unknown>(features, (feature) => {
    rings.push(...outersOf(geometryOf(asBag(feature)?.['geometry'])))
  })
  return rings
}

function outersOf(geometry: Geometry | null): Position[][] {
  if (geometry?.type === 'Polygon') return geometry.coordinates.slice(0, 1)
  return geometry?.type === 'MultiPolygon' ? geometry.coordinates.flatMap((polygon) => polygon.slice(0, 1)) : []
}

/** The alert with the outlines in its first area, as CAP writes them: latitude first. */
function drawn(alert: Element, rings: readonly Position[][]): Element {
  const polygons = rings.map((ring) => leaf('polygon', ring.map(([lon, lat]) => `${lat},${lon}`).join(' ')))
  const inFirst = (elements: readonly Element[], name: string, change: (one: Element) => Element): Element[] => {
    const at = elements.findIndex((one) => one.name === name)
    return elements.map((one, index) => (index === at ? change(one) : one))
  }
  const withOutline = (info: Element): Element => ({
    ...info,
    children: info.children.some(({ name }) => name === 'area')
      ? inFirst(info.children, 'area', (area) => ({ ...area, children: [...area.children, ...polygons] }))
      : [...info.children, { name: 'area', text: '', children: polygons }]
  })
  return { ...alert, children: alert.children.map((child) => (child.name === 'info' ? withOutline(child) : child)) }
}
