import { ANSWERS } from '../messages/catalogue/answers.ts'
import { put } from '../messages/catalogue/words.ts'
import { lasting } from '../messages/replying.ts'
import { blindness } from '../readiness/all-clear.ts'
import type { Answer } from './ask.ts'

const MOST = 1000

/** `!status`: the radios, what waits, what goes on, what keeps the station from knowing it, and for how long the program has run. */
export const status: Answer = ({ now, spoken }, context) => {
  const said = ANSWERS[spoken.language]
  const radios = context
    .radios()
    .map(
      ({ network, state, waiting }) =>
        `${network.toUpperCase()} ${said.states[state]}${waiting > 0 ? ` ${put(said.waiting, String(waiting))}` : ''}`
    )
  const going = context.ledger.active(now, MOST).length
  const blind = blindness(context.problems(), 'region', spoken.language)
  const silenced = context.silences.active(now).length
  const facts = [
    ...radios,
    going === 1 ? said.alert : put(said.alerts, String(going)),
    ...(blind === null ? [] : [blind]),
    ...(silenced > 0 ? [put(said.silenced, String(silenced))] : []),
    put(said.up, lasting(spoken.language, now - context.startedAt))
  ]
  return `${facts.join(', ')}${said.stop}`
}
