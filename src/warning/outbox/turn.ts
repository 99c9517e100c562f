import { isComposed, isOfOneEvent } from '../../model/content.ts'
import { DRILL_CATEGORY } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import { isAtLeast, type Severity } from '../../model/severity.ts'
import type { Radio, SendOutcome } from '../radios/radio.ts'
import { closing, mayResend, toldAs } from './again.ts'
import { LIMIT_SHARE } from './airtime.ts'
import type { AirtimeBudget } from './airtime-budget.ts'
import type { Delivery, DeliveryTransport } from './delivery.ts'
import type { Ledger } from './ledger.ts'
import type { Outbox } from './outbox.ts'
import type { Waiting } from './waiting.ts'

/** Firmware pauses its own chatter at these shares of a busy channel; so do we (contract §6). */
const BUSY = { polite: 0.25, crowded: 0.4 } as const
const BUSY_WAIT_MS = 30_000
const HOUR_MS = 3_600_000

/** Contract §6: a channel the radio does not have is told, never guessed. */
export function channelProblem(
  radio: Radio,
  channel: number | string
): { reason: 'no_channel' | 'channel_disabled'; step: Reason } | null {
  const known = radio.channels().find(({ id }) => id === channel)
  const { id, network } = radio.description
  const place = { radio: id, channel: String(channel) }
  if (known === undefined) {
    const code = network === 'mt' ? 'no_channel_index' : 'no_channel_named'
    return { reason: 'no_channel', step: because(code, place) }
  }
  if (!known.enabled) return { reason: 'channel_disabled', step: because('channel_disabled', place) }
  return null
}

/**
 * The reason why a message for this network cannot leave at present; null when its radio is ready, or it needs none.
 */
export function heldBecause(radios: readonly Radio[], transport: DeliveryTransport): 'no_radio' | 'radio_down' | null {
  if (transport !== 'mt' && transport !== 'mc') return null
  const radio = radios.find(({ description }) => description.network === transport)
  if (radio === undefined) return 'no_radio'
  return radio.health().state === 'ready' ? null : 'radio_down'
}

/** The obstacle between a planned message and its channel now; null when there is none. */
export function blockedBy(
  radios: readonly Radio[],
  { transport, channel, direct }: Pick<Delivery, 'transport' | 'channel' | 'direct'>
): { reason: 'no_radio' | 'radio_down' | 'no_channel' | 'channel_disabled' } | null {
  const held = heldBecause(radios, transport)
  if (held !== null) return { reason: held }
  const radio = radios.find(({ description }) => description.network === transport)
  return radio === undefined || direct ? null : channelProblem(radio, channel)
}

interface Refusal {
  retry: boolean
  code: string
  reason: Reason
}

interface WaitInput {
  radio: Radio
  airtime: AirtimeBudget
  cost: number
  replyShare: number
  now: number
}

/** The reason why a message must not go now although it is its turn, and when to look again; null when it may. */
export function whyWait(
  { severity: told, category, direct, content }: Delivery,
  { radio, airtime, cost, replyShare, now }: WaitInput
): { reason: string; step: Reason; ms: number } | null {
  // However grave a drill plays: it gives way like what is routine.
  const severity = category === DRILL_CATEGORY ? 'routine' : told
  const { id } = radio.description
  const busy = radio.details?.()?.channelUtilization ?? 0
  const held = busy >= BUSY.crowded ? !isAtLeast(severity, 'critical') : busy >= BUSY.polite && severity === 'routine'
  if (held && !direct) {
    const step = because('channel_busy', { radio: id, percent: Math.round(busy * 100) })
    return { reason: 'channel_busy', step, ms: BUSY_WAIT_MS }
  }
  if (content.kind === 'reply') {
    const ms = airtime.replyWaitMs(cost, replyShare, now)
    if (ms > 0) return { reason: 'airtime', step: because('reply_airtime_spent', { radio: id }), ms }
  }
  const ms = airtimeWaitMs(category === DRILL_CATEGORY ? 'drill' : severity, { radio, airtime, cost, now })
  return ms === 0 ? null : { reason: 'airtime', step: because('airtime_spent', { radio: id }), ms }
}

