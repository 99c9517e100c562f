/** Severities, lowest first. Contract §2. */
export const SEVERITIES = ['routine', 'priority', 'critical', 'immediate'] as const
export type Severity = (typeof SEVERITIES)[number]

/** The built-in families: the rows of the region matrix. Contract §2; a custom source may register more in `families`. */
export const BUILTIN_FAMILIES = [
  'mesh_health',
  'weather',
  'fire',
  'rf_propagation',
  'roads',
  'avalanche',
  'seismic',
  'satpass',
  'emergency',
  'tracking'
] as const

const WITHOUT_REGION: readonly string[] = ['mesh_health', 'rf_propagation']

/**
 * Families whose events have no region by nature: the state of the ionosphere, the silence of a feed, the station itself. No
 * cell matches them, so the policy of the family decides (contract §4 rule 11).
 */
export function hasNoRegion(family: string): boolean {
  return WITHOUT_REGION.includes(family)
}
