import type { Database } from '../lib/database.ts'
import type { PacketIdentity, Receipt } from '../radios/radio.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/** No radio wants its texts further apart than this. */
const RECENT_MS = 60_000
/** Transmissions whose receipts may still come; more than a radio makes in an hour. */
const REMEMBERED = 512
const RESTORE_MS = 3_600_000

/** Finds the row a receipt is about, and closes it. Receipts for what we never sent are ignored. */
export class Receipts {
  readonly #db: Database
  readonly #outbox: Outbox
  readonly #byIdentity = new Map<string, number>()

  constructor(db: Database, outbox: Outbox) {
    this.#db = db
    this.#outbox = outbox
  }

  /** Makes receipts find what was sent before a restart. */
  restore(now: number): void {
    const rows = this.#db
      .sql(
        "SELECT * FROM deliveries WHERE changed_at >= ? AND identity IS NOT NULL AND state IN ('sent', 'heard', 'unconfirmed') ORDER BY changed_at"
      )
      .all(now - RESTORE_MS)
    for (const delivery of rows.map(deliveryFromRow)) {
      if (delivery.radio !== null && delivery.identity !== null)
        this.expect(delivery.radio, delivery.identity, delivery.id)
    }
  }

  expect(radio: string, identity: PacketIdentity, deliveryId: number): void {
    this.#byIdentity.set(keyOf(radio, identity), deliveryId)
    if (this.#byIdentity.size > REMEMBERED) {
      const oldest = this.#byIdentity.keys().next()
      if (!oldest.done) this.#byIdentity.delete(oldest.value)
    }
  }

  /** Applies `heard`, `delivered` and `unconfirmed`; answers the row it was about, or null. */
  take(radio: string, receipt: Receipt): Delivery | null {
    const id = this.#byIdentity.get(keyOf(radio, receipt.identity))
    const delivery = id === undefined ? null : this.#outbox.get(id)
    if (delivery === null) return null
    if (receipt.kind === 'heard') {
      const heard = delivery.heardBy + 1
      const state = delivery.state === 'delivered' || delivery.state === 'transmitting' ? delivery.state : 'heard'
      const detail = receipt.by === undefined ? 'repeated by a neighbour' : `repeated by ${receipt.by}`
      this.#outbox.move(delivery.id, state, { reason: null, detail, patch: { heard_by: heard } })
    } else if (receipt.kind === 'delivered') {
      this.#outbox.move(delivery.id, 'delivered', { reason: null, detail: 'acknowledged by its addressee' })
    } else if (receipt.kind === 'unconfirmed' && delivery.state === 'sent') {
      const detail = receipt.reason ?? 'nobody was heard repeating it: normal where no other node is in reach'
      this.#outbox.move(delivery.id, 'unconfirmed', { reason: 'nobody_heard', detail })
    }
    return delivery
  }

  /** When this radio was last handed a text, before a restart too; null when that is longer ago than any pause between texts. */
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

  /** The newest MC sender timestamp this radio ever used: the next one must be greater. */
  newestTimestamp(radio: string): number {
    const row = this.#db
      .sql(
        "SELECT max(json_extract(identity, '$.senderTimestamp')) AS newest FROM deliveries WHERE radio = ? AND identity IS NOT NULL"
      )
      .get(radio)
    return row === undefined || row['newest'] === null ? 0 : Number(row['newest'])
  }
}

/** What a `refused` receipt asks for: another try, unless the radio knows that none can help. */
export function refusalIn({ reason, retry }: Receipt): { retry: boolean; code: string; reason: string } {
  return { retry: retry !== false, code: 'refused', reason: reason ?? 'refused by the radio' }
}

function keyOf(radio: string, { packetId, senderTimestamp }: PacketIdentity): string {
  return `${radio}|${packetId ?? ''}|${senderTimestamp ?? ''}`
}
