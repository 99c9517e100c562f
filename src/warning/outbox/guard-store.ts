import { HOLD_REASONS } from '../../model/content.ts'
import type { Lifecycle, LookoutEvent } from '../../model/event.ts'
import type { Severity } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { InForce, NewerMessage } from '../routing/decision.ts'
import { isDigest, isEnd, isNoDigest, isNoEnd } from './content-sql.ts'
import type { Delivery } from './delivery.ts'
import { extentsOf, goingOn } from './going-on.ts'
import type { NewestSent } from './newest-sent.ts'
import { isOlder } from './retention.ts'
import { SilenceStore, type StoredSilence } from './silence-store.ts'
import { type CarriedRow, ThreadRows } from './thread-rows.ts'

const DAY_MS = 86_400_000
/** Contract §4 rule 4. */
const DEDUP_KEEP_MS = 7 * DAY_MS
const DEDUP_KEEP_ROWS = 10_000
/** The end of a storm's memory holds nothing up. */
const PRUNED_AT_ONCE = 500
const NEWER_ROWS = 50
const IN_FORCE_ROWS = 500
/** Some of them were cancelled. In a storm thousands are in force, and this is asked before each lesser one is told. */
const READ_ROWS = 600
const CLOCK_SLACK_MS = 300_000

const THREAD_ROWS = 200
const COOLDOWNS = 500

/** A held message is told to nobody yet. `ends`: whether anything of the thread has ended. A digest ends with the last of its members, each of which speaks for itself. */
const IN_FORCE = `
  SELECT d.id, d.thread_id, d.channel_key, d.zones, d.family, d.category, d.severity, d.regions, json_extract(e.event, '$.data.event_name') AS event_name,
         EXISTS (SELECT 1 FROM events x WHERE x.thread_id = d.thread_id AND x.lifecycle IN ('cancel', 'expire')) AS ends
  FROM (SELECT id FROM (
    SELECT id FROM deliveries INDEXED BY deliveries_in_force WHERE hazard_ends_at > ?1 AND ${isNoDigest()}
      AND ${isNoEnd()} AND state NOT IN ('merged', 'suppressed', 'expired', 'failed')
      AND NOT (state = 'held' AND reason IN (${HOLD_REASONS.map((reason) => `'${reason}'`).join(', ')}))
    UNION ALL
    SELECT n.id FROM deliveries m INDEXED BY deliveries_in_force JOIN deliveries n ON n.merged_into = m.id
    WHERE m.hazard_ends_at > ?1 AND ${isDigest('m.')} AND n.hazard_ends_at > ?1 AND ${isNoEnd('n.')}
      AND ${isNoEnd('m.')} AND m.state NOT IN ('merged', 'suppressed', 'expired', 'failed')
  ) ORDER BY id DESC LIMIT ${READ_ROWS}) newest
  JOIN deliveries d ON d.id = newest.id JOIN events e ON e.seq = json_extract(d.event_seqs, '$[#-1]')
  WHERE NOT (instr(e.event, '"drill":true') > 0 AND json_extract(e.event, '$.data.drill') = 1)
    AND NOT EXISTS (SELECT 1 FROM deliveries c WHERE c.thread_id = d.thread_id AND c.channel_key = d.channel_key
                    AND ${isEnd('c.')}
                    AND (c.id > d.id OR EXISTS (SELECT 1 FROM delivery_pieces p WHERE p.merged_into = c.id AND p.id > d.id)))
  ORDER BY d.id DESC LIMIT ${IN_FORCE_ROWS}`

const NEWER = `
  SELECT source, lifecycle, severity, sent_at <> received_at AS dated, event FROM events
  WHERE thread_id = ?1 AND sent_at > ?2 AND (sent_at <= ?3
    OR seq > (SELECT min(o.seq) FROM events o WHERE o.thread_id = ?1 AND o.sent_at = ?2))
  ORDER BY sent_at DESC, seq DESC LIMIT ${NEWER_ROWS}`

const HEARD = `
  SELECT event, decision FROM events WHERE thread_id = ? AND lifecycle IN ('new', 'update')
  AND (decision = 'send' OR reason = 'duplicate') ORDER BY seq DESC LIMIT ${NEWER_ROWS}`

