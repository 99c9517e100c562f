import { isDrill, type LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import type { Target, TraceStep } from './decision.ts'
import { channelKey } from './keys.ts'
import type { PlanTarget } from './plan-target.ts'

/**
 * The channels that an exercise keeps to (`data.drill_channels`: `{mt?, mc?}`), in place of the matrix and all rules; null for every other
 * event, and for a drill that goes the way of a real warning.
 */
export function drillTargets(event: LookoutEvent): PlanTarget[] | null {
  const { drill_channels: named } = event.data
  if (!isDrill(event) || typeof named !== 'object' || named === null) return null
  const { mt, mc } = named as { mt?: unknown; mc?: unknown }
  const targets: Target[] = [
    ...(typeof mt === 'number' ? [{ transport: 'mt' as const, channel: mt, direct: false }] : []),
    ...(typeof mc === 'string' ? [{ transport: 'mc' as const, channel: mc, direct: false }] : [])
  ]
  return targets.map((target) => ({ target, regions: event.regions, path: 'matrix' }))
}

export function drillChannels(targets: readonly PlanTarget[]): TraceStep {
  const channels = targets.map(({ target }) => channelKey(target))
  return { stage: 'matrix', outcome: 'match', reason: 'drill_channel', ...because('drill_channels', { channels }) }
}
