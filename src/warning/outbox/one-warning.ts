import type { LookoutEvent } from '../../model/event.ts'
import { severityRank } from '../../model/severity.ts'
import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { NewDelivery } from './delivery.ts'

/** Pieces of one warning come in one product, or within a few minutes. */
const PIECES_MS = 5 * 60_000
const MOST_CANDIDATES = 12
/** `Cedar River at Renton: minor flooding, …`: one of the rivers of a product. */
const RIVER = /^[^:]{3,70}: .*\bflood/i

/**
 * The waiting message that already carries a piece of the warning this event is another piece of, or null: six alerts for six
 * zones in the same words, nine river warnings of one product. `immediate` waits for nothing, an end names what it ends.
 */
export function carrierOfPiece(db: Database, event: LookoutEvent, planned: NewDelivery, now: number): number | null {
  const { transport, channel, direct, kind, hold, path } = planned
  if (direct || kind === 'cancel' || hold !== undefined || event.severity === 'immediate') return null
  if (event.data.event_name === undefined || (event.data.detail ?? '') === '') return null
  const rows = db
    .sql(
      `SELECT d.id, e.event FROM deliveries d INDEXED BY deliveries_queued
       JOIN events e ON e.seq = json_extract(d.event_seqs, '$[0]')
       WHERE d.transport = ? AND d.state = 'queued' AND d.rank = ? AND d.created_at >= ? AND d.channel_key = ? AND d.kind = ?
         AND d.path = ? AND d.parts IS NULL AND d.thread_id <> ? AND d.category = ? ORDER BY d.created_at, d.id LIMIT ?`
    )
    .all(
      transport,
      severityRank(event.severity),
      now - PIECES_MS,
      `${transport}:${channel}`,
      kind,
      path,
      event.thread_id,
      event.category,
      MOST_CANDIDATES
    )
  const found = rows.find((row) => isSameWarning(storedJson(row['event']) as LookoutEvent, event))
  return found === undefined ? null : Number(found['id'])
}

/** The same words of the same office at the same time; of rivers only the river and its figures differ. */
function isSameWarning(one: LookoutEvent, other: LookoutEvent): boolean {
  if (one.source !== other.source || one.data.event_name !== other.data.event_name) return false
  if (one.data.attribution !== other.data.attribution) return false
  if (Math.abs(Date.parse(one.sent_at) - Date.parse(other.sent_at)) > PIECES_MS) return false
  const [first = '', second = ''] = [one.data.detail, other.data.detail]
  if (first === second) return one.expires === other.expires
  return RIVER.test(first) && RIVER.test(second)
}