/** The row that armed a cooldown, as the guards see it. */
export interface ArmedRow {
  at: number
  severity: Severity | null
  gravity: number | null
}

/** The durable memory of the guards. It is read from the file itself, so a restart forgets nothing (contract §4 rule 3). */
export class GuardStore {
  readonly silenceStore: SilenceStore
  readonly rows: ThreadRows
  readonly #db: Database
  readonly #armed: Remembered<ArmedRow | null>
  readonly #newest: Pick<NewestSent, 'isAfter'> | null

  /** `newest`: of the ledger that stores the events; without it each event asks what was sent after it. */
  constructor(db: Database, newest: Pick<NewestSent, 'isAfter'> | null = null) {
    this.#db = db
    this.#newest = newest
    this.#armed = new Remembered(db, COOLDOWNS)
    this.silenceStore = new SilenceStore(db)
    this.rows = new ThreadRows(db)
  }

  silences(now: number): StoredSilence[] {
    return this.silenceStore.active(now)
  }

  seen(source: string, key: string): boolean {
    return this.#db.sql('SELECT 1 AS one FROM dedup WHERE source = ? AND key = ?').get(source, key) !== undefined
  }

  armed(family: string, category: string, region: string): ArmedRow | null {
    const key = `${family}/${category}/${region}`
    const known = this.#armed.get(key)
    if (known !== undefined) return known
    const row = this.#readArmed(family, category, region)
    this.#armed.set(key, row)
    return row
  }

