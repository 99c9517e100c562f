import { isAtLeast } from '../events/severity.ts'
import type { Radio } from '../radios/radio.ts'
import { LIMIT_SHARE } from './airtime.ts'
import type { AirtimeBook } from './airtime-book.ts'
import type { Delivery } from './delivery.ts'

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

/** The pause before the next try, growing from 2 s to a minute. */
export function retryMs(attempts: number): number {
  return Math.min(60_000, 2000 * 2 ** Math.max(0, attempts - 1))
}
