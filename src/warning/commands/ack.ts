import { putAll } from '../messages/catalogue/words.ts'
import { told } from '../messages/replying.ts'
import { type Answer, repliesTo, threadByCode, timeText, unlessStored } from './ask.ts'
import { refusal } from './rights.ts'

/** `!ack CODE [reason]`: somebody has it in hand; nothing more follows. A stranger's word for it would end warnings. */
export const ack: Answer = (ask, context) => {
  const { sender, words, now } = ask
  const refused = refusal('ack', ask)
  if (refused !== null) return refused
  const found = threadByCode(words[0], ask, context)
  if (typeof found === 'string') return found
  const before = context.acks.of(found.threadId).at(-1)
  const stopped = context.acknowledge(found.threadId, {
    author: sender.id,
    name: sender.name,
    reason: words.slice(1).join(' ')
  })
  const said = repliesTo(ask)
  const earlier = before && putAll(said.acknowledgedBefore, [before.name || before.author, timeText(before.at, ask)])
  return told(ask.spoken.language, [
    putAll(said.acknowledged, [found.code, timeText(now, ask)]),
    stopped ? said.nothingFollows : '',
    unlessStored(ask, context),
    earlier ?? ''
  ])
}
