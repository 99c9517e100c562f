import type { Spoken } from '../../model/air-languages.ts'
import { isDemo, type LookoutEvent } from '../../model/event.ts'
import { cutToBytes } from '../messages/budget.ts'
import type { Replies } from '../messages/catalogue/replies/sentences.ts'
import { REPLIES } from '../messages/catalogue/replies.ts'
import { put } from '../messages/catalogue/words.ts'
import { composeMessage } from '../messages/compose.ts'
import { hourText } from '../messages/wording.ts'
import type { AckStore } from '../outbox/ack-store.ts'
import type { DeliveryList } from '../outbox/delivery-list.ts'
import type { Ledger } from '../outbox/ledger.ts'
import type { SilenceStore } from '../outbox/silence-store.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import type { MeshNode, RadioState } from '../radios/radio.ts'
import type { Problem } from '../readiness/problem.ts'
import type { MeshChannel } from '../routing/on-channel.ts'
import type { WarningConfig } from '../settings.ts'

/** The person who asks, as far as it can be known. */
export interface Sender {
  /**
   * `mt !a1b2c3d4`, `mc 0123456789ab`; `mt !a1b2c3d4 unproven` where anybody may have written that id, so that limits and records
   * of the real node are its own; for an MC channel, where a name proves nothing, the channel: `mc #north`.
   */
  id: string
  /** For people only. */
  name: string
  /** False on an MC channel: nobody is known there. */
  known: boolean
  direct: boolean
  /** The network proves this id: nobody else can have sent it. */
  proven: boolean
  /** It names an admin's id. */
  listed: boolean
  /** An admin, and proven to be it: rights come from this alone. */
  admin: boolean
  /**
   * Names an admin's id and has no rights: without a proof (perhaps the admin's node has no keys), or with another key than before.
   * Null for everybody else.
   */
  refused: 'unproven' | 'other_key' | null
  /** Since when the key of this admin's Meshtastic node is known, epoch milliseconds; null where it is not, and on MeshCore. */
  pinnedSince: number | null
}

export interface Ask {
  words: readonly string[]
  sender: Sender
  /** Where it was asked; null for a direct message. */
  channel: MeshChannel | null
  /** Bytes an answer may have. */
  limitBytes: number
  now: number
  config: WarningConfig
  /** The language that people speak where it was asked. */
  spoken: Spoken
}

/** Everything that the commands may know and do. */
export interface CommandContext {
  ledger: Pick<Ledger, 'active' | 'thread' | 'codes'>
  deliveries: Pick<DeliveryList, 'list'>
  silences: Pick<SilenceStore, 'active' | 'add' | 'end'>
  acks: Pick<AckStore, 'of'>
  /** Records that somebody has the alert in hand. Answers whether that stopped an escalation. */
  acknowledge: (threadId: string, by: { author: string; name: string; reason: string }) => boolean
  /** False while nothing can be stored: what somebody decides now is forgotten with a restart (contract §6). */
  isStored: () => boolean
  radios: () => { network: 'mt' | 'mc'; state: RadioState; waiting: number }[]
  /** The problems of the station now (contract §13): some of them hide alerts. */
  problems: () => readonly Problem[]
  startedAt: number
  /** Other nodes as the radios know them. */
  nodes: () => readonly MeshNode[]
  /** See `insideOf` of coverage: null for an event without an area. */
  insideOf: (event: LookoutEvent) => { covers: (lat: number, lon: number) => boolean; whole: boolean } | null
  /** The hotspot; absent in a preview and where nobody gave one. */
  hotspot?: HotspotSwitch
  /** A code for one new passphrase, for whoever is named; absent where nobody gives one. */
  claim?: ClaimOffer
  /** The library; absent where the profile runs without it. */
  knowledge?: Library
}

export type ClaimOffer = (by: string) => Promise<{ code: string; minutes: number }>

/** The hotspot, as an admin at a radio may use it. */
export interface HotspotSwitch {
  /** As root told it; null where nothing on this machine switches a hotspot. */
  state: () => { state: 'on' | 'off' | 'failed'; changing: boolean; reason: string | null; ssid: string } | null
  /** Asks root to switch it, as it was set before. Answers false while it was never set; rejects as the disk does. */
  turn: (on: boolean) => Promise<boolean>
}

/** A place in a document that answers a question. */
export interface Passage {
  /** Its number in the answer. */
  n: number
  hash: string
  title: string
  page: number
  item_id: number
}

/** The words of the library: an answer with marks like [2], or null; the passages it was made of, the best first. */
export interface LibraryAnswer {
  answer: string | null
  citations: readonly { n: number }[]
  /** `perhaps`: it holds most of the question and no number, or is a place to read. */
  confidence: 'found' | 'perhaps' | 'not_found'
  /** The words of passage `n` that answer the question, and the heading that tells what they are about; absent when none may be said. */
  excerpt?: { n: number; text: string; heading?: string; to_read?: true }
  passages: readonly Passage[]
}

/** The library, as somebody at a radio may use it. */
export interface Library {
  /** Documents that can be found now; null while nobody can tell. */
  documents: () => number | null
  /** Rejects with an AppError when the search cannot be asked, or when the signal says so. */
  ask: (question: string, signal: AbortSignal) => Promise<LibraryAnswer>
  /** The code under which a passage opens on the hotspot for 7 days; null when its document is gone meanwhile. */
  codeOf: (passage: Pick<Passage, 'hash' | 'page' | 'item_id'>) => string | null
}

/** At once, one text or several; or one text or two that come later. `signal` says when nobody waits any more. */
export type Answer = (
  ask: Ask,
  context: CommandContext
) => string | readonly string[] | ((signal: AbortSignal) => Promise<readonly string[]>)

/** The sentences of answers in the language of whoever asks. */
export const repliesTo = ({ spoken }: Pick<Ask, 'spoken'>): Replies => REPLIES[spoken.language]

/** Stands behind an answer that tells of something decided; empty where it is stored. */
export function unlessStored(ask: Pick<Ask, 'spoken'>, context: Pick<CommandContext, 'isStored'>): string {
  return context.isStored() ? '' : repliesTo(ask).notStored
}

/** The alert a person names by its code, or the answer that there is none. */
export function threadByCode(
  word: string | undefined,
  ask: Pick<Ask, 'spoken'>,
  context: CommandContext
): { threadId: string; code: string } | string {
  const { whichAlert, noSuchCode } = repliesTo(ask)
  if (word === undefined) return whichAlert
  const threadId = context.ledger.codes.threadOf(word)
  if (threadId === null) return put(noSuchCode, cutToBytes(word, 12))
  return { threadId, code: context.ledger.codes.known(threadId) ?? '' }
}

/** An alert in at most `bytes` bytes, ending in its code. */
export function alertText(
  { event }: StoredEvent,
  bytes: number,
  { now, config, spoken }: Pick<Ask, 'now' | 'config' | 'spoken'>,
  context: Pick<CommandContext, 'ledger'>
): string {
  const code = context.ledger.codes.known(event.thread_id)
  const [text = ''] = composeMessage({
    event,
    kind: 'new',
    regions: event.regions,
    station: config.station,
    ...spoken,
    limitBytes: bytes,
    targetBytes: bytes,
    nowMs: now,
    simulatedMark: isDemo(event),
    ...(code === null ? {} : { code })
  }).parts
  return text
}

/** A time of day as whoever asks writes it. */
export function timeText(at: number, { config, spoken }: Pick<Ask, 'config' | 'spoken'>): string {
  return hourText({ ...spoken, station: config.station, nowMs: at }, at)
}
