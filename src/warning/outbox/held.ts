import { HOLD_REASONS, type HoldReason } from '../../model/content.ts'
import { because, type Reason } from '../../model/reason.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { NETWORK_NAMES } from '../routing/network-switches.ts'
import { isNoEnd } from './content-sql.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import type { Outbox, Why } from './outbox.ts'

/** A row made this far in the future was held before the clock was set back: it waits no longer. */
const CLOCK_SLACK_MS = 60_000

const HELD = "SELECT id FROM deliveries INDEXED BY deliveries_held WHERE state = 'held' AND reason"
/** Each by an index: thousands may wait while this is asked with every message that leaves. */
const MAY_GO = `
  SELECT id, reason, channel_key FROM deliveries WHERE id IN (
    ${HELD} IN ('quiet_hours', 'cooldown', 'summary') AND due_at <= ?1
    UNION ALL ${HELD} = 'inhibited'
    UNION ALL ${HELD} = 'quiet_hours' AND ?3 = 0
    UNION ALL SELECT id FROM deliveries INDEXED BY deliveries_created WHERE created_at > ?1 + ?2
      AND state = 'held' AND reason IN ('quiet_hours', 'cooldown', 'summary')
  ) ORDER BY rank DESC, id`

const KIND = "family || '/' || category"
/** `Among`: those of a channel that are dealt with together. */
const HELD_HERE = `WHERE state = 'held' AND reason = ?1 AND channel_key = ?2 AND (?3 IS NULL OR ${KIND} IN (SELECT value FROM json_each(?3)))
  AND (?4 IS NULL OR id IN (SELECT value FROM json_each(?4)))`
/** An end says that something is over; it is not over itself. */
const OVER = `(expires_at <= ?5 OR (${isNoEnd()} AND coalesce(hazard_ends_at <= ?5, 0)))`
/** No text has room for more. */
const MOST_IN_ONE_TEXT = 40
/** Each is asked of its event, its silences and the quiet hours. */
const ASKED_AT_ONCE = 8
/** Put off with one statement, and told one by one. */
const HELD_AT_ONCE = 60
/** Closed with one statement. */
const CLOSED_AT_ONCE = 150

/** The fate of a held row that may go: the regions it still speaks of, or why it does not go. */
export type HeldAnswer =
  | { kind: 'go'; regions: string[] }
  | { kind: 'stop'; reason: 'silenced' | 'matrix_off' | 'network_off' }
  | { kind: 'wait'; reason: HoldReason; until: number }

export interface HeldOptions {
  db: Database
  outbox: Outbox
  /** Asked of every row as if it came now. */
  ask: (row: Delivery) => HeldAnswer
  /** Those of the rows of one channel that fit one text. */
  fitting: (rows: readonly Delivery[], reason: HoldReason) => readonly Delivery[]
  /** The cooldown of this row's family, milliseconds. */
  cooldownMs: (row: Delivery) => number
}

/**
 * Lets go what was held: per channel a message by itself, or one text of all that is still valid (docs/interface.md §4
 * rule 4, §5). What finds no room after a cooldown waits for the next end: it is late, and never lost.
 */
export class HeldRows {
  readonly #o: HeldOptions

  constructor(options: HeldOptions) {
    this.#o = options
  }

  /**
   * The time at which the next row may go, or null; `timed`: those that wait for the end of the quiet hours, which may
   * be changed, left out.
   */
  nextDueAt(which: 'timed' | 'any'): number | null {
    const row = this.#o.db
      .sql(
        `SELECT min(due_at) AS due FROM deliveries
         WHERE state = 'held' AND (reason IN ('cooldown', 'summary', 'inhibited') OR (? = 'any' AND reason = 'quiet_hours'))`
      )
      .get(which)
    return row === undefined || row['due'] === null ? null : Number(row['due'])
  }

  /** All that may go, at once: where nobody else waits. True when something was dealt with. */
  release(now: number, stillQuiet: boolean): boolean {
    let some = false
    for (const _ of this.steps(now, stillQuiet)) some = true
    return some
  }