/** The time until the hour has room, by our own count and by what the radio says. Milliseconds. */
function airtimeWaitMs(
  severity: Severity | 'drill',
  { radio, airtime, cost, now }: Omit<WaitInput, 'replyShare'>
): number {
  const isGrave = severity !== 'drill' && isAtLeast(severity, 'critical')
  const overlooked = isGrave ? airtime.repliesMs(now) / HOUR_MS : 0
  const used = (radio.details?.()?.airUtilization ?? 0) - overlooked
  const spent = used >= radio.description.modem.dutyCycle * LIMIT_SHARE && severity !== 'immediate'
  return spent ? BUSY_WAIT_MS : airtime.waitMs(cost, severity, now)
}

/** After as many refusals running a message below `critical` is given up, and a graver one may go by the other network too. */
export const MAX_REFUSALS = 5

/** Refusals of the driver, not of the radio. */
const NOT_HANDED_OVER: ReadonlySet<string> = new Set(['NOT_CONNECTED', 'TX_DISABLED'])

/** True when the radio itself has said something to a text. */
export function isAnswer(outcome: SendOutcome): boolean {
  return outcome.kind === 'sent' || (outcome.kind === 'refused' && !NOT_HANDED_OVER.has(outcome.code))
}

/**
 * An explicit refusal: nothing went on the air, so the next try takes a new identity (contract §6). `told`: what is known of
 * earlier tries of it. `critical` and above is tried as long as it is worth sending, a full hour of airtime passes.
 */
export function afterRefusal(
  outbox: Pick<Outbox, 'apply'>,
  { id, content, severity, attempts, nextPart, expiresAt, identities }: Delivery,
  { refusal, told, now }: { refusal: Refusal; told: ReturnType<typeof toldAs>; now: number }
): void {
  const reason = refusal.code.toLowerCase()
  const again = attempts < MAX_REFUSALS + nextPart || (isAtLeast(severity, 'critical') && now < expiresAt)
  if (!refusal.retry || !again) {
    outbox.apply(id, closing(told, 'fail'), { reason, step: because('refused', { said: refusal.reason }) })
    return
  }
  // Nobody heard its words: they are free again, and an end or news that comes meanwhile finds it waiting.
  const free = told === null && nextPart === 0 && isComposed(content)
  // The radio never saw this try: an earlier one may have been heard, and it stays the same packet.
  const same = told !== null && NOT_HANDED_OVER.has(refusal.code)
  const patch = {
    next_part: nextPart,
    due_at: now + retryMs(attempts),
    ...(same ? {} : { identity: null, identities: JSON.stringify(identities.slice(0, nextPart)), unanswered: 0 }),
    ...(free ? { parts: null, bytes: null, sent_at: null } : {})
  }
  outbox.apply(id, 'refuse', { reason, step: because('refused_for_now', { said: refusal.reason }), patch })
}

interface Overtaking {
  waiting: Pick<Waiting, 'isOutdated'>
  sources: { ledger: Pick<Ledger, 'goesOn'> }
  now: number
}

/** True when what a message says does not hold any more: its event is over, or its channel was told something newer of it. */
function isOver(delivery: Delivery, { waiting, sources, now }: Overtaking): boolean {
  const goesOn = delivery.content.kind === 'end' || sources.ledger.goesOn(delivery.threadId, now) !== null
  return !goesOn || waiting.isOutdated(delivery)
}

/** Closes a message that was to be said once more when that is of no use any more. Answers whether it did. */
export function isClosedInstead(
  delivery: Delivery,
  { outbox, waiting, sources, now }: Overtaking & { outbox: Pick<Outbox, 'apply'> }
): boolean {
  const { content, attempts, nextPart, identity, sentAt, unanswered } = delivery
  if (attempts === 0) return false
  if (identity !== null && sentAt === null && !mayResend(delivery, now)) {
    outbox.apply(delivery.id, 'lose', { reason: 'interrupted', step: because('not_worth_again') })
    return true
  }
  // A digest speaks of several events, a reply of none; a text that is half told is told to its end.
  if (!isOfOneEvent(content) || (nextPart > 0 && unanswered === 0)) return false
  if (!isOver(delivery, { waiting, sources, now })) return false
  // A warning never follows its end.
  const known = toldAs(delivery)
  const step = because(known === null ? 'over_unsaid' : 'over_said')
  outbox.apply(delivery.id, closing(known, 'suppress'), { reason: 'ended', step })
  return true
}

/** The pause before the next try, growing from 2 s to a minute. */
export function retryMs(attempts: number): number {
  return Math.min(60_000, 2000 * 2 ** Math.max(0, attempts - 1))
}
