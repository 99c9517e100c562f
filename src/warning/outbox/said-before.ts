import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import { isNoEnd } from './content-sql.ts'
import type { Delivery } from './delivery.ts'

/** A network that issues its warnings again every three hours says nothing new for so long. */
const SAME_TEXT_MS = 12 * 3_600_000
const MOST_ROWS = 40
const UPDATE = / UPD\b/

/**
 * The earlier message of this source that said the same on this channel within 12 h, about a hazard of the same level and
 * end; null when this one is news. What is said again on purpose, an end and `immediate` are never silenced by it.
 */
export function saidBefore(db: Database, delivery: Delivery, parts: readonly string[], now: number): number | null {
  const { id, content, direct, severity, mark, origin, channelKey, dedup, hazardEndsAt, material } = delivery
  if (content.kind !== 'alert' || direct || severity === 'immediate' || mark !== null || origin !== null) return null
  if (delivery.attempts > 0 || !isProduct(db, delivery)) return null
  const text = wordsOf(parts)
  const rows = db
    .sql(
      `SELECT id, parts FROM deliveries WHERE created_at > ? AND id <> ? AND channel_key = ? AND dedup_source = ? AND material = ?
         AND hazard_ends_at IS ? AND parts IS NOT NULL AND first_sent_at IS NOT NULL AND ${isNoEnd()}
         AND state NOT IN ('failed', 'suppressed', 'expired') ORDER BY id DESC LIMIT ?`
    )
    .all(now - SAME_TEXT_MS, id, channelKey, dedup.source, material, hazardEndsAt, MOST_ROWS)
  const found = rows.find((row) => wordsOf(storedJson(row['parts']) as string[]) === text)
  return found === undefined ? null : Number(found['id'])
}

/** Services issue their products again; a person who sends the same words twice means it. */
function isProduct(db: Database, { eventSeqs }: Delivery): boolean {
  const row = db
    .sql("SELECT json_extract(event, '$.data.event_name') AS name FROM events WHERE seq = ?")
    .get(eventSeqs.at(-1) ?? -1)
  return typeof row?.['name'] === 'string'
}

const wordsOf = (parts: readonly string[]): string => parts.join('\n').replace(UPDATE, '')
