import { MC_PRESETS, mcModem } from '../modem.ts'
import type { ModemSettings } from '../radio.ts'
import type { SelfInfo } from './messages.ts'

/** EU 869.4–869.65 MHz: 10 % of any hour. The firmware's own limit is half the time, so this one is ours to keep. */
const EU_HIGH_POWER_KHZ = [869_400, 869_650] as const
const EU_DUTY_CYCLE = 0.1

/** Assumed until the node has told its own: the firmware's default, whose legal share is the smaller one. */
export const ASSUMED_MODEM: ModemSettings = { ...mcModem(MC_PRESETS['EU/UK narrow']), label: 'not read yet' }

/** The modem a node reports; what is assumed where its numbers cannot be those of a LoRa radio. */
export function modemOf({ frequencyKhz, bandwidthHz, spreadingFactor, codingRate }: SelfInfo): ModemSettings {
  const usual = spreadingFactor >= 5 && spreadingFactor <= 12 && codingRate >= 5 && codingRate <= 8
  if (!usual || bandwidthHz < 7000 || bandwidthHz > 1_000_000) return ASSUMED_MODEM
  const [low, high] = EU_HIGH_POWER_KHZ
  const dutyCycle = frequencyKhz >= low && frequencyKhz <= high ? EU_DUTY_CYCLE : 1
  return mcModem({ bandwidthHz, spreadingFactor, codingRate, dutyCycle })
}
