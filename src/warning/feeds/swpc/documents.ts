import { because, type Reason } from '../../../model/reason.ts'
import { parseTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { asBag, type Bag, reportedError, textOf } from '../reading/json.ts'
import { jsonSteps } from '../reading/json-steps.ts'
import { looseText } from '../reading/loose.ts'
import { eachInTurn } from '../reading/steps.ts'
import { SCALE_LETTERS, type ScaleLevel } from './scales.ts'

export const FEED = 'SWPC'

/** A message of `products/alerts.json` as listed. */
export interface ListedMessage {
  productId: string
  issued: number | null
  text: string
}

/** One product of the service, told apart by its shape. Times are epoch milliseconds. */
export type SwpcDocument =
  | { kind: 'scales'; time: number; levels: ScaleLevel[]; unread: string[] }
  | { kind: 'alerts'; messages: ListedMessage[] }
  | { kind: 'kp'; rows: number; latest: { time: number; kp: number } | null }

/**
 * The product in a body: the scales, the list of alerts, or a planetary K index in either of its shapes.
 * Throws AppError `bad-input` for anything else, such as the texts for people, whose facts stand in these three too.
 */
export function* documentSteps(text: string): Generator<void, SwpcDocument> {
  const value = yield* parseValue(text)
  if (Array.isArray(value)) return yield* readList(value)
  const bag = asBag(value)
  if (bag !== null && asBag(bag['0']) !== null) return readScales(bag)
  const said = bag === null ? null : reportedError(bag)
  const why =
    said === null ? because('no_product_read', { feed: FEED }) : because('service_error', { feed: FEED, said })
  throw bad(why)
}

function bad(why: Reason): AppError {
  return new AppError('bad-input', why)
}

function* parseValue(text: string): Generator<void, unknown> {
  const body = text.trim()
  if (body === '') throw bad(because('body_is_empty', { feed: FEED }))
  if (body.startsWith('<')) throw bad(because('web_page_for_json', { feed: FEED }))
  if (body.startsWith(':Product:')) {
    throw bad(because('product_for_people', { feed: FEED }))
  }
  try {
    return yield* jsonSteps(body)
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new AppError('bad-input', because('body_not_json', { feed: FEED }), { cause })
  }
}

/** `2025-04-16 23:13:52.333`, `2026-07-25T00:00:00` and `2025 Apr 16 2313 UTC`, all UTC; null for anything else. */
export function swpcTime(text: string): number | null {
  const product = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(text.trim())
  if (product !== null) return parseTime(`${product[1]}-${product[2]}-${product[3]}T${product[4]}Z`)
  const [, year, name = '', day = '', hour, minute] =
    /^(\d{4}) ([A-Z][a-z]{2}) (\d{1,2}) (\d\d)(\d\d) UTC/.exec(text.trim()) ?? []
  const month = MONTHS.indexOf(name) + 1
  if (month === 0) return null
  return parseTime(`${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}T${hour}:${minute}:00Z`)
}

/** As the service writes them. */
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Observations stand under `0`; a letter that is null or no number is not known at the moment. */
function readScales(bag: Bag): SwpcDocument {
  const now = asBag(bag['0']) ?? {}
  const time = swpcTime(`${textOf(now['DateStamp'])} ${textOf(now['TimeStamp'])}`)
  if (time === null) throw bad(because('scales_without_time', { feed: FEED }))
  const levels: ScaleLevel[] = []
  const unread: string[] = []
  for (const letter of SCALE_LETTERS) {
    const scale = asBag(now[letter])?.['Scale']
    const level = /^[0-5]$/.test(looseText(scale)) ? Number(scale) : null
    if (level === null) unread.push(letter)
    else levels.push({ letter, level })
  }
  if (levels.length === 0) throw bad(because('scales_without_value', { feed: FEED }))
  return { kind: 'scales', time, levels, unread }
}

function* readList(list: readonly unknown[]): Generator<void, SwpcDocument> {
  const [first] = list
  if (first === undefined) throw bad(because('list_is_empty', { feed: FEED }))
  const bag = asBag(first)
  if (bag !== null && 'message' in bag) return { kind: 'alerts', messages: list.map(readMessage) }
  return yield* readKp(list)
}

function readMessage(entry: unknown): ListedMessage {
  const bag = asBag(entry)
  return {
    productId: textOf(bag?.['product_id']),
    issued: swpcTime(textOf(bag?.['issue_datetime'])),
    text: textOf(bag?.['message'])
  }
}

/** Rows are objects, or lists below a row of names; the column is `Kp` or `kp`. Forecasts mark what is observed. */
function* readKp(list: readonly unknown[]): Generator<void, SwpcDocument> {
  const rows = Array.isArray(list[0]) ? rowsBelowNames(list) : list.map((row) => lowerKeys(asBag(row) ?? {}))
  if (!rows.some((row) => 'kp' in row && 'time_tag' in row)) throw bad(because('no_product_read', { feed: FEED }))
  let latest: { time: number; kp: number } | null = null
  yield* eachInTurn(rows, (row) => {
    const time = swpcTime(textOf(row['time_tag']))
    const kp = kpOf(row['kp'])
    const observed = !('observed' in row) || row['observed'] === 'observed'
    if (observed && time !== null && kp !== null && (latest === null || time > latest.time)) latest = { time, kp }
  })
  return { kind: 'kp', rows: rows.length, latest }
}

function rowsBelowNames(list: readonly unknown[]): Bag[] {
  const [names, ...rows] = list.filter((row) => Array.isArray(row))
  const keys = (names ?? []).map((name) => looseText(name).toLowerCase())
  return rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, row[index]])))
}

function lowerKeys(bag: Bag): Bag {
  return Object.fromEntries(Object.entries(bag).map(([key, value]) => [key.toLowerCase(), value]))
}

function kpOf(value: unknown): number | null {
  const kp = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof kp === 'number' && kp >= 0 && kp <= 9 ? kp : null
}
