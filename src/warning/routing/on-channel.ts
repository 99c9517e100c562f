import type { LookoutEvent } from '../../model/event.ts'
import { channelKey } from './keys.ts'
import { askMatrix, targetsOfCell } from './matrix.ts'
import { openCell } from './network-switches.ts'
import type { RegionRoutes } from './settings.ts'

/** A channel of a mesh; MT by its index, `3`, MC by its name. */
export interface MeshChannel {
  transport: 'mt' | 'mc'
  channel: string
}

/**
 * The regions of an event that the matrix sends to this channel; none: it sends the event elsewhere, or nowhere. Null for a channel
 * without a cell, and for every one while the matrix is off or off for its network: nobody knows which regions it belongs to.
 */
export function regionsOnChannel(at: MeshChannel, routes: RegionRoutes): ((event: LookoutEvent) => string[]) | null {
  const key = channelKey({ ...at, direct: false })
  const isRouted =
    routes.enabled &&
    Object.values(routes.cells).some((row) =>
      Object.values(row).some((cell) =>
        targetsOfCell(openCell(cell, routes)).some(({ target }) => channelKey(target) === key)
      )
    )
  if (!isRouted) return null
  return (event) => askMatrix(event, routes).targets.find(({ target }) => channelKey(target) === key)?.regions ?? []
}

/** True for an event that the matrix sends to any channel of this network; null while it is off. */
export function isSentBy(network: 'mt' | 'mc', routes: RegionRoutes): ((event: LookoutEvent) => boolean) | null {
  if (!routes.enabled) return null
  return (event) => askMatrix(event, routes).targets.some(({ target }) => target.transport === network)
}
