import type { Database } from '../lib/database.ts'
import { type Delivery, deliveryFromRow } from './delivery.ts'
import { type Outbox, QUIET } from './outbox.ts'

/** Lets go what the quiet hours held: per channel a message by itself, or one digest of all that is still valid. Contract §5. */
export class QuietEnd {
  readonly #db: Database
  readonly #outbox: Outbox
  readonly #heard: (row: Delivery) => string[] | null

  /** `heard`: the regions of a row that nobody has silenced meanwhile, null when nothing of it is left. */
  constructor(db: Database, outbox: Outbox, heard: (row: Delivery) => string[] | null) {
    this.#db = db
    this.#outbox = outbox
    this.#heard = heard
  }

  /** `stillQuiet` false: whatever is held goes, also what was held for longer (the quiet hours were changed). True when something went. */
  release(now: number, stillQuiet: boolean): boolean {
    const rows = this.#db
      .sql("SELECT * FROM deliveries WHERE state = 'held' AND reason = ? AND due_at <= ? ORDER BY rank DESC, id")
      .all(QUIET, stillQuiet ? now : Number.MAX_SAFE_INTEGER)
      .map(deliveryFromRow)
    if (rows.length === 0) return false
    this.#db.transaction(() => {
      for (const [, channel] of byChannel(rows)) this.#releaseChannel(channel, now)
    })
    return true
  }

  #releaseChannel(rows: readonly Delivery[], now: number): void {
    const valid = rows.filter(({ expiresAt }) => expiresAt > now).flatMap((row) => this.#unsilenced(row))
    const over = rows.filter(({ expiresAt }) => expiresAt <= now).map(({ id }) => id)
    this.#outbox.moveAll(over, 'expired', { reason: 'ended_quietly', detail: 'it ended during the quiet hours' })
    const [only] = valid
    if (only !== undefined && valid.length === 1) this.#outbox.release(only.id, now)
    else this.#outbox.addDigest(valid, now)
  }

  /** A silence made while a message was held counts for it, as if it came now; whoever was warned hears of the end all the same. */
  #unsilenced(row: Delivery): Delivery[] {
    const regions = row.kind === 'cancel' ? row.regions : this.#heard(row)
    if (regions === null) {
      this.#outbox.move(row.id, 'suppressed', { reason: 'silenced', detail: 'silenced while the quiet hours held it' })
      return []
    }
    if (regions.length < row.regions.length) this.#outbox.keepRegions(row.id, regions)
    return [{ ...row, regions }]
  }
}

function byChannel(rows: readonly Delivery[]): Map<string, Delivery[]> {
  const channels = new Map<string, Delivery[]>()
  for (const row of rows) channels.set(row.channelKey, [...(channels.get(row.channelKey) ?? []), row])
  return channels
}
