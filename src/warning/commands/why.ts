import { sentenceOf } from '../../model/words/sentences.ts'
import type { DeliveryView } from '../outbox/delivery.ts'
import { storedSteps } from '../routing/said-trace.ts'
import { type Answer, alertText, threadByCode, timeText } from './ask.ts'

const HEAD_BYTES = 60
const MOST_DELIVERIES = 20

/** `!why CODE`: what became of an alert, channel by channel, or why it was not sent. */
export const why: Answer = (ask, context) => {
  const found = threadByCode(ask.words[0], context)
  if (typeof found === 'string') return found
  const newest = context.ledger.thread(found.threadId)[0]
  if (newest === undefined) return `#${found.code}: no longer stored.`
  const acknowledged = context.acks
    .of(found.threadId)
    .slice(-1)
    .map(({ author, name, at }) => `acked ${timeText(at, ask)} by ${name || author}`)
  const { deliveries } = context.deliveries.list({ thread: found.threadId, limit: MOST_DELIVERIES })
  const told = deliveries.filter(({ state }) => state !== 'merged').map(deliveryText)
  const fate = told.length > 0 ? told : [`not sent: ${newest.reason}`, detailOf(newest.trace)]
  return [alertText(newest, HEAD_BYTES, ask, context), ...acknowledged, ...fate]
    .filter((part) => part !== '')
    .join('; ')
}

/** Everybody may ask: addressees of direct messages and destinations are not named. */
function deliveryText({ transport, channel, direct, state, reason }: DeliveryView): string {
  const open = (transport === 'mt' || transport === 'mc') && !direct
  const where = open ? `${transport}:${channel}` : `${transport}${direct ? ' DM' : ''}`
  return `${where} ${state}${reason === null ? '' : ` ${reason}`}`
}

function detailOf(trace: readonly unknown[]): string {
  const [last] = storedSteps(trace.slice(-1))
  return last === undefined ? '' : sentenceOf(last)
}
