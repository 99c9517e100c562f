import { because, type Reason } from '../../../model/reason.ts'
import { MT_PRESETS, mtDutyCycle, mtModem, type Spread } from '../modem.ts'
import type { ModemSettings, RadioChannel } from '../radio.ts'
import type { ChannelInfo, LoraConfig } from './messages.ts'

/** By their number in LoRaConfig. 2.8 added those from 10 on; VeryLongSlow is gone from newer clients. */
const PRESETS: ReadonlyMap<number, readonly [string, Spread]> = new Map([
  [0, ['LongFast', MT_PRESETS.LongFast]],
  [1, ['LongSlow', MT_PRESETS.LongSlow]],
  [2, ['VeryLongSlow', { spreadingFactor: 12, bandwidthHz: 62_500, codingRate: 8 }]],
  [3, ['MediumSlow', MT_PRESETS.MediumSlow]],
  [4, ['MediumFast', MT_PRESETS.MediumFast]],
  [5, ['ShortSlow', MT_PRESETS.ShortSlow]],
  [6, ['ShortFast', MT_PRESETS.ShortFast]],
  [7, ['LongModerate', MT_PRESETS.LongModerate]],
  [8, ['ShortTurbo', MT_PRESETS.ShortTurbo]],
  [9, ['LongTurbo', MT_PRESETS.LongTurbo]],
  [10, ['LiteFast', MT_PRESETS.LiteFast]],
  [11, ['LiteSlow', MT_PRESETS.LiteSlow]],
  [12, ['NarrowFast', MT_PRESETS.NarrowFast]],
  [13, ['NarrowSlow', MT_PRESETS.NarrowSlow]],
  [14, ['TinyFast', MT_PRESETS.TinyFast]],
  [15, ['TinySlow', MT_PRESETS.TinySlow]],
  [16, ['MediumTurbo', { spreadingFactor: 9, bandwidthHz: 500_000, codingRate: 5 }]]
])

/** By their number in LoRaConfig, from 0. */
const REGIONS =
  'UNSET US EU_433 EU_868 CN JP ANZ KR TW RU IN NZ_865 TH LORA_24 UA_433 UA_868 MY_433 MY_919 SG_923 PH_433 PH_868 PH_915 ANZ_433 KZ_433 KZ_863 NP_865 BR_902'.split(
    ' '
  )
const UNSET = 0
const LORA_24 = 13
/** 2.4 GHz radios have no 125, 250 and 500 kHz: the firmware takes 3.25 times as much. */
const WIDE_FACTOR = 3.25
/** LoRaConfig gives kHz without fractions. */
const EXACT_BANDWIDTHS = new Map([
  [15, 15_600],
  [31, 31_250],
  [62, 62_500],
  [200, 203_125],
  [400, 406_250],
  [800, 812_500],
  [1600, 1_625_000]
])
const PREAMBLE_SYMBOLS = 16
const DEFAULT_HOPS = 3
const MAX_HOPS = 7
/** A region this version does not know may have the strictest limit there is. */
const STRICTEST_DUTY_CYCLE = 0.01

/** The modem that is assumed until a radio has told its settings; nothing is sent before. */
export const ASSUMED_MODEM: ModemSettings = { ...mtModem('LongFast', 'US'), label: 'not read yet' }

/** The name of a region number, such as `EU_868`; `region 99` for one this version does not know. */
export function regionName(region: number): string {
  return REGIONS[region] ?? `region ${region}`
}

/**
 * The settings a radio transmits with. Firmware 2.7 lets a stored coding rate override the preset's, 2.8 only lets it raise it; the higher
 * one is taken, so that the time-on-air is never too low. A preset this version does not know is reckoned as the slowest.
 */
export function modemOf(lora: LoraConfig): ModemSettings {
  const region = regionName(lora.region)
  const dutyCycle = lora.region < REGIONS.length ? mtDutyCycle(region) : STRICTEST_DUTY_CYCLE
  const shared = { preambleSymbols: PREAMBLE_SYMBOLS, dutyCycle }
  if (!lora.usePreset) return { ...customSpread(lora), ...shared, label: customLabel(lora) }
  const [label, spread] = PRESETS.get(lora.preset) ?? [`preset ${lora.preset}`, MT_PRESETS.LongSlow]
  const bandwidthHz = lora.region === LORA_24 ? spread.bandwidthHz * WIDE_FACTOR : spread.bandwidthHz
  return { ...spread, bandwidthHz, codingRate: Math.max(spread.codingRate, codingRate(lora)), ...shared, label }
}

function codingRate({ codingRate: stored }: LoraConfig): number {
  return stored >= 5 && stored <= 8 ? stored : 5
}

function customSpread(lora: LoraConfig): Spread {
  const { bandwidth, spreadFactor } = lora
  return {
    spreadingFactor: spreadFactor >= 5 && spreadFactor <= 12 ? spreadFactor : 11,
    bandwidthHz: EXACT_BANDWIDTHS.get(bandwidth) ?? (bandwidth > 0 ? bandwidth * 1000 : 250_000),
    codingRate: codingRate(lora)
  }
}

function customLabel(lora: LoraConfig): string {
  const { spreadingFactor, bandwidthHz, codingRate: rate } = customSpread(lora)
  return `${bandwidthHz / 1000} kHz SF${spreadingFactor} CR${rate}`
}

/** The number of times a text of ours may be repeated. Never 0, with which only direct neighbours would get it. */
export function hopLimitOf({ hopLimit }: Pick<LoraConfig, 'hopLimit'>): number {
  return hopLimit >= 1 ? Math.min(hopLimit, MAX_HOPS) : DEFAULT_HOPS
}

/** The reason why a radio with these settings sends nothing; null when it does. */
export function transmitProblem({ region, txEnabled }: LoraConfig): Reason | null {
  if (region === UNSET) return because('region_not_set')
  if (!txEnabled) return because('transmit_off')
  return null
}

/** The channel table by index. A primary channel without a name goes by the name of the preset, as in every Meshtastic client. */
export function channelTable(channels: ReadonlyMap<number, ChannelInfo>, modem: ModemSettings): RadioChannel[] {
  return [...channels.values()]
    .sort((a, b) => a.index - b.index)
    .map(({ index, name, role }) => ({
      id: index,
      name: name === '' && role === 1 ? modem.label : name,
      enabled: role !== 0
    }))
}
