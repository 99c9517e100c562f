import type { StartOptions } from '../cli/verb.ts'
import type { AuditLog } from '../platform/audit/audit-log.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { PowerWatch } from '../platform/metrics/power.ts'
import type { ConfigStore } from '../settings/store.ts'
import { type Backups, openBackups } from './backups.ts'
import { openHotspot } from './hotspot.ts'
import { openUpdates, type Updates } from './updates.ts'

/** The parts that keep the machine itself in order; each null in a preview, which changes nothing. */
export interface Keeping {
  hotspot: ReturnType<typeof openHotspot>
  updates: Updates | null
  backups: Backups | null
  power: PowerWatch
}

export async function openKeeping(
  options: StartOptions & { audit: AuditLog | null; config: Pick<ConfigStore, 'current'> },
  stopper: Stopper
): Promise<Keeping> {
  const { config, ...rest } = options
  return {
    power: new PowerWatch(),
    hotspot: openHotspot(rest, stopper),
    updates: await openUpdates(rest, stopper),
    backups: await openBackups({ ...rest, config: () => config.current().backup, onReady: restarter(rest) }, stopper)
  }
}

/** Where nothing starts the program again it goes on: the page says that somebody has to. */
const restarter =
  ({ restartedBy, leave }: Pick<StartOptions, 'restartedBy' | 'leave'>) =>
  (): void =>
    restartedBy === null ? undefined : leave()
