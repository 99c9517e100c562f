import { isAtLeast } from '../../model/severity.ts'
import { isLost } from '../coverage/gate.ts'
import type { Accepted } from './accepted.ts'

/** A warning of `critical` or above that goes nowhere because nobody can tell where it is: its sender must hear of it. */
export function isGraveAndLost({ event, decision }: Accepted): boolean {
  return decision?.kind === 'dropped' && isLost(decision) && isAtLeast(event.severity, 'critical')
}
