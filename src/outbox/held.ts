import type { Database } from '../lib/database.ts'
import { type Delivery, deliveryFromRow, HOLD_REASONS, type HoldReason } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/** A row made this far in the future was held before the clock was set back: it waits no longer. */
const CLOCK_SLACK_MS = 60_000

/** What is to become of a held row that may go: the regions it still speaks of, or why it does not go. */
export type HeldAnswer =
  | { kind: 'go'; regions: string[] }
  | { kind: 'stop'; reason: 'silenced' | 'matrix_off' }
  | { kind: 'wait'; reason: HoldReason; until: number }

export interface HeldOptions {
  db: Database
  outbox: Outbox
  /** Asked of every row as if it came now. */
  ask: (row: Delivery) => HeldAnswer
  /** Those of the rows of one channel that fit one text. */
  fitting: (rows: readonly Delivery[], reason: HoldReason) => readonly Delivery[]
  /** How long the cooldown of this row's family is, milliseconds. */
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

  /** When the next row may go, or null; `timed`: those that wait for the end of the quiet hours, which may be changed, left out. */
  nextDueAt(which: 'timed' | 'any'): number | null {
    const row = this.#o.db
      .sql(
        `SELECT min(due_at) AS due FROM deliveries
         WHERE state = 'held' AND (reason IN ('cooldown', 'summary', 'inhibited') OR (? = 'any' AND reason = 'quiet_hours'))`
      )
      .get(which)
    return row === undefined || row['due'] === null ? null : Number(row['due'])
  }

  /** What a graver message keeps back is asked each time, for that may end early. `stillQuiet` false: what the quiet hours hold goes, also what was held for longer (they were changed). True when something went. */
  release(now: number, stillQuiet: boolean): boolean {
    const rows = this.#o.db
      .sql(
        `SELECT * FROM deliveries WHERE state = 'held' AND reason IN ('quiet_hours', 'cooldown', 'summary', 'inhibited')
         AND (due_at <= ?1 OR created_at > ?1 + ?2 OR (reason = 'quiet_hours' AND ?3 = 0) OR reason = 'inhibited') ORDER BY rank DESC, id`
      )
      .all(now, CLOCK_SLACK_MS, stillQuiet ? 1 : 0)
      .map(deliveryFromRow)
    if (rows.length === 0) return false
    this.#o.db.transaction(() => {
      for (const group of byChannel(rows)) this.#releaseGroup(group, now)
    })
    return true
  }

  #releaseGroup({ reason, rows }: Group, now: number): void {
    const { outbox } = this.#o
    const all = reason === 'quiet_hours' ? rows : this.#withTheirKind(rows, reason)
    const over = all.filter((row) => isOver(row, now)).map(({ id }) => id)
    outbox.moveAll(over, 'expired', overWords(reason))
    const valid = all.filter((row) => !isOver(row, now)).flatMap((row) => this.#asked(row, reason))
    const [only] = valid
    if (only === undefined) return
    // What a graver message kept back are single things that go on: each is told as itself.
    if (valid.length === 1 || !isMesh(only) || reason === 'inhibited')
      for (const { id } of valid) outbox.release(id, now)
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
    for (const row of rest) outbox.holdBack(row.id, reason, now + cooldownMs(row))
  }

  /** What the same cooldown, or the start, holds on this channel for a little longer goes along: one text instead of two. */
  #withTheirKind(rows: readonly Delivery[], reason: HoldReason): Delivery[] {
    const [first] = rows
    const kinds = new Set(rows.map(kindOf))
    const waiting = this.#o.db
      .sql("SELECT * FROM deliveries WHERE state = 'held' AND reason = ? AND channel_key = ? ORDER BY rank DESC, id")
      .all(reason, first?.channelKey ?? '')
      .map(deliveryFromRow)
    return reason === 'summary' ? waiting : waiting.filter((row) => kinds.has(kindOf(row)))
  }

  /** Silences, quiet hours and a matrix switched off count for what was held as if it came now; an end is told all the same. */
  #asked(row: Delivery, reason: HoldReason): Delivery[] {
    const { outbox, ask } = this.#o
    const answer: HeldAnswer = row.kind === 'cancel' ? { kind: 'go', regions: row.regions } : ask(row)
    if (answer.kind === 'stop') {
      const detail = `${answer.reason === 'silenced' ? 'silenced' : 'the matrix was switched off'} while it was held`
      outbox.move(row.id, 'suppressed', { reason: answer.reason, detail })
      return []
    }
    if (answer.kind === 'wait' && reason !== 'quiet_hours') {
      if (answer.reason !== row.reason || answer.until !== row.dueAt)
        outbox.holdBack(row.id, answer.reason, answer.until)
      return []
    }
    if (answer.kind === 'go' && answer.regions.length < row.regions.length) outbox.keepRegions(row.id, answer.regions)
    return [answer.kind === 'go' ? { ...row, regions: answer.regions } : row]
  }
}

interface Group {
  reason: HoldReason
  rows: Delivery[]
}

function byChannel(rows: readonly Delivery[]): Iterable<Group> {
  const groups = new Map<string, Group>()
  for (const row of rows) {
    const reason = HOLD_REASONS.find((known) => known === row.reason) ?? 'quiet_hours'
    const key = JSON.stringify([reason, row.channelKey])
    groups.set(key, { reason, rows: [...(groups.get(key)?.rows ?? []), row] })
  }
  return groups.values()
}

function kindOf({ family, category }: Delivery): string {
  return `${family}/${category}`
}

function isMesh({ transport }: Delivery): boolean {
  return transport === 'mt' || transport === 'mc'
}

/** An end says that something is over; it is not over itself. */
function isOver({ kind, expiresAt, hazardEndsAt }: Delivery, now: number): boolean {
  return expiresAt <= now || (kind !== 'cancel' && hazardEndsAt !== null && hazardEndsAt <= now)
}

function overWords(reason: HoldReason): { reason: string; detail: string } {
  return reason === 'quiet_hours'
    ? { reason: 'ended_quietly', detail: 'it ended during the quiet hours' }
    : { reason: 'ended_held', detail: 'it was over before it might go' }
}
