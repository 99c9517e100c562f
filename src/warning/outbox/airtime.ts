import type { Severity } from '../../model/vocabulary.ts'
import { AirtimeHour } from '../radios/airtime-hour.ts'

export { mcChannelAirtimeMs, mcDirectAirtimeMs, mtTextAirtimeMs, timeOnAirMs } from '../radios/time-on-air.ts'

const HOUR_MS = 3_600_000

/** The part of the legal limit we ever plan to use; the rest is for what the radio transmits by itself. Contract §6. */
export const LIMIT_SHARE = 0.7

/** The part of our budget only `immediate` may spend. Contract §6. */
export const RESERVE_SHARE = 0.2

export interface RoomOptions {
  /** The legal share of an hour, 0…1, from the radio's modem settings. */
  dutyCycle: number
  severity: Severity
  limitShare?: number
  reserveShare?: number
}

export interface Room {
  fits: boolean
  /** The milliseconds that this severity may still spend now; never below 0. */
  freeMs: number
  /**
   * The time at which it fits if nothing else is sent: `now` when it does already, null when it is longer than the
   * whole budget.
   */
  at: number | null
}

/** The sliding hour of one radio's airtime, measured against the budget of contract §6. Pure: every time is given. */
export class AirtimeLedger extends AirtimeHour {
  /** The room for a transmission of `ms` at `now`. */
  room(now: number, ms: number, options: RoomOptions): Room {
    const budget = budgetMs(options)
    const at = this.fitsAt(now, ms, budget)
    return { fits: at === now, freeMs: Math.max(0, budget - this.usedMs(now)), at }
  }
}

/** The whole milliseconds of airtime a severity may use in any hour. */
export function budgetMs(options: RoomOptions): number {
  const { dutyCycle, severity, limitShare = LIMIT_SHARE, reserveShare = RESERVE_SHARE } = options
  const whole = dutyCycle * HOUR_MS * limitShare
  return Math.round(severity === 'immediate' ? whole : whole * (1 - reserveShare))
}
