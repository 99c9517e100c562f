import { HOLD_REASONS } from '../../model/content.ts'
import type { DeliveryChange } from '../../model/delivery.ts'
import { because, type Reason } from '../../model/reason.ts'
import { severityRank } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { closing, mayResend, toldAs } from './again.ts'
import { IS_DRILL, IS_NO_DRILL, IS_NO_REPLY, IS_NOTIFICATION, IS_REPLY } from './content-sql.ts'
import { type Delivery, type DeliveryTransport, deliveryFromRow, isOnHold } from './delivery.ts'
import type { ToldFromMemory } from './memory-copy.ts'
import type { Outbox } from './outbox.ts'
import { saidBefore } from './said-before.ts'

/** Rows changed in one transaction, so that a backlog of thousands never holds up an event for long. */
export const AT_ONCE = 150

const HELD_BACK = HOLD_REASONS.map((reason) => `'${reason}'`).join(', ')

/** The reason of rows that wait until notifications are switched on again. */
const SWITCHED_OFF = 'notifications_off'

/** A row made this far in the future was made before the clock was set back: it waits no longer. */
const CLOCK_SLACK_MS = 60_000
/** Nothing waits longer than this for its next try: what is due later was put off while the clock was wrong. */
const LONGEST_WAIT_MS = 3_600_000
/** A text that begins now is on the air, and its pause not over, when what waits for its last pieces is due this soon. */
const GRAVE_SOON_MS = 15_000
const NOTHING_GRAVE_SOON = `NOT EXISTS (
  SELECT 1 FROM deliveries AS grave INDEXED BY deliveries_queued WHERE grave.transport = ?1 AND grave.state = 'queued'
  AND grave.${IS_NO_DRILL} AND grave.rank >= ${severityRank('critical')} AND grave.due_at <= ?2 + ${GRAVE_SOON_MS})`
const WARNS = `${IS_NO_REPLY} AND ${IS_NO_DRILL}`
const DRILL_MAY_GO = `${IS_NO_REPLY} AND ${IS_DRILL} AND ${NOTHING_GRAVE_SOON}`
const REPLY_MAY_GO = `${IS_REPLY} AND ${NOTHING_GRAVE_SOON}`
/** States in which a row has told something by being on the air. */
const ON_AIR = "('sent', 'heard', 'delivered', 'unconfirmed')"

/** The rows that wait for a radio or the network: order, deadlines, and what a restart finds. */
export class Waiting {
  readonly #db: Database
  readonly #outbox: Outbox
  /** Rows that a crash left on their way: they may have used airtime that nobody has booked. */
  readonly cutOff: Delivery[] = []

  constructor(db: Database, outbox: Outbox) {
    this.#db = db
    this.#outbox = outbox
  }

  /**
   * The row whose turn it is: highest severity first, then the oldest; drills, however grave they play, when nothing real is due, answers
   * to people when nothing else is, and neither while something grave is about to be. Null when there is none.
   */
  next(transport: DeliveryTransport, now: number): Delivery | null {
    const due = (which: string): Row | undefined => this.#due(which, transport, now)
    const row = due(WARNS) ?? due(DRILL_MAY_GO) ?? due(REPLY_MAY_GO)
    return row === undefined ? null : deliveryFromRow(row)
  }

