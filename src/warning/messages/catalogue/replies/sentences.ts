import type { DeliveryState } from '../../../../model/delivery.ts'
import type { Pattern } from '../words.ts'

/**
 * The sentences of answers to commands by radio, and of the station about itself, each whole with its stop. `$` and `$1` to `$3` are gaps;
 * commands, codes and names stand as they are in every language. A reply has 140 bytes on MeshCore, 200 on Meshtastic.
 */
export interface Replies {
  /** Behind the figures of a duration: days, hours, minutes. */
  units: readonly [days: string, hours: string, minutes: string]
  /** Words in place of which a person writes something. */
  usage: Readonly<Record<UsageWord, string>>
  whichAlert: string
  noSuchCode: Pattern
  notStored: string
  /** `$1` the code, `$2` the time. */
  acknowledged: string
  nothingFollows: string
  /** `$1` who, `$2` the time. */
  acknowledgedBefore: string
  /** `$1` how many are answered in 10 minutes, `$2` when to ask again. */
  tooManyCommands: string
  tooManyQuestions: string
  refused: Readonly<Record<'unproven' | 'other_key' | 'new_key', string>>
  onlyAdmins: Readonly<Record<AdminsMay, string>>
  /** `$` is the command, without its mark. */
  sendDirect: Pattern
  sendDirectAsNamesProveNothing: Pattern
  sendOnChannel: Pattern
  noClaim: string
  /** `$1` the code, `$2` minutes. */
  claimCode: string
  hotspot: HotspotReplies
  library: LibraryReplies
  silence: SilenceReplies
  who: WhoReplies
  why: WhyReplies
  notice: NoticeReplies
  bands: BandReplies
}

type UsageWord = 'region' | 'reason' | 'code' | 'question' | 'name' | 'target'
type AdminsMay = 'ack' | 'silence' | 'ask' | 'hotspot' | 'who' | 'claim'

interface HotspotReplies {
  none: string
  unset: string
  usage: string
  switchingOn: string
  switchingOff: string
  /** `$1` its name with a blank before it, or nothing, `$2` the state, `$3` what is behind that. */
  state: string
  states: Readonly<Record<'on' | 'off' | 'failed', string>>
  changing: string
}

interface LibraryReplies {
  perhaps: string
  /** `$` is the source. */
  notFound: Pattern
  page: Pattern
  nothing: string
  none: string
  ask: string
  closed: string
  empty: string
  busy: string
}

interface SilenceReplies {
  usage: string
  notImmediate: string
  neither: Pattern
  /** `$1` the name, `$2` until when: `til 6:45p`. */
  until: string
  howToEnd: Pattern
  wasNot: Pattern
  over: Pattern
}

interface WhoReplies {
  noArea: Pattern
  /** `$1` the code, `$2` how many are inside, `$3` of how many. */
  inside: string
  insidePart: string
  /** Behind the names. */
  untold: Pattern
}

interface WhyReplies {
  noLongerStored: Pattern
  /** `$1` the time, `$2` who. */
  acknowledged: string
  notSent: string
  direct: string
  states: Readonly<Record<DeliveryState, string>>
  /** English has the word of the trace. */
  reasons: Readonly<Record<WhyReason, string>> | null
}

/** Reasons of docs/states.md as whoever listens needs them: those that come to the same are one. */
export type WhyReason =
  | 'off'
  | 'turn'
  | 'peer'
  | 'airtime'
  | 'again'
  | 'no_radio'
  | 'no_answer'
  | 'refused'
  | 'no_channel'
  | 'nobody_heard'
  | 'too_late'
  | 'quiet_hours'
  | 'cooldown'
  | 'summary'
  | 'inhibited'
  | 'over'
  | 'silenced'
  | 'newer'
  | 'matrix_off'
  | 'same_text'
  | 'no_addressee'
  | 'server'
  | 'no_text'
  | 'outside'
  | 'unplaced'
  | 'stale'
  | 'known'
  | 'muted'
  | 'floor'
  | 'no_route'

interface NoticeReplies {
  faults: Readonly<Record<'full' | 'io' | 'read_only' | 'gone' | 'damaged', string>>
  /** `$` is the fault. */
  nothingStored: Pattern
  goesOut: string
  /** `$` is how long it lasted. */
  storesAgain: Pattern
  madeAnew: string
  timeUnknown: string
}

interface BandReplies {
  /** `$` is the time. */
  bands: Pattern
  /** Between the figures and what they mean. */
  stop: string
  noStorm: string
  /** By the letter of the scale. */
  effects: Readonly<Record<'R' | 'S' | 'G', string>>
  /** `$` is the observer. */
  passes: Pattern
  /** `$` is hours. */
  noPass: Pattern
}
