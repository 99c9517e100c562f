import { durationText } from '../../platform/clock/duration.ts'
import { blindness } from '../readiness/all-clear.ts'
import type { Answer } from './ask.ts'

const MOST = 1000

/** `!status`: the radios, what waits, what goes on, what keeps the station from knowing it, and for how long the program has run. */
export const status: Answer = ({ now }, context) => {
  const radios = context
    .radios()
    .map(({ network, state, waiting }) => `${network.toUpperCase()} ${state}${waiting > 0 ? ` (${waiting} wait)` : ''}`)
  const going = context.ledger.active(now, MOST).length
  const blind = blindness(context.problems(), 'region')
  const silenced = context.silences.active(now).length
  const facts = [
    ...radios,
    `${going} ${going === 1 ? 'alert' : 'alerts'}`,
    ...(blind === null ? [] : [blind]),
    ...(silenced > 0 ? [`${silenced} silenced`] : []),
    `up ${durationText(now - context.startedAt)}`
  ]
  return `${facts.join(', ')}.`
}
