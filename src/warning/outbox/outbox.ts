import type { HoldReason } from '../../model/content.ts'
import { type DeliveryChange, type DeliveryState, isGivenUp, mayMerge } from '../../model/delivery.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { highestSeverity, type Severity } from '../../model/severity.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import type { SqlValue } from '../../platform/database/sqlite-driver.ts'
import { STANDS_BY } from './again.ts'
import { ImpossibleChange, MAY_CHANGE, mostTold, STATE_AFTER } from './change-sql.ts'
import { ThreadCodes } from './codes.ts'
import {
  coalesceMs,
  type Delivery,
  type DeliveryPatch,
  type DeliveryTransport,
  type DigestMember,
  deadlineOf,
  deliveryFromRow,
  isOnHold,
  type NewDelivery,
  type NewText,
  releasedDeadline
} from './delivery.ts'
import { GuardStore } from './guard-store.ts'
import type { NewestSent } from './newest-sent.ts'
import { carrierOfPiece } from './one-warning.ts'
import { insertPiece, JOINED } from './pieces.ts'
import { RowNumbers } from './row-numbers.ts'
import {
  joinCooldowns,
  laterEnd,
  planOfDigest,
  planOfEvent,
  planOfPacket,
  planOfText,
  planOfWaypoint,
  type RowPlan,
  union,
  zonesOf
} from './row-plan.ts'
import { beginRow, changeRow, insertRow, membersOf, rowsOf, rowWith } from './row-store.ts'

export interface OutboxOptions {
  db: Database
  now: () => number
  /** Memories of the ledger beside it, which would else be kept twice. */
  ledger?: { newest: Pick<NewestSent, 'isAfter'>; codes: ThreadCodes }
  coalesceSeconds: () => number
  /** The time for which other stations speak first (`standbyMs`); 0 where there are none. */
  standbyMs?: (severity: Severity) => number
  /**
   * The reason why messages of this transport cannot leave at present (`no_radio`, `radio_down`), or null when they
   * can.
   */
  heldBecause: (transport: DeliveryTransport) => string | null
  /** Told of every row that changed, after it is stored; of the first 200 when thousands change at once. */
  onChange: (delivery: Delivery) => void
  /** Told of the threads of all others then: nobody looks at the rows, but something may wait for their end. */
  onThread?: (threadId: string) => void
}

/** The reason for a change of a row: its word in the row, what its trace says, and what else of it changes. */
export interface Why {
  reason: string | null
  step: Reason
  patch?: DeliveryPatch
}

/** The durable list of messages: a row is stored before a radio hears of it. Contract §6. */
export class Outbox {
  readonly #o: OutboxOptions
  readonly #db: Database
  readonly guards: GuardStore
  readonly codes: ThreadCodes
  /** Rows as this transaction stored them: in a storm it costs more to read them back, to tell of them, than to decide them. */
  readonly #stored = new Map<number, Delivery>()
  readonly #numbers: RowNumbers

  constructor(options: OutboxOptions) {
    this.#o = options
    this.#db = options.db
    this.#numbers = new RowNumbers(options.db)
    this.guards = new GuardStore(options.db, options.ledger?.newest)
    this.codes = options.ledger?.codes ?? new ThreadCodes(options.db)
  }

  /** Stores the planned messages of one event. Part of the caller's transaction. */
  addAll(event: LookoutEvent, seq: number, planned: readonly NewDelivery[]): void {
    if (planned.length === 0) return
    const code = this.#codeOf(event)
    for (const one of planned) this.add(event, seq, one, code)
  }

  /** Stores one planned message, or joins it to the row it is merged into. Part of the caller's transaction. */
  add(event: LookoutEvent, seq: number, planned: NewDelivery, code?: string): number {
    return this.#db.transaction(() => {
      const now = this.#o.now()
      const into = planned.mergeInto ?? carrierOfPiece(this.#db, event, planned, now)
      const carrier = into === null ? null : (this.guards.rows.waiting(event.thread_id, into) ?? this.get(into))
      if (carrier !== null && mayMerge(carrier.state, carrier.parts !== null)) {
        const merged = this.#merge(carrier, { event, seq, planned, code })
        // A piece with a thread of its own has its own place in the ledger.
        if (carrier.threadId !== event.thread_id) this.guards.claim(planned.dedup, merged, now)
        return merged
      }
      const plan = planOfEvent(event, seq, planned, now)
      const begun = this.#begin(event, planned, now)
      if (this.#standbyMs({ ...planned, severity: event.severity }) > 0) plan.mark ??= STANDS_BY
      const id = this.#insert(plan, { ...begun, code: code ?? this.#codeOf(event) })
      this.guards.claim(planned.dedup, id, now)
      return id
    })
  }

