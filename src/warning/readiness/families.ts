import type { WarningConfig } from '../settings.ts'

/** Families a kind of source brings, as far as its kind tells. Kinds that carry anything at all are not in it. */
const FAMILIES_OF_KIND: Readonly<Record<string, readonly string[]>> = {
  nws: ['weather'],
  nws_text: ['weather'],
  meteoalarm: ['weather'],
  met_alerts: ['weather'],
  nhc: ['weather'],
  nwps: ['weather'],
  nwis: ['weather'],
  wfigs: ['fire'],
  bc_wildfire: ['fire'],
  firms: ['fire'],
  usgs: ['seismic'],
  jma: ['seismic'],
  volcano: ['seismic'],
  swpc: ['rf_propagation'],
  avalanche: ['avalanche'],
  avalanche_canada: ['avalanche'],
  open511: ['roads'],
  wzdx: ['roads'],
  datex2: ['roads'],
  digitraffic: ['roads'],
  cars: ['roads'],
  satpass: ['satpass'],
  mesh_health: ['mesh_health']
}

/** Kinds that nobody has to take shelter from: the station's own mesh, satellites, the state of the ionosphere. */
const NO_HAZARD: ReadonlySet<string> = new Set(['mesh_health', 'satpass', 'swpc'])

/** True when a source of this kind tells of dangers to people. */
export function tellsHazards(kind: string): boolean {
  return !NO_HAZARD.has(kind)
}

/** Families with a source that is switched on, and the name of its first one. */
export function familiesWithSources({ sources }: WarningConfig): Map<string, string> {
  const found = new Map<string, string>()
  for (const { kind, name, enabled } of sources) {
    if (!enabled) continue
    for (const family of FAMILIES_OF_KIND[kind] ?? []) if (!found.has(family)) found.set(family, name ?? kind)
  }
  return found
}
