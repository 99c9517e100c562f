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
