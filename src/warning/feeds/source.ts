import type { LookoutEvent } from '../../model/event.ts'
import type { Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Log } from '../../platform/log/log.ts'
import type { CoverageConfig } from '../coverage/settings.ts'
import type { StationConfig } from '../station-settings.ts'
import type { SourceSettings } from './common-settings.ts'
import type { ParsedFeed } from './feed.ts'

/** The memory of a source from poll to poll, over restarts too: JSON values by key. Written once the events are stored. */
export interface SourceMemory {
  get(key: string): unknown
  /** `value` is anything JSON can hold. */
  set(key: string, value: unknown): void
  delete(key: string): void
  /** All entries whose key starts with `prefix`, in the order of their keys. */
  entries(prefix: string): [key: string, value: unknown][]
  /** Their keys alone, in order: for whoever reads them a few at a time. */
  keys(prefix: string): string[]
}

/** The knowledge of a reader besides the body. Readers take the time from here, never from a clock. */
export interface ReadTools {
  /** `source` of the events made. */
  source: string
  /** Epoch milliseconds. */
  receivedAt: number
  memory: SourceMemory
  station: StationConfig
  coverage: CoverageConfig
  /** Events of this family that are in force now, of all sources: to tell a hotspot inside a known fire. */
  inForce(family: string): LookoutEvent[]
  /** Families events may name; default the built-in ones. */
  families?(): ReadonlySet<string>
}

export interface FetchRequest {
  url: string
  headers?: Record<string, string>
  /** Refuses longer bodies; bytes after unzipping. Default 8 MiB. */
  maxBytes?: number
  /** False: asks for the whole body although it may not have changed. Default true. */
  conditional?: boolean
}

/** `unchanged`: 304, or the same bytes as the last good time. */
export type Fetched = { state: 'unchanged' } | { state: 'new'; body: Uint8Array; contentType: string; url: string }

export interface PollTools extends ReadTools {
  /**
   * Asks by the rules of the house (conditional, one at a time per host, capped, within the etiquette).
   * Throws AppError `unavailable` when there is no good answer; the core makes a backoff of it.
   */
  fetch(request: FetchRequest): Promise<Fetched>
  signal: AbortSignal
}

/**
 * The result of one poll. Throws AppError `bad-input` for a body that is not, whole, what the source publishes: nothing
 * changes then and nothing ends.
 */
export interface SourceReading extends ParsedFeed {
  /** The number of things the source listed, told or not. */
  items: number
}

export interface SourceKind<Settings extends SourceSettings = SourceSettings> {
  readonly mode: 'poll'
  readonly kind: string
  /** One sentence for people: what it brings. */
  readonly about: string
  readonly defaultIntervalSeconds: number
  /** The provider's own least; nothing makes it shorter. */
  readonly minIntervalSeconds: number
  /** It brings warnings: after failures it is asked again within two minutes, for a warning may be waiting there. */
  readonly warns?: true
  /** The provider wants to know whom to call: without `station.contact` it is not asked. */
  readonly needsContact: boolean
  /** The part that a request may not do without (an empty key, no area), as a sentence; null when all is there. */
  missing?(settings: Settings): Reason | null
  poll(settings: Settings, tools: PollTools): Promise<SourceReading | 'unchanged'>
  /** One recorded body, read as a poll would read it: `lookout feed`, `lookout replay` and the tests. */
  read(body: Uint8Array, settings: Settings, tools: ReadTools): SourceReading
}

/** A source that comes by itself: a broker, a folder, a receiver. */
export interface PushTools {
  source: string
  clock: Clock
  log: Log
  station(): StationConfig
  /** Absolute: relative paths in settings begin here. */
  dataFolder: string
  /** Families events may name. */
  families(): ReadonlySet<string>
  /** Resolves once the events and everything decided about them are stored. `known`: they are recorded, not broadcast. */
  accept(events: LookoutEvent[], options?: { known?: boolean }): Promise<void>
  memory: SourceMemory
  /** As `PollTools.fetch`: for a source that works out its events later than it downloads what they are made of. */
  fetch(request: FetchRequest): Promise<Fetched>
  /** Aborted when the source is closed. */
  signal: AbortSignal
  /** Told at every change; `reason` is null while all is well. */
  report(state: 'connecting' | 'ready' | 'down', reason: Reason | null): void
  /** Reads what any source publishes: of the kind that is named, else as the content tells; null when it tells no source. */
  readAny(body: Uint8Array, as: string | undefined): Promise<ParsedFeed | null>
  /** Counts a message that was taken (bytes) or refused (why). */
  counted(message: { bytes: number; refused?: Reason }): void
  /** Chance for backoff; 0 up to 1. */
  random(): number
}

export interface PushKind<Settings extends SourceSettings = SourceSettings> {
  readonly mode: 'push'
  readonly kind: string
  readonly about: string
  missing?(settings: Settings): Reason | null
  /** Begins to listen; it comes back by itself after every loss. Rejects only for settings that can never work. */
  open(settings: Settings, tools: PushTools): Promise<{ close(): Promise<void> }>
  /** One recorded message, for `lookout feed`. */
  read(body: Uint8Array, settings: Settings, tools: ReadTools): SourceReading
}
