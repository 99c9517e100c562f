import { type Reason, reasonFrom } from '../../model/reason.ts'
import { OBSTACLE_CODES } from '../../model/reasons/obstacles.ts'

/** The state of a cell or of one of its channels. */
export type CellState = 'sent' | 'held' | 'suppressed' | 'stood_by' | 'none'

/** The change that would let a cell send; `reason` is the stable word of what keeps it from that. */
export interface Obstacle extends Reason {
  reason: string
}

/** The obstacle of this reason. A reason without words of its own points at the trace. */
export function obstacle(reason: string, values: Reason['params'] = {}): Obstacle {
  const code = `want_${reason}`
  return { reason, ...reasonFrom(Object.hasOwn(OBSTACLE_CODES, code) ? code : 'want_silent', values) }
}
