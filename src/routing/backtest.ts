import type { NotificationsConfig, RegionRoutes } from '../config/notifications-schema.ts'
import type { LookoutEvent } from '../events/event.ts'
import { decide } from './decide.ts'
import type { Carried, Decision, GuardView, Heard, InForce, NewerMessage, PlannedSend, Silence } from './decision.ts'
import type { ExplainContext } from './explain.ts'
import { channelKey } from './keys.ts'
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

/** What a matrix would have sent over a span of stored events. Contract §4 rule 8. */
export interface BacktestReport {
  since: string
  until: string
  events: number
  messages: number
  channels: BacktestChannel[]
  networks: BacktestNetwork[]
  /** How often each reason kept an event silent. */
  silent: Record<string, number>
}

export interface BacktestOptions extends Pick<ExplainContext, 'locate' | 'preview'> {
  notifications: NotificationsConfig
  timezone: string
  matrix: RegionRoutes
  since: number
  until: number
  /** Events of the span, oldest first. */
  events: Iterable<LookoutEvent>
}

const YIELD_EVERY = 50
const HOUR_MS = 3_600_000

/** Replays stored events through an unsaved matrix on a memory of its own; every message is taken as sent at once. */
export async function backtest(options: BacktestOptions): Promise<BacktestReport> {
  const memory = new MemoryGuards()
  const channels = new Map<string, BacktestChannel>()
  const hours = new HourlyAirtime()
  const silent: Record<string, number> = {}
  let events = 0
  let messages = 0
  for (const stored of options.events) {
    const decision = replayOne(stored, options, memory)
    events++
    messages += decision.decision.sends.filter(({ mergeInto }) => mergeInto === null).length
    if (decision.decision.sends.length === 0)
      silent[decision.decision.reason] = (silent[decision.decision.reason] ?? 0) + 1
    for (const send of decision.decision.sends) {
      const preview = options.preview(decision.event, send)
      count(channels, send, preview)
      hours.add(send.transport, Date.parse(stored.received_at), preview?.airtimeMs ?? 0)
    }
    // A week of events must not keep the radios waiting.
    if (events % YIELD_EVERY === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    since: new Date(options.since).toISOString(),
    until: new Date(options.until).toISOString(),
    events,
    messages,
    channels: [...channels.values()].sort((a, b) => a.channel.localeCompare(b.channel)),
    networks: [hours.report('mt'), hours.report('mc')],
    silent
  }
}

function replayOne(
  stored: LookoutEvent,
  options: BacktestOptions,
  memory: MemoryGuards
): { decision: Decision; event: LookoutEvent } {
  const now = Date.parse(stored.received_at)
  const location = options.locate(stored)
  const event: LookoutEvent = withRegions(stored, location)
  const decision = decide(event, {
    notifications: { ...options.notifications, region_routes: options.matrix },
    timezone: options.timezone,
    view: memory,
    now,
    gate: location.gate,
    before: [],
    coldStart: false
  })
  memory.hear(event, decision)
  for (const send of decision.sends) memory.remember(event, send, now)
  return { decision, event }
}

function count(
  channels: Map<string, BacktestChannel>,
  send: PlannedSend,
  preview: { text: string; airtimeMs: number } | null
): void {
  const key = channelKey(send)
  const channel = channels.get(key) ?? { channel: key, messages: 0, bytes: 0, airtime_seconds: 0 }
  channel.messages++
  channel.bytes += preview === null ? 0 : new TextEncoder().encode(preview.text).length
  channel.airtime_seconds = Math.round((channel.airtime_seconds + (preview?.airtimeMs ?? 0) / 1000) * 1000) / 1000
  channels.set(key, channel)
}

/** Airtime by clock hour. */
class HourlyAirtime {
  readonly #ms: Record<BacktestNetwork['network'], Map<number, number>> = { mt: new Map(), mc: new Map() }

  add(transport: PlannedSend['transport'], at: number, ms: number): void {
    if (transport !== 'mt' && transport !== 'mc') return
    const hour = Math.floor(at / HOUR_MS)
    this.#ms[transport].set(hour, (this.#ms[transport].get(hour) ?? 0) + ms)
  }

  report(network: BacktestNetwork['network']): BacktestNetwork {
    const hours = [...this.#ms[network]]
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

/** Messages of a thread that are remembered for the order of sending, and how far ahead a clock may be: as the live guards. */
const REMEMBERED = 50
const CLOCK_SLACK_MS = 300_000

/** The guards' memory of one back-test. */
class MemoryGuards implements GuardView {
  readonly #keys = new Set<string>()
  readonly #armed = new Map<string, number>()
  readonly #carried = new Map<string, Carried[]>()
  readonly #heard = new Map<string, (NewerMessage & { sentAt: number })[]>()
  readonly #known = new Map<string, Heard[]>()
  #inForce: (InForce & { until: number })[] = []
  #nextId = 1

  seen(source: string, key: string): boolean {
    return this.#keys.has(JSON.stringify([source, key]))
  }

  armedAt(family: string, category: string, region: string): number | null {
    return this.#armed.get(JSON.stringify([family, category, region])) ?? null
  }

  carried(threadId: string): Carried[] {
    return this.#carried.get(threadId) ?? []
  }

  newer(threadId: string, sentAt: number, now: number): readonly NewerMessage[] {
    const heard = this.#heard.get(threadId) ?? []
    return heard.filter((message) => message.sentAt > sentAt && message.sentAt <= now + CLOCK_SLACK_MS)
  }

  /** Every event counts for the order of sending, whether it was told or not; of a thread the last ones do. */
  hear(event: LookoutEvent, { kind, reason }: Decision): void {
    const goesOn = event.lifecycle === 'new' || event.lifecycle === 'update'
    if (goesOn && (kind === 'send' || reason === 'duplicate'))
      this.#known.set(
        event.thread_id,
        [{ event, told: kind === 'send' }, ...this.heard(event.thread_id)].slice(0, REMEMBERED)
      )
    const { source, lifecycle, severity, zones, same, sent_at, thread_id } = event
    const message = { source, lifecycle, severity, zones: zones.length > 0 ? zones : same, sentAt: Date.parse(sent_at) }
    this.#heard.set(thread_id, [...(this.#heard.get(thread_id) ?? []), message].slice(-REMEMBERED))
  }

  heard(threadId: string): readonly Heard[] {
    return this.#known.get(threadId) ?? []
  }

  inForce(now: number): readonly InForce[] {
    return this.#inForce.filter(({ until }) => until > now)
  }

  /** A silence of the moment says nothing about a matrix. */
  silences(): readonly Silence[] {
    return []
  }

  remember(event: LookoutEvent, send: PlannedSend, now: number): void {
    this.#keys.add(JSON.stringify([send.dedup.source, send.dedup.key]))
    for (const { family, category, region } of send.cooldown)
      this.#armed.set(JSON.stringify([family, category, region]), now)
    const zones = event.zones.length > 0 ? event.zones : event.same
    const carried: Carried = {
      id: this.#nextId++,
      channelKey: channelKey(send),
      state: 'sent',
      kind: send.kind,
      severity: event.severity,
      regions: send.regions,
      zones,
      pieces: [{ zones, material: send.material }],
      expiresAt: event.expires === null ? null : Date.parse(event.expires),
      source: event.source
    }
    this.#followForce(event, send, now)
    this.#carried.set(event.thread_id, [...this.carried(event.thread_id), carried])
  }

  #followForce(event: LookoutEvent, { kind, regions }: PlannedSend, now: number): void {
    const { thread_id: threadId, family, category, severity, data } = event
    const goesOn = this.#inForce.filter(
      (known) => known.until > now && (kind !== 'cancel' || known.threadId !== threadId)
    )
    const until = kind === 'cancel' || event.expires === null ? now : Date.parse(event.expires)
    const told = { threadId, family, category, severity, eventName: data.event_name ?? '', regions, until }
    this.#inForce = until > now ? [...goesOn, told] : goesOn
  }
}