  /**
   * Channel by channel and few rows at a time, each step stored by itself: others may go first between two. What a graver message
   * keeps back is asked each time, for that may end early. `stillQuiet` false: what the quiet hours hold goes, also what was held for
   * longer (they were changed).
   */
  *steps(now: number, stillQuiet: boolean): Generator<void> {
    const rows = this.#o.db.sql(MAY_GO).all(now, CLOCK_SLACK_MS, stillQuiet ? 1 : 0)
    for (const group of byChannel(rows)) yield* this.#releaseGroup(group, now)
  }

  *#releaseGroup({ reason, channelKey, ids }: Group, now: number): Generator<void> {
    const { db, outbox } = this.#o
    const kinds = reason === 'cooldown' ? JSON.stringify(this.#kindsOf(ids)) : null
    const among = [
      reason,
      channelKey,
      kinds,
      reason === 'summary' || kinds !== null ? null : JSON.stringify(ids)
    ] as const
    const over = db.sql(`SELECT id FROM deliveries ${HELD_HERE} AND ${OVER}`).all(...among, now)
    for (let from = 0; from < over.length; from += CLOSED_AT_ONCE) {
      outbox.applyAll(over.slice(from, from + CLOSED_AT_ONCE).map(idOf), 'expire', overWords(reason))
      if (from + CLOSED_AT_ONCE < over.length) yield
    }
    const most = reason === 'cooldown' ? MOST_IN_ONE_TEXT : -1
    const asked = db
      .sql(`SELECT id FROM deliveries ${HELD_HERE} AND NOT ${OVER} ORDER BY rank DESC, id LIMIT ?6`)
      .all(...among, now, most)
      .map(idOf)
    const valid: Delivery[] = []
    for (let from = 0; from < asked.length; from += ASKED_AT_ONCE) {
      db.transaction(() => {
        for (const row of this.#stillHeld(asked.slice(from, from + ASKED_AT_ONCE), reason)) {
          const going = this.#asked(row, reason)
          // Rows that a graver message kept back are single things that go on: each is told as itself, and so is all
          // that is not said on the air.
          if (goesAlone(row, reason)) for (const { id } of going) outbox.release(id, now)
          else valid.push(...going)
        }
      })
      yield
    }
    db.transaction(() => {
      const ids = valid.map(({ id }) => id)
      const here = new Set(this.#stillHeldIds(ids, reason))
      this.#tell(
        valid.filter(({ id }) => here.has(id)),
        reason,
        now
      )
    })
    yield
    // Rows that found no room even to be asked wait on with the others.
    if (asked.length === most) yield* this.#waitOn(among, asked, now)
  }

