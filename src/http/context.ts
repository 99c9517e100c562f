import type { RegionRoutes } from '../config/notifications-schema.ts'
import type { Profile } from '../config/profile.ts'
import type { Config } from '../config/schema.ts'
import type { ConfigStore } from '../config/store.ts'
import type { TokenStore } from '../config/tokens.ts'
import type { LookoutEvent } from '../events/event.ts'
import type { SourceStatus } from '../feeds/status.ts'
import type { Log } from '../lib/log.ts'
import type { Observers } from '../lib/observers.ts'
import type { Ack, AckStore } from '../outbox/ack-store.ts'
import type { Delivery, DeliveryView } from '../outbox/delivery.ts'
import type { FollowUpView } from '../outbox/follow-ups.ts'
import type { Ledger } from '../outbox/ledger.ts'
import type { SilenceStore } from '../outbox/silence-store.ts'
import type { RadioChannel, RadioDescription, RadioHealth } from '../radios/radio.ts'
import type { BacktestReport } from '../routing/backtest.ts'
import type { Explanation } from '../routing/explain.ts'
import type { Accepted } from '../routing/pipeline.ts'

/** What observers hear of: the live stream, the terminal and the metrics. */
export interface LiveTopics {
  decided: Accepted
  delivery: Delivery
  radio: RadioStatus
  source: SourceStatus
  config: { revision: string; stale: boolean }
}

/** What `GET /api/radios` shows of one radio. Times are RFC 3339. */
export interface RadioStatus {
  id: string
  network: RadioDescription['network']
  link: RadioDescription['link']
  simulated: boolean
  node_name: string
  modem: string
  state: RadioHealth['state']
  reason: string | null
  since: string
  channels: RadioChannel[]
  /** Matrix or policy channels this radio does not have or has disabled. */
  missing_channels: { channel: number | string; problem: 'no_channel' | 'channel_disabled' }[]
  queue: { waiting: number }
  airtime: { used_seconds: number; budget_seconds: number; legal_share: number }
}

export interface DeliveryQuery {
  since?: number
  state?: string
  transport?: string
  thread?: string
  /** Rows with an id below this one. */
  cursor?: number
  limit: number
}

/** The program as the web sees it. In preview there is no pipeline and nothing transmits. */
export interface HttpContext {
  version: string
  mode: 'run' | 'preview'
  startedAt: number
  now: () => number
  log: Log
  profile: Profile
  /** Values of the profile that the command line, the environment or `config.json` replace: `{"http.host": "0.0.0.0"}`. */
  overrides: Readonly<Record<string, string | number | boolean>>
  config: ConfigStore
  tokens: TokenStore
  observers: Observers<LiveTopics>
  ledger: Ledger
  /** Takes events in; rejects with AppError `unavailable` in preview. */
  acceptEvents: (events: LookoutEvent[]) => Promise<Accepted[]>
  deliveries: {
    list: (query: DeliveryQuery) => { deliveries: DeliveryView[]; next: number | null }
    steps: (deliveryId: number) => { at: string; state: string; reason: string | null; detail: string }[]
    ofEvent: (seq: number) => DeliveryView[]
    counts: () => Record<string, number>
  }
  /** What people have said about alerts, and what follows when nobody has. */
  aftermath: {
    silences: Pick<SilenceStore, 'active' | 'add' | 'end'>
    acks: Pick<AckStore, 'of'>
    acknowledge: (threadId: string, by: Omit<Ack, 'at'>) => { ack: Ack; stopped: boolean }
    followUp: (threadId: string) => FollowUpView | null
  }
  radios: () => RadioStatus[]
  sources: {
    list: () => SourceStatus[]
    kinds: () => { kind: string; mode: 'poll' | 'push'; title: string; about: string; state: 'off' | 'in use' }[]
    /** Asks one source now. Throws AppError: `not-found`, `conflict`; `unavailable` in preview. */
    poll: (name: string) => { asked: true } | { asked: false; why: string; reason: string; waitMs: number }
  }
  explain: (event: LookoutEvent, matrix?: RegionRoutes) => Explanation
  backtest: (matrix: RegionRoutes, since: number, until: number) => Promise<BacktestReport>
  /** Whether everything the process needs to warn is up; the reasons when not. */
  readiness: () => { ready: boolean; problems: string[] }
  /** The demo, when it plays or is offered; null once a radio or a coverage is configured. */
  demo: () => { playing: boolean; note: string } | null
  /** What the pages show as coverage and matrix: the saved configuration, or the demo's while it stands in. */
  shownConfig: () => Config
}