  /** The first state of a new row: it waits for further pieces, for its radio, or is held for another reason. */
  #begin(
    { severity }: LookoutEvent,
    { transport, direct, atOnce, hold }: NewDelivery,
    now: number
  ): { state: DeliveryState; reason: string | null; dueAt: number } {
    const wait = atOnce === true ? 0 : coalesceMs(severity, this.#o.coalesceSeconds())
    const standby = this.#standbyMs({ transport, direct, severity })
    const held = hold?.reason ?? this.#o.heldBecause(transport)
    const reason = held ?? (standby > 0 ? 'standby' : wait > 0 ? 'coalescing' : null)
    const dueAt = Math.max(hold?.until ?? 0, now + wait) + standby
    return { state: held === null ? 'queued' : 'held', reason, dueAt }
  }

  /** Only what goes out to a channel of a mesh can be heard from another station. */
  #standbyMs({ transport, direct, severity }: Pick<Delivery, 'transport' | 'direct' | 'severity'>): number {
    if (direct || (transport !== 'mt' && transport !== 'mc')) return 0
    return this.#o.standbyMs?.(severity) ?? 0
  }

  /** Stores a text that is final, due at once and speaks of no event: a reply to a person, a scheduled broadcast. */
  addText(text: NewText): number {
    return this.#db.transaction(() => this.#addNow(planOfText(text)))
  }

  /** Stores the alert packet that follows this text on its channel, with the same words. Part of the caller's transaction. */
  addAlertPacket(of: Delivery, text: string): number {
    return this.#addNow(planOfPacket(of, text, this.#o.now()))
  }

  /** Stores the mark that follows this text on its channel. Part of the caller's transaction. */
  addWaypoint(of: Delivery, line: string): number {
    return this.#addNow(planOfWaypoint(of, line, this.#o.now()))
  }

  /** Stores what is due at once, and waits for nothing but its radio. */
  #addNow(plan: RowPlan): number {
    const reason = this.#o.heldBecause(plan.transport)
    return this.#insert(plan, { state: reason === null ? 'queued' : 'held', reason, dueAt: this.#o.now(), code: null })
  }

  /** `material` stays what the first piece said: each piece keeps its own, with its codes. */
  #merge(
    carrier: Delivery,
    { event, seq, planned, code }: { event: LookoutEvent; seq: number; planned: NewDelivery; code: string | undefined }
  ): number {
    const now = this.#o.now()
    const severity = highestSeverity([carrier.severity, event.severity])
    const raised = severity !== carrier.severity
    const sooner = raised
      ? coalesceMs(severity, this.#o.coalesceSeconds()) + this.#standbyMs({ ...carrier, severity })
      : Number.MAX_SAFE_INTEGER / 2
    const dueAt = Math.min(carrier.dueAt, now + sooner)
    const row = rowWith(carrier, {
      eventSeqs: [...carrier.eventSeqs, seq],
      eventIds: union(carrier.eventIds, [event.id]),
      regions: union(carrier.regions, planned.regions),
      zones: union(carrier.zones, zonesOf(event)),
      cooldown: joinCooldowns(carrier.cooldown, planned.cooldown),
      severity,
      newPlacesOnly: carrier.newPlacesOnly && planned.newPlacesOnly,
      lifecycle: event.lifecycle,
      dueAt,
      expiresAt: Math.max(carrier.expiresAt, deadlineOf(event, planned, now)),
      hazardEndsAt: laterEnd(carrier.hazardEndsAt, event)
    })
    changeRow(this.#db, carrier, row)
    this.#stored.set(row.id, row)
    const begun = {
      id: this.#numbers.next(carrier.transport, JOINED),
      state: JOINED,
      reason: JOINED,
      dueAt: now,
      mergedInto: carrier.id,
      code: code ?? this.#codeOf(event)
    }
    const id = this.#addPiece(beginRow(planOfEvent(event, seq, planned, now), begun, now), carrier)
    this.guards.rows.joined(row, { threadId: event.thread_id, zones: zonesOf(event), material: planned.material })
    this.#changeHold(carrier, planned, now)
    return id
  }

  /** A piece that joins at once has no further story: `DeliveryList` tells it from its row. */
  #addPiece(piece: Delivery, { threadId }: Delivery): number {
    const { createdAt } = piece
    if (piece.threadId === threadId) insertPiece(this.#db, piece)
    else insertRow(this.#db, piece, createdAt)
    this.#stored.set(piece.id, piece)
    this.#tellChange(piece.id)
    return piece.id
  }

  /** A row that nothing holds goes out and takes along what was held; one held for a shorter time shortens the hold. */
  #changeHold(carrier: Delivery, { hold }: NewDelivery, now: number): void {
    if (isOnHold(carrier) && hold === undefined) this.release(carrier.id, now)
    else if (isOnHold(carrier) && hold !== undefined && hold.until < carrier.dueAt)
      this.hold(carrier.id, hold.reason, hold.until)
    else this.#tellChange(carrier.id)
  }

  #insert(plan: RowPlan, row: Pick<Delivery, 'state' | 'reason' | 'dueAt' | 'code'>): number {
    const now = this.#o.now()
    const id = this.#numbers.next(plan.transport, row.state)
    const { state, reason, dueAt, code } = row
    const begun = beginRow(plan, { id, state, reason, dueAt, code, mergedInto: null }, now)
    insertRow(this.#db, begun, now)
    this.#stored.set(id, begun)
    this.guards.rows.added(begun)
    this.#note(id, { state: row.state, reason: row.reason, step: because('accepted'), change: null })
    return id
  }

  #codeOf({ thread_id }: LookoutEvent): string {
    return this.codes.codeOf(thread_id, this.#o.now())
  }

  /** A row that waits is held for this reason until then. */
  hold(id: number, reason: HoldReason, until: number): void {
    this.apply(id, 'hold', { reason, step: because('held_until', { until }), patch: { due_at: until } })
  }

  /** As `hold`, for any number of rows. */
  holdAll(ids: readonly number[], reason: HoldReason, until: number): void {
    this.applyAll(ids, 'hold', { reason, step: because('held_until', { until }), patch: { due_at: until } })
  }

  /** Lets a held row go: to its radio, or to wait for it, no longer than anything else waits. */
  release(id: number, dueAt: number): void {
    const delivery = this.get(id)
    if (delivery === null || delivery.state !== 'held') return
    const held = this.#o.heldBecause(delivery.transport)
    const step = because(delivery.reason === 'quiet_hours' ? 'released_quiet' : 'released')
    const patch = { due_at: dueAt + this.#standbyMs(delivery), expires_at: releasedDeadline(delivery, dueAt) }
    this.apply(id, held === null ? 'free' : 'hold', { reason: held, step, patch })
  }

  /** One message in place of several rows of one channel, which are merged into it. Part of the caller's transaction. */
  addDigest(rows: readonly Delivery[], reason: HoldReason, now: number): number {
    const plan = planOfDigest(rows, reason, now)
    const id = this.#addNow(plan)
    const step = because('told_in_digest', { id, channel: plan.channelKey })
    const merged = rows.map((row) => row.id)
    this.applyAll(merged, 'merge', { reason: 'merged', step, patch: { merged_into: id } })
    return id
  }

  /**
   * The one writer of states: what happened to a row, why, and what else of it changes. A row that is gone meanwhile is none.
   * @throws ImpossibleChange when the table has no such move (`TRANSITIONS` of model/delivery.ts).
   */
  apply(id: number, change: DeliveryChange, why: Why): void {
    this.#db.transaction(() => {
      const [row] = this.#change([id], change, why, (changed) => this.#keep(changed, why))
      if (row === undefined) return
      const state = String(row['state']) as DeliveryState
      if (isGivenUp(state)) this.guards.release([id])
      this.#note(id, { ...why, state, change })
    })
  }

  /** As `apply`, for any number of rows at once and with a few statements: after a storm thousands change together. */
  applyAll(ids: readonly number[], change: DeliveryChange, why: Why): void {
    if (ids.length === 0) return
    const list = JSON.stringify(ids)
    this.#db.transaction(() => {
      const rows = this.#change(ids, change, why)
      this.#db
        .sql(
          `INSERT INTO delivery_steps (delivery_id, at, state, reason, change, code, params)
           SELECT d.id, ?, d.state, ?, ?, ?, ? FROM json_each(?) AS asked JOIN deliveries AS d ON d.id = asked.value`
        )
        .run(this.#o.now(), why.reason, change, why.step.code, JSON.stringify(why.step.params), list)
      const givenUp = rows
        .filter((row) => isGivenUp(String(row['state']) as DeliveryState))
        .map((row) => Number(row['id']))
      if (givenUp.length > 0) this.guards.release(givenUp)
      const most = mostTold(change)
      this.#tellChanges(ids.slice(0, most))
      if (ids.length <= most) return
      const threads = new Set(rows.map((row) => String(row['thread_id'])))
      this.#db.afterCommit(() => {
        for (const thread of threads) this.#o.onThread?.(thread)
      })
    })
  }

  /** Moves rows by the table; answers those that are there. */
  #change(
    ids: readonly number[],
    change: DeliveryChange,
    { reason, patch = {} }: Why,
    changed: (row: Row) => void = () => undefined
  ): Row[] {
    const changes = Object.entries(patch)
    const columns = changes.map(([column]) => `, ${column} = ?`).join('')
    const list = JSON.stringify(ids)
    for (const id of ids) this.#stored.delete(id)
    const rows = this.#db
      .sql(
        `UPDATE deliveries SET state = ${STATE_AFTER[change]}, reason = ?, changed_at = ?${columns}
         WHERE id IN (SELECT value FROM json_each(?)) AND ${MAY_CHANGE[change]} RETURNING id, state, thread_id`
      )
      .all(reason, this.#o.now(), ...changes.map(([, value]): SqlValue => value ?? null), list)
    for (const row of rows) {
      changed(row)
      this.guards.rows.forget(String(row['thread_id']))
    }
    if (rows.length === ids.length) return rows
    const done = new Set(rows.map((row) => Number(row['id'])))
    const refused = this.#db
      .sql('SELECT id, state, severity FROM deliveries WHERE id IN (SELECT value FROM json_each(?))')
      .all(list)
      .find((row) => !done.has(Number(row['id'])))
    if (refused === undefined) return rows
    throw new ImpossibleChange(Number(refused['id']), change, `${refused['severity']} ${refused['state']}`)
  }

  /** Where nothing but its state changed, a row that is remembered need not be read to tell of it. */
  #keep({ id, thread_id, state }: Row, { reason, patch }: Why): void {
    const known = patch === undefined ? this.guards.rows.waiting(String(thread_id), Number(id)) : null
    if (known !== null) this.#stored.set(known.id, { ...known, state: String(state) as DeliveryState, reason })
  }

  /** A row that waits speaks of these regions only. */
  keepRegions(id: number, regions: readonly string[]): void {
    this.#db.sql('UPDATE deliveries SET regions = ? WHERE id = ?').run(JSON.stringify(regions), id)
    this.#stored.delete(id)
    this.#db.outdate()
    this.#tellChange(id)
  }

  /**
   * A row that still waits is taken back, but for the regions that are `left`; one that flies or has flown stays. `threadId`: of which it
   * most likely is.
   */
  withdraw(id: number, reason: string, left: readonly string[] = [], threadId = ''): void {
    const delivery = this.guards.rows.waiting(threadId, id) ?? this.get(id)
    if (delivery === null || delivery.parts !== null || (delivery.state !== 'queued' && delivery.state !== 'held'))
      return
    if (left.length > 0) this.keepRegions(id, left)
    else this.apply(id, 'suppress', { reason, step: because('withdrawn', { was: reason }) })
  }

  /** `change`: what happened to it; null where it began. */
  #note(
    id: number,
    { state, reason, step, change }: Why & { state: DeliveryState; change: DeliveryChange | null }
  ): void {
    this.#db
      .sql(
        'INSERT INTO delivery_steps (delivery_id, at, state, reason, change, code, params) VALUES (?, ?, ?, ?, ?, ?, ?)'
      )
      .write(id, this.#o.now(), state, reason, change, step.code, JSON.stringify(step.params))
    this.#tellChange(id)
  }

  #tellChange(id: number): void {
    this.#db.afterCommit(() => {
      const delivery = this.#stored.get(id) ?? this.get(id)
      this.#stored.delete(id)
      if (delivery !== null) this.#o.onChange(delivery)
    }, id)
  }

  /** Read at once: row by row costs as much as the change. */
  #tellChanges(ids: readonly number[]): void {
    let read: Map<number, Delivery> | null = null
    for (const id of ids)
      this.#db.afterCommit(() => {
        read ??= rowsOf(this.#db, ids)
        const delivery = read.get(id)
        if (delivery !== undefined) this.#o.onChange(delivery)
      }, id)
  }

  /** The rows a digest tells of, the gravest first. */
  membersOf(digestId: number): DigestMember[] {
    return membersOf(this.#db, digestId)
  }

  get(id: number): Delivery | null {
    const row = this.#db.sql('SELECT * FROM deliveries WHERE id = ?').get(id)
    return row === undefined ? null : deliveryFromRow(row)
  }
}
