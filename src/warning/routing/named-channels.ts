import type { NotificationsConfig } from './settings.ts'

interface NamedChannels {
  mt: number[]
  mc: string[]
}

/** A configuration is replaced as a whole, so the same object names the same channels. */
const known = new WeakMap<NotificationsConfig, NamedChannels>()

/** Every channel the configuration sends to: what a radio must have. Disabled cells and policies count: they can be switched on. */
export function namedChannels(notifications: NotificationsConfig): NamedChannels {
  const found = known.get(notifications) ?? collect(notifications)
  known.set(notifications, found)
  return found
}

function collect(notifications: NotificationsConfig): NamedChannels {
  const mt = new Set<number>()
  const mc = new Set<string>()
  const add = (index: number | null, name: string | null): void => {
    if (index !== null) mt.add(index)
    if (name !== null) mc.add(name)
  }
  for (const row of Object.values(notifications.region_routes.cells)) {
    for (const cell of Object.values(row)) add(cell.mt, cell.mc)
  }
  const others = [
    ...Object.values(notifications.toggles),
    ...Object.values(notifications.destinations),
    ...notifications.rules
  ]
  for (const { broadcast_channel, meshcore_channel } of others) add(broadcast_channel, meshcore_channel)
  for (const broadcast of notifications.broadcasts) add(broadcast.mt, broadcast.mc)
  add(notifications.operator_channel.mt, notifications.operator_channel.mc)
  return { mt: [...mt].sort((a, b) => a - b), mc: [...mc].sort() }
}
