import type { ModemSettings } from './radio.ts'

/** The part of the modem settings a preset fixes. */
export interface Spread {
  spreadingFactor: number
  bandwidthHz: number
  /** Denominator of the coding rate 4/x: 5…8. */
  codingRate: number
}

const MT_PREAMBLE_SYMBOLS = 16

/** Meshtastic modem presets by the name its clients show. The Lite, Narrow and Tiny ones exist from firmware 2.8. */
export const MT_PRESETS = {
  ShortTurbo: { spreadingFactor: 7, bandwidthHz: 500_000, codingRate: 5 },
  ShortFast: { spreadingFactor: 7, bandwidthHz: 250_000, codingRate: 5 },
  ShortSlow: { spreadingFactor: 8, bandwidthHz: 250_000, codingRate: 5 },
  MediumFast: { spreadingFactor: 9, bandwidthHz: 250_000, codingRate: 5 },
  MediumSlow: { spreadingFactor: 10, bandwidthHz: 250_000, codingRate: 5 },
  LongTurbo: { spreadingFactor: 11, bandwidthHz: 500_000, codingRate: 8 },
  LongFast: { spreadingFactor: 11, bandwidthHz: 250_000, codingRate: 5 },
  LongModerate: { spreadingFactor: 11, bandwidthHz: 125_000, codingRate: 8 },
  LongSlow: { spreadingFactor: 12, bandwidthHz: 125_000, codingRate: 8 },
  LiteFast: { spreadingFactor: 9, bandwidthHz: 125_000, codingRate: 5 },
  LiteSlow: { spreadingFactor: 10, bandwidthHz: 125_000, codingRate: 5 },
  NarrowFast: { spreadingFactor: 7, bandwidthHz: 62_500, codingRate: 6 },
  NarrowSlow: { spreadingFactor: 8, bandwidthHz: 62_500, codingRate: 6 },
  TinyFast: { spreadingFactor: 7, bandwidthHz: 15_600, codingRate: 5 },
  TinySlow: { spreadingFactor: 8, bandwidthHz: 15_600, codingRate: 6 }
} as const satisfies Record<string, Spread>
export type MtPreset = keyof typeof MT_PRESETS

const MT_DUTY_CYCLES = new Map([
  ['EU_868', 0.1],
  ['EU_433', 0.1],
  ['UA_433', 0.1],
  ['TH', 0.1],
  ['EU_866', 0.025],
  ['UA_868', 0.01]
])

/** The legal share of an hour (0…1) the Meshtastic firmware enforces in `region`; 1 where it knows no limit. */
export function mtDutyCycle(region: string): number {
  return MT_DUTY_CYCLES.get(region) ?? 1
}

/** The settings of a Meshtastic radio on `preset` in `region` (a LoRaConfig region name such as `US`). */
export function mtModem(preset: MtPreset, region: string): ModemSettings {
  return {
    ...MT_PRESETS[preset],
    preambleSymbols: MT_PREAMBLE_SYMBOLS,
    dutyCycle: mtDutyCycle(region),
    label: preset
  }
}

/**
 * The MeshCore settings in common use, by place, with the legal share of an hour there. The firmware itself limits a radio to half
 * the time by default, so the 10 % of EU 869.4–869.65 MHz is for us to keep.
 */
export const MC_PRESETS = {
  'EU/UK narrow': { spreadingFactor: 8, bandwidthHz: 62_500, codingRate: 8, dutyCycle: 0.1 },
  'US/Canada': { spreadingFactor: 7, bandwidthHz: 62_500, codingRate: 5, dutyCycle: 1 },
  ANZ: { spreadingFactor: 10, bandwidthHz: 250_000, codingRate: 5, dutyCycle: 1 },
  'EU long range': { spreadingFactor: 11, bandwidthHz: 250_000, codingRate: 5, dutyCycle: 0.1 }
} as const satisfies Record<string, Spread & { dutyCycle: number }>

/** The settings of a MeshCore radio, labelled like `62.5 kHz SF7 CR5`: the firmware has no preset names. */
export function mcModem({ dutyCycle, ...spread }: Spread & { dutyCycle: number }): ModemSettings {
  const { bandwidthHz, spreadingFactor, codingRate } = spread
  return {
    ...spread,
    preambleSymbols: spreadingFactor <= 8 ? 32 : 16,
    dutyCycle,
    label: `${bandwidthHz / 1000} kHz SF${spreadingFactor} CR${codingRate}`
  }
}
