import type { LookoutEvent } from '../model/event.ts'
import { because } from '../model/reason.ts'
import { isAtLeast } from '../model/severity.ts'
import { type Database, openDatabase } from '../platform/database/database.ts'
import { textAirtimeMs } from './outbox/airtime-budget.ts'
import { DELIVERY_TRANSPORTS, type Delivery, type DeliveryTransport } from './outbox/delivery.ts'
import type { HeldRows } from './outbox/held.ts'
import { openHeldRows } from './outbox/holds.ts'
import { Ledger } from './outbox/ledger.ts'
import { Outbox } from './outbox/outbox.ts'
import { MIN_GAP_MS, POLITE_GAP } from './outbox/pace.ts'
import { composeRow, type RowSources } from './outbox/row-text.ts'
import { ledgerMigrations } from './outbox/schema.ts'
import { Waiting } from './outbox/waiting.ts'
import type { RadioDescription } from './radios/radio.ts'
import type { BacktestMessage, BacktestStation } from './routing/backtest.ts'
import type { Decision, GuardView } from './routing/decision.ts'
import { quietUntil } from './routing/quiet-hours.ts'
import type { Located } from './routing/tagged.ts'
import type { WarningConfig } from './settings.ts'

export interface TrialOptions {
  /** With the matrix that is tried. */
  config: WarningConfig
  locate: (event: LookoutEvent) => Located
  /** The radio a text would leave by; without one its name is not known, and no airtime is told. */
  radio: (network: 'mt' | 'mc') => RadioDescription | null
}

const DAY_MS = 86_400_000
/** As long as the ledger of duplicates reaches: what is older decides nothing any more. */
const KEPT_DAYS = 7
/** Rows that one step ends: others work between two (contract §6, *Warnings before work*). */
const ENDED_AT_ONCE = 20

/** One network's radio: what it sends at present, and how long it rests after it. */
interface Air {
  flying: { id: number; until: number } | null
  lastAt: number
  lastEndAt: number
  lastMs: number
  /** Not before this time; 0: whenever something is due. */
  wakeAt: number
}

/**
 * A station in memory whose radios take every text when its turn comes: the ledger, the outbox and the guards of the live
 * one, with the time and the pauses of texts on the air, but nobody who answers. For back-tests.
 */
export class TrialStation implements BacktestStation {
  readonly #o: TrialOptions
  readonly #db: Database
  readonly #ledger: Ledger
  readonly #outbox: Outbox
  readonly #waiting: Waiting
  readonly #held: HeldRows
  readonly #sources: RowSources
  readonly #air = new Map<DeliveryTransport, Air>()
  #now = 0
  #tidiedAt = 0
  /** Some rows that are over by now may still be open. */
  #ending = false
  /** Held rows that may go at this time, as far as they are not dealt with. */
  #releasing: Generator<void> | null = null

  static async open(options: TrialOptions): Promise<TrialStation> {
    const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
    return new TrialStation(db, options)
  }

