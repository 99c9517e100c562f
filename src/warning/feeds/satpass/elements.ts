import { because, type Reason } from '../../../model/reason.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { stripMark } from '../reading/json.ts'
import { eachInTurn } from '../reading/steps.ts'
import type { Elements, Entry } from './mean-elements.ts'
import { parseOmmCsv, parseOmmJson } from './omm.ts'
import { parseTle } from './tle.ts'

export interface ElementList {
  elements: Elements[]
  skipped: SkippedItem[]
}

const FEED = 'Orbital elements'
/** The whole catalogue of active satellites has about 12,000. */
const MAX_ENTRIES = 30_000

/**
 * The element sets of a body: TLE in two or three lines, OMM as JSON or CSV (CCSDS 502.0, CelesTrak and Space-Track).
 * A broken set is skipped with its reason; of two sets of one satellite the newer stays. Throws AppError `bad-input` for
 * anything else, and when no set of it can be read.
 */
export function parseElements(body: string): ElementList {
  return drain(elementSteps(body))
}

/** `parseElements`, a little at a time. */
export function* elementSteps(body: string): Generator<void, ElementList> {
  const text = stripMark(body).trim()
  if (text === '') throw new AppError('bad-input', because('body_is_empty', { feed: FEED }))
  if (text.startsWith('<')) {
    throw new AppError('bad-input', because('web_page_for_elements', { feed: FEED }))
  }
  const entries = yield* entriesOf(text)
  if (entries.length === 0)
    throw new AppError('bad-input', because('body_no_elements', { feed: FEED, said: readable(text.slice(0, 120)) }))
  if (entries.length > MAX_ENTRIES)
    throw new AppError('bad-input', because('body_too_many_sets', { feed: FEED, most: MAX_ENTRIES }))
  const list = yield* sort(entries)
  const [first] = list.skipped
  if (list.elements.length === 0 && first !== undefined) {
    throw new AppError(
      'bad-input',
      because('none_can_be_read', { feed: FEED, count: entries.length, id: first.id, why: first.reason })
    )
  }
  return list
}

function entriesOf(text: string): Generator<void, Entry[]> {
  if (text.startsWith('[') || text.startsWith('{')) return parseOmmJson(text, FEED)
  const head = text.slice(0, text.search(/[\r\n]|$/))
  return /(?:^|,)"?NORAD_CAT_ID"?(?:,|$)/i.test(head) ? parseOmmCsv(text) : parseTle(text)
}

function* sort(entries: readonly Entry[]): Generator<void, ElementList> {
  const newest = new Map<number, Elements>()
  const skipped: SkippedItem[] = []
  yield* eachInTurn(entries, (entry) => {
    if ('reason' in entry) {
      skipped.push(entry)
      return
    }
    const reason = whyNoOrbit(entry)
    const known = newest.get(entry.number)
    if (reason !== null) skipped.push({ id: entry.name, reason })
    else if (known === undefined) newest.set(entry.number, entry)
    else {
      if (entry.epoch > known.epoch) newest.set(entry.number, entry)
      skipped.push({ id: entry.name, reason: because('second_set', { number: entry.number }) })
    }
  })
  return { elements: [...newest.values()], skipped }
}

const RANGES = [
  ['meanMotion', 0.05, 18, 'mean motion'],
  ['eccentricity', 0, 0.999, 'eccentricity'],
  ['inclination', 0, 180, 'inclination'],
  ['node', -360, 360, 'right ascension of the node'],
  ['perigee', -360, 360, 'argument of perigee'],
  ['anomaly', -360, 360, 'mean anomaly'],
  ['bstar', -10, 10, 'B*'],
  ['number', 1, 999_999_999, 'catalogue number'],
  ['epoch', Date.UTC(1957, 0), Date.UTC(2100, 0), 'epoch']
] as const

/** The first value that no satellite of the earth has, or null. */
function whyNoOrbit(elements: Elements): Reason | null {
  const wrong = RANGES.find(([key, least, most]) => !(elements[key] >= least && elements[key] <= most))
  return wrong === undefined ? null : because('element_impossible', { part: wrong[3] })
}

const DAY_MS = 86_400_000
/** Revolutions per day of a period of 128 minutes: faster ones are low orbits, where drag spoils old elements. */
const LOW_ORBIT = 11.25

/**
 * The reason why these elements say nothing about the time `at` (epoch milliseconds), or null: for a low orbit they may
 * be `maxAgeDays` away from it, for a high one four times as much.
 */
export function tooOld(elements: Elements, at: number, maxAgeDays: number): Reason | null {
  const limit = elements.meanMotion >= LOW_ORBIT ? maxAgeDays : maxAgeDays * 4
  const days = (at - elements.epoch) / DAY_MS
  if (Math.abs(days) <= limit) return null
  return because(days > 0 ? 'elements_days_old' : 'elements_days_ahead', {
    days: Math.round(Math.abs(days)),
    most: limit
  })
}

/** As they are kept over restarts: one short list each. */
export type ElementsRow = [string, ...number[]]

/** The way into the memory of a source. */
export function toRow({ name, ...rest }: Elements): ElementsRow {
  const { number, epoch, meanMotion, eccentricity, inclination, node, perigee, anomaly, bstar } = rest
  return [name, number, epoch, meanMotion, eccentricity, inclination, node, perigee, anomaly, bstar]
}

/** The way back; null for what is no row of a possible orbit. */
export function fromRow(row: unknown): Elements | null {
  if (!Array.isArray(row) || row.length !== 10) return null
  const values: unknown[] = row
  const [name, ...rest] = values
  const numbers = rest.filter((value) => typeof value === 'number')
  if (typeof name !== 'string' || numbers.length !== 9) return null
  const [number = 0, epoch = 0, meanMotion = 0, eccentricity = 0, inclination = 0, node = 0, ...last] = numbers
  const [perigee = 0, anomaly = 0, bstar = 0] = last
  const elements = { name, number, epoch, meanMotion, eccentricity, inclination, node, perigee, anomaly, bstar }
  return whyNoOrbit(elements) === null ? elements : null
}

/** The part of an unknown file that a terminal or a log may show. */
function readable(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{P}\p{S}]+/gu, ' ').trim()
}
