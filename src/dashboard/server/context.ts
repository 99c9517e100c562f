import type { DocumentStatus } from '../../knowledge/catalogue/states.ts'
import type { KeyStore } from '../../knowledge/keys/key-store.ts'
import type { KeyTester } from '../../knowledge/keys/key-test.ts'
import type { LookoutEvent } from '../../model/event.ts'
import type { Geometry } from '../../model/geojson.ts'
import type { Reason } from '../../model/reason.ts'
import type { AuditLog } from '../../platform/audit/audit-log.ts'
import type { StorageFault } from '../../platform/database/storage-fault.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MetricsHistory } from '../../platform/metrics/history.ts'
import type { Observers } from '../../platform/observers.ts'
import type { SessionStore } from '../../platform/sessions/session-store.ts'
import type { TokenStore } from '../../platform/sessions/tokens.ts'
import type { Profile } from '../../settings/profile.ts'
import type { Config } from '../../settings/schema.ts'
import type { ConfigStore } from '../../settings/store.ts'
import type { ZoneShapes } from '../../warning/coverage/zones.ts'
import type { SourceStatus } from '../../warning/feeds/status.ts'
import type { Ack, AckStore } from '../../warning/outbox/ack-store.ts'
import type { AirtimeAhead } from '../../warning/outbox/airtime-ahead.ts'
import type { RangOn } from '../../warning/outbox/alarms.ts'
import type { Delivery, DeliveryView, NewText } from '../../warning/outbox/delivery.ts'
import type { DeliveryFilter } from '../../warning/outbox/delivery-list.ts'
import type { FollowUpView } from '../../warning/outbox/follow-ups.ts'
import type { Ledger } from '../../warning/outbox/ledger.ts'
import type { PeerState } from '../../warning/outbox/peer-asker.ts'
import type { PeerAnswer, PeerQuestion } from '../../warning/outbox/peer-question.ts'
import type { PeerTag } from '../../warning/outbox/peer-tags.ts'
import type { PinnedKeys } from '../../warning/outbox/pinned-keys.ts'
import type { SilenceStore } from '../../warning/outbox/silence-store.ts'
import type { SerialDevice } from '../../warning/radios/link/devices.ts'
import type { FoundRadio } from '../../warning/radios/probe.ts'
import type { RadioChannel, RadioDescription, RadioHealth } from '../../warning/radios/radio.ts'
import type { Readiness } from '../../warning/readiness/problem.ts'
import type { Accepted } from '../../warning/routing/accepted.ts'
import type { BacktestReport } from '../../warning/routing/backtest.ts'
import type { Explanation } from '../../warning/routing/explain.ts'
import type { RegionRoutes } from '../../warning/routing/settings.ts'
import type { Sheet } from '../paper/sheet.ts'
import type { AddressLookup } from './address-lookup.ts'
import type { BackupPort } from './backups.ts'
import type { Bundles } from './bundles.ts'
import type { ExercisesPort } from './exercises.ts'
import type { TownLookup } from './gazetteer.ts'
import type { HotspotPort } from './hotspot.ts'
import type { HttpsState } from './https-port.ts'
import type { KnowledgeContext } from './knowledge.ts'
import type { LibraryService } from './library.ts'
import type { LocalOperator } from './local-operator.ts'
import type { ScrapeService } from './scraper.ts'
import type { UpdatePort } from './update.ts'

/** A port of this machine, or an address. */
export type RadioPlace = { path: string } | { host: string; port: number }

/** Topics that observers hear of: the live stream, the terminal and the metrics. */
export interface LiveTopics {
  decided: Accepted
  delivery: Delivery
  radio: RadioStatus
  source: SourceStatus
  config: { revision: string; stale: boolean }
  knowledge: KnowledgeNews
}

/** Something changed with documents or the work on them. */
export interface KnowledgeNews {
  /** Documents by status. */
  counts: Record<DocumentStatus, number>
  /** Jobs that run now. */
  running: number
  /** Jobs that wait for something from outside. */
  held: number
  /** Documents that failed. */
  failed: number
}

/** The facts of a radio about itself and its neighbours; null where it tells none. Times are RFC 3339. */
export interface RadioDetailsView {
  firmware: string | null
  battery_percent: number | null
  battery_millivolts: number | null
  /** Share of the last minute in which the channel was busy, 0…1. */
  channel_utilization: number | null
  /** Share of the last hour in which this radio transmitted, 0…1. */
  air_utilization: number | null
  /** Messages waiting inside the radio. */
  queue_length: number | null
  nodes_known: number
  /** The 50 heard last; none in the live stream. */
  nodes: { id: string; name: string; last_heard: string | null; battery_percent: number | null; snr: number | null }[]
}

