import type { Readable } from 'node:stream'
import type { LiveTopics } from '../dashboard/server/context.ts'
import type { LookoutEvent } from '../model/event.ts'
import type { Reason } from '../model/reason.ts'
import type { Language } from '../model/words/languages.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { Loop } from '../platform/clock/pulse.ts'
import type { Log } from '../platform/log/log.ts'
import type { Observers } from '../platform/observers.ts'
import type { Config } from '../settings/schema.ts'
import type { ClaimOffer, HotspotSwitch, Library } from '../warning/commands/ask.ts'
import type { ZoneShapes } from '../warning/coverage/zones.ts'
import type { SourceConfig } from '../warning/feeds/settings.ts'
import type { AskPeer } from '../warning/outbox/peer-asker.ts'
import type { Radio } from '../warning/radios/radio.ts'
import type { Problem } from '../warning/readiness/problem.ts'
import type { SelfReport } from '../warning/readiness/self-report.ts'
import type { Accepted, Arrival } from '../warning/routing/accepted.ts'
import type { Explanation } from '../warning/routing/explain.ts'
import type { WarningConfig } from '../warning/settings.ts'

export interface StartOptions {
  mode: 'run' | 'preview'
  version: string
  /** The folder of `profiles/`, `web/` and `demo/`. */
  root: string
  dataFolder: string
  profileName: string
  host: string
  port: number
  log: Log
  /** Settings that do not come from the profile, by name; no paths, no secrets. */
  overrides: Readonly<Record<string, string | number | boolean>>
  /** `again`: a new run of the demo although this folder has seen it. */
  demo: 'on' | 'off' | 'again'
  /** Development aid: a file that gets a line for every text a simulated radio takes for the air. */
  airLog?: string
  /** A file that makes the station forget its passphrase, once. */
  resetFile?: string
  /** The file in which whoever switches the hotspot tells of it; without it that of deploy/hotspot. */
  hotspotState?: string
  /** The file in which whoever installs a release tells of it; without it that of deploy/systemd/lookout-update. */
  updateState?: string
  /** The file in which the station says what its lamp shows; without it nobody reads that. */
  boardFile?: string
  /** Whatever starts the program again when it ends; null where nothing does. */
  restartedBy: string | null
  /** Ends the program as SIGTERM does. */
  leave: () => void
  /** Aborted when the program is to end: what is not up yet is not begun any more. */
  asked: AbortSignal
  /** Called when the port answers, before the demo plays. */
  onStarted?: (app: RunningApp) => void
}

/** The running program as a verb sees it. */
export interface RunningApp {
  url: string
  radios: readonly Radio[]
  observers: Observers<LiveTopics>
  timezone: () => string
  /** A note about the demo, or null when it does not play. */
  demoNote: Reason | null
  reload: () => Promise<void>
  /** The watchdog's: none of them may stand still. */
  loops: () => readonly Loop[]
  /** Messages that wait for a radio. */
  waiting: () => number
  /** A new claim code while nobody has chosen the passphrase; null once somebody has, and in preview. */
  offerClaim: () => Promise<string | null>
  /** Answers the names of the steps that failed; what only took too long is in the log. */
  stop: () => Promise<string[]>
}

/** The parts of the walk from event to radio. */
export interface CoreSetup {
  databasePath: string
  /** The configuration an event is judged by: the saved one, or the demo's for the demo's own events. */
  configFor: (event: LookoutEvent) => WarningConfig
  config: () => WarningConfig
  zones: ZoneShapes
  radios: readonly Radio[]
  clock: Clock
  /** Chance, 0…1, for the back-off between stations; `Math.random` when absent. */
  random?: () => number
  log: Log
  commitWindowMs: number
  /** See `PipelineOptions`. */
  inSlices?: boolean
  /** False: nothing is sent and nothing waits to be sent by this process (preview, dry run). */
  transmit: boolean
  retentionDays: { events: number; deliveries: number; traces: number }
  /** Asks other stations over IP; absent where nobody is asked. */
  askPeer?: AskPeer
  /** For `!ask`; absent where there is no knowledge. */
  library?: Library
  /** For `!hotspot`; absent where there is none. */
  hotspot?: HotspotSwitch
  /** For `!claim`; absent where there is none. */
  claim?: ClaimOffer
  /** The problems of the station now, for those who ask by radio; absent where nobody judges it. */
  problems?: () => readonly Problem[]
  /** The program's observations of itself; absent where nobody asks. */
  report?: SelfReport
  /** See `StorageOptions`. */
  salvage?: (path: string, renewed: string) => Promise<{ rows: number; lost: string[] }>
  /** Room that is given to the ledger when the disk is full. */
  reserve?: { keep: () => Promise<void>; release: () => boolean }
  /** True when a disk that failed works again; asked by something small. */
  probe?: () => Promise<boolean>
  mayStore?: () => boolean
  /** Storing works again. */
  onDiskBack?: () => void
}

/** The walk from event to radio without the web around it: replay and explain. */
export interface RunningCore {
  observers: Observers<LiveTopics>
  waiting: { open: () => number }
  start: () => void
  accept: (arrivals: Arrival[]) => Promise<Accepted[]>
  explain: (event: LookoutEvent) => Explanation
  close: () => Promise<void>
}

/** A recorded feed file as its parser read it. */
export interface ReadFeed {
  kind: string
  events: LookoutEvent[]
  skipped: { id: string; reason: Reason }[]
}

/** A look at a source at one moment, as its settings want it. */
export interface LookedAt {
  events: LookoutEvent[]
  skipped: { id: string; reason: Reason }[]
  /** The number of things the source listed. */
  items: number
  /** The time at which the source made the listing; null when it does not say. */
  updated: string | null
}

/** The outside world of a verb. `out` is for machines, `err` for people. */
export interface VerbContext {
  version: string
  root: string
  env: Record<string, string | undefined>
  /** Of the sentences that people read on the terminal. */
  language: Language
  stdin: Readable
  /** Aborted by SIGTERM and SIGINT of a station. */
  asked: AbortSignal
  out: (text: string) => void
  err: (text: string) => void
  startApp: (options: StartOptions) => Promise<RunningApp>
  /** Reads a recorded feed or a file of Events; throws AppError `bad-input` naming the kinds. */
  parseFeedFile: (
    content: Uint8Array,
    options: { receivedAt: number; as?: string; families?: ReadonlySet<string>; config?: Config }
  ) => Promise<ReadFeed>
  /** Reads a recorded answer as this source would; throws AppError `bad-input`. */
  readSource: (body: Uint8Array, options: { settings: SourceConfig; config: Config; at: number }) => Promise<LookedAt>
  /** Asks the provider once; throws AppError `conflict` when it may not be asked, `unavailable` without an answer. */
  pollSource: (options: { settings: SourceConfig; config: Config; version: string }) => Promise<LookedAt>
  /** One simulated radio per network on this clock. */
  simulatedRadios: (mcNames: () => string[], clock: Clock) => Promise<Radio[]>
  openCore: (options: CoreSetup) => Promise<RunningCore>
  /** Roles of `lookout work ROLE`, loaded when they are asked for. */
  roles: Readonly<Record<string, () => Promise<WorkRole>>>
}

/** The outside world of a role of `lookout work`: `role` as it was called, and what followed it. */
export interface WorkContext extends VerbContext {
  role: string
  args: string[]
}

/** Answers the exit code when the process should end. */
export type WorkRole = (context: WorkContext) => Promise<number>
