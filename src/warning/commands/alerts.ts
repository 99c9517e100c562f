import { byteLength } from '../messages/budget.ts'
import { ANSWERS } from '../messages/catalogue/answers.ts'
import { putAll } from '../messages/catalogue/words.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import { MOST_IN_FORCE, nothingFound } from '../readiness/all-clear.ts'
import { type Answer, type Ask, alertText, type CommandContext } from './ask.ts'
import { inRegion, shownName, unknownRegion } from './region.ts'

/** The share of one alert in an answer with several. */
const EACH_BYTES = 56
const ROOM_FOR_REST = 5

/** `!alerts [region]`: what goes on, worst first, each with its code; what finds no room is counted. */
export const alerts: Answer = (ask, context) => {
  const all = context.ledger.active(ask.now, MOST_IN_FORCE)
  const isPlaced = ask.words.length > 0
  const found = isPlaced ? inRegion(all, ask.words) : all
  if (found.length > 0) return listed(found, ask, context)
  const { language } = ask.spoken
  const { noAlerts, noAlertsKnown, forRegion } = ANSWERS[language]
  const placed = (said: string): string => (isPlaced ? putAll(forRegion, [said, shownName(ask.words)]) : said)
  const nothing = { clear: placed(noAlerts), known: placed(noAlertsKnown), seen: all.length, language }
  return (
    (isPlaced ? unknownRegion(ask) : null) ??
    nothingFound({ ...nothing, scope: isPlaced ? 'region' : 'anywhere' }, context.problems())
  )
}

function listed(found: readonly StoredEvent[], ask: Ask, context: CommandContext): string {
  let text = ''
  for (const [index, stored] of found.entries()) {
    const left = found.length - index
    const joint = text === '' ? '' : '; '
    const reserve = left > 1 ? ROOM_FOR_REST : 0
    const room = ask.limitBytes - byteLength(text) - joint.length - reserve
    const each = found.length === 1 ? room : Math.min(room, EACH_BYTES)
    if (each < Math.min(EACH_BYTES, 30)) return `${text}; +${left}`
    text += joint + alertText(stored, each, ask, context)
  }
  return text
}
