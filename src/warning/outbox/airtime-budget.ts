import { isAtLeast, type Severity } from '../../model/severity.ts'
import { WAYPOINT_MORE_BYTES } from '../../model/waypoint.ts'
import type { Database } from '../../platform/database/database.ts'
import type { AirtimeEntry } from '../radios/airtime-hour.ts'
import type { OtherAirtime, RadioDescription } from '../radios/radio.ts'
import { AirtimeLedger, budgetMs, mcChannelAirtimeMs, mcDirectAirtimeMs, mtTextAirtimeMs } from './airtime.ts'
import type { Delivery } from './delivery.ts'

/** The pause before another look when even an empty hour has no room for a text. */
const NEVER_FITS_MS = 60_000

/** One radio's hourly ledger of time-on-air, kept over restarts. Contract §6. */
export class AirtimeBudget {
  readonly #db: Database
  #description: RadioDescription
  readonly #ledger: AirtimeLedger
  /** The part of it that answers to people took. */
  readonly #replies: AirtimeLedger

  constructor(db: Database, description: RadioDescription, now: number) {
    this.#db = db
    this.#description = description
    const rows = db
      .sql('SELECT at, ms, reply FROM airtime WHERE radio = ? AND at > ?')
      .all(description.id, now - 3_600_000)
      .map((row) => ({ at: Number(row['at']), ms: Number(row['ms']), reply: row['reply'] === 1 }))
    this.#ledger = new AirtimeLedger(rows)
    this.#replies = new AirtimeLedger(rows.filter(({ reply }) => reply))
  }

  /** Learns what the radio told of itself at its last connection: before the first, its settings are only assumed. */
  learn(description: RadioDescription): void {
    this.#description = description
  }

  /** Time-on-air of one text in milliseconds, computed from the radio's own settings. */
  cost(text: string, direct: boolean): number {
    return textAirtimeMs(text, direct, this.#description)
  }

  /** As `cost`, of a part of this message: a mark on the map is longer than it reads. */
  costOf({ content, direct }: Pick<Delivery, 'content' | 'direct'>, part: string): number {
    if (content.kind !== 'waypoint') return this.cost(part, direct)
    return bytesAirtimeMs(Buffer.byteLength(part) + WAYPOINT_MORE_BYTES, direct, this.#description)
  }

  /**
   * 0 when a text of this cost may go now, else how long until it may. Answers to people never delay `critical` and above: their
   * airtime is not counted against those. A drill, however grave it plays, leaves half of the hour to what is real.
   */
  waitMs(costMs: number, severity: Severity | 'drill', now: number): number {
    const { dutyCycle } = this.#description.modem
    const isDrill = severity === 'drill'
    const budget = isDrill ? budgetMs({ dutyCycle, severity: 'immediate' }) / 2 : budgetMs({ dutyCycle, severity })
    const overlooked = !isDrill && isAtLeast(severity, 'critical') ? this.repliesMs(now) : 0
    return waitFor(this.#ledger.fitsAt(now, costMs, budget + overlooked), now)
  }

  /** As `waitMs`, for an answer to a person: within the share (0…1) of the hour's budget that all of them have. */
  replyWaitMs(costMs: number, share: number, now: number): number {
    const ofAll = share * budgetMs({ dutyCycle: this.#description.modem.dutyCycle, severity: 'immediate' })
    return Math.max(this.waitMs(costMs, 'routine', now), waitFor(this.#replies.fitsAt(now, costMs, ofAll), now))
  }

  /** The airtime of the last hour that answers to people took. */
  repliesMs(now: number): number {
    return this.#replies.usedMs(now)
  }

  spend(at: number, ms: number, reply = false): void {
    this.#ledger.add(at, ms)
    if (reply) this.#replies.add(at, ms)
    this.#db
      .sql('INSERT INTO airtime (radio, at, ms, reply) VALUES (?, ?, ?, ?)')
      .run(this.#description.id, at, ms, reply ? 1 : 0)
  }

  /** Airtime besides texts of ours (`Radio.onOtherAirtime`). */
  spendOther({ kind, at, ms }: OtherAirtime): void {
    this.spend(at, ms)
    if (kind === 'advert')
      this.#db
        .sql('INSERT INTO radio_adverts VALUES (?, ?) ON CONFLICT (radio) DO UPDATE SET at = excluded.at')
        .run(this.#description.id, at)
  }

  /** The time this radio last made itself known, in this process or an earlier one; null when it never did. */
  advertAt(): number | null {
    const row = this.#db.sql('SELECT at FROM radio_adverts WHERE radio = ?').get(this.#description.id)
    return row === undefined ? null : Number(row['at'])
  }

  /** The use of the last hour minute by minute, oldest first. */
  entries(now: number): AirtimeEntry[] {
    return this.#ledger.entries(now)
  }

  /** The use of the last hour, and its budget. */
  summary(now: number): { used_seconds: number; budget_seconds: number; legal_share: number } {
    const { dutyCycle } = this.#description.modem
    return {
      used_seconds: tenths(this.#ledger.usedMs(now)),
      budget_seconds: tenths(budgetMs({ dutyCycle, severity: 'immediate' })),
      legal_share: dutyCycle
    }
  }
}

/** Time-on-air of one text on this radio: MC firmware puts `name: ` before a channel text. */
export function textAirtimeMs(text: string, direct: boolean, radio: RadioDescription): number {
  return bytesAirtimeMs(Buffer.byteLength(text), direct, radio)
}

/** The same of a text of so many bytes of UTF-8. */
export function bytesAirtimeMs(bytes: number, direct: boolean, { network, modem, nodeName }: RadioDescription): number {
  if (network === 'mt') return mtTextAirtimeMs(bytes, modem)
  return direct ? mcDirectAirtimeMs(bytes, modem) : mcChannelAirtimeMs(bytes + Buffer.byteLength(nodeName) + 2, modem)
}

/** `at`: when it fits; null: not even into an empty hour. */
function waitFor(at: number | null, now: number): number {
  if (at === now) return 0
  return at === null ? NEVER_FITS_MS : Math.max(1, at - now)
}

function tenths(ms: number): number {
  return Math.round(ms / 100) / 10
}
