import { type Answer, threadByCode, timeText, unlessStored } from './ask.ts'
import { refusal } from './rights.ts'

/** `!ack CODE [reason]`: somebody has it in hand; nothing more follows. A stranger's word for it would end warnings. */
export const ack: Answer = (ask, context) => {
  const { sender, words, now } = ask
  const refused = refusal('ack', ask)
  if (refused !== null) return refused
  const found = threadByCode(words[0], context)
  if (typeof found === 'string') return found
  const before = context.acks.of(found.threadId).at(-1)
  const stopped = context.acknowledge(found.threadId, {
    author: sender.id,
    name: sender.name,
    reason: words.slice(1).join(' ')
  })
  const earlier = before === undefined ? '' : ` ${before.name || before.author} did so at ${timeText(before.at, ask)}.`
  const follow = stopped ? ' Escalation stopped.' : ''
  return `#${found.code} acknowledged ${timeText(now, ask)}.${follow}${unlessStored(context)}${earlier}`
}
