import { byteLength } from '../messages/budget.ts'
import type { StoredEvent } from '../outbox/stored-event.ts'
import { type Answer, type Ask, alertText, type CommandContext, MOST_IN_FORCE, nothingFound } from './ask.ts'

/** The share of one alert in an answer with several. */
const EACH_BYTES = 56
const ROOM_FOR_REST = 5

/** `!alerts [region]`: what goes on, worst first, each with its code; what finds no room is counted. */
export const alerts: Answer = (ask, context) => {
  const wanted = ask.words.join(' ').toLowerCase()
  const all = context.ledger.active(ask.now, MOST_IN_FORCE)
  const found =
    wanted === '' ? all : all.filter(({ event }) => event.regions.some((name) => name.toLowerCase() === wanted))
  const where = wanted === '' ? '' : ` for ${ask.words.join(' ').slice(0, 40)}`
  if (found.length === 0) return nothingFound(`No alerts${where}.`, all.length)
  return listed(found, ask, context)
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
