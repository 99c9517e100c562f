import type { LookoutEvent } from '../../model/event.ts'
import { because } from '../../model/reason.ts'
import { severityRank } from '../../model/severity.ts'
import type { NewerMessage, TraceStep } from './decision.ts'

/**
 * `sent` decides between messages of one thread, not arrival (CAP 1.2 §3.2.1): a copy that comes late over a slower
 * source neither revives what has ended nor takes back what is newer. Null when the event is the newest about its places.
 * Within one source only bulletins (CAP, VTEC) are compared: other sources list what is so now, whatever its time says.
 * But an end that says itself when it was sent ends what was sent before it, also when it comes first.
 */
export function judgeOrder(event: LookoutEvent, newer: readonly NewerMessage[]): TraceStep | null {
  const isBulletin = event.data.vtec !== undefined || event.data['cap'] !== undefined
  const later = newer.filter((message) => message.source !== event.source || isBulletin || endsIt(message, event))
  const about = later.filter((message) => speaksOf(message, event))
  const told = new Set(about.flatMap(({ zones }) => zones))
  const zones = zonesOf(event)
  const everywhere = about.some((message) => message.zones.length === 0) || zones.length === 0
  if (about.length === 0 || !(everywhere || zones.every((zone) => told.has(zone)))) return null
  const ended = about.some(({ lifecycle }) => lifecycle === 'cancel' || lifecycle === 'expire')
  const goesOn = event.lifecycle === 'new' || event.lifecycle === 'update'
  const graver = about.every(({ severity }) => severityRank(event.severity) > severityRank(severity))
  // In doubt, warn: a graver message is told although something newer is known.
  if (goesOn && graver && !ended) return null
  const sources = [...new Set(about.map(({ source }) => source))]
  return { stage: 'lifecycle', outcome: 'stop', reason: 'superseded', ...because('newer_known', { sources }) }
}

/** An end of its own event, for all of its regions. */
function endsIt({ lifecycle, id, dated, regions }: NewerMessage, event: LookoutEvent): boolean {
  if (!dated || id !== event.id || !(lifecycle === 'cancel' || lifecycle === 'expire')) return false
  return regions.length === 0 || event.regions.every((region) => regions.includes(region))
}

function speaksOf(message: NewerMessage, event: LookoutEvent): boolean {
  const zones = zonesOf(event)
  return zones.length === 0 || message.zones.length === 0 || message.zones.some((zone) => zones.includes(zone))
}

function zonesOf({ zones, same }: LookoutEvent): readonly string[] {
  return zones.length > 0 ? zones : same
}
