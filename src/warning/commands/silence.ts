import { familyKeys } from '../../model/families.ts'
import { parseDuration } from '../../platform/clock/duration.ts'
import { cutToBytes } from '../messages/budget.ts'
import { put, putAll } from '../messages/catalogue/words.ts'
import { timed } from '../messages/moments.ts'
import { told } from '../messages/replying.ts'
import { momentText, wordsOf } from '../messages/wording.ts'
import { MAX_SILENCE_MS, type StoredSilence } from '../outbox/silence-store.ts'
import { type Answer, type Ask, type CommandContext, repliesTo, threadByCode, unlessStored } from './ask.ts'
import { regionsOf } from './region.ts'
import { refusal } from './rights.ts'

type Matcher = Pick<StoredSilence, 'family' | 'region' | 'threadId'>

/** `!silence FAMILY|REGION|#CODE 2h [reason]`, `… off`: for those whom the owner lets. Never silences `immediate`. */
export const silence: Answer = (ask, context) => {
  const { words } = ask
  const refused = refusal('silence', ask)
  if (refused !== null) return refused
  const said = repliesTo(ask).silence
  if (words.some((word) => /^!immediate$/i.test(word))) return said.notImmediate
  const at = words.findIndex((word, index) => index > 0 && (parseDuration(word) !== null || /^off$/i.test(word)))
  if (at < 1) return said.usage
  const name = words.slice(0, at).join(' ')
  const matcher = matcherOf(name, ask, context)
  if (typeof matcher === 'string') return matcher
  const word = words[at] ?? ''
  const ms = parseDuration(word)
  if (ms === null) return ended(matcher, name, ask, context)
  if (ms > MAX_SILENCE_MS) return said.usage
  return begun(matcher, { name, ms, reason: words.slice(at + 1).join(' ') }, ask, context)
}

/**
 * The meaning of a name: a family before a region of the same name, because that silences what was written more often.
 */
function matcherOf(name: string, ask: Ask, context: CommandContext): Matcher | string {
  if (name.startsWith('#')) {
    const found = threadByCode(name, ask, context)
    return typeof found === 'string' ? found : { family: null, region: null, threadId: found.threadId }
  }
  const same = (known: string): boolean => known.toLowerCase() === name.toLowerCase()
  const family = [...familyKeys(ask.config.families)].find(same)
  if (family !== undefined) return { family, region: null, threadId: null }
  const region = regionsOf(ask.config).find(same)
  if (region !== undefined) return { family: null, region, threadId: null }
  return put(repliesTo(ask).silence.neither, cutToBytes(name, 40))
}

function begun(
  matcher: Matcher,
  { name, ms, reason }: { name: string; ms: number; reason: string },
  ask: Ask,
  context: CommandContext
): string {
  const { sender, now, config, spoken } = ask
  const said = repliesTo(ask).silence
  const until = now + ms
  context.silences.add({ ...matcher, includesImmediate: false, author: sender.id, reason, from: now, until })
  const moment = momentText({ ...spoken, station: config.station, nowMs: now }, until)
  return told(spoken.language, [
    putAll(said.until, [name, timed(wordsOf(spoken).fixed.until, moment)]),
    unlessStored(ask, context),
    put(said.howToEnd, name)
  ])
}

function ended(matcher: Matcher, name: string, ask: Ask, context: CommandContext): string {
  const { sender, now, spoken } = ask
  const { wasNot, over } = repliesTo(ask).silence
  const matching = context.silences
    .active(now)
    .filter(
      ({ family, region, threadId }) =>
        family === matcher.family && region === matcher.region && threadId === matcher.threadId
    )
  for (const { id } of matching) context.silences.end(id, sender.id, now)
  if (matching.length === 0) return put(wasNot, name)
  return told(spoken.language, [put(over, name), unlessStored(ask, context)])
}
