import type { RadioDetailsView, RadioStatus } from '../dashboard/server/context.ts'
import { because } from '../model/reason.ts'
import { channelProblem } from '../warning/outbox/turn.ts'
import type { Radio, RadioHealth } from '../warning/radios/radio.ts'

const MOST_NODES = 50

/** A radio's words about itself and its neighbours, as the API shows them; null for a radio that tells nothing. */
function radioDetails(radio: Pick<Radio, 'details'>): RadioDetailsView | null {
  const details = radio.details?.() ?? null
  if (details === null) return null
  const { firmware, batteryPercent, batteryMillivolts, channelUtilization, airUtilization, queueLength } = details
  const nodes = [...details.nodes].sort((a, b) => (b.lastHeardAt ?? 0) - (a.lastHeardAt ?? 0)).slice(0, MOST_NODES)
  return {
    firmware,
    battery_percent: batteryPercent,
    battery_millivolts: batteryMillivolts,
    channel_utilization: channelUtilization,
    air_utilization: airUtilization,
    queue_length: queueLength,
    nodes_known: details.nodes.length,
    nodes: nodes.map(({ id, name, lastHeardAt, batteryPercent: battery, snr = null }) => ({
      id,
      name,
      last_heard: lastHeardAt === null ? null : new Date(lastHeardAt).toISOString(),
      battery_percent: battery,
      snr
    }))
  }
}

/** A radio whose link stands and that leaves text after text unanswered is not to be relied on (contract §6). */
export function healthBehind(health: RadioHealth, silentSince: number | null): RadioHealth {
  if (health.state !== 'ready' || silentSince === null) return health
  const reason = because('leaves_unanswered')
  return { state: 'suspect', reason, since: silentSince }
}

/** One radio in `GET /api/radios`. `named`: the channels the configuration sends to. */
export function radioStatus(
  radio: Radio,
  {
    named,
    health,
    ...more
  }: { health: RadioHealth; named: readonly (number | string)[]; waiting: number; airtime: RadioStatus['airtime'] }
): RadioStatus {
  const { id, network, link, simulated, nodeName, modem } = radio.description
  const { state, reason, since } = health
  return {
    id,
    network,
    link,
    simulated,
    state,
    reason,
    node_name: nodeName,
    modem: modem.label,
    since: new Date(since).toISOString(),
    channels: [...radio.channels()],
    missing_channels: named.flatMap((channel) => {
      const problem = radio.health().state === 'ready' ? channelProblem(radio, channel) : null
      return problem === null ? [] : [{ channel, problem: problem.reason }]
    }),
    queue: { waiting: more.waiting },
    airtime: more.airtime,
    details: radioDetails(radio)
  }
}