  #due(which: string, transport: DeliveryTransport, now: number): Row | undefined {
    return this.#db
      .sql(
        `SELECT * FROM deliveries INDEXED BY deliveries_queued
         WHERE transport = ?1 AND state = 'queued' AND (due_at <= ?2 OR due_at > ?2 + ?4 OR created_at > ?2 + ?3) AND ${which}
         ORDER BY rank DESC, created_at, id LIMIT 1`
      )
      .get(transport, now, CLOCK_SLACK_MS, LONGEST_WAIT_MS)
  }

  /** The time after `now` at which the next row that waits for its time is due, or null. */
  nextDueAfter(transport: DeliveryTransport, now: number): number | null {
    const row = this.#db
      .sql("SELECT min(due_at) AS due FROM deliveries WHERE transport = ? AND state = 'queued' AND due_at > ?")
      .get(transport, now)
    return row === undefined || row['due'] === null ? null : Number(row['due'])
  }

  /** The time at which the next row that waits for its time is due, or null. */
  nextDueAt(transport: DeliveryTransport): number | null {
    const row = this.#db
      .sql("SELECT min(due_at) AS due FROM deliveries WHERE transport = ? AND state = 'queued'")
      .get(transport)
    return row === undefined || row['due'] === null ? null : Number(row['due'])
  }

  /** Rows that have left a radio and were listened for long enough: at most `AT_ONCE`, the oldest first. */
  listened(transport: DeliveryTransport, now: number): Delivery[] {
    return this.#db
      .sql(
        `SELECT * FROM deliveries INDEXED BY deliveries_listening
         WHERE transport = ?1 AND state = 'sent' AND (due_at <= ?2 OR due_at > ?2 + ?3) ORDER BY due_at LIMIT ${AT_ONCE}`
      )
      .all(transport, now, LONGEST_WAIT_MS)
      .map(deliveryFromRow)
  }

  /** Since when a message of this transport stays without an answer, try after try; null when none does. */
  unansweredSince(transport: DeliveryTransport): number | null {
    const row = this.#db
      .sql(
        `SELECT min(coalesce(first_sent_at, changed_at)) AS since FROM deliveries INDEXED BY deliveries_unanswered
         WHERE transport = ? AND unanswered >= 3 AND state IN ('queued', 'held', 'transmitting')`
      )
      .get(transport)
    return row === undefined || row['since'] === null ? null : Number(row['since'])
  }

  /** Closes a message whose words this channel heard from the same source within hours. Answers whether it did. */
  closeIfSaid(delivery: Delivery, parts: readonly string[], now: number): boolean {
    const before = saidBefore(this.#db, delivery, parts, now)
    if (before === null) return false
    this.#outbox.apply(delivery.id, 'suppress', { reason: 'same_text', step: because('said_before', { id: before }) })
    return true
  }

  /** The number of rows that wait or fly. */
  open(transport?: DeliveryTransport): number {
    this.#db.settle()
    const row = this.#db
      .sql(
        `SELECT sum(n) AS n FROM delivery_counts
         WHERE state IN ('queued', 'held', 'transmitting') AND (?1 IS NULL OR transport = ?1)`
      )
      .get(transport ?? null)
    return Number(row?.['n'] ?? 0)
  }

  /** Rows by state, as far as there are any. */
  counts(): Record<string, number> {
    this.#db.settle()
    const rows = this.#db.sql('SELECT state, sum(n) AS n FROM delivery_counts GROUP BY state HAVING sum(n) > 0').all()
    return Object.fromEntries(rows.map((row) => [String(row['state']), Number(row['n'])]))
  }

  /** Ends the waiting of rows whose time is over, at most `most` of them; one whose first part has left goes on. */
  expireOverdue(now: number, most = AT_ONCE): number {
    const rows = this.#db
      .sql(`SELECT * FROM deliveries WHERE state IN ('queued', 'held') AND expires_at <= ? AND next_part = 0 LIMIT ?`)
      .all(now, most)
    const ofHold = rows.filter((row) => isOnHold({ state: 'held', reason: String(row['reason']) }))
    this.#giveUp(ofHold, 'expire', { reason: 'ended_held', step: because('over_before_due') })
    const others = rows.filter((row) => !ofHold.includes(row))
    this.#giveUp(others, 'expire', { reason: 'queue_deadline', step: because('too_late') })
    return rows.length
  }

  /** Rows of a transport that cannot leave are held, with the reason; at most `AT_ONCE` of them. Answers how many. */
  hold(transport: DeliveryTransport, reason: string, step: Reason): number {
    const ids = this.#ids(
      `SELECT id FROM deliveries INDEXED BY deliveries_queued WHERE transport = ? AND state = 'queued' LIMIT ${AT_ONCE}`,
      transport
    )
    this.#outbox.applyAll(ids, 'hold', { reason, step })
    return ids.length
  }

  /**
   * Notifications are off: nothing is sent, neither what waits (contract §4). Answers to people are no notifications. At most
   * `AT_ONCE` rows; answers how many.
   */
  switchOff(transport: DeliveryTransport): number {
    const ids = this.#ids(
      `SELECT id FROM deliveries INDEXED BY deliveries_queued
       WHERE transport = ? AND state = 'queued' AND ${IS_NOTIFICATION} LIMIT ${AT_ONCE}`,
      transport
    )
    this.#outbox.applyAll(ids, 'hold', { reason: SWITCHED_OFF, step: because('notifications_off') })
    return ids.length
  }

  /** Notifications are on again: what is still worth sending goes on, `AT_ONCE` rows at most. `heldBecause`: why its transport cannot. */
  switchOn(heldBecause: (transport: DeliveryTransport) => string | null): number {
    const rows = this.#db
      .sql(
        `SELECT id, transport FROM deliveries INDEXED BY deliveries_held WHERE state = 'held' AND reason = ? LIMIT ${AT_ONCE}`
      )
      .all(SWITCHED_OFF)
    for (const transport of new Set(rows.map((row) => String(row['transport']) as DeliveryTransport))) {
      const ids = rows.filter((row) => row['transport'] === transport).map(({ id }) => Number(id))
      const reason = heldBecause(transport)
      this.#outbox.applyAll(ids, reason === null ? 'free' : 'hold', { reason, step: because('notifications_on') })
    }
    return rows.length
  }

  /** Withdraws what waits below `critical` for a channel that was told something newer of the event meanwhile. */
  supersede(told: readonly ToldFromMemory[]): void {
    const ids = told.flatMap(({ threadId, channelKey }) =>
      this.#ids(
        `SELECT id FROM deliveries WHERE thread_id = ? AND channel_key = ? AND state IN ('queued', 'held') AND parts IS NULL
         AND severity IN ('routine', 'priority')`,
        threadId,
        channelKey
      )
    )
    this.#outbox.applyAll(ids, 'suppress', { reason: 'superseded', step: because('superseded_unstored') })
  }

  /**
   * The way is free again: what a radio left unanswered before it was lost is offered at once. At most `AT_ONCE` rows, the gravest
   * first; answers how many.
   */
  release(transport: DeliveryTransport, now: number): number {
    const ids = this.#ids(
      `SELECT id FROM deliveries INDEXED BY deliveries_deadline
       WHERE state IN ('queued', 'held') AND transport = ? AND state = 'held' AND coalesce(reason, '') NOT IN (${HELD_BACK})
       ORDER BY rank DESC, created_at, id LIMIT ${AT_ONCE}`,
      transport
    )
    this.#outbox.applyAll(ids, 'free', { reason: null, step: because('way_free') })
    if (ids.length > 0) {
      this.#db
        .sql('UPDATE deliveries SET due_at = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND unanswered > 0')
        .run(now, JSON.stringify(ids))
      this.#db.outdate()
    }
    return ids.length
  }

  /** This row and whatever else is due for its channel, which the radio cannot use, is closed; at most `AT_ONCE` rows. */
  failChannel(
    { id, transport, channel }: Delivery,
    now: number,
    why: { reason: string; step: Reason; radio: string }
  ): void {
    const rows = this.#db
      .sql(
        `SELECT * FROM deliveries INDEXED BY deliveries_queued
         WHERE transport = ? AND state = 'queued' AND channel = ? AND direct = 0 AND (due_at <= ? OR id = ?) LIMIT ${AT_ONCE}`
      )
      .all(transport, String(channel), now, id)
    this.#giveUp(rows, 'fail', why)
  }

  /**
   * Ends rows. One that was on the air before, or may have been, stays told: whoever heard it must hear of the end, and
   * nobody hears it anew.
   */
  #giveUp(
    rows: readonly Row[],
    change: 'expire' | 'fail',
    why: { reason: string; step: Reason; radio?: string }
  ): void {
    const told = new Map<DeliveryChange, number[]>()
    for (const delivery of rows.map(deliveryFromRow)) {
      const known = closing(toldAs(delivery), change)
      told.set(known, [...(told.get(known) ?? []), delivery.id])
    }
    const { radio, ...words } = why
    for (const [known, ids] of told)
      this.#outbox.applyAll(ids, known, { ...words, ...(radio === undefined ? {} : { patch: { radio } }) })
  }

  /**
   * True when this message was said, and its channel was told something newer of its event: that some of it ended, what
   * is new of all of it, or, of an end, that it goes on again. Said once more now, it would be taken for the news. Of
   * one that may never have been heard only what is newer, speaks of all of it and has left the radio takes the place.
   */
  isOutdated({ id, threadId, channelKey, content, attempts, sentAt, zones, regions }: Delivery): boolean {
    if (attempts === 0) return false
    const newer = this.#db
      .sql(
        `SELECT * FROM deliveries WHERE thread_id = ? AND channel_key = ? AND id > ? AND origin IS NULL
         AND state NOT IN ('merged', 'suppressed', 'expired', 'failed') ${sentAt === null ? `AND state IN ${ON_AIR}` : ''}`
      )
      .all(threadId, channelKey, id)
      .map(deliveryFromRow)
    if (content.kind === 'end') return newer.some((row) => row.content.kind !== 'end')
    return newer.some(
      (row) =>
        (row.content.kind === 'end' && sentAt !== null) ||
        (row.content.kind !== 'end' && !row.newPlacesOnly && covers(row.zones, zones) && covers(row.regions, regions))
    )
  }

  #ids(sql: string, ...values: SqlValue[]): number[] {
    return this.#db
      .sql(sql)
      .all(...values)
      .map(({ id }) => Number(id))
  }

  /**
   * Settles rows that a crash left `transmitting`: critical and above is offered again while it is worth saying, the
   * rest is closed as `sent_unknown`. What had no answer before is offered at once: the radio may answer this process.
   * Contract §6.
   */
  recover(now: number): { offeredAgain: number; closed: number } {
    return this.#db.guarded(() => this.#recover(now))
  }

  #recover(now: number): { offeredAgain: number; closed: number } {
    const rows = this.#db.sql("SELECT * FROM deliveries WHERE state = 'transmitting'").all().map(deliveryFromRow)
    this.cutOff.push(...rows)
    let offeredAgain = 0
    this.#db.transaction(() => {
      this.#db
        .sql("UPDATE deliveries INDEXED BY deliveries_again SET due_at = ? WHERE state = 'queued' AND unanswered > 0")
        .run(now)
      this.#db.outdate()
      for (const delivery of rows) {
        if (mayResend(delivery, now)) {
          offeredAgain++
          const step = because('cut_off_again')
          this.#outbox.apply(delivery.id, 'offer_again', { reason: 'resend', step, patch: { due_at: now } })
        } else {
          this.#outbox.apply(delivery.id, 'lose', { reason: 'interrupted', step: because('cut_off_lost') })
        }
      }
    })
    return { offeredAgain, closed: rows.length - offeredAgain }
  }
}

function covers(places: readonly string[], told: readonly string[]): boolean {
  return told.every((place) => places.includes(place))
}