  #readArmed(family: string, category: string, region: string): ArmedRow | null {
    const row = this.#db
      .sql('SELECT armed_at, severity, gravity FROM cooldowns WHERE family = ? AND category = ? AND region = ?')
      .get(family, category, region)
    if (row === undefined) return null
    return {
      at: Number(row['armed_at']),
      severity: row['severity'] === null ? null : (String(row['severity']) as Severity),
      gravity: row['gravity'] === null ? null : Number(row['gravity'])
    }
  }

  /** Everything the thread has on its channels that was not given up, oldest first. */
  carried(threadId: string): readonly CarriedRow[] {
    return this.rows.carried(threadId)
  }

  /**
   * Messages of the thread sent after `sentAt`, the newest first. One that claims to be from the future comes from a wrong clock,
   * unless it came after the one that is asked for, too: then the wrong clock is ours, or the order is right all the same.
   */
  newer(threadId: string, sentAt: number, now: number): NewerMessage[] {
    if (this.#newest?.isAfter(threadId, sentAt) === false) return []
    return this.#db
      .sql(NEWER)
      .all(threadId, sentAt, now + CLOCK_SLACK_MS)
      .map((row) => {
        const { id, zones, same, regions } = storedJson(row['event']) as Pick<
          LookoutEvent,
          'id' | 'zones' | 'same' | 'regions'
        >
        return {
          source: String(row['source']),
          id,
          lifecycle: String(row['lifecycle']) as Lifecycle,
          severity: String(row['severity']) as Severity,
          regions,
          zones: zones.length > 0 ? zones : same,
          dated: row['dated'] === 1
        }
      })
  }

  /** Messages of the thread that were told, or known already, newest first; ends left out. */
  heard(threadId: string): { event: LookoutEvent; told: boolean }[] {
    return this.#db
      .sql(HEARD)
      .all(threadId)
      .map((row) => ({
        event: storedJson(row['event']) as LookoutEvent,
        told: row['decision'] === 'send'
      }))
  }

  /** Messages that went out or wait, or that a digest tells of, about what has neither ended nor been cancelled on their channel. */
  inForce(now: number): InForce[] {
    const known = new Map<string, boolean>()
    const goesOn = (threadId: string): boolean => {
      const goes = known.get(threadId) ?? this.#goesOn(threadId, now)
      known.set(threadId, goes)
      return goes
    }
    return this.#db
      .sql(IN_FORCE)
      .all(now)
      .filter((row) => row['ends'] === 0 || goesOn(String(row['thread_id'])))
      .map((row) => ({ ...inForceRow(row), extents: () => this.#extents(row, now) }))
  }

  /** True when what was told is over by what was heard since: the end of a thing by its time is not told. */
  #goesOn(threadId: string, now: number): boolean {
    return (
      goingOn(
        this.#eventsOf(threadId).map((event) => ({ event })),
        now
      ).length > 0
    )
  }

  /** The newest messages of a thread, oldest first. */
  #eventsOf(threadId: string): LookoutEvent[] {
    return this.#db
      .sql(`SELECT event FROM events WHERE thread_id = ? ORDER BY seq DESC LIMIT ${THREAD_ROWS}`)
      .all(threadId)
      .map((row) => storedJson(row['event']) as LookoutEvent)
      .reverse()
  }

  /** The part of a thread that goes on, of the codes this row was about. */
  #extents(row: Row, now: number): { event: LookoutEvent; zones: string[] }[] {
    const told = storedJson(row['zones']) as string[]
    return extentsOf(this.#eventsOf(String(row['thread_id'])), now).flatMap(({ event, zones }) => {
      const kept = told.length === 0 ? zones : zones.filter((zone) => told.includes(zone))
      return zones.length > 0 && kept.length === 0 ? [] : [{ event, zones: kept }]
    })
  }

  /** Takes the key for a message that is about to go out; a waiting message counts as seen. */
  claim({ source, key }: Delivery['dedup'], deliveryId: number, now: number): void {
    this.#db
      .sql(
        'INSERT INTO dedup VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at, delivery_id = excluded.delivery_id'
      )
      .write(source, key, now, deliveryId)
  }

  /** Gives the keys back: the messages, and what a digest was to tell, did not go out, so later ones may. */
  release(deliveryIds: readonly number[]): void {
    this.#db
      .sql(
        `DELETE FROM dedup WHERE (source, key, delivery_id) IN
         (SELECT dedup_source, dedup_key, id FROM deliveries
          WHERE id IN (SELECT value FROM json_each(?1)) OR merged_into IN (SELECT value FROM json_each(?1)))`
      )
      .write(JSON.stringify(deliveryIds))
  }

  /** After a success on any channel: the regions cool, the key stays for its seven days. */
  arm(delivery: Delivery, now: number): void {
    for (const { family, category, region, gravity = null } of delivery.cooldown) {
      this.#db
        .sql(
          `INSERT INTO cooldowns (family, category, region, armed_at, severity, gravity) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT DO UPDATE SET armed_at = excluded.armed_at, severity = excluded.severity, gravity = excluded.gravity`
        )
        .run(family, category, region, now, delivery.severity, gravity)
      this.#armed.delete(`${family}/${category}/${region}`)
    }
    this.claim(delivery.dedup, delivery.id, now)
  }

  /** Forgets what is too old and what is too much, some at a time; true when there is more. */
  prune(now: number): boolean {
    return this.#db.transaction(() => {
      const old = this.#db
        .sql(
          `DELETE FROM dedup WHERE (source, key) IN (SELECT source, key FROM dedup
           WHERE ${isOlder({ table: 'dedup', number: 'delivery_id', stamp: 'seen_at' })} ORDER BY seen_at LIMIT ?2)`
        )
        .run(now - DEDUP_KEEP_MS, PRUNED_AT_ONCE)
      const tooMany = this.#db
        .sql(
          'DELETE FROM dedup WHERE (source, key) IN (SELECT source, key FROM dedup ORDER BY seen_at DESC LIMIT ? OFFSET ?)'
        )
        .run(PRUNED_AT_ONCE, DEDUP_KEEP_ROWS)
      this.#db.sql('DELETE FROM cooldowns WHERE armed_at < ?').run(now - DEDUP_KEEP_MS)
      this.#db.outdate()
      return [old, tooMany].some(({ changes }) => Number(changes) === PRUNED_AT_ONCE)
    })
  }
}

function inForceRow(row: Row): Omit<InForce, 'extents'> {
  return {
    threadId: String(row['thread_id']),
    channelKey: String(row['channel_key']),
    family: String(row['family']),
    category: String(row['category']),
    severity: String(row['severity']) as Severity,
    eventName: typeof row['event_name'] === 'string' ? row['event_name'] : '',
    regions: storedJson(row['regions']) as string[]
  }
}
