import type { Target } from './decision.ts'
import type { Cell, RegionRoutes } from './settings.ts'

export type MeshNetwork = 'mt' | 'mc'
export const MESH_NETWORKS = ['mt', 'mc'] as const

/** The names people know the networks by, in every language. */
export const NETWORK_NAMES: Readonly<Record<MeshNetwork, string>> = { mt: 'Meshtastic', mc: 'MeshCore' }

type Switches = Pick<RegionRoutes, 'mt_enabled' | 'mc_enabled'>

/** The matrix's own switch of this network; the master above it is not asked. Contract §4 rule 13. */
export function isNetworkOn(routes: Switches, network: MeshNetwork): boolean {
  return routes[`${network}_enabled`] !== false
}

/** The cell as it sends: as if it named no channel of a network that is switched off, so that nothing waits to stand in for that. */
export function openCell(cell: Cell, routes: Switches): Cell {
  if (shutNetworks(cell, routes).length === 0) return cell
  return { ...cell, mt: isNetworkOn(routes, 'mt') ? cell.mt : null, mc: isNetworkOn(routes, 'mc') ? cell.mc : null }
}

/** The networks on which the cell names a channel and the matrix is switched off. */
export function shutNetworks(cell: Pick<Cell, MeshNetwork>, routes: Switches): MeshNetwork[] {
  return MESH_NETWORKS.filter((network) => cell[network] !== null && !isNetworkOn(routes, network))
}

/** The channel of the cell on this network, as it would be sent to. */
export function targetOn(network: MeshNetwork, { mt, mc }: Pick<Cell, MeshNetwork>): Target | null {
  const channel = network === 'mt' ? mt : mc
  return channel === null ? null : { transport: network, channel, direct: false }
}
