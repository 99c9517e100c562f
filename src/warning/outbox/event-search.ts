import type { LookoutEvent } from '../../model/event.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { EventQuery, ListedEvent, StoredEvent } from './stored-event.ts'

/** The terms of a search in the stored events. */
export interface EventSearch extends EventQuery {
  decision?: string
  /** In titles, places, names and codes; upper and lower case are alike. */
  text?: string
  /** The thread a typed code (`K7QF`) stands for: its events are found too. */
  thread?: string | null
}

export interface EventPage {
  events: ListedEvent[]
  /** `before` of the next page; null when there is no more. A page of a text search may be short, or empty, and go on. */
  next: number | null
}

/** The rows that one search after a text reads at once: a board must go on sending meanwhile. Rows. */
export const SEARCH_WINDOW = 500

/** Of fifteen columns those that are listed: a row costs by the column. */
const LISTED = `SELECT seq, event, decision, reason,
  (SELECT code FROM thread_codes WHERE thread_codes.thread_id = events.thread_id) AS code FROM events`

/** One page of the stored events, newest first. A text is searched in slices of 500 events: `next` leads on. */
export function searchEvents(db: Database, { text = '', ...query }: EventSearch): EventPage {
  return text.trim() === '' ? plainPage(db, query) : textPage(db, query, text.trim())
}

function plainPage(db: Database, query: Omit<EventSearch, 'text'>): EventPage {
  const { clause, values } = conditions(query)
  const rows = db.sql(`${LISTED} ${clause} ORDER BY seq DESC LIMIT ?`).all(...values, query.limit + 1)
  return cut(rows.map(listedFromRow), query.limit, null)
}

function textPage(db: Database, query: Omit<EventSearch, 'text'>, text: string): EventPage {
  const { since = 0, limit, before, thread } = query
  const ends = db.sql('SELECT min(seq) AS first, max(seq) AS last FROM events WHERE received_at >= ?').get(since)
  if (ends === undefined || ends['first'] === null) return { events: [], next: null }
  const start = before ?? Number(ends['last']) + 1
  const floor = start - SEARCH_WINDOW
  const { clause, values } = conditions({ ...query, before: start })
  const candidates = db
    .sql(`${LISTED} ${clause} AND seq >= ? AND (event LIKE ? OR thread_id = ?) ORDER BY seq DESC`)
    .iterate(...values, floor, pattern(text), thread ?? null)
  const found: ListedEvent[] = []
  for (const row of candidates) {
    const stored = listedFromRow(row)
    if (stored.event.thread_id === thread || speaksOf(stored.event, text.toLowerCase())) found.push(stored)
    if (found.length > limit) break
  }
  return cut(found, limit, floor > Number(ends['first']) ? floor : null)
}

function cut(found: ListedEvent[], limit: number, otherwise: number | null): EventPage {
  const events = found.slice(0, limit)
  return { events, next: found.length > limit ? (events.at(-1)?.seq ?? null) : otherwise }
}

function conditions({ since = 0, family, severity, decision, before }: Omit<EventSearch, 'text'>): {
  clause: string
  values: SqlValue[]
} {
  const wanted: [string, SqlValue | undefined][] = [
    // A row that only keeps a number free was never received.
    ['received_at >= max(?, 1)', since],
    ['family = ?', family],
    ['severity = ?', severity],
    ['decision = ?', decision],
    ['seq < ?', before]
  ]
  const given = wanted.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  return {
    clause: `WHERE ${given.map(({ condition }) => condition).join(' AND ')}`,
    values: given.map(({ value }) => value)
  }
}

/** A first sieve over the stored JSON. It writes some signs otherwise, and SQLite knows upper and lower case of ASCII only. */
function pattern(text: string): string {
  return `%${text.replace(/[^A-Za-z0-9 .,:;()'/+*#!?&=<>@-]+/g, '%')}%`
}

function speaksOf(
  { title, summary, id, source, category, regions, zones, same, data }: LookoutEvent,
  text: string
): boolean {
  const places = Array.isArray(data.places) ? data.places : []
  const said = [title, summary, id, source, category, data.event_name ?? '', ...regions, ...zones, ...same, ...places]
  return said.some((part) => String(part).toLowerCase().includes(text))
}

function listedFromRow(row: Row): ListedEvent {
  const json = String(row['event'])
  return {
    seq: Number(row['seq']),
    event: storedJson(json) as LookoutEvent,
    json,
    decision: String(row['decision']),
    reason: String(row['reason']),
    code: row['code'] === null ? null : String(row['code'])
  }
}

/** Reads a row of the events this program wrote. */
export function storedFromRow(row: Row): StoredEvent {
  return {
    seq: Number(row['seq']),
    event: storedJson(row['event']) as LookoutEvent,
    decision: String(row['decision']),
    reason: String(row['reason']),
    trace: storedJson(row['trace']) as unknown[]
  }
}
