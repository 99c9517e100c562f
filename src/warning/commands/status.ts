import { durationText } from '../../platform/clock/duration.ts'
import type { Answer } from './ask.ts'

const MOST = 1000

/** `!status`: the radios, what waits, what goes on and for how long the program has run. */
export const status: Answer = ({ now }, desk) => {
  const radios = desk
    .radios()
    .map(({ network, state, waiting }) => `${network.toUpperCase()} ${state}${waiting > 0 ? ` (${waiting} wait)` : ''}`)
  const going = desk.ledger.active(now, MOST).length
  const silenced = desk.silences.active(now).length
  const facts = [
    ...radios,
    `${going} ${going === 1 ? 'alert' : 'alerts'}`,
    ...(silenced > 0 ? [`${silenced} silenced`] : []),
    `up ${durationText(now - desk.startedAt)}`
  ]
  return `${facts.join(', ')}.`
}
