import { DELIVERY_CHANGES, type DeliveryChange, GRAVE_ONLY, movesOf, UNTOLD_ONLY } from '../../model/delivery.ts'
import { severityRank } from '../../model/severity.ts'

/** The table of states as SQL, so that a row is moved and judged by one statement: the state it has after a change. */
export const STATE_AFTER = perChange(
  (change) =>
    `CASE state ${movesOf(change)
      .map(([from, to]) => `WHEN '${from}' THEN '${to}'`)
      .join(' ')} END`
)
/** The condition under which a row may change so. */
export const MAY_CHANGE = perChange((change) => {
  const states = movesOf(change).map(([from]) => `'${from}'`)
  const grave = GRAVE_ONLY.has(change) ? ` AND rank >= ${severityRank('critical')}` : ''
  const untold = UNTOLD_ONLY.has(change) ? ' AND sent_at IS NULL AND identity IS NULL' : ''
  return `state IN (${states.join(', ')})${grave}${untold}`
})

function perChange(text: (change: DeliveryChange) => string): Record<DeliveryChange, string> {
  return Object.fromEntries(DELIVERY_CHANGES.map((change) => [change, text(change)])) as Record<DeliveryChange, string>
}

/** Something happened to a message that cannot happen in its state: a fault of the program. Nothing was changed. */
export class ImpossibleChange extends Error {
  constructor(id: number, change: DeliveryChange, state: string) {
    super(`message ${id} is ${state}: ${change} is impossible`)
    this.name = 'ImpossibleChange'
  }
}

/** Nobody follows more changes at one instant than this, and a browser on the live stream would be cut off by them. */
const TOLD_AT_ONCE = 200
/** A digest says it for its members, and each of them is in the list of messages. */
const MEMBERS_TOLD = 40

/** Of so many rows that change at once each is told of. */
export const mostTold = (change: DeliveryChange): number => (change === 'merge' ? MEMBERS_TOLD : TOLD_AT_ONCE)
