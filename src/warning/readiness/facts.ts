import type { Reason } from '../../model/reason.ts'
import type { Unplaced, Untold } from '../../model/untold.ts'
import type { WarningConfig } from '../settings.ts'

/**
 * The known facts of the station at one moment: all that the checks of contract §13 look at. Times are epoch
 * milliseconds. Whoever knows something fills its field; null means that nothing is known to be wrong.
 */
export interface StationFacts {
  now: number
  /** This process listens to nobody and sends nothing. */
  preview: boolean
  /** The demo stands in for a configuration. */
  demo: boolean
  /** The made-up event of a drill is still on its way, or says that it is in force. */
  drill: boolean
  /** The saved configuration with what the profile adds. */
  config: WarningConfig
  /** `config.json` is not valid: the last good one is in force. */
  configStale: boolean
  /** The sign of a proxy on this machine nobody told us of: the name of a header, or `HTTP/1.0`. */
  proxySign: string | null
  /** Admins' nodes of which a text came with another key than the pinned one, in the last days. */
  changedKeys: number
  radios: readonly RadioFact[]
  /** Reasons why configured radios could not even be made. */
  unmadeRadios: readonly Reason[]
  sources: readonly SourceFact[]
  /** Messages whose state became `failed` in the last hour. */
  failedMessages: number
  /** Events nobody was told of, newest first. */
  untold: readonly Untold[]
  /** Warnings whose zones nothing here can place, newest first. */
  unplaced: readonly Pick<Unplaced, 'title' | 'told'>[]
  clock: ClockFact
  disk: { freeBytes: number } | null
  storage: StorageFact | null
  /** Damaged databases that were put aside and made anew, or (`.damaged`) will be: names of files in the data folder. */
  putAside: readonly string[]
  /** The database of documents cannot be opened; it is tried again. */
  knowledgeClosed: boolean
  /** Work is given up so that warnings go on: which, and why; null while none is. */
  shed: Reason | null
  /** The reason why backups that should be made are not; null while they are. */
  backup: Reason | null
  /** The voltage of the supply is too low now. */
  undervoltage: boolean
  /** Starts before this one that failed at once, in a row. */
  failedStarts: number
  loop: { stalledMs: number; at: number } | null
  /** Durable writes: `unwrittenSince` is when the oldest event came that no commit has stored yet. */
  writes: { lastAt: number | null; unwrittenSince: number | null }
}

export interface RadioFact {
  id: string
  network: 'mt' | 'mc'
  /** `closed` and `connecting` count as down; `suspect` still sends, and is told. */
  state: 'connecting' | 'ready' | 'suspect' | 'down' | 'closed'
  reason: Reason | null
  /** Channels the configuration sends to and this radio lacks or has disabled. */
  missing: readonly { channel: number | string; problem: 'no_channel' | 'channel_disabled' }[]
}

export interface SourceFact {
  name: string
  kind: string
  state: string
  /** The reason for this state. */
  reason: Reason | null
  /** Its last good answer; when there is none, since when it is listened to. */
  heardAt: number
  /** True once it has answered since the start. */
  answered: boolean
  /** Null: it sends by itself. */
  intervalSeconds: number | null
}

export interface ClockFact {
  /** The leap of the wall clock against the time that passed, and when; null: it runs. */
  jump: { seconds: number; at: number } | null
  /** The radio whose time is used, because nobody has set the clock; null: the own time counts. */
  from: string | null
}

/** The reason why nothing durable can be written. `code` is a stable word. */
export interface StorageFact {
  code: 'disk_full' | 'read_only' | 'io_error' | 'damaged' | 'folder_gone' | 'folder_unreadable'
  since: number
  /** The system's words; empty where the code says it all. */
  detail: string
}
