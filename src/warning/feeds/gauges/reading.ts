import { METRES_PER_FOOT, type Units } from '../../../model/units.ts'
import type { Stage, Thresholds } from './stages.ts'

/** Feet and metres of stage, or flow per second. */
export type GaugeUnit = 'ft' | 'm' | 'ft3/s' | 'm3/s' | 'kcfs'

/** The newest value of one gauge, in the terms of all providers. */
export interface GaugeReading {
  site: string
  name: string
  lat: number | null
  lon: number | null
  /** Epoch milliseconds of the observation. */
  time: number
  /** Null when only the category is known. */
  value: number | null
  unit: GaugeUnit
  thresholds: Thresholds
  /** The category as the provider says, used where it does not say its thresholds. */
  category: Stage | null
  /** Highest value forecast from now on. */
  crest: { value: number; time: number } | null
}

const UNITS: ReadonlyMap<string, GaugeUnit> = new Map([
  ['ft', 'ft'],
  ['feet', 'ft'],
  ['m', 'm'],
  ['meters', 'm'],
  ['metres', 'm'],
  ['ft3/s', 'ft3/s'],
  ['ft^3/s', 'ft3/s'],
  ['cfs', 'ft3/s'],
  ['kcfs', 'kcfs'],
  ['m3/s', 'm3/s'],
  ['m^3/s', 'm3/s'],
  ['cms', 'm3/s']
])

/** The unit as providers spell it, or null. */
export function unitNamed(name: unknown): GaugeUnit | null {
  return typeof name === 'string' ? (UNITS.get(name.trim().toLowerCase()) ?? null) : null
}

const SIZE: Record<GaugeUnit, { kind: 'stage' | 'flow'; factor: number }> = {
  ft: { kind: 'stage', factor: METRES_PER_FOOT },
  m: { kind: 'stage', factor: 1 },
  'ft3/s': { kind: 'flow', factor: METRES_PER_FOOT ** 3 },
  kcfs: { kind: 'flow', factor: 1000 * METRES_PER_FOOT ** 3 },
  'm3/s': { kind: 'flow', factor: 1 }
}

export function isFlow(unit: GaugeUnit): boolean {
  return SIZE[unit].kind === 'flow'
}

/** The value in another unit, or null when one is a stage and the other a flow. */
export function convert(value: number, from: GaugeUnit, to: GaugeUnit): number | null {
  if (from === to) return value
  if (SIZE[from].kind !== SIZE[to].kind) return null
  return Math.round(((value * SIZE[from].factor) / SIZE[to].factor) * 1e4) / 1e4
}

const STATION_UNITS = {
  metric: { stage: 'm', flow: 'm3/s' },
  imperial: { stage: 'ft', flow: 'ft3/s' }
} as const

/** `12.4 ft`, `3.78 m`, `340 m3/s`: in the units of the station, of which thousands of cubic feet are one too. */
export function figureIn(value: number, unit: GaugeUnit, units: Units): string {
  const { kind } = SIZE[unit]
  const own = STATION_UNITS[units][kind]
  if (units === 'imperial' && unit === 'kcfs') return `${value} ${unit}`
  const size = convert(value, unit, own) ?? value
  // A stage to the centimetre, a flow to whole numbers where it has two of them.
  const digits = kind === 'stage' ? 2 : size < 10 ? 1 : 0
  return `${Number(size.toFixed(digits))} ${own}`
}

/** -999, -9999 and -999999 stand for no value in the services of USGS and NOAA. */
export function isNoData(value: number, noData: number | null = null): boolean {
  return value === noData || (value <= -999 && /^-9{3,6}$/.test(String(Math.round(value))))
}

const WORD = /[A-Za-z']+/g

/**
 * `PAYETTE RIVER NR HORSESHOE BEND, ID` → `Payette nr Horseshoe Bend`, `Payette River at Emmett` → `Payette@Emmett`:
 * short enough for a mesh message.
 */
export function shortGaugeName(name: string): string {
  const line = name
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/,? [A-Z]{2}\.?$/, '')
  const cased = line === line.toUpperCase() && !/^USGS /.test(line) ? line.replace(WORD, titled) : line
  return cased
    .replace(/ (?:River|R) (?=(?:at|near|nr|above|abv|below|blw)\b)/i, ' ')
    .replace(/ near /i, ' nr ')
    .replace(/ at /i, '@')
}

function titled(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase()
}
