import type { AlertWords, HoldReason, MessageKind, Told } from '../../model/content.ts'
import type { Lifecycle, LookoutEvent } from '../../model/event.ts'
import type { Reason } from '../../model/reason.ts'
import type { Severity } from '../../model/severity.ts'

/** One step of "why": contract §4 rule 7. `reason` is a stable word for programs; code and values make the sentence for people. */
export interface TraceStep extends Reason {
  stage:
    | 'identity'
    | 'clock'
    | 'storage'
    | 'thread'
    | 'tag'
    | 'gate'
    | 'switch'
    | 'lifecycle'
    | 'cold_start'
    | 'staleness'
    | 'matrix'
    | 'toggle'
    | 'rule'
    | 'destination'
    | 'silence'
    | 'inhibit'
    | 'quiet'
    | 'cooldown'
    | 'dedup'
    | 'plan'
    | 'escalation'
    | 'reminder'
    | 'fallback'
  outcome: 'pass' | 'stop' | 'match' | 'skip' | 'send' | 'merge' | 'note'
  reason: string
  region?: string
  channel?: string
}

/** `mt` and `mc` go to a radio; the others leave through the network. */
export type Transport = 'mt' | 'mc' | 'email' | 'webhook' | 'ntfy'

/**
 * The target of a message. `channel` is the MT index, the MC name, the addressee of a direct message, or where a
 * network delivery's settings stand (`destination:ops`). `direct` marks one addressee of a mesh instead of a channel.
 */
export interface Target {
  transport: Transport
  channel: number | string
  direct: boolean
}

/**
 * The reason why a message waits and until when (epoch milliseconds): for the end of the quiet hours, of a cooldown, or
 * of the first listings after a start, of which what is in force is summed up. What is held is asked again when it may
 * go.
 */
export interface Hold {
  reason: HoldReason
  until: number
}

/** The message that armed a cooldown, and its time (epoch milliseconds); null where an earlier version did not say. */
export interface Armed {
  at: number
  severity: Severity | null
  gravity: number | null
}

/** One message that is to be sent, or merged into one that still waits. */
export type PlannedSend = Told & PlannedMessage
export type PlannedAlert = AlertWords & PlannedMessage

export interface PlannedMessage extends Target {
  /** Regions this channel is told about; empty on the non-matrix path of an event outside every named area. */
  regions: string[]
  /** Set for an update whose only news is places. */
  newPlacesOnly: boolean
  dedup: { source: string; key: string }
  /** Cooldown keys armed after a success, one per region, with how grave the event is by its hazard's measure. */
  cooldown: { family: string; category: string; region: string; gravity: number | null }[]
  /** The row that still waits and takes this piece along. */
  mergeInto: number | null
  /** The facts a listener acts on; compared with the next message of the thread. */
  material: string
  /** Stands before the text: `RPT`, `VIA MC`, `STILL`. */
  mark?: string
  /** The row whose text is said again. */
  origin?: number
  /** It does not go at once. */
  hold?: Hold
  /** Of an end: when what was told would have ended by itself, epoch milliseconds; null: not by itself. */
  toldUntil?: number | null
}

export interface Withdrawal {
  id: number
  reason: string
  left?: readonly string[]
}

/** A message that only stands in for others: sent when one of them does not get through. */
export interface PlannedFallback {
  planned: PlannedAlert
  /** Channel keys of the messages it stands in for. */
  primaries: string[]
}

export const DECISIONS = ['send', 'silent', 'suppressed', 'dropped', 'recorded', 'unrouted'] as const

/** The decision on one event, with the reasons. `kind` is the headline; `sends` may be empty. */
export interface Decision {
  kind: (typeof DECISIONS)[number]
  reason: string
  trace: TraceStep[]
  sends: PlannedSend[]
  /** Not told while a graver message says it: sent when that is over and this goes on. */
  inhibited?: PlannedSend[]
  /** Not sent now, and only when a primary does not get through (the option `fallback` of a cell). */
  fallbacks?: PlannedFallback[]
  /** Waiting deliveries of this thread that must not go out any more, with the reason; `left`: the regions it still speaks of. */
  withdraw: Withdrawal[]
}

/** A message of a thread that a channel carried, or is about to. Newest last. */
export interface Carried {
  id: number
  channelKey: string
  state: 'waiting' | 'flying' | 'sent' | 'ended'
  kind: MessageKind
  severity: Severity
  regions: string[]
  /** UGC or SAME codes it spoke of; empty where the event had none. */
  zones: string[]
  /** Its words by place, oldest first: UGC or SAME codes (none: everywhere) and what a listener acts on there. */
  pieces: readonly { zones: readonly string[]; material: string }[]
  expiresAt: number | null
  /** Source of the event it was made for. */
  source: string
}

/** A stored message of a thread that was told, or said nothing new. */
export interface Heard {
  event: LookoutEvent
  told: boolean
}

/** A stored message of a thread, sent after the one that is being decided. */
export interface NewerMessage {
  source: string
  id: string
  lifecycle: Lifecycle
  severity: Severity
  /** UGC codes, else SAME codes. */
  zones: string[]
  /** The regions it concerned. */
  regions: string[]
  /** It says itself when it was sent. */
  dated: boolean
}

/** A message that was sent, or waits to be, about something that is in force. */
export interface InForce {
  threadId: string
  channelKey: string
  family: string
  category: string
  severity: Severity
  eventName: string
  /** Regions it was sent for. */
  regions: string[]
  /**
   * The places and times for which it holds, by what its source said last of each place. Read from the file: ask it
   * last.
   */
  extents: () => readonly Extent[]
}

/** A part of what is in force: what was said of these codes, or of the whole place without any. */
export interface Extent {
  event: LookoutEvent
  /** UGC codes, else SAME codes. */
  zones: readonly string[]
}

/** A silence: what is not sent for a while; null matches everything. Times are epoch milliseconds. */
export interface Silence {
  id: number
  family: string | null
  region: string | null
  threadId: string | null
  includesImmediate: boolean
  author: string
  reason: string
  until: number
}

/**
 * The past that `decide` may know. It only reads: the live path, explain, backtest and replay use the same code on
 * different memories.
 */
export interface GuardView {
  /** True when this key went out, or is about to. */
  seen(source: string, key: string): boolean
  /** The message that last armed the region's cooldown for this family and category, or null. */
  armed(family: string, category: string, region: string): Armed | null
  /** Everything the thread has on its channels that was not refused, failed or withdrawn. */
  carried(threadId: string): readonly Carried[]
  /** Messages of the thread that their source sent after `sentAt` (epoch milliseconds), the newest first; those from the future left out. */
  newer(threadId: string, sentAt: number, now: number): readonly NewerMessage[]
  /** Messages of the thread that were told, or known already, newest first; ends left out. */
  heard(threadId: string): readonly Heard[]
  /** Messages about what is in force at `now`, of all threads. */
  inForce(now: number): readonly InForce[]
  /** The silences in force. */
  silences(now: number): readonly Silence[]
}