/** The present text of a scheduled broadcast. Times are RFC 3339. */
export interface BroadcastPreview {
  name: string
  enabled: boolean
  what: string
  at: string[]
  days: string[]
  next_run: string | null
  /** `text` is null when there is nothing to tell: then nothing is sent. */
  channels: { channel: string; text: string | null }[]
}

/** The passes of the next hours over one observer, in order of their rise. */
export interface SatellitePasses {
  observer: string
  /** Every observer that may be asked for. */
  observers: string[]
  from: string
  to: string
  min_elevation: number
  passes: Record<string, string | number>[]
  unusable: { id: string; reason: Reason }[]
}

/** One radio in `GET /api/radios`. Times are RFC 3339. */
export interface RadioStatus {
  id: string
  network: RadioDescription['network']
  link: RadioDescription['link']
  simulated: boolean
  node_name: string
  modem: string
  state: RadioHealth['state']
  reason: Reason | null
  since: string
  channels: RadioChannel[]
  /** Matrix or policy channels this radio does not have or has disabled. */
  missing_channels: { channel: number | string; problem: 'no_channel' | 'channel_disabled' }[]
  queue: { waiting: number }
  airtime: { used_seconds: number; budget_seconds: number; legal_share: number }
  /** Null: this radio tells nothing about itself. */
  details: RadioDetailsView | null
}

/** The keys, and what tests them. */
export interface KeysContext {
  store: KeyStore
  tester: Pick<KeyTester, 'test' | 'testAll'>
}

