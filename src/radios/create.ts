import type { RadioConfig } from '../config/schema.ts'
import type { Clock } from '../lib/clock.ts'
import { AppError } from '../lib/errors.ts'
import { MC_PRESETS, mcModem, mtModem } from './modem.ts'
import type { Network, Radio } from './radio.ts'

export interface RadioSetup {
  configured: readonly RadioConfig[]
  /** Whether one simulated radio per network stands in when none is configured: profile `home`. */
  allowSimulatedDefault: boolean
  /** Every MC channel name the configuration uses now: the channels of a simulated radio without `channels`. */
  mcNames: () => string[]
  clock: Clock
  /** Chance for the simulated radios; replay gives a seeded one. */
  random?: () => number
  log?: { info(details: object, message: string): void }
}

type Wanted = Pick<RadioConfig, 'id' | 'network' | 'link' | 'channels'>

const STAND_INS: readonly Wanted[] = [
  { id: 'sim-mt', network: 'mt', link: 'simulated' },
  { id: 'sim-mc', network: 'mc', link: 'simulated' }
]

/**
 * The radios of contract §6, not connected yet, in the order of the configuration. Throws AppError `unavailable` for a serial or tcp
 * link, and `config-refused` for a channel that is not of the radio's network.
 */
export async function createRadios(setup: RadioSetup): Promise<Radio[]> {
  const { configured, allowSimulatedDefault, log } = setup
  const wanted: readonly Wanted[] = configured.length === 0 && allowSimulatedDefault ? STAND_INS : configured
  const radios: Radio[] = []
  for (const entry of wanted) {
    radios.push(await createRadio(entry, setup))
    log?.info({ radio: entry.id, network: entry.network, link: entry.link }, 'radio created')
  }
  return radios
}

async function createRadio({ id, network, link, channels }: Wanted, setup: RadioSetup): Promise<Radio> {
  if (link !== 'simulated') {
    throw new AppError(
      'unavailable',
      `Radio ${id} has link ${link}, but this version has only simulated radios. ` +
        `Remove the entry from "radios" in config.json, or set its link to "simulated".`
    )
  }
  const { clock, mcNames, random } = setup
  const shared = { id, clock, ...(random === undefined ? {} : { random }) }
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

function wrongChannel(id: string, network: Network, channel: number | string): never {
  const wants = network === 'mt' ? 'an MT channel is an index from 0 to 7' : 'an MC channel is a name'
  throw new AppError(
    'config-refused',
    `Radio ${id} lists the channel ${JSON.stringify(channel)}: ${wants}. Correct "channels".`
  )
}
