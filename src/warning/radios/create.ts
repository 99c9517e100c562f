import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { LinkSource } from './link/link.ts'
import { MC_PRESETS, mcModem, mtModem } from './modem.ts'
import type { Network, Radio } from './radio.ts'
import type { RadioConfig } from './settings.ts'
import type { RadioLog } from './supervisor.ts'

export interface RadioSetup {
  configured: readonly Wanted[]
  /** True when one simulated radio per network stands in when none is configured: profile `home`. */
  allowSimulatedDefault: boolean
  /** Every MC channel name the configuration uses now: the channels of a simulated radio without `channels`. */
  mcNames: () => string[]
  clock: Clock
  /** Nodes in reach of a simulated radio; default 1. */
  neighbours?: number
  /** Chance for the simulated radios; replay gives a seeded one. */
  random?: () => number
  log?: RadioLog
}

/** The settings a radio is made from: a change of anything else leaves it connected. */
const MADE_FROM = ['id', 'network', 'link', 'path', 'host', 'port', 'channels', 'flood_scope'] as const
export type Wanted = Pick<RadioConfig, (typeof MADE_FROM)[number]>

/** Meshtastic's network API. */
export const MT_PORT = 4403
/** MeshCore's WiFi and Ethernet companions. */
export const MC_PORT = 5000

const STAND_INS: readonly Wanted[] = [
  { id: 'sim-mt', network: 'mt', link: 'simulated' },
  { id: 'sim-mc', network: 'mc', link: 'simulated' }
]

/**
 * The radios of contract §6, not connected yet, in the order of the configuration. The code of a driver is loaded
 * only for a radio that needs it. Throws AppError `config-refused` for a channel that is not of the radio's network.
 */
export async function createRadios(setup: RadioSetup): Promise<Radio[]> {
  const { log } = setup
  const radios: Radio[] = []
  for (const entry of wantedRadios(setup)) {
    radios.push(await createRadio(entry, setup))
    log?.info({ radio: entry.id, network: entry.network, link: entry.link }, 'radio created')
  }
  return radios
}

/** The radios there shall be, each with what it is made from and nothing else: two that are alike are the same radio. */
export function wantedRadios({
  configured,
  allowSimulatedDefault
}: Pick<RadioSetup, 'configured' | 'allowSimulatedDefault'>): Wanted[] {
  const wanted: readonly Wanted[] = configured.length === 0 && allowSimulatedDefault ? STAND_INS : configured
  return wanted.map(
    (entry) =>
      Object.fromEntries(MADE_FROM.flatMap((key) => (entry[key] === undefined ? [] : [[key, entry[key]]]))) as Wanted
  )
}

async function createRadio(wanted: Wanted, setup: RadioSetup): Promise<Radio> {
  const { id, network, link, channels } = wanted
  if (link !== 'simulated' && network === 'mt') return createMeshtastic(wanted, setup)
  if (link !== 'simulated') return createMeshCore(wanted, setup)
  const { clock, mcNames, random, neighbours } = setup
  const shared = {
    id,
    clock,
    ...(random === undefined ? {} : { random }),
    ...(neighbours === undefined ? {} : { neighbours })
  }
  if (network === 'mt') {
    const indices = channels?.map((channel) =>
      typeof channel === 'number' ? channel : wrongChannel(id, network, channel)
    )
    const { SimulatedMt } = await import('./simulated-mt.ts')
    const modem = mtModem('ShortFast', 'US')
    return new SimulatedMt({ ...shared, modem, ...(indices === undefined ? {} : { channels: indices }) })
  }
  const names = channels?.map((channel) => (typeof channel === 'string' ? channel : wrongChannel(id, network, channel)))
  const { SimulatedMc } = await import('./simulated-mc.ts')
  return new SimulatedMc({
    ...shared,
    modem: mcModem(MC_PRESETS['US/Canada']),
    channels: names === undefined ? mcNames : () => names
  })
}

async function createMeshtastic(wanted: Wanted, { clock, random, log }: RadioSetup): Promise<Radio> {
  const { MeshtasticRadio } = await import('./meshtastic/driver.ts')
  return new MeshtasticRadio({
    id: wanted.id,
    source: await linkSource(wanted, MT_PORT),
    clock,
    ...(random === undefined ? {} : { random }),
    ...(log === undefined ? {} : { log })
  })
}

async function createMeshCore(wanted: Wanted, { clock, random, log }: RadioSetup): Promise<Radio> {
  const { MeshCoreRadio } = await import('./meshcore/driver.ts')
  return new MeshCoreRadio({
    id: wanted.id,
    source: await linkSource(wanted, MC_PORT),
    clock,
    ...(wanted.flood_scope === undefined ? {} : { floodScope: wanted.flood_scope }),
    ...(random === undefined ? {} : { random }),
    ...(log === undefined ? {} : { log })
  })
}

/** The way to reach a radio that is no simulation. `serialport` itself is loaded when the link is opened. */
async function linkSource({ id, link, path, host, port }: Wanted, defaultPort: number): Promise<LinkSource> {
  if (link === 'serial' && path) return (await import('./link/serial.ts')).serialSource(path)
  if (link === 'tcp' && host) return (await import('./link/tcp.ts')).tcpSource({ host, port: port ?? defaultPort })
  const missing = link === 'serial' ? 'path' : 'host'
  throw new AppError('config-refused', because('radio_needs', { radio: id, link, setting: missing }))
}

function wrongChannel(id: string, network: Network, channel: number | string): never {
  const wrong = network === 'mt' ? 'mt_channel_wrong' : 'mc_channel_wrong'
  throw new AppError('config-refused', because(wrong, { radio: id, channel: JSON.stringify(channel) }))
}
