import { SEVERITIES, type Severity } from '../../model/vocabulary.ts'
import { type JsonObject, objectIn } from '../../platform/config/json.ts'
import type { Config } from '../../settings/schema.ts'
import { toggleOf } from '../../warning/routing/rules.ts'

/** The work of a family policy on the mesh, as the pages edit it: which channels, from which severity, on or off. */
export interface PolicyView {
  enabled: boolean
  min_severity: Severity
  mt: number | null
  mc: string | null
  /** Named destinations take the place of the channels: then the policy is edited in the settings. */
  destinations: string[]
}

const BROADCASTS: readonly string[] = ['mesh_broadcast', 'meshcore_broadcast']

export function policyOf({ notifications }: Config, family: string): PolicyView {
  const { enabled, min_severity, broadcast_channel, meshcore_channel, destinations, severity_channels } = toggleOf(
    notifications,
    family
  )
  const types = new Set<string>(Object.values(severity_channels).flat())
  return {
    enabled,
    min_severity,
    mt: types.has('mesh_broadcast') ? broadcast_channel : null,
    mc: types.has('meshcore_broadcast') ? meshcore_channel : null,
    destinations: [...destinations]
  }
}

/** Puts a policy into the raw toggle of a family: its channels at every severity. Other keys and ways of delivery stay. */
export function storePolicy(
  toggle: JsonObject,
  { enabled, min_severity, mt, mc }: Omit<PolicyView, 'destinations'>
): void {
  const before = objectIn(toggle['severity_channels'])
  const broadcasts = [...(mt === null ? [] : ['mesh_broadcast']), ...(mc === null ? [] : ['meshcore_broadcast'])]
  const channels = SEVERITIES.map((severity) => {
    const known = before[severity]
    const others = Array.isArray(known) ? known.filter((type) => !BROADCASTS.includes(String(type))) : []
    return [severity, [...broadcasts, ...others]] as const
  })
  Object.assign(toggle, {
    enabled,
    min_severity,
    broadcast_channel: mt,
    meshcore_channel: mc,
    severity_channels: Object.fromEntries(channels)
  })
}
