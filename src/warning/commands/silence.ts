import { familyKeys } from '../../model/families.ts'
import { parseDuration } from '../../platform/clock/duration.ts'
import { instantText } from '../messages/times.ts'
import { MAX_SILENCE_MS, type StoredSilence } from '../outbox/silence-store.ts'
import type { WarningConfig } from '../settings.ts'
import { type Answer, type Ask, type CommandContext, threadByCode, unlessStored } from './ask.ts'
import { regionsOf } from './region.ts'
import { refusal } from './rights.ts'

type Matcher = Pick<StoredSilence, 'family' | 'region' | 'threadId'>

const USAGE = 'Use: !silence FAMILY|REGION|#CODE 2h [reason], at most 7d. !silence NAME off ends it.'

/** `!silence FAMILY|REGION|#CODE 2h [reason]`, `… off`: for those whom the owner lets. Never silences `immediate`. */
export const silence: Answer = (ask, context) => {
  const { words } = ask
  const refused = refusal('silence', ask)
  if (refused !== null) return refused
  if (words.some((word) => /^!immediate$/i.test(word)))
    return 'Immediate alerts cannot be silenced over the radio. The dashboard can.'
  const at = words.findIndex((word, index) => index > 0 && (parseDuration(word) !== null || /^off$/i.test(word)))
  if (at < 1) return USAGE
  const name = words.slice(0, at).join(' ')
  const matcher = matcherOf(name, ask.config, context)
  if (typeof matcher === 'string') return matcher
  const word = words[at] ?? ''
  const ms = parseDuration(word)
  if (ms === null) return ended(matcher, name, ask, context)
  if (ms > MAX_SILENCE_MS) return USAGE
  return begun(matcher, { name, ms, reason: words.slice(at + 1).join(' ') }, ask, context)
}

/**
 * The meaning of a name: a family before a region of the same name, because that silences what was written more often.
 */
function matcherOf(name: string, config: WarningConfig, context: CommandContext): Matcher | string {
  if (name.startsWith('#')) {
    const found = threadByCode(name, context)
    return typeof found === 'string' ? found : { family: null, region: null, threadId: found.threadId }
  }
  const same = (known: string): boolean => known.toLowerCase() === name.toLowerCase()
  const family = [...familyKeys(config.families)].find(same)
  if (family !== undefined) return { family, region: null, threadId: null }
  const region = regionsOf(config).find(same)
  if (region !== undefined) return { family: null, region, threadId: null }
  return `${name.slice(0, 40)} is neither a family nor a region here.`
}

function begun(
  matcher: Matcher,
  { name, ms, reason }: { name: string; ms: number; reason: string },
  { sender, now, config }: Ask,
  context: CommandContext
): string {
  const until = now + ms
  context.silences.add({ ...matcher, includesImmediate: false, author: sender.id, reason, from: now, until })
  return `${name} is silent until ${instantText(until, config.station, now)}, except immediate alerts.${unlessStored(context)} !silence ${name} off ends it.`
}

function ended(matcher: Matcher, name: string, { sender, now }: Ask, context: CommandContext): string {
  const matching = context.silences
    .active(now)
    .filter(
      ({ family, region, threadId }) =>
        family === matcher.family && region === matcher.region && threadId === matcher.threadId
    )
  for (const { id } of matching) context.silences.end(id, sender.id, now)
  return matching.length === 0 ? `${name} was not silenced.` : `${name} is heard again.${unlessStored(context)}`
}
