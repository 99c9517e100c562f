import type { Language } from '../../model/words/languages.ts'
import { LANGUAGES } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { Replies } from '../messages/catalogue/replies/sentences.ts'
import { put, putAll } from '../messages/catalogue/words.ts'
import { wholeParts } from '../messages/replying.ts'
import type { DeliveryView } from '../outbox/delivery.ts'
import { storedSteps } from '../routing/said-trace.ts'
import { type Answer, type Ask, alertText, repliesTo, threadByCode, timeText } from './ask.ts'
import { whyReason } from './why-reasons.ts'

const HEAD_BYTES = 60
const MOST_DELIVERIES = 20

/** `!why CODE`: what became of an alert, channel by channel, or why it was not sent. What finds no room is left out whole. */
export const why: Answer = (ask, context) => {
  const found = threadByCode(ask.words[0], ask, context)
  if (typeof found === 'string') return found
  const newest = context.ledger.thread(found.threadId)[0]
  const said = repliesTo(ask).why
  if (newest === undefined) return put(said.noLongerStored, found.code)
  const acknowledged = context.acks
    .of(found.threadId)
    .slice(-1)
    .map(({ author, name, at }) => putAll(said.acknowledged, [timeText(at, ask), name || author]))
  const { deliveries } = context.deliveries.list({ thread: found.threadId, limit: MOST_DELIVERIES })
  const told = deliveries.filter(({ state }) => state !== 'merged').map((delivery) => deliveryText(delivery, said))
  const fate = told.length > 0 ? told : [notSent(newest.reason, said), detailOf(newest.trace, ask)]
  return wholeParts([alertText(newest, HEAD_BYTES, ask, context), ...acknowledged, ...fate], '; ', ask.limitBytes)
}

/** Everybody may ask: addressees of direct messages and destinations are not named. */
function deliveryText({ transport, channel, direct, state, reason }: DeliveryView, said: Replies['why']): string {
  const open = (transport === 'mt' || transport === 'mc') && !direct
  const where = open ? `${transport}:${channel}` : `${transport}${direct ? ` ${said.direct}` : ''}`
  const word = reason === null ? '' : reasonText(reason, said)
  const because = said.reasons === null || word === '' ? word : `(${word})`
  return `${where} ${said.states[state]} ${because}`.trimEnd()
}

function notSent(reason: string, said: Replies['why']): string {
  const word = reasonText(reason, said)
  return word === '' ? said.notSent : `${said.notSent}: ${word}`
}

/** English has the word of the trace, which docs/states.md explains; of a word that no other language has none is said there. */
function reasonText(word: string, { reasons }: Replies['why']): string {
  if (reasons === null) return word
  const known = whyReason(word)
  return known === null ? '' : reasons[known]
}

/** The sentence of the last step, where it exists in the language: pages have fewer of them than the air. */
function detailOf(trace: readonly unknown[], { spoken: { language } }: Ask): string {
  const [last] = storedSteps(trace.slice(-1))
  if (last === undefined || !isOfPages(language)) return ''
  // A note is a sentence that an older version stored in English.
  return last.code === 'note' && language !== 'en' ? '' : sentenceOf(last, language)
}

const isOfPages = (language: string): language is Language => LANGUAGES.some((one) => one === language)
