import type { Pair } from './saturated-world.ts'

const US_KHZ = 910_525
const EU_KHZ = 869_618
const mc = (frequencyKhz: number, sf: number, cr: number) => ({ frequencyKhz, bandwidthHz: 62_500, sf, cr })
const [US, EU] = [1, 3]

/** Each preset of interest once, a fast one beside a slow one, with and without a legal limit. */
export const PAIRS: readonly Omit<Pair, 'repeats'>[] = [
  {
    name: 'longfast',
    mt: { label: 'MT LongFast, US', preset: 0, region: US, reports: 'end' },
    mc: { label: 'MC 62.5 kHz SF7 CR5, US', lora: mc(US_KHZ, 7, 5) }
  },
  {
    name: 'shortfast',
    mt: { label: 'MT ShortFast, US', preset: 6, region: US, reports: 'end' },
    mc: { label: 'MC 62.5 kHz SF8 CR8, EU 10 %', lora: mc(EU_KHZ, 8, 8) }
  },
  {
    name: 'longfast-eu',
    mt: { label: 'MT LongFast, EU 10 %', preset: 0, region: EU, reports: 'end' },
    mc: { label: 'MC 62.5 kHz SF11 CR5, EU 10 %', lora: mc(EU_KHZ, 11, 5) }
  },
  {
    name: 'longslow-eu',
    mt: { label: 'MT LongSlow, EU 10 %', preset: 1, region: EU, reports: 'end' },
    mc: { label: 'MC 62.5 kHz SF11 CR5, US', lora: mc(US_KHZ, 11, 5) }
  },
  {
    name: 'longmoderate',
    mt: { label: 'MT LongModerate, US', preset: 7, region: US, reports: 'start' },
    mc: { label: 'MC 62.5 kHz SF7 CR5, US', lora: mc(US_KHZ, 7, 5) }
  }
]