  #tell(valid: readonly Delivery[], reason: HoldReason, now: number): void {
    const { outbox } = this.#o
    const [only] = valid
    if (only === undefined) return
    if (valid.length === 1) outbox.release(only.id, now)
    else this.#releaseTogether(valid, reason, now)
  }

  #releaseTogether(rows: readonly Delivery[], reason: HoldReason, now: number): void {
    const { outbox, fitting, cooldownMs } = this.#o
    if (reason !== 'cooldown') {
      outbox.addDigest(rows, reason, now)
      return
    }
    const told = fitting(rows, reason)
    const [first] = told.length > 0 ? told : rows
    if (told.length > 1) outbox.addDigest(told, reason, now)
    else if (first !== undefined) outbox.release(first.id, now)
    const rest = rows.filter((row) => row !== first && !told.includes(row))
    const byEnd = new Map<number, number[]>()
    for (const row of rest) {
      const end = now + cooldownMs(row)
      byEnd.set(end, [...(byEnd.get(end) ?? []), row.id])
    }
    for (const [end, ids] of byEnd) outbox.holdAll(ids, reason, end)
  }

  /** The next end of each family's cooldown is theirs too. */
  *#waitOn(among: Among, asked: readonly number[], now: number): Generator<void> {
    const families = this.#o.db
      .sql(
        `SELECT min(id) AS id, json_group_array(id) AS ids FROM deliveries ${HELD_HERE}
         AND id NOT IN (SELECT value FROM json_each(?5)) GROUP BY family`
      )
      .all(...among, JSON.stringify(asked))
    for (const { id, ids } of families) {
      const first = this.#o.outbox.get(Number(id))
      if (first === null) continue
      const end = now + this.#o.cooldownMs(first)
      const all = JSON.parse(String(ids)) as number[]
      for (let from = 0; from < all.length; from += HELD_AT_ONCE) {
        // Some of them may have ended since they were counted.
        const held = this.#stillHeldIds(all.slice(from, from + HELD_AT_ONCE), 'cooldown')
        this.#o.outbox.holdAll(held, 'cooldown', end)
        yield
      }
    }
  }

  /** Rows that the same cooldown holds on this channel for a little longer go along: one text instead of two. */
  #kindsOf(ids: readonly number[]): string[] {
    return this.#o.db
      .sql(`SELECT DISTINCT ${KIND} AS kind FROM deliveries WHERE id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify(ids))
      .map(({ kind }) => String(kind))
  }

  #stillHeld(ids: readonly number[], reason: HoldReason): Delivery[] {
    return this.#o.db
      .sql(
        `SELECT * FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) AND state = 'held' AND reason = ?
         ORDER BY rank DESC, id`
      )
      .all(JSON.stringify(ids), reason)
      .map(deliveryFromRow)
  }

  #stillHeldIds(ids: readonly number[], reason: HoldReason): number[] {
    return this.#o.db
      .sql("SELECT id FROM deliveries WHERE id IN (SELECT value FROM json_each(?)) AND state = 'held' AND reason = ?")
      .all(JSON.stringify(ids), reason)
      .map(idOf)
  }

  /** Silences, quiet hours and a matrix switched off count for what was held as if it came now; an end is told all the same. */
  #asked(row: Delivery, reason: HoldReason): Delivery[] {
    const { outbox, ask } = this.#o
    const answer: HeldAnswer = row.content.kind === 'end' ? { kind: 'go', regions: row.regions } : ask(row)
    if (answer.kind === 'stop') {
      outbox.apply(row.id, 'suppress', { reason: answer.reason, step: stopWords(answer.reason, row) })
      return []
    }
    if (answer.kind === 'wait' && reason !== 'quiet_hours') {
      if (answer.reason !== row.reason || answer.until !== row.dueAt) outbox.hold(row.id, answer.reason, answer.until)
      return []
    }
    if (answer.kind === 'go' && answer.regions.length < row.regions.length) outbox.keepRegions(row.id, answer.regions)
    return [answer.kind === 'go' ? { ...row, regions: answer.regions } : row]
  }
}

function stopWords(reason: 'silenced' | 'matrix_off' | 'network_off', { transport }: Delivery): Reason {
  if (reason === 'network_off')
    return because('network_off_held', { network: NETWORK_NAMES[transport === 'mc' ? 'mc' : 'mt'] })
  return because(reason === 'silenced' ? 'silenced_held' : 'matrix_off_held')
}

interface Group {
  reason: HoldReason
  channelKey: string
  ids: number[]
}

/** Reason, channel, the kinds it is about or null, the rows it is about or null. */
type Among = readonly [HoldReason, string, string | null, string | null]

function byChannel(rows: readonly Row[]): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const reason = HOLD_REASONS.find((known) => known === row['reason']) ?? 'quiet_hours'
    const channelKey = String(row['channel_key'])
    const key = JSON.stringify([reason, channelKey])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { reason, channelKey, ids: [idOf(row)] })
    else group.ids.push(idOf(row))
  }
  return groups.values()
}

function idOf({ id }: Row): number {
  return Number(id)
}

function goesAlone({ transport }: Delivery, reason: HoldReason): boolean {
  return reason === 'inhibited' || !(transport === 'mt' || transport === 'mc')
}

function overWords(reason: HoldReason): Why {
  return reason === 'quiet_hours'
    ? { reason: 'ended_quietly', step: because('ended_quietly') }
    : { reason: 'ended_held', step: because('over_before_due') }
}
