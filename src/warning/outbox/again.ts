import { isComposed } from '../../model/content.ts'
import type { DeliveryChange } from '../../model/delivery.ts'
import { isAtLeast } from '../../model/severity.ts'
import type { Network, RadioDescription, Receipt } from '../radios/radio.ts'
import { mcRepeatWaitMs, mtGiveUpMs } from '../radios/time-on-air.ts'
import type { AirtimeBudget } from './airtime-budget.ts'
import type { Delivery, DeliveryPatch } from './delivery.ts'

/** Contract §6: for this long receivers know a packet again; later the same words go as a new one, marked. */
export const RESEND_WINDOW_MS = 10 * 60_000
/** After as many attempts running without an answer the radio is suspect, and another network takes over. The index of schema.ts has it too. */
export const UNANSWERED = 3
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 120_000

/**
 * The number of repeats of `critical` and above when nobody was heard, and how many times its airtime must be free for
 * it.
 */
const UNHEARD_RETRIES = 2
const UNHEARD_HEADROOM = 10
const UNHEARD_WAIT_MS = 30_000

/** The driver tells first, where it lives: this is for what it cannot know any more. */
const LISTEN_MARGIN_MS = 10_000
/** A direct text is repeated by the driver or the node before anybody gives up. */
const LISTEN_DIRECT_MS = 5 * 60_000

/** True when an attempt of unknown fate is made again: it ends only with an answer, or with its event (contract §6). */
export function mayResend({ severity, expiresAt }: Pick<Delivery, 'severity' | 'expiresAt'>, now: number): boolean {
  return isAtLeast(severity, 'critical') && now < expiresAt
}

/**
 * The knowledge about a row that waits to be said once more: it was on the air, or may have been. Null: nobody can have
 * heard it.
 */
export function toldAs({
  radio,
  sentAt,
  identity,
  parts,
  nextPart,
  content
}: Pick<Delivery, 'radio' | 'sentAt' | 'identity' | 'parts' | 'nextPart' | 'content'>):
  | 'unconfirmed'
  | 'sent_unknown'
  | null {
  if (sentAt !== null) return 'unconfirmed'
  // Earlier parts of it left: whoever heard them waits for the rest, or for the end.
  if (nextPart > 0) return 'sent_unknown'
  // A refusal frees the words of what was never on the air; those of a reply are made before it goes.
  const frozen = radio !== null && parts !== null && isComposed(content)
  if (identity === null && !frozen) return null
  return 'sent_unknown'
}

/** Closes a row that will not be said again: as what is known of it, else as never told. */
export function closing<Otherwise extends DeliveryChange>(
  told: ReturnType<typeof toldAs>,
  otherwise: Otherwise
): Otherwise | 'leave_unconfirmed' | 'lose' {
  if (told === null) return otherwise
  return told === 'unconfirmed' ? 'leave_unconfirmed' : 'lose'
}

/** The pause before the next try after `unanswered` of them running. */
export function unansweredMs(unanswered: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, Math.min(30, unanswered - 1)))
}

/**
 * True when receivers may have forgotten the packet by now: said as the same one, those who had it would take it for
 * news. After a clock that was ahead nobody knows how long ago it was.
 */
export function isForgotten({ identity, firstSentAt }: Delivery, now: number): boolean {
  return identity !== null && firstSentAt !== null && Math.abs(now - firstSentAt) >= RESEND_WINDOW_MS
}

/** Makes of what may have been heard a new packet, of the same words marked as a repeat. */
export function asRepeat({ renewed }: Delivery, parts: readonly string[]): DeliveryPatch {
  return {
    parts: JSON.stringify(parts),
    next_part: 0,
    identity: null,
    identities: '[]',
    renewed: renewed + 1,
    mark: REPEAT
  }
}

/** Stands before what a station says that others were to say, and were not heard saying. */
export const STANDS_BY = 'STBY'

/** Stands before words that may have been heard before. */
export const REPEAT = 'RPT'

/** The time for which somebody may be heard repeating a text, or answering it. */
export function listenMs(direct: boolean, airtimeMs: number, { network, modem }: RadioDescription): number {
  if (direct) return LISTEN_DIRECT_MS
  const wait = network === 'mt' ? mtGiveUpMs(airtimeMs, modem) : mcRepeatWaitMs(airtimeMs)
  return Math.ceil(wait) + LISTEN_MARGIN_MS
}

/** The evidence that nobody was heard: the radio said so, of a text of this very session; or no word came. */
export interface Unheard extends Pick<Receipt, 'silent'> {
  sameSession: boolean
}

/**
 * The time and the packet of a repeat of `critical` and above that nobody was heard repeating; null for no repeat.
 * Contract §6: the same packet does no harm. A Meshtastic node swallows one it had in this session; it has transmitted
 * that three times itself, so a new one follows once at most, and only where the node itself said that nobody answered.
 */
export function unheardAgain(
  delivery: Delivery,
  { network, airtime, unheard, now }: { network: Network; airtime: AirtimeBudget; unheard: Unheard; now: number }
): DeliveryPatch | null {
  const { severity, parts, direct, identities, renewed } = delivery
  if (!isWorthRepeating(delivery, now) || parts === null) return null
  const swallows = network === 'mt' && unheard.sameSession
  if (swallows && (unheard.silent === true || renewed > 0)) return null
  const cost = parts.reduce((sum, part) => sum + airtime.cost(part, direct), 0)
  if (airtime.waitMs(cost * UNHEARD_HEADROOM, severity, now) > 0) return null
  const first = swallows ? null : (identities[0] ?? null)
  return {
    next_part: 0,
    due_at: now + UNHEARD_WAIT_MS * (delivery.unheard + 1),
    unheard: delivery.unheard + 1,
    identity: first === null ? null : JSON.stringify(first),
    ...(swallows ? { identities: '[]', renewed: renewed + 1 } : {})
  }
}

function isWorthRepeating(
  { state, severity, hazardEndsAt, expiresAt, parts, nextPart, unheard }: Delivery,
  now: number
): boolean {
  if (state !== 'unconfirmed' || !isAtLeast(severity, 'critical') || unheard >= UNHEARD_RETRIES) return false
  return (hazardEndsAt === null || hazardEndsAt > now) && expiresAt > now && nextPart === parts?.length
}
