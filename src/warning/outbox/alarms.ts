import { type Alarm, AS_PACKETS, isAlertPacket } from '../../model/alarm.ts'
import { isReminder } from '../../model/content.ts'
import { DRILL_CATEGORY } from '../../model/event.ts'
import type { Database } from '../../platform/database/database.ts'
import type { MtAlert } from '../routing/alarm-settings.ts'
import { IS_DRILL, IS_NO_DRILL } from './content-sql.ts'
import type { Delivery } from './delivery.ts'

const DAY_MS = 86_400_000
const PACKETS = AS_PACKETS.map((alarm) => `'${alarm}'`).join(', ')
/** Firmware drops an alert packet within 10 s of the one before, without a word; it reads its socket up to 250 ms late. */
export const ALERT_GAP_MS = 11_000

/** The answer for one message; `why`: what kept it from ringing although it is to, null where nothing did. */
export interface AlarmAnswer {
  alarm: Alarm | null
  why: 'capped' | 'close' | null
}

const SILENT: AlarmAnswer = { alarm: null, why: null }

/** Decides which messages ring, by what the database holds: a restart forgets none of them. */
export class Alarms {
  readonly #db: Database
  readonly #settings: () => MtAlert

  constructor(db: Database, settings: () => MtAlert) {
    this.#db = db
    this.#settings = settings
  }

  get mostADay(): number {
    return this.#settings().per_day
  }

  /** Answers for the attempt that is due: of a message that was handed over before, what was fixed then. */
  of(delivery: Delivery, radio: string, now: number): AlarmAnswer {
    const { content, transport, direct, severity, category, channelKey, attempts, alarm } = delivery
    if (attempts > 0 || alarm !== null) return { alarm, why: null }
    // It rings by itself: its words are those of the text, without a bell.
    if (content.kind === 'alert_packet') return { alarm: 'packet', why: null }
    if (content.kind !== 'alert' || severity !== 'immediate' || transport !== 'mt' || direct) return SILENT
    // A reminder is no news: who has heard the alert is not rung for it.
    if (isReminder(content)) return SILENT
    const { packet, bell, per_day: most } = this.#settings()
    if (packet === 'off' && !bell) return SILENT
    if (this.#used(channelKey, category === DRILL_CATEGORY, now) >= most) return { alarm: null, why: 'capped' }
    // A warning waits for no other: what cannot leave as an alert packet now leaves as text.
    if (packet === 'instead' && this.gapMs(radio, now) > 0) return { alarm: alarmOf('off', bell), why: 'close' }
    return { alarm: alarmOf(packet, bell), why: null }
  }

  /** Messages of the channel that rang in the last 24 hours: of drills, or of what was real, which no drill keeps from ringing. */
  #used(channelKey: string, drills: boolean, now: number): number {
    const row = this.#db
      .sql(
        `SELECT count(*) AS n FROM deliveries INDEXED BY deliveries_alarm
         WHERE alarm IS NOT NULL AND alarm <> 'packet' AND channel_key = ? AND first_sent_at > ? AND ${drills ? IS_DRILL : IS_NO_DRILL}`
      )
      .get(channelKey, now - DAY_MS)
    return Number(row?.['n'] ?? 0)
  }

  /**
   * The time until the radio takes this message as an alert packet, where it waits for that: one beside a text, or one that is given
   * again. Dropped by the firmware, its id would be lost for the whole session. Milliseconds.
   */
  waitMs({ content: { kind }, attempts, alarm, nextPart }: Delivery, radio: string, now: number): number {
    const waits = kind === 'alert_packet' || (attempts > 0 && isAlertPacket(alarm, nextPart))
    return waits ? this.gapMs(radio, now) : 0
  }

  /** The time until this radio takes an alert packet again. Milliseconds. */
  gapMs(radio: string, now: number): number {
    const row = this.#db
      .sql(
        `SELECT max(coalesce(sent_at, first_sent_at)) AS at FROM deliveries INDEXED BY deliveries_alarm
         WHERE alarm IS NOT NULL AND alarm IN (${PACKETS}) AND radio = ? AND first_sent_at > ?`
      )
      .get(radio, now - 10 * ALERT_GAP_MS)
    const since = now - Number(row?.['at'] ?? Number.NEGATIVE_INFINITY)
    // After a clock that was set back nothing is waited for.
    return since < 0 ? 0 : Math.max(0, ALERT_GAP_MS - since)
  }
}

/** A Meshtastic channel, and how many of its messages rang. */
export interface RangOn {
  channel: string
  count: number
}

/** The channels on which messages rang in the last 24 hours, drills apart; there are eight. */
export function rangOn(db: Database, now: number): RangOn[] {
  return db
    .sql(
      `SELECT channel, count(*) AS n FROM deliveries INDEXED BY deliveries_alarm
       WHERE alarm IS NOT NULL AND alarm <> 'packet' AND first_sent_at > ? AND ${IS_NO_DRILL} GROUP BY channel ORDER BY channel`
    )
    .all(now - DAY_MS)
    .map((row) => ({ channel: String(row['channel']), count: Number(row['n']) }))
}

function alarmOf(packet: MtAlert['packet'], bell: boolean): Alarm | null {
  if (packet === 'off' && !bell) return null
  if (packet === 'off') return 'bell'
  return bell ? `${packet}_bell` : packet
}
