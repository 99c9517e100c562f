import type { Severity } from '../../model/severity.ts'
import type { Database } from '../../platform/database/database.ts'
import { COVERED } from './covered.ts'
import { storedFromRow } from './event-search.ts'
import type { StoredEvent } from './stored-event.ts'

const HOUR_MS = 3_600_000
const HOURS = 24
/** A storm brings thousands a day: the newest of them are enough for a picture of its hours. */
const MOST_EVENTS = 2000
/** No picture of a day holds more. */
export const MOST_SPANS = 60
const MOST_MESSAGES = 4000

/** From when to when something was in force. Epoch milliseconds. */
export interface Span {
  severity: Severity
  from: number
  until: number
}

interface DayQuery {
  from: number
  until: number
  before?: number | undefined
  limit: number
}

/** Messages of a time. */
export interface Hour {
  sent: number
  failed: number
}

/** The messages of the last 24 hours; `hours` the oldest first. */
export interface DayOfMessages {
  hours: readonly Hour[]
  /** By the key of the channel; direct messages are told to one person, and have none here. */
  channels: ReadonlyMap<string, Hour>
  /** By radio, how much it sent in each hour. */
  radios: ReadonlyMap<string, readonly number[]>
}

/** The last 24 hours as they are drawn: at the edge of each hour nothing moves but with the hour. */
export class LastDay {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** The threads of the last hours that were to be told, newest first. */
  spans(now: number, hours = HOURS): Span[] {
    return this.#db
      .sql(
        `SELECT severity, min(sent_at) AS begins, max(coalesce(expires_at, received_at)) AS ends FROM (
           SELECT thread_id, severity, sent_at, expires_at, received_at FROM events INDEXED BY events_received
           WHERE received_at > ? AND decision = 'send' ORDER BY received_at DESC LIMIT ${MOST_EVENTS})
         GROUP BY thread_id ORDER BY begins DESC LIMIT ${MOST_SPANS}`
      )
      .all(now - hours * HOUR_MS)
      .map((row) => ({
        severity: String(row['severity']) as Severity,
        from: Number(row['begins']),
        until: Number(row['ends'])
      }))
  }

  /** The reports of a day that concern this place, the newest first; `before`: only those with a smaller number. */
  events({ from, until, before = Number.MAX_SAFE_INTEGER, limit }: DayQuery): StoredEvent[] {
    return this.#db
      .sql(
        `SELECT * FROM events INDEXED BY events_received WHERE received_at >= ? AND received_at < ? AND seq < ? AND ${COVERED}
         ORDER BY received_at DESC, seq DESC LIMIT ?`
      )
      .all(from, until, before, limit)
      .map(storedFromRow)
  }

  /** Counts what left and what failed. A simulated radio puts nothing on the air, so that its messages count as neither (contract §13). */
  messages(now: number): DayOfMessages {
    const since = now - HOURS * HOUR_MS
    const hours = Array.from({ length: HOURS }, (): Hour => ({ sent: 0, failed: 0 }))
    const channels = new Map<string, Hour>()
    const radios = new Map<string, number[]>()
    const rows = this.#db
      .sql(
        `SELECT CAST((coalesce(sent_at, changed_at) - ?1) / ${HOUR_MS} AS INTEGER) AS hour, state IN ('failed', 'expired') AS lost,
           CASE direct WHEN 1 THEN '' ELSE channel_key END AS channel, coalesce(radio, '') AS radio, count(*) AS n
         FROM (SELECT sent_at, changed_at, state, direct, channel_key, radio FROM deliveries INDEXED BY deliveries_created
           WHERE created_at > ?1 AND state NOT IN ('queued', 'held', 'merged', 'suppressed') AND simulated = 0
           ORDER BY created_at DESC LIMIT ${MOST_MESSAGES})
         WHERE coalesce(sent_at, changed_at) >= ?1 GROUP BY 1, 2, 3, 4`
      )
      .all(since)
    for (const row of rows) {
      const at = Number(row['hour'])
      const hour = hours[at]
      if (hour === undefined) continue
      const [what, count] = [row['lost'] === 1 ? ('failed' as const) : ('sent' as const), Number(row['n'])]
      const [channel, radio] = [String(row['channel']), String(row['radio'])]
      const ofChannel = channels.get(channel) ?? { sent: 0, failed: 0 }
      hour[what] += count
      ofChannel[what] += count
      channels.set(channel, ofChannel)
      if (what === 'failed' || radio === '') continue
      const ofRadio = radios.get(radio) ?? hours.map(() => 0)
      ofRadio[at] = (ofRadio[at] ?? 0) + count
      radios.set(radio, ofRadio)
    }
    channels.delete('')
    return { hours, channels, radios }
  }
}
