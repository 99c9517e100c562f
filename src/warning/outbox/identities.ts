import { randomInt } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import type { PacketIdentity, RadioDescription } from '../radios/radio.ts'

/** A clock before this was never set. 2024-01-01, as the drivers have it. */
const EARLIEST_S = 1_704_067_200
/** Receivers know a packet by the last few hundred they heard; a clock that was wrong may come back to a time after long. */
const STAMPS_DAYS = 30

/** Makes packet identities for one radio, none of them twice: receivers would swallow the second text. Contract §6. */
export class Identities {
  readonly #db: Database
  readonly #radio: Pick<RadioDescription, 'id' | 'network'>

  constructor(db: Database, radio: Pick<RadioDescription, 'id' | 'network'>) {
    this.#db = db
    this.#radio = radio
  }

  /** Part of the transaction that stores it with its message. */
  fresh(now: number): PacketIdentity {
    return this.#radio.network === 'mt'
      ? { packetId: randomInt(1, 0xffff_ffff) }
      : { senderTimestamp: this.#stamp(now) }
  }

  /**
   * The second that the clock shows, or the next one that was never used: once a wrong clock is set right, the stamps are right too.
   * A clock that was never set makes people's texts look decades old, so there the newest stamp counts on.
   */
  #stamp(now: number): number {
    const { id } = this.#radio
    const shown = Math.floor(now / 1000)
    let stamp = shown >= EARLIEST_S ? shown : Math.max(EARLIEST_S, this.#newest() + 1)
    const used = this.#db.sql('SELECT 1 AS one FROM mc_stamps WHERE radio = ? AND stamp = ?')
    while (used.get(id, stamp) !== undefined) stamp++
    this.#db.sql('INSERT INTO mc_stamps VALUES (?, ?, ?)').run(id, stamp, now)
    return stamp
  }

  #newest(): number {
    const row = this.#db.sql('SELECT max(stamp) AS newest FROM mc_stamps WHERE radio = ?').get(this.#radio.id)
    return Number(row?.['newest'] ?? 0)
  }
}

/** Forgets stamps that no receiver knows any more. */
export function pruneStamps(db: Database, now: number): void {
  db.sql('DELETE FROM mc_stamps WHERE used_at < ?').run(now - STAMPS_DAYS * 86_400_000)
}