/** A part of the world. Degrees. */
export interface MapBox {
  west: number
  south: number
  east: number
  north: number
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
  /** The scripts and styles of the pages as the build put them together. */
  bundles: Bundles
  config: ConfigStore
  tokens: TokenStore
  /** The operator's passphrase and sessions. */
  sessions: SessionStore
  /** The right of whoever sits at the machine itself. */
  local: LocalOperator
  /** The port of HTTPS as it stands. */
  https: () => HttpsState
  observers: Observers<LiveTopics>
  ledger: Ledger
  /** Takes events in; rejects with AppError `unavailable` in preview. */
  acceptEvents: (events: LookoutEvent[]) => Promise<Accepted[]>
  /** The reason why nothing is stored at present; null while it is (contract §6). */
  storageFault: () => StorageFault | null
  deliveries: {
    list: (query: DeliveryFilter) => { deliveries: DeliveryView[]; next: number | null }
    steps: (deliveryId: number) => { at: string; state: string; reason: string | null; step: Reason }[]
    ofEvent: (seq: number) => DeliveryView[]
    counts: () => Record<string, number>
    /** Meshtastic channels on which messages rang in the last 24 hours. */
    rang: () => RangOn[]
    /** Tags of other stations that were heard in the last day, the newest first. */
    heardTags: (count: number) => PeerTag[]
    /** Time-on-air of a text to a channel, by the radio as it is set now; 0 without one. Milliseconds. */
    airtimeMs: (network: 'mt' | 'mc', bytes: number) => number
  }
  /** Other stations over IP (contract §6, *Two stations*). */
  byIp: {
    /** Null: no station of this secret asked, or this one stands alone. */
    answer: (question: PeerQuestion) => PeerAnswer | null
    states: () => PeerState[]
    tryAll: () => Promise<PeerState[]>
  }
  /** The words of people about alerts, and what follows when nobody has said any. */
  reactions: {
    silences: Pick<SilenceStore, 'active' | 'add' | 'end'>
    acks: Pick<AckStore, 'of'>
    keys: Pick<PinnedKeys, 'list' | 'forget'>
    acknowledge: (threadId: string, by: Omit<Ack, 'at'>) => { ack: Ack; stopped: boolean }
    followUp: (threadId: string) => FollowUpView | null
    /** Nodes that told a position inside of an event's area: never for a guest. */
    inside: (
      event: LookoutEvent
    ) => { nodes: { name: string; at: number }[]; placed: number; untold: number; whole: boolean } | null
    /** Nodes that told a place, the one heard last first: never for a guest. `at`: when they told it, `heardAt` when they were heard. */
    placed: () => readonly {
      id: string
      name: string
      lat: number
      lon: number
      at: number
      heardAt: number | null
    }[]
  }
  radios: () => RadioStatus[]
  sources: {
    list: () => SourceStatus[]
    kinds: () => { kind: string; mode: 'poll' | 'push'; title: string; about: string; state: 'off' | 'in use' }[]
    /** Asks one source now. Throws AppError: `not-found`, `conflict`; `unavailable` in preview. */
    poll: (name: string) => { asked: true } | { asked: false; why: string; reason: Reason; waitMs: number }
  }
  /** The scripted exercises; null in a preview. */
  exercises: ExercisesPort | null
  /** Puts a finished text into the outbox, as routine; answers the id of its delivery. */
  addText: (text: NewText) => number
  /** The hours to come on the air of each radio; kept for half a minute. */
  airtimeAhead: () => Promise<readonly AirtimeAhead[]>
  /** The present texts of the scheduled broadcasts. */
  broadcasts: () => Promise<BroadcastPreview[]>
  /** Works in steps with `pause` between two. Throws AppError `not-found`, saying what is missing, when passes cannot be worked out. */
  passes: (ask: { observer: string; hours: number }, pause: () => Promise<void>) => Promise<SatellitePasses>
  /** Serial ports of this machine, by name; nothing is opened. */
  serialDevices: () => Promise<SerialDevice[]>
  /** Asks at a port or an address which radio is there; one question at a time, and none where a configured radio hangs. */
  probe: {
    /** Rejects with AppError: `conflict` when it is in use, asked already or stopped, `unavailable` or `timeout` when nobody answers. */
    ask: (at: RadioPlace) => Promise<FoundRadio>
    stop: () => void
  }
  /** Places that have codes. Nothing is fetched from anywhere for what a page asks. */
  places: {
    /** Best first. */
    search: (query: string, limit: number) => Promise<{ code: string; name: string; state: string; kind: string }[]>
    /** Empty when only the code is known. */
    nameOf: (code: string) => Promise<string>
    zones: ZoneShapes
    /** For drawing: few vertices. Takes a canonical code. */
    outline: (code: string) => Geometry | null
    /** Coasts and borders of the bundled atlas that show in a box; null where it was not built. */
    ground: ((box: MapBox) => Promise<{ name: string; lines: Float32Array[] }[]>) | null
  }
  gazetteer: TownLookup
  /** The folder of base maps (`*.pmtiles`); it need not exist. */
  mapsFolder: string
  explain: (event: LookoutEvent, matrix?: RegionRoutes) => Generator<void, Explanation>
  /** `pace` is called between two events. */
  backtest: (matrix: RegionRoutes, since: number, until: number, pace: () => Promise<void>) => Promise<BacktestReport>
  /** Tells whether a warning could go out now, and what keeps it from that (contract §13). */
  readiness: () => Readiness
  /** The reason why guests get no pages at present; null while they do. */
  shedFor: () => Reason | null
  /** A page as a PDF, set in a process of its own. @throws AppError `timeout`, `too-large`, `unavailable` */
  print: (sheet: Sheet, signal: AbortSignal) => Promise<Buffer>
  /** How this program is started anew. `ask` ends it as SIGTERM does, with what is under way. */
  restart: {
    /** Whatever starts it again then; null where nothing does. */
    by: string | null
    ask: () => void
  }
  /** The claim code of the last start lies on the boot partition of the card now. */
  claimOnCard: () => Promise<boolean>
  /** The program lies in a bundle, with a manifest; else in a checkout. */
  isBundle: boolean
  /** The standstills of the process: the worst of the last minute and who was at work then, and all since the start. */
  loop: () => { worst_stall_ms: number; stalled_ms: number; during: readonly string[] }
  /** The measurements of the last days; null when the profile keeps no history. */
  history: MetricsHistory | null
  /** Who did what; null in a preview. */
  audit: Pick<AuditLog, 'add' | 'note' | 'newest' | 'find'> | null
  /** The Wi-Fi of the station; null in a preview. */
  hotspot: HotspotPort | null
  /** Backups that are made by themselves; null in a preview. */
  backups: BackupPort | null
  /** How this program becomes another release; null in a preview. */
  updates: UpdatePort | null
  /** The lookup of postal addresses; null when the profile has that off. */
  addresses: AddressLookup | null
  /** The demo, when it plays or is offered; null once a radio or a coverage is configured. */
  demo: () => { playing: boolean; note: Reason } | null
  /** The coverage and matrix on the pages: the saved configuration, or the demo's while it stands in. */
  shownConfig: () => Config
  /** The database of documents cannot be opened at present: asking for them, archives or keys throws StorageError. */
  knowledgeClosed: () => boolean
  /** Documents; null when the profile has them off. */
  knowledge: KnowledgeContext | null
  /** Archives and the server that shows them; null when the profile has it off. */
  library: LibraryService | null
  /** Archiving of web sites; null when the profile has it off. */
  scraper: ScrapeService | null
  /** Keys of language models and embedding servers; null when the profile runs nothing that uses them. */
  keys: KeysContext | null
}
