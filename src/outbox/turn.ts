import { isAtLeast } from '../events/severity.ts'
import type { Radio } from '../radios/radio.ts'
import { LIMIT_SHARE } from './airtime.ts'
import type { AirtimeBook } from './airtime-book.ts'
import type { Delivery, DeliveryTransport } from './delivery.ts'
import type { Outbox } from './outbox.ts'

/** Firmware pauses its own chatter at these shares of a busy channel; so do we (contract §6). */
const BUSY = { polite: 0.25, crowded: 0.4 } as const
const BUSY_WAIT_MS = 30_000

/** Contract §6: a channel the radio does not have is told, never guessed. */
export function channelProblem(
  radio: Radio,
  channel: number | string
): { reason: 'no_channel' | 'channel_disabled'; detail: string } | null {
  const known = radio.channels().find(({ id }) => id === channel)
  const { id, network } = radio.description
  if (known === undefined) {
    return {
      reason: 'no_channel',
      detail: `radio ${id} has no ${network === 'mt' ? 'channel index' : 'channel named'} ${channel}: not sent`
    }
  }
  if (!known.enabled)
    return { reason: 'channel_disabled', detail: `channel ${channel} is disabled on radio ${id}: not sent` }
  return null
}

/** Why a message for this network cannot leave at present; null when its radio is ready, or it needs none. */
export function heldBecause(radios: readonly Radio[], transport: DeliveryTransport): 'no_radio' | 'radio_down' | null {
  if (transport !== 'mt' && transport !== 'mc') return null
  const radio = radios.find(({ description }) => description.network === transport)
  if (radio === undefined) return 'no_radio'
  return radio.health().state === 'ready' ? null : 'radio_down'
}

/** What would keep a planned message from its channel now; null when nothing does. */
export function blockedBy(
  radios: readonly Radio[],
  { transport, channel, direct }: Pick<Delivery, 'transport' | 'channel' | 'direct'>
): { reason: 'no_radio' | 'radio_down' | 'no_channel' | 'channel_disabled' } | null {
  const held = heldBecause(radios, transport)
  if (held !== null) return { reason: held }
  const radio = radios.find(({ description }) => description.network === transport)
  return radio === undefined || direct ? null : channelProblem(radio, channel)
}

interface WaitInput {
  radio: Radio
  airtime: AirtimeBook
  cost: number
  now: number
}

/** Why a message must not go now although it is its turn, and when to look again; null when it may. */
export function whyWait(
  { severity, direct }: Delivery,
  { radio, airtime, cost, now }: WaitInput
): { reason: string; detail: string; ms: number } | null {
  const { id, modem } = radio.description
  const details = radio.details?.() ?? null
  const busy = details?.channelUtilization ?? 0
  const held = busy >= BUSY.crowded ? !isAtLeast(severity, 'critical') : busy >= BUSY.polite && severity === 'routine'
  if (held && !direct) {
    const detail = `waits: the channel of ${id} is busy ${Math.round(busy * 100)} % of the time`
    return { reason: 'channel_busy', detail, ms: BUSY_WAIT_MS }
  }
  const spent = (details?.airUtilization ?? 0) >= modem.dutyCycle * LIMIT_SHARE && severity !== 'immediate'
  const ms = spent ? BUSY_WAIT_MS : airtime.waitMs(cost, severity, now)
  return ms === 0 ? null : { reason: 'airtime', detail: `waits for airtime: the hourly budget of ${id} is spent`, ms }
}

/** After as many refusals running a message below `critical` is given up, and a graver one may go by the other network too. */
export const MAX_REFUSALS = 5

/** Whether a refused message is tried again: `critical` and above as long as it is worth sending, a full hour of airtime passes. */
export function isTriedAgain({ severity, attempts, nextPart, expiresAt }: Delivery, now: number): boolean {
  return attempts < MAX_REFUSALS + nextPart || (isAtLeast(severity, 'critical') && now < expiresAt)
}

/** Closes a message that was to be said once more when its event is over: a warning never follows its end. Answers whether it did. */
export function closedAsOver(
  delivery: Delivery,
  { outbox, isOver }: { outbox: Pick<Outbox, 'move'>; isOver: (delivery: Delivery) => boolean }
): boolean {
  const { parts, nextPart, kind, path, eventSeqs } = delivery
  // A digest speaks of several events, a reply of none.
  const warns = kind !== 'cancel' && path !== 'digest' && eventSeqs.length > 0
  if (!warns || parts === null || nextPart > 0 || !isOver(delivery)) return false
  const why = { reason: 'ended', detail: 'not said again: the event is over' }
  outbox.move(delivery.id, delivery.sentAt === null ? 'sent_unknown' : 'unconfirmed', why)
  return true
}

/** The pause before the next try, growing from 2 s to a minute. */
export function retryMs(attempts: number): number {
  return Math.min(60_000, 2000 * 2 ** Math.max(0, attempts - 1))
}
