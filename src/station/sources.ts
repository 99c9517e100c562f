import { resolve } from 'node:path'
import type { StartOptions } from '../cli/verb.ts'
import type { Reason } from '../model/reason.ts'
import type { Shed } from '../model/shedding.ts'
import { systemClock } from '../platform/clock/clock.ts'
import type { Profile } from '../settings/profile.ts'
import type { Config } from '../settings/schema.ts'
import type { ConfigStore } from '../settings/store.ts'
import { kindOf } from '../warning/feeds/create.ts'
import type { RadioReading } from '../warning/feeds/mesh-health/nodes.ts'
import { Sources } from '../warning/feeds/sources.ts'
import type { Radio, RadioHealth } from '../warning/radios/radio.ts'
import type { Core } from './core.ts'

export interface StationSourcesOptions {
  options: StartOptions
  startedAt: number
  profile: Profile
  config: ConfigStore
  /** The configuration with what the profile adds. */
  current: () => Config
  core: Core
  radios: readonly Radio[]
  /** See `Shedding.reasonOf`. */
  shedFor: (step: Shed) => Reason | null
}

/** A source that is asked so rarely brings nothing that must be told within minutes. */
const SLOW_MS = 10 * 60_000
/** The view of the sources that readers are shown. */
const MOST_IN_FORCE = 500

/** The sources of this station. Readers, and the client they ask with, are loaded when a source is configured. */
export function stationSources(parts: StationSourcesOptions): Sources {
  const { options, startedAt, profile, config, current, core } = parts
  return new Sources({
    config: current,
    onConfigChange: (listener) => config.onChange(listener),
    kindOf: async (kind) => (kind === 'mesh_health' ? ownMesh(parts) : kindOf(kind)),
    dataFolder: resolve(options.dataFolder),
    store: core.sourceStore,
    accept: (arrivals) => core.accept(arrivals),
    inForce: (family) =>
      core.ledger
        .active(systemClock.now(), MOST_IN_FORCE)
        .flatMap(({ event }) => (event.family === family ? [event] : [])),
    transport: async (request) => (await import('../platform/net/fetch.ts')).httpGet(request),
    restsFor: (intervalMs) => (intervalMs >= SLOW_MS ? parts.shedFor('slow_feeds') : null),
    intervalFactor: profile.polling.interval_factor,
    version: options.version,
    startedAt,
    clock: systemClock,
    random: Math.random,
    log: options.log,
    onChange: (status) => core.observers.tell('source', status)
  })
}

async function ownMesh({ radios, core }: Pick<StationSourcesOptions, 'radios' | 'core'>) {
  const { meshHealthKind } = await import('../warning/feeds/mesh-health/kind.ts')
  // A simulated radio has no mesh to watch.
  const real = (): Radio[] => radios.filter(({ description }) => !description.simulated)
  return meshHealthKind(() => real().map((radio) => readingOf(radio, core.healthOf(radio))))
}

function readingOf(radio: Radio, health: RadioHealth): RadioReading {
  const { id, network, nodeName } = radio.description
  return { id, network, name: nodeName, health, details: radio.details?.() ?? null }
}
