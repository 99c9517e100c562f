import { nextTurn } from '../../platform/clock/slices.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/log/log.ts'
import { type HeardLine, heardLines, identityOf, lastHeard } from './heard-log.ts'

const DAY_MS = 24 * 3_600_000
/** The newest lines of the log show whether the file has lost something without a word. */
const LAST_LINES = 20
/** The lines are of these, also where a clock was set since: the times of events are put right then, those of the log stay. */
const NEWEST_EVENTS = 500

const PUT_BACK =
  'lookout.db lacked events of the last day: what heard.log knows is put back, so that nothing is told twice. To begin anew instead, stop the station and run: lookout forget'
/** Work between two pauses. */
const SLICE_MS = 8

/** Stands in a file of which rows were lost until its grave events were decided once more. */
export const RESCUED = 'rescued'

/**
 * Puts back what the log of `path` knows and `db` does not: grave events whole, of all others that they were heard. Between two
 * values some lines are done; part of the caller's transactions.
 */
export function* putBack(db: Database, path: string): Generator<undefined, void> {
  db.sql('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(RESCUED, 'yes')
  releaseUntold(db)
  dropStrayPieces(db)
  let done = 0
  for (const line of heardLines(path)) {
    putOneBack(db, line)
    if (++done % 20 === 0) yield undefined
  }
}

/** At a start: a file that is gone, empty or an older one than the log says nothing of it. The log is told. */
export async function putBackLost(
  db: Database,
  { path, now, log }: { path: string; now: number; log: Pick<Log, 'warn'> }
): Promise<void> {
  if (path === ':memory:' || !hasLost(db, path, now)) return
  const count = (): number => Number(db.sql('SELECT count(*) AS n FROM heard').get()?.['n'] ?? 0)
  const before = count()
  const lines = putBack(db, path)
  const slice = (): boolean => {
    const until = performance.now() + SLICE_MS
    for (;;) {
      if (lines.next().done === true) return true
      if (performance.now() >= until) return false
    }
  }
  while (!db.transaction(slice)) await nextTurn()
  log.warn({ events: count() - before }, PUT_BACK)
}

/**
 * True when the log knows of events of the last day that the file has lost: it is gone, empty, cut off or an older one.
 */
function hasLost(db: Database, path: string, now: number): boolean {
  const lines = lastHeard(path, LAST_LINES).filter(({ at, told }) => told === undefined && at > now - DAY_MS)
  if (lines.length === 0) return false
  const known = new Set(
    db
      .sql(
        `SELECT source, id, revision FROM events WHERE received_at > ?
         UNION SELECT source, id, revision FROM (SELECT * FROM events ORDER BY seq DESC LIMIT ${NEWEST_EVENTS})`
      )
      .all(Math.min(...lines.map(({ at }) => at)) - 1)
      .map((row) =>
        identityOf({ source: String(row['source']), id: String(row['id']), revision: String(row['revision']) })
      )
  )
  const remembered = db.sql('SELECT 1 AS one FROM heard WHERE identity = ?')
  return lines.some(({ identity }) => !known.has(identity) && remembered.get(identity) === undefined)
}

/** A claim on a channel whose message is lost holds only if the message's steps, which lie elsewhere, say that it left. */
function releaseUntold(db: Database): void {
  db.sql(
    `DELETE FROM dedup WHERE delivery_id IS NOT NULL AND seen_at > (SELECT max(seen_at) FROM dedup) - ?
       AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.id = dedup.delivery_id)
       AND NOT EXISTS (SELECT 1 FROM delivery_steps s WHERE s.delivery_id = dedup.delivery_id
                       AND s.state IN ('sent', 'heard', 'delivered', 'unconfirmed'))`
  ).run(DAY_MS)
}

/** A piece of a message that is lost is shown nowhere, and nothing else would ever take it out. */
function dropStrayPieces(db: Database): void {
  db.sql(
    'DELETE FROM delivery_pieces WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.id = delivery_pieces.merged_into)'
  ).run()
}

function putOneBack(db: Database, { identity, at, grave, told }: HeardLine): void {
  if (told !== undefined) {
    db.sql('INSERT OR IGNORE INTO dedup VALUES (?, ?, ?, NULL)').run(told.source, told.key, at)
    return
  }
  db.sql('INSERT OR IGNORE INTO heard VALUES (?, ?)').run(identity, at)
  db.outdate()
  if (grave === undefined) return
  const { event, seq, kind, reason } = grave
  const isFree = db.sql('SELECT 1 AS one FROM events WHERE seq = ?').get(seq) === undefined
  db.sql(
    `INSERT OR IGNORE INTO events (seq, source, id, revision, thread_id, family, category, severity, lifecycle, sent_at, received_at, expires_at, decision, reason, event, trace)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '[]')`
  ).run(
    // Messages name their events by number; in a file that began anew the number may be another one's.
    isFree ? seq : null,
    ...[event.source, event.id, event.revision, event.thread_id, event.family, event.category, event.severity],
    ...[event.lifecycle, Date.parse(event.sent_at), at, event.expires === null ? null : Date.parse(event.expires)],
    ...[kind, reason, JSON.stringify(event)]
  )
}
