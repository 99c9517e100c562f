import { HOLD_REASONS } from '../../model/content.ts'
import { because } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { isNoDigest, isNoEnd } from './content-sql.ts'
import { DELIVERY_TRANSPORTS, type Delivery, deliveryFromRow } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/** Each is asked of its events and of the silences. */
const ASKED_AT_ONCE = 20
/** Looked through for those that a silence is about. */
const LOOKED_AT_ONCE = 500

/** Waits, and was never on the air; null of a silence matches everything. */
const ABOUT = `state IN ('queued', 'held') AND parts IS NULL AND ${isNoEnd()} AND ${isNoDigest()}
  AND coalesce(reason, '') NOT IN (${HOLD_REASONS.map((reason) => `'${reason}'`).join(', ')})
  AND (?1 IS NULL OR family = ?1) AND (?2 IS NULL OR thread_id = ?2)`
const AMONG = 'id IN (SELECT value FROM json_each(?3))'

interface Matcher {
  family: string | null
  threadId: string | null
}

/**
 * A new silence counts for what waits and was never on the air as if that came now. An end is told all the same, and what is
 * held back by quiet hours or a cooldown is asked at its release. `heard`: the regions of a row that are left, null when none is.
 * Few rows at a time, first of all those that would leave next: none goes out before it was asked.
 */
export function* silenceRows(
  { db, outbox }: { db: Database; outbox: Outbox },
  { family, threadId }: Matcher,
  heard: (row: Delivery) => string[] | null
): Generator<void> {
  const ids = (sql: string, ...values: SqlValue[]): number[] =>
    db
      .sql(sql)
      .all(...values)
      .map(({ id }) => Number(id))
  const ask = (some: readonly number[]): void =>
    db.transaction(() => {
      const silenced: number[] = []
      const rows = db.sql(`SELECT * FROM deliveries WHERE ${AMONG} AND ${ABOUT}`)
      for (const row of rows.all(family, threadId, JSON.stringify(some)).map(deliveryFromRow)) {
        const regions = heard(row)
        if (regions === null) silenced.push(row.id)
        else if (regions.length < row.regions.length) outbox.keepRegions(row.id, regions)
      }
      outbox.applyAll(silenced, 'suppress', { reason: 'silenced', step: because('silenced_waiting') })
    })

  const next = `SELECT id FROM deliveries INDEXED BY deliveries_queued WHERE transport = ?3 AND state = 'queued' AND ${ABOUT}
    ORDER BY rank DESC, created_at, id LIMIT ${ASKED_AT_ONCE / 2}`
  const waiting = allWaiting(db)
  const head = DELIVERY_TRANSPORTS.flatMap((transport) => ids(next, family, threadId, transport))
  ask([...head, ...waiting.splice(0, ASKED_AT_ONCE / 2)])
  for (let from = 0; from < waiting.length; from += LOOKED_AT_ONCE) {
    yield
    const among = JSON.stringify(waiting.slice(from, from + LOOKED_AT_ONCE))
    const found = ids(`SELECT id FROM deliveries WHERE ${AMONG} AND ${ABOUT}`, family, threadId, among)
    for (let at = 0; at < found.length; at += ASKED_AT_ONCE) {
      if (at > 0) yield
      ask(found.slice(at, at + ASKED_AT_ONCE))
    }
  }
}

/** As one value: thousands of rows of one number each cost ten times as much. */
function allWaiting(db: Database): number[] {
  const all = db
    .sql(
      "SELECT json_group_array(id) AS ids FROM deliveries INDEXED BY deliveries_deadline WHERE state IN ('queued', 'held')"
    )
    .get()
  return JSON.parse(String(all?.['ids'])) as number[]
}
