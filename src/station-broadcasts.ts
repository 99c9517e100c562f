import { type BroadcastTextsOptions, broadcastText } from './broadcast-texts.ts'
import type { Config } from './config/schema.ts'
import { sourceName } from './config/sources-schema.ts'
import type { Core } from './core.ts'
import type { SourceMemory } from './feeds/source.ts'
import type { Clock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { clockText } from './messages/times.ts'
import type { Radio } from './radios/radio.ts'
import { Broadcasts } from './schedule/broadcasts.ts'

export interface StationBroadcastsOptions {
  core: Core
  config: () => Config
  radios: readonly Radio[]
  clock: Clock
  log: Log
}

const MOST_IN_FORCE = 200
/** A broadcast that could not leave within this is no use any more. */
const WORTH_MS = 30 * 60_000
const PASS_HOURS = 24

/** The scheduled broadcasts of this station: their words come from the ledger and from what the sources remember. */
export function stationBroadcasts({ core, config, radios, clock, log }: StationBroadcastsOptions): Broadcasts {
  const texts: BroadcastTextsOptions = {
    config,
    now: () => clock.now(),
    active: (now) => core.ledger.active(now, MOST_IN_FORCE).map(({ event }) => event),
    nodeName: (network) =>
      radios.find(({ description }) => description.network === network)?.description.nodeName ?? '',
    bandConditions: () => conditions(core, config(), clock.now()),
    passes: (observer, bytes) => passes(core, config(), { observer, bytes, now: clock.now() })
  }
  return new Broadcasts({
    broadcasts: () => config().notifications.broadcasts,
    timezone: () => config().station.timezone,
    enabled: () => config().notifications.enabled,
    now: () => clock.now(),
    log,
    compose: (broadcast, network) => broadcastText(broadcast, network, texts),
    send: (text, { network, channel, key }) =>
      core.addText({
        transport: network,
        channel,
        direct: false,
        text,
        key,
        path: 'broadcast',
        expiresAt: clock.now() + WORTH_MS
      }),
    fact: (name) => core.ledger.fact(name),
    setFact: (name, value) => core.ledger.setFact(name, value)
  })
}

/** What a source of this kind remembers, read only; null when none is configured. */
function memoryOf(core: Core, config: Config, kind: string): Pick<SourceMemory, 'get'> | null {
  const source = config.sources.find((one) => one.kind === kind && one.enabled)
  if (source === undefined) return null
  const name = sourceName(source)
  return { get: (key) => core.sourceStore.recall(name, key) }
}

async function conditions(core: Core, config: Config, now: number): Promise<string | null> {
  const memory = memoryOf(core, config, 'swpc')
  if (memory === null) return null
  const { bandConditions } = await import('./feeds/swpc/conditions.ts')
  return bandConditions(memory, now, (ms) => clockText(ms, config.station))
}

async function passes(
  core: Core,
  config: Config,
  { observer, bytes, now }: { observer: string; bytes: number; now: number }
): Promise<string | null> {
  const settings = config.sources.find((one) => one.kind === 'satpass' && one.enabled)
  const memory = memoryOf(core, config, 'satpass')
  if (memory === null || settings?.kind !== 'satpass') return null
  const where = settings.observers.find(({ name }) => observer === '' || name === observer)
  if (where === undefined) return null
  const { passTable } = await import('./feeds/satpass/table.ts')
  const { savedElements } = await import('./feeds/satpass/keeper.ts')
  const { chooseSatellites } = await import('./feeds/satpass/names.ts')
  const { chosen } = chooseSatellites(savedElements(memory), settings.satellites)
  if (chosen.length === 0) return null
  const table = await passTable({
    elements: chosen,
    observer: where,
    from: now,
    hours: PASS_HOURS,
    minElevation: where.min_elevation ?? settings.min_elevation,
    maxAgeDays: settings.max_age_days,
    clockText: (ms) => clockText(ms, config.station),
    maxBytes: bytes
  })
  return table.rows.length === 0 ? null : table.text
}
