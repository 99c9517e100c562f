import { because, type Reason } from '../../../model/reason.ts'
import { AppError } from '../../../platform/errors.ts'
import { asBag, type Bag, reportedError, textOf } from '../reading/json.ts'
import { jsonSteps } from '../reading/json-steps.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { Entry } from './mean-elements.ts'

/** Orbit mean-elements messages (CCSDS 502.0-B-3) as a JSON list or a single object. Throws AppError `bad-input`. */
export function* parseOmmJson(text: string, feed: string): Generator<void, Entry[]> {
  const value = yield* parseJson(text, feed)
  const bag = asBag(value)
  const said = bag === null ? null : reportedError(bag)
  if (said !== null) throw new AppError('bad-input', because('service_error', { feed, said }))
  const list: unknown[] = Array.isArray(value) ? value : [value]
  const entries: Entry[] = []
  yield* eachInTurn(list, (item) => {
    entries.push(readOmm(asBag(item) ?? {}, `item ${entries.length + 1}`))
  })
  return entries
}

function* parseJson(text: string, feed: string): Generator<void, unknown> {
  try {
    return yield* jsonSteps(text)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new AppError('bad-input', because('body_not_json', { feed }), { cause })
  }
}

/** The same as a table with a line of names (CelesTrak `FORMAT=csv`). A line of another length is skipped. */
export function* parseOmmCsv(text: string): Generator<void, Entry[]> {
  const [head = '', ...lines] = text.split(/\r\n|\n|\r/)
  const names = cellsOf(head)
  const entries: Entry[] = []
  yield* eachInTurn([...lines.entries()], ([index, line]) => {
    if (line.trim() === '') return
    const cells = cellsOf(line)
    const id = `line ${index + 2}`
    if (cells.length !== names.length) entries.push({ id, reason: because('row_lacks_cells') })
    else entries.push(readOmm(Object.fromEntries(names.map((name, column) => [name, cells[column]])), id))
  })
  return entries
}

/** RFC 4180, one line. */
function cellsOf(line: string): string[] {
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)
  return [...cells].map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
}

function readOmm(given: Bag, id: string): Entry {
  const omm: Bag = Object.fromEntries(Object.entries(given).map(([key, value]) => [key.trim().toUpperCase(), value]))
  const number = numeric(omm['NORAD_CAT_ID'])
  if (Number.isNaN(number)) return { id: textOf(omm['OBJECT_NAME']) || id, reason: because('no_catalogue_number') }
  const name = textOf(omm['OBJECT_NAME']).slice(0, 60) || `Object ${number}`
  const reason = whyNotSgp4(omm)
  if (reason !== null) return { id: name, reason }
  return {
    name,
    number,
    epoch: epochOf(textOf(omm['EPOCH'])),
    meanMotion: numeric(omm['MEAN_MOTION']),
    eccentricity: numeric(omm['ECCENTRICITY']),
    inclination: numeric(omm['INCLINATION']),
    node: numeric(omm['RA_OF_ASC_NODE']),
    perigee: numeric(omm['ARG_OF_PERICENTER']),
    anomaly: numeric(omm['MEAN_ANOMALY']),
    bstar: omm['BSTAR'] == null || omm['BSTAR'] === '' ? 0 : numeric(omm['BSTAR'])
  }
}

/** Elements of another theory, body or frame look alike and give other places. */
function whyNotSgp4(omm: Bag): Reason | null {
  const said = (key: string): string => textOf(omm[key]).toUpperCase()
  if (numeric(omm['EPHEMERIS_TYPE']) === 4) return because('elements_for_xp')
  if (!['', 'SGP4', 'SGP', 'SGP/SGP4'].includes(said('MEAN_ELEMENT_THEORY'))) return because('elements_not_sgp4')
  if (!['', 'EARTH'].includes(said('CENTER_NAME'))) return because('not_round_earth')
  if (!['', 'TEME'].includes(said('REF_FRAME'))) return because('frame_not_teme')
  return ['', 'UTC'].includes(said('TIME_SYSTEM')) ? null : because('time_not_utc')
}

/** CelesTrak writes numbers, Space-Track texts. NaN for anything else. */
function numeric(value: unknown): number {
  if (typeof value === 'number') return value
  const text = textOf(value)
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
}

/** `2024-05-09T08:48:19.938816` in UTC, also with the day of the year, `2024-130T08:48:19.9`. NaN for anything else. */
function epochOf(text: string): number {
  const match = /^(\d{4})-(?:(\d\d)-(\d\d)|(\d{3}))[T ](\d\d):(\d\d):(\d\d(?:\.\d{1,9})?)Z?$/.exec(text)
  if (match === null) return Number.NaN
  const [, year, month = '1', day, dayOfYear, hour, minute, second] = match
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day ?? dayOfYear))
  return Math.round(date + Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000)
}
