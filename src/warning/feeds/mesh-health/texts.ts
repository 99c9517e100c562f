import { sentenceOf } from '../../../model/words/sentences.ts'
import { durationText } from '../../../platform/clock/duration.ts'
import type { MeshHealthFacts } from './events.ts'
import type { RadioReading } from './nodes.ts'
import type { Change } from './watch.ts'

/** The words about a change, apart from where they go and when. */
export type Told = Pick<MeshHealthFacts, 'category' | 'eventName' | 'name' | 'says'> &
  Partial<Pick<MeshHealthFacts, 'before' | 'detail' | 'instruction' | 'facts'>>

const NETWORKS = { mt: 'Meshtastic', mc: 'MeshCore' } as const

function ofRadio({ id, network, name }: RadioReading): Pick<Told, 'before' | 'name'> & { facts: { radio: string } } {
  return { before: `${NETWORKS[network]} radio`, name: name.trim() || id, facts: { radio: id } }
}

/** One of the station's radios is lost, or back. `until`: as far as it has lasted; `alone`: no other of its network is ready. */
export function radioText(
  radio: RadioReading,
  { kind, since }: Change,
  { until, alone }: { until: number; alone: boolean }
): Told {
  const about = ofRadio(radio)
  const lasted = durationText(until - since)
  const eventName = 'Radio lost'
  if (kind === 'end') {
    return { ...about, category: 'infra_recovery', eventName, says: `in service again after ${lasted}` }
  }
  const detail = alone ? `No alerts on ${NETWORKS[radio.network]} until it is back` : ''
  const { reason: why } = radio.health
  const facts = { ...about.facts, reason: why === null ? null : sentenceOf(why) }
  return { ...about, category: 'feeder_offline', eventName, says: `out of service for ${lasted}`, detail, facts }
}

/** A watched node is silent, or back. */
export function nodeText(
  node: { name: string; id: string; critical: boolean },
  { kind, since }: Change,
  now: number
): Told {
  const about = { name: node.name, eventName: 'Node silent', facts: { node: node.id } }
  const lasted = durationText(now - since)
  if (kind === 'end') return { ...about, category: 'infra_recovery', says: `heard again after ${lasted}` }
  const says = `not heard for ${lasted}`
  if (!node.critical) return { ...about, category: 'infra_offline', says }
  return { ...about, category: 'critical_node_down', before: 'Critical node', says }
}

const BATTERY = ['battery_warning', 'battery_critical', 'battery_emergency'] as const

/** A battery is low, lower, better or well. `about` is a node or one of the station's radios. */
export function batteryText(
  about: Pick<Told, 'name' | 'before' | 'facts'>,
  { kind, before, after }: Change,
  percent: number
): Told {
  const facts = { ...about.facts, battery_percent: percent }
  const shared = { ...about, facts, eventName: 'Battery low' }
  const charge = `${Math.floor(percent)}%`
  if (kind === 'end') return { ...shared, category: 'infra_recovery', says: `battery up to ${charge}` }
  const category = BATTERY[after - 1] ?? 'battery_warning'
  if (after < before) return { ...shared, category, says: `battery up to ${charge}, still low` }
  return {
    ...shared,
    category,
    says: `battery ${charge}${category === 'battery_emergency' ? ', shuts down soon' : ''}`
  }
}

export function radioBatteryText(radio: RadioReading, change: Change, percent: number): Told {
  return batteryText(ofRadio(radio), change, percent)
}

/** The channel of a radio is busy, busy for hours, or quiet again. Per cent. */
export function trafficText(
  radio: RadioReading,
  { kind, after, since }: Change,
  { mean, limit, now }: { mean: number; limit: number; now: number }
): Told {
  const use = `${Math.round(mean)}%`
  const about = { ...ofRadio(radio), eventName: 'Channel busy' }
  const shared = { ...about, facts: { ...about.facts, utilization_percent: Math.round(mean) } }
  if (kind === 'end') return { ...shared, category: 'infra_recovery', says: `channel use down to ${use}` }
  const instruction = 'Keep messages short and few'
  if (after === 1) {
    return { ...shared, category: 'high_utilization', says: `channel use ${use}, limit ${limit}%`, instruction }
  }
  const says = `channel busy for ${durationText(now - since)}, now ${use}`
  return { ...shared, category: 'sustained_high_util', says, instruction }
}
