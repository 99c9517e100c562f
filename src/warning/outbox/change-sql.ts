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
