import type { Severity } from '../../model/severity.ts'
import { readersTurn } from '../../platform/clock/slices.ts'
import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { AirtimeEntry } from '../radios/airtime-hour.ts'
import type { Network, RadioDescription } from '../radios/radio.ts'
import { budgetMs } from './airtime.ts'
import {
  type AirtimeAhead,
  channelsAhead,
  HOURS_AHEAD,
  hoursAhead,
  played,
  type Usual,
  type Wanted
} from './airtime-ahead.ts'
import { bytesAirtimeMs } from './airtime-budget.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DAYS = 7
/** Read in one go, beside whom nothing else runs: a quarter of a day, and of a storm its newest. */
const STEP_MS = 6 * HOUR_MS
const MOST_ROWS = 1000
/** More that wait are hours away. */
const MOST_QUEUED = 600
/** A text of which nobody knows anything yet. Bytes. */
const TYPICAL_BYTES = 120

/** A broadcast to come. `bytes` null: its text is not known yet. Epoch milliseconds. */
export interface Planned {
  network: Network
  channel: string
  at: number
  bytes: number | null
}

interface Week extends Usual {
  /** Of one text; null: none has left. */
  meanBytes: number | null
}

interface Asked {
  description: RadioDescription
  spent: readonly AirtimeEntry[]
  planned: readonly Planned[]
  now: number
}

/** The texts that will be on the air, as far as the ledger can tell: what waits, what is planned, what the hours of the last days looked like. */
export class AirtimePlans {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async of({ description, spent, planned, now }: Asked): Promise<AirtimeAhead> {
    const { id, network, modem } = description
    const usual = await this.#week(description, now)
    const typical = Math.round(usual.meanBytes ?? TYPICAL_BYTES)
    const { queued, isEstimate } = this.#queued(description, typical)
    const own = planned.filter((one) => one.network === network && one.at <= now + HOURS_AHEAD * HOUR_MS)
    const plans = own.map(({ channel, at, bytes }): Wanted => {
      const ms = bytesAirtimeMs(bytes ?? typical, false, description)
      return { channel, kind: 'planned', severity: 'routine', at, until: null, ms }
    })
    const wanted = [...queued, ...plans]
    const done = played(wanted, { now, network, dutyCycle: modem.dutyCycle, spent })
    return {
      radio: id,
      network,
      used_ms: spent.reduce((total, { ms }) => total + ms, 0),
      budget_ms: budgetMs({ dutyCycle: modem.dutyCycle, severity: 'critical' }),
      hours: hoursAhead(done, usual, now),
      channels: channelsAhead(wanted, usual, now),
      full_at: done.full_at,
      clear_at: done.clear_at,
      late: done.late,
      held: this.#held(network),
      is_estimate: isEstimate || own.some(({ bytes }) => bytes === null),
      days: usual.days
    }
  }

  /** In the order in which they go. */
  #queued(description: RadioDescription, typical: number): { queued: Wanted[]; isEstimate: boolean } {
    const rows = this.#db
      .sql(
        `SELECT channel, direct, severity, parts, next_part, due_at, expires_at FROM deliveries INDEXED BY deliveries_queued
         WHERE transport = ? AND state = 'queued' ORDER BY rank DESC, created_at, id LIMIT ${MOST_QUEUED}`
      )
      .all(description.network)
    const queued = rows.map((row): Wanted => {
      const direct = row['direct'] === 1
      const bytes = leftOf(row['parts'], Number(row['next_part'])) ?? [typical]
      return {
        channel: direct ? '' : String(row['channel']),
        kind: 'queued',
        severity: String(row['severity']) as Severity,
        at: Number(row['due_at']),
        until: Number(row['expires_at']),
        ms: bytes.reduce((total, one) => total + bytesAirtimeMs(one, direct, description), 0)
      }
    })
    return { queued, isEstimate: rows.some((row) => row['parts'] === null) }
  }

  #held(network: Network): number {
    this.#db.settle()
    const row = this.#db
      .sql("SELECT sum(n) AS n FROM delivery_counts WHERE state = 'held' AND transport = ?")
      .get(network)
    return Number(row?.['n'] ?? 0)
  }

  async #week(description: RadioDescription, now: number): Promise<Week> {
    const first = this.#db.sql('SELECT min(created_at) AS at FROM deliveries').get()?.['at']
    const days = first === null || first === undefined ? 0 : Math.min(DAYS, Math.ceil((now - Number(first)) / DAY_MS))
    const byChannel = new Map<string, number[]>()
    let [texts, bytes] = [0, 0]
    for (let from = now - days * DAY_MS; from < now; from += STEP_MS) {
      for (const row of this.#db.sql(LEFT).all(from, from + STEP_MS, description.network)) {
        const [count, sent] = [Number(row['n']), Number(row['bytes'])]
        const hours = byChannel.get(String(row['channel'])) ?? Array.from({ length: 24 }, () => 0)
        const hour = Number(row['hour'])
        hours[hour] = (hours[hour] ?? 0) + (count * bytesAirtimeMs(sent / count, false, description)) / days
        byChannel.set(String(row['channel']), hours)
        texts += count
        bytes += sent
      }
      await readersTurn()
    }
    return { days, byChannel, meanBytes: texts === 0 ? null : bytes / texts }
  }
}

const LEFT = `SELECT channel, CAST(sent_at / ${HOUR_MS} AS INTEGER) % 24 AS hour, count(*) AS n, sum(bytes) AS bytes
  FROM (SELECT channel, sent_at, bytes FROM deliveries INDEXED BY deliveries_created
    WHERE created_at >= ? AND created_at < ? AND transport = ? AND direct = 0 AND sent_at IS NOT NULL AND bytes > 0
    AND state IN ('sent', 'heard', 'delivered', 'unconfirmed', 'sent_unknown') ORDER BY created_at DESC LIMIT ${MOST_ROWS})
  GROUP BY channel, hour`

/** The bytes of each part that has not left; null: nothing is composed. */
function leftOf(parts: unknown, next: number): number[] | null {
  if (parts === null) return null
  const texts = storedJson(parts)
  if (!Array.isArray(texts)) return null
  return texts.slice(next).map((text) => Buffer.byteLength(String(text)))
}
