import type { LookoutEvent } from '../../model/event.ts'
import { decide } from './decide.ts'
import type { Decision, GuardView, Transport } from './decision.ts'
import type { ExplainContext } from './explain.ts'
import type { NotificationsConfig } from './settings.ts'
import { withRegions } from './tagged.ts'

export interface BacktestChannel {
  channel: string
  messages: number
  bytes: number
  airtime_seconds: number
}

/** The airtime of one network: channels share the radio, and the law counts by the hour. */
export interface BacktestNetwork {
  network: 'mt' | 'mc'
  airtime_seconds: number
  /** The clock hour (UTC) with the most airtime; null without any. */
  busiest_hour: { from: string; airtime_seconds: number } | null
}

/** The messages that a matrix would have sent over a span of stored events. Contract §4 rule 8. */
export interface BacktestReport {
  since: string
  until: string
  events: number
  messages: number
  channels: BacktestChannel[]
  networks: BacktestNetwork[]
  /** The number of times each reason kept an event silent. */
  silent: Record<string, number>
}

/** A message that left. */
export interface BacktestMessage {
  /** Channel key: `mt:3`. */
  channel: string
  transport: Transport
  at: number
  bytes: number
  airtimeMs: number
}

/** A station without the air: the memory, the queue and the guards of the live one. */
export interface BacktestStation {
  /** Stores the event, what `decide` says of it, and its messages, at this time. */
  accept(event: LookoutEvent, now: number, decide: (view: GuardView) => Decision): Decision
  /** Ends some of what is over by this time: an event is accepted once it answers false. True while there may be more. */
  catchUp(now: number): boolean
  /** The next thing that happens until then: a message that leaves, or a step in which nothing left. Null when there is none. */
  next(until: number): BacktestMessage | 'nothing left' | null
  /** Messages that were planned and never left, by reason. */
  unsent(): { reason: string; count: number }[]
}

export interface BacktestOptions extends Pick<ExplainContext, 'locate'> {
  /** With the matrix that is tried. */
  notifications: NotificationsConfig
  timezone: string
  since: number
  until: number
  /** Events of the span, oldest first. */
  events: Iterable<{ event: LookoutEvent; coldStart: boolean }>
  station: BacktestStation
  /** Called between two small steps: returns when the work may go on, throws when nobody wants it any more. */
  pace: () => Promise<void>
}

const HOUR_MS = 3_600_000
/** Messages that still wait at the end of the span leave within this, or are not counted. */
const TAIL_MS = 24 * HOUR_MS

/**
 * Replays stored events through an unsaved matrix on a station of its own, whose radios take everything as soon as it is
 * due. Nobody answers there: no escalation, and no network stands in for another.
 */
export async function backtest(options: BacktestOptions): Promise<BacktestReport> {
  const { since, until, station, pace } = options
  const counts = new Counts()
  const leaveUntil = async (time: number): Promise<void> => {
    for (let message = station.next(time); message !== null; message = station.next(time)) {
      if (message !== 'nothing left') counts.message(message)
      await pace()
    }
  }
  for (const arrival of options.events) {
    await pace()
    const now = Date.parse(arrival.event.received_at)
    await leaveUntil(now)
    // An event that is over by now is not there to be joined.
    while (station.catchUp(now)) await pace()
    counts.event(replayOne(arrival, options, now))
    await pace()
  }
  await leaveUntil(until + TAIL_MS)
  for (const { reason, count } of station.unsent()) counts.silent(reason, count)
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    ...counts.report()
  }
}

function replayOne(
  { event: stored, coldStart }: { event: LookoutEvent; coldStart: boolean },
  { locate, notifications, timezone, station }: BacktestOptions,
  now: number
): Decision {
  const location = locate(stored)
  const event = withRegions(stored, location)
  return station.accept(event, now, (view) =>
    decide(event, {
      notifications,
      timezone,
      view,
      now,
      gate: location.gate,
      regionsOf: location.regionsOf,
      before: location.trace,
      coldStart
    })
  )
}

class Counts {
  readonly #channels = new Map<string, BacktestChannel>()
  readonly #hours: Record<BacktestNetwork['network'], Map<number, number>> = { mt: new Map(), mc: new Map() }
  readonly #silent: Record<string, number> = {}
  #events = 0
  #messages = 0

  event({ sends, reason }: Decision): void {
    this.#events++
    if (sends.length === 0) this.silent(reason, 1)
  }

  silent(reason: string, count: number): void {
    this.#silent[reason] = (this.#silent[reason] ?? 0) + count
  }

  message({ channel: key, transport, at, bytes, airtimeMs }: BacktestMessage): void {
    this.#messages++
    const channel = this.#channels.get(key) ?? { channel: key, messages: 0, bytes: 0, airtime_seconds: 0 }
    channel.messages++
    channel.bytes += bytes
    channel.airtime_seconds = Math.round((channel.airtime_seconds + airtimeMs / 1000) * 1000) / 1000
    this.#channels.set(key, channel)
    if (transport !== 'mt' && transport !== 'mc') return
    const hour = Math.floor(at / HOUR_MS)
    this.#hours[transport].set(hour, (this.#hours[transport].get(hour) ?? 0) + airtimeMs)
  }

  report(): Omit<BacktestReport, 'since' | 'until'> {
    return {
      events: this.#events,
      messages: this.#messages,
      channels: [...this.#channels.values()].sort((a, b) => a.channel.localeCompare(b.channel)),
      networks: [this.#network('mt'), this.#network('mc')],
      silent: this.#silent
    }
  }

  #network(network: BacktestNetwork['network']): BacktestNetwork {
    const hours = [...this.#hours[network]]
    const [busiest] = hours.sort(([hourA, a], [hourB, b]) => b - a || hourA - hourB)
    const seconds = (ms: number): number => Math.round(ms) / 1000
    return {
      network,
      airtime_seconds: seconds(hours.reduce((sum, [, ms]) => sum + ms, 0)),
      busiest_hour:
        busiest === undefined || busiest[1] === 0
          ? null
          : { from: new Date(busiest[0] * HOUR_MS).toISOString(), airtime_seconds: seconds(busiest[1]) }
    }
  }
}
