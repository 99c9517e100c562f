import { after } from '../../model/delivery.ts'
import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PacketIdentity, Receipt } from '../radios/radio.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/** No radio wants its texts further apart than this. */
const RECENT_MS = 60_000
/** Transmissions whose receipts may still come; more than a radio makes in an hour. */
const REMEMBERED = 512
const RESTORE_MS = 3_600_000

/** One text that was handed over: a row, or one part of it. */
interface Handed {
  id: number
  part: number
}

/** Finds the row a receipt is about, and closes it. Receipts for what we never sent are ignored. */
export class Receipts {
  readonly #db: Database
  readonly #outbox: Outbox
  readonly #byIdentity = new Map<string, Handed>()

  constructor(db: Database, outbox: Outbox) {
    this.#db = db
    this.#outbox = outbox
  }

  /** Makes receipts find what was sent before a restart. */
  restore(now: number): void {
    this.#db.guarded(() => this.#restore(now))
  }

  #restore(now: number): void {
    const rows = this.#db
      .sql(
        `SELECT * FROM deliveries INDEXED BY deliveries_changed
         WHERE changed_at >= ? AND identities <> '[]' AND state <> 'merged' ORDER BY changed_at`
      )
      .all(now - RESTORE_MS)
    for (const { id, radio, identities } of rows.map(deliveryFromRow)) {
      if (radio === null) continue
      for (const [part, identity] of identities.entries())
        if (identity !== null) this.expect(radio, identity, { id, part })
    }
  }

  expect(radio: string, identity: PacketIdentity, handed: Handed): void {
    this.#byIdentity.set(keyOf(radio, identity), handed)
    if (this.#byIdentity.size > REMEMBERED) {
      const oldest = this.#byIdentity.keys().next()
      if (!oldest.done) this.#byIdentity.delete(oldest.value)
    }
  }

  /** Applies `heard`, `delivered` and `unconfirmed`; answers the row and the part of it that it was about, or null. */
  take(radio: string, receipt: Receipt): { delivery: Delivery; part: number } | null {
    const handed = this.#byIdentity.get(keyOf(radio, receipt.identity))
    const delivery = handed === undefined ? null : this.#outbox.get(handed.id)
    if (handed === undefined || delivery === null) return null
    const { part } = handed
    // Word of an earlier part closes nothing: the others have yet to go, or have word of their own.
    if (part >= 0 && part + 1 < (delivery.parts?.length ?? 1)) this.#partHeard(delivery, receipt)
    else this.#apply(delivery, receipt)
    return { delivery, part }
  }

  #apply(delivery: Delivery, { kind, by, reason, at }: Receipt): void {
    const received = kind === 'heard' || kind === 'delivered'
    // Its fate was not known before: this proves that it went out.
    if (received && (delivery.state === 'queued' || delivery.state === 'sent_unknown'))
      this.#outbox.guards.arm(delivery, at)
    const sentAt = received && delivery.sentAt === null && delivery.state !== 'transmitting' ? { sent_at: at } : {}
    if (kind === 'heard') {
      const patch = { heard_by: delivery.heardBy + 1, ...sentAt }
      const step = by === undefined ? because('heard') : because('heard_by', { by })
      this.#outbox.apply(delivery.id, 'hear', { reason: null, step, patch })
    } else if (kind === 'delivered') {
      this.#outbox.apply(delivery.id, 'deliver', { reason: null, step: because('acknowledged'), patch: sentAt })
    } else if (kind === 'unconfirmed' && delivery.state === 'sent') {
      const step = reason === undefined ? because('nobody_heard') : because('radio_said', { said: reason })
      this.#outbox.apply(delivery.id, 'unheard', { reason: 'nobody_heard', step })
    }
  }

  #partHeard({ id, state, reason }: Delivery, { kind, by }: Receipt): void {
    if (kind !== 'heard' || after(state, 'hear_part') === null) return
    const step = by === undefined ? because('part_heard') : because('part_heard_by', { by })
    this.#outbox.apply(id, 'hear_part', { reason, step })
  }

  /**
   * The time this radio was last handed a text, before a restart too; null when that is longer ago than any pause
   * between texts.
   */
  lastHandedOverAt(radio: string, now: number): number | null {
    const row = this.#db
      .sql(
        `SELECT max(step.at) AS newest FROM deliveries AS row INDEXED BY deliveries_changed
         JOIN delivery_steps AS step ON step.delivery_id = row.id
         WHERE row.changed_at >= ? AND row.radio = ? AND step.state IN ('transmitting', 'sent')`
      )
      .get(now - RECENT_MS, radio)
    return row === undefined || row['newest'] === null ? null : Number(row['newest'])
  }
}

/** The wish of a `refused` receipt: another try, unless the radio knows that none can help. */
export function refusalIn({ reason, retry }: Receipt): { retry: boolean; code: string; reason: Reason } {
  return { retry: retry !== false, code: 'refused', reason: reason ?? because('refused_by_radio') }
}

function keyOf(radio: string, { packetId, senderTimestamp }: PacketIdentity): string {
  return `${radio}|${packetId ?? ''}|${senderTimestamp ?? ''}`
}
