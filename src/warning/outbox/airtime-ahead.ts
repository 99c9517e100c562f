import type { Severity } from '../../model/severity.ts'
import { isAtLeast } from '../../model/severity.ts'
import { type AirtimeEntry, AirtimeHour } from '../radios/airtime-hour.ts'
import type { Network } from '../radios/radio.ts'
import { budgetMs } from './airtime.ts'
import { MIN_GAP_MS, POLITE_GAP } from './pace.ts'

const HOUR_MS = 3_600_000
/** Further ahead nothing is known that would be worth a picture. */
export const HOURS_AHEAD = 12

/** A text that wants to be on the air. Epoch milliseconds. */
export interface Wanted {
  channel: string
  kind: 'queued' | 'planned'
  severity: Severity
  /** Not before. */
  at: number
  /** Later it is no use any more; null: it is at any time. */
  until: number | null
  /** Time on the air. */
  ms: number
}

/** The use of a channel by day and hour: the mean of the last days, by hour of the day in UTC, in milliseconds. */
export interface Usual {
  /** Days behind it; 0: none are known, and the hours tell nothing. */
  days: number
  byChannel: ReadonlyMap<string, readonly number[]>
}

/** An hour to come: the airtime of what waits and of what is planned, and what the hour usually takes (null: not known). */
export interface HourAhead {
  from: number
  queued_ms: number
  planned_ms: number
  usual_ms: number | null
}

/** The hours to come, of one channel. */
export interface ChannelAhead {
  channel: string
  queued: number
  planned: number
  ms: number
  usual_ms: number | null
}

/** The hours to come, of one radio. Epoch milliseconds. */
export interface AirtimeAhead {
  radio: string
  network: Network
  used_ms: number
  /** The part of an hour that everything but immediate danger may take (contract §6). */
  budget_ms: number
  hours: HourAhead[]
  channels: ChannelAhead[]
  /** From then on a text has to wait until the hour has room; null: none has to. */
  full_at: number | null
  /** When the last text that waits now is on the air; null: none waits, or it is never. */
  clear_at: number | null
  /** Texts that will be over before their turn, or that no hour has room for. */
  late: number
  /** Texts that wait for something else: nobody knows when they go. */
  held: number
  /** Some that wait are not composed yet: their length is that of the last days. */
  is_estimate: boolean
  days: number
}

interface Air {
  now: number
  network: Network
  /** The legal share of an hour, 0…1. */
  dutyCycle: number
  spent: readonly AirtimeEntry[]
}

type Played = Pick<AirtimeAhead, 'full_at' | 'clear_at' | 'late'> & { sent: (Wanted & { begins: number })[] }

/**
 * Sends on paper what waits and what is planned: in the order and with the pauses of the queue, inside of the budget of each hour. What is due now
 * goes by its severity, the rest when its time comes. Pure.
 */
export function played(wanted: readonly Wanted[], { now, network, dutyCycle, spent }: Air): Played {
  const hour = new AirtimeHour(spent)
  const result: Played = { full_at: null, clear_at: null, late: 0, sent: [] }
  let at = now
  for (const one of [...wanted].sort((a, b) => Math.max(a.at, now) - Math.max(b.at, now))) {
    at = Math.max(at, one.at)
    const begins = hour.fitsAt(at, one.ms, budgetMs({ dutyCycle, severity: one.severity }))
    if (begins === null || begins > at) result.full_at ??= at
    if (begins === null || (one.until !== null && begins > one.until)) {
      result.late++
      continue
    }
    hour.add(begins, one.ms)
    result.sent.push({ ...one, begins })
    const polite = isAtLeast(one.severity, 'critical') ? 0 : POLITE_GAP * one.ms
    at = begins + one.ms + Math.max(MIN_GAP_MS[network], polite)
    if (one.kind === 'queued') result.clear_at = begins + one.ms
  }
  return result
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const hourOfDay = (at: number): number => Math.floor(at / HOUR_MS) % 24

/** The hours from now on, each with what goes in it. */
export function hoursAhead({ sent }: Played, { days, byChannel }: Usual, now: number): HourAhead[] {
  return Array.from({ length: HOURS_AHEAD }, (_, n) => {
    const from = now + n * HOUR_MS
    const within = sent.filter(({ begins }) => begins >= from && begins < from + HOUR_MS)
    const of = (kind: Wanted['kind']): number => sum(within.filter((one) => one.kind === kind).map(({ ms }) => ms))
    const usual = sum([...byChannel.values()].map((hours) => hours[hourOfDay(from)] ?? 0))
    return { from, queued_ms: of('queued'), planned_ms: of('planned'), usual_ms: days === 0 ? null : usual }
  })
}

/** Channels that have something ahead of them, the busiest first. */
export function channelsAhead(wanted: readonly Wanted[], { days, byChannel }: Usual, now: number): ChannelAhead[] {
  const names = [...new Set([...wanted.map(({ channel }) => channel), ...byChannel.keys()])]
  const coming = Array.from({ length: HOURS_AHEAD }, (_, n) => hourOfDay(now + n * HOUR_MS))
  return names
    .map((channel): ChannelAhead => {
      const own = wanted.filter((one) => one.channel === channel)
      const hours = byChannel.get(channel)
      return {
        channel,
        queued: own.filter(({ kind }) => kind === 'queued').length,
        planned: own.filter(({ kind }) => kind === 'planned').length,
        ms: sum(own.map(({ ms }) => ms)),
        usual_ms: days === 0 ? null : sum(coming.map((hour) => hours?.[hour] ?? 0))
      }
    })
    .sort((a, b) => b.ms - a.ms || (b.usual_ms ?? 0) - (a.usual_ms ?? 0) || (a.channel < b.channel ? -1 : 1))
}