  private constructor(db: Database, options: TrialOptions) {
    const { config } = options
    this.#o = options
    this.#db = db
    this.#ledger = new Ledger(db)
    this.#outbox = new Outbox({
      db,
      now: () => this.#now,
      coalesceSeconds: () => config.notifications.coalesce_seconds,
      heldBecause: () => null,
      onChange: () => undefined
    })
    this.#waiting = new Waiting(db, this.#outbox)
    this.#sources = {
      ledger: this.#ledger,
      outbox: this.#outbox,
      config: () => config,
      configFor: () => config,
      places: { where: options.locate }
    }
    this.#held = openHeldRows({
      db,
      outbox: this.#outbox,
      sources: this.#sources,
      now: () => this.#now,
      // A silence of the moment says nothing about a matrix.
      heardRegions: ({ regions }) => regions,
      descriptionFor: ({ transport }) => this.#descriptionFor(transport === 'mc' ? 'mc' : 'mt')
    })
  }

  accept(event: LookoutEvent, now: number, decide: (view: GuardView) => Decision): Decision {
    this.#now = now
    this.#tidy()
    for (const air of this.#air.values()) air.wakeAt = 0
    return this.#db.transaction(() => {
      const seq = this.#ledger.add(event)
      const decision = decide(this.#outbox.guards)
      if (seq === null) return decision
      for (const { id, reason, left } of decision.withdraw) this.#outbox.withdraw(id, reason, left)
      for (const planned of decision.sends) this.#outbox.add(event, seq, planned)
      for (const planned of decision.inhibited ?? []) this.#outbox.add(event, seq, planned)
      this.#ledger.decide(seq, decision)
      // An end may let go what its beginning kept back.
      if (event.lifecycle === 'cancel' || event.lifecycle === 'expire') this.#releasing = this.#release()
      return decision
    })
  }

  catchUp(now: number): boolean {
    this.#now = Math.max(this.#now, now)
    return this.#db.transaction(() => this.#waiting.expireOverdue(now, ENDED_AT_ONCE)) === ENDED_AT_ONCE
  }

  next(until: number): BacktestMessage | 'nothing left' | null {
    const at = this.#nextAt()
    if (at === null || at > until) return null
    this.#now = Math.max(this.#now, at)
    return this.#db.transaction(() => this.#turn()) ?? 'nothing left'
  }

  unsent(): { reason: string; count: number }[] {
    return this.#db
      .sql("SELECT reason, count(*) AS n FROM deliveries WHERE state IN ('expired', 'suppressed') GROUP BY reason")
      .all()
      .map((row) => ({ reason: String(row['reason']), count: Number(row['n']) }))
  }

  close(): void {
    this.#db.close()
  }

  /** The time of the next turn: a text ends, a row is due or held no longer; now, while one is not over; null when nothing waits. */
  #nextAt(): number | null {
    if (this.#ending || this.#releasing !== null) return this.#now
    const heldUntil = this.#held.nextDueAt('any')
    const times = DELIVERY_TRANSPORTS.flatMap((transport) => {
      const { flying, wakeAt } = this.#airOf(transport)
      if (flying !== null) return [flying.until]
      const due = this.#waiting.nextDueAt(transport)
      return due === null ? [] : [Math.max(due, wakeAt)]
    })
    const all = heldUntil === null ? times : [heldUntil, ...times]
    return all.length === 0 ? null : Math.min(...all)
  }

  #airOf(transport: DeliveryTransport): Air {
    const known = this.#air.get(transport)
    if (known !== undefined) return known
    const air = { flying: null, lastAt: 0, lastEndAt: 0, lastMs: 0, wakeAt: 0 }
    this.#air.set(transport, air)
    return air
  }

  #release(): Generator<void> {
    const { notifications, station } = this.#o.config
    return this.#held.steps(this.#now, quietUntil(notifications.quiet_hours, station.timezone, this.#now) !== null)
  }

  /** Takes the next step: what is due ends, is held no longer, or leaves. */
  #turn(): BacktestMessage | null {
    const now = this.#now
    for (const air of this.#air.values()) this.#land(air)
    this.#ending = this.#waiting.expireOverdue(now, ENDED_AT_ONCE) === ENDED_AT_ONCE
    if (this.#ending) return null
    this.#releasing ??= this.#release()
    if (this.#releasing.next().done !== true) return null
    this.#releasing = null
    for (const transport of DELIVERY_TRANSPORTS) {
      const air = this.#airOf(transport)
      const row = air.flying === null ? this.#waiting.next(transport, now) : null
      if (row === null) continue
      air.wakeAt = isMesh(transport) ? freeAt(row, air, transport) : 0
      if (air.wakeAt <= now) return this.#leave(row, air)
    }
    return null
  }

  #land(air: Air): void {
    const { flying } = air
    if (flying === null || flying.until > this.#now) return
    air.flying = null
    const row = this.#outbox.get(flying.id)
    if (row === null) return
    this.#outbox.guards.arm(row, this.#now)
    this.#outbox.apply(row.id, 'left', { reason: null, step: because('left_radio'), patch: { sent_at: this.#now } })
  }

  #leave(row: Delivery, air: Air): BacktestMessage | null {
    const { parts, airtimeMs } = this.#compose(row)
    if (parts.length === 0) {
      this.#outbox.apply(row.id, 'suppress', { reason: 'ended', step: because('nothing_left') })
      return null
    }
    const now = this.#now
    if (isMesh(row.transport) && this.#waiting.closeIfSaid(row, parts, now)) return null
    const patch = { parts: JSON.stringify(parts), next_part: parts.length, first_sent_at: now }
    this.#outbox.apply(row.id, 'hand_over', { reason: null, step: because('handed_over'), patch })
    const until = now + Math.max(1, Math.round(airtimeMs))
    Object.assign(air, { flying: { id: row.id, until }, lastAt: now, lastEndAt: until, lastMs: airtimeMs })
    const { channelKey: channel, transport } = row
    const bytes = isMesh(transport) ? Buffer.byteLength(parts.join('')) : 0
    return { channel, transport, at: now, bytes, airtimeMs }
  }

  #compose(row: Delivery): { parts: string[]; airtimeMs: number } {
    const { transport } = row
    if (!isMesh(transport)) return { parts: [''], airtimeMs: 0 }
    const radio = this.#o.radio(transport)
    const parts = composeRow(row, this.#sources, { description: this.#descriptionFor(transport), nowMs: this.#now })
    const airtimeMs = radio === null ? 0 : parts.reduce((sum, part) => sum + textAirtimeMs(part, row.direct, radio), 0)
    return { parts, airtimeMs }
  }

  /** Without a radio reckon with the longest name, so that the real text is never longer. */
  #descriptionFor(network: 'mt' | 'mc'): Pick<RadioDescription, 'network' | 'nodeName'> {
    return this.#o.radio(network) ?? { network, nodeName: network === 'mc' ? 'x'.repeat(31) : '' }
  }

  /** A month of events would not fit into the memory of a small machine. */
  #tidy(): void {
    if (this.#now - this.#tidiedAt < DAY_MS) return
    this.#tidiedAt = this.#now
    const days = { events: KEPT_DAYS, deliveries: KEPT_DAYS, traces: 0 }
    while (this.#ledger.prune(this.#now, days));
    while (this.#outbox.guards.prune(this.#now));
  }
}

function isMesh(transport: DeliveryTransport): transport is 'mt' | 'mc' {
  return transport === 'mt' || transport === 'mc'
}

/** The time at which the radio may take this text after its last one, in whole milliseconds: contract §6 (pacing). */
function freeAt({ severity }: Delivery, { lastAt, lastEndAt, lastMs }: Air, network: 'mt' | 'mc'): number {
  const gap = MIN_GAP_MS[network]
  if (severity === 'immediate') return lastAt + gap
  return lastEndAt + (isAtLeast(severity, 'critical') ? gap : Math.max(gap, Math.ceil(POLITE_GAP * lastMs)))
}
