import { byteLength } from '../messages/budget.ts'
import { ANSWERS } from '../messages/catalogue/answers.ts'
import { putAll } from '../messages/catalogue/words.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import { MOST_IN_FORCE, nothingFound } from '../readiness/all-clear.ts'
import { regionsOnChannel } from '../routing/on-channel.ts'
import { type Answer, type Ask, alertText, type CommandContext } from './ask.ts'
import { inRegion, shownName, unknownRegion } from './region.ts'

const REST = `; +${MOST_IN_FORCE}: !alerts`

/**
 * `!catchup [region]`: for whoever was off or out of range. Whole texts of what is still in force, the gravest first and of these the
 * newest; on a channel what the matrix sends there, with the regions it sends there. `2/3` says of each how many belong to the answer:
 * the budget of answers may drop the last ones, and nobody shall take a part for all.
 */
export const catchup: Answer = (ask, context) => {
  const all = context.ledger.active(ask.now, MOST_IN_FORCE)
  const found = concerning(all, ask)
  if (found.length === 0) return nothingInForce(ask, all.length, context)
  return catchupTexts(found, ask, context)
}

/** The first of these as whole texts, numbered, the last with how many are left. */
export function catchupTexts(
  found: readonly StoredEvent[],
  ask: Pick<Ask, 'now' | 'config' | 'limitBytes' | 'spoken'>,
  context: Pick<CommandContext, 'ledger'>
): string[] {
  const told = found.slice(0, ask.config.commands.catchup_texts)
  const left = found.length - told.length
  return told.map((stored, index) => {
    const head = told.length > 1 ? `${index + 1}/${told.length} ` : ''
    const isLast = index === told.length - 1
    const room = ask.limitBytes - byteLength(head) - (isLast && left > 0 ? REST.length : 0)
    return `${head}${alertText(stored, room, ask, context)}${isLast && left > 0 ? `; +${left}: !alerts` : ''}`
  })
}

function nothingInForce(ask: Ask, seen: number, context: CommandContext): string {
  const isPlaced = ask.words.length > 0
  const scope = isPlaced || ask.channel !== null ? 'region' : 'anywhere'
  const { language } = ask.spoken
  const { nothingInForce: clear, nothingKnown } = ANSWERS[language]
  const nothing = { clear: placed(clear, ask), known: placed(nothingKnown, ask), seen, scope, language } as const
  return (isPlaced ? unknownRegion(ask) : null) ?? nothingFound(nothing, context.problems())
}

function concerning(all: readonly StoredEvent[], ask: Ask): readonly StoredEvent[] {
  if (ask.words.length > 0) return inRegion(all, ask.words)
  const regionsOf = ask.channel === null ? null : regionsOnChannel(ask.channel, ask.config.notifications.region_routes)
  if (regionsOf === null) return all
  return all.flatMap((stored) => {
    const regions = regionsOf(stored.event)
    return regions.length === 0 ? [] : [{ ...stored, event: { ...stored.event, regions } }]
  })
}

function placed(said: string, { words, channel, spoken }: Ask): string {
  const { forRegion, onChannel } = ANSWERS[spoken.language]
  if (words.length > 0) return putAll(forRegion, [said, shownName(words)])
  return channel === null ? said : putAll(onChannel, [said, channel.channel.slice(0, 40)])
}
