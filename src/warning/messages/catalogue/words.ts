import type { Tongue } from '../tongues.ts'
import type { Call, Hazard, Level } from './hazards.ts'

/** A text with a gap: `$` stands for the value. */
export type Pattern = string

/** The words of Lookout's own in the texts of one language: templates, figures, directions, marks. */
export interface Words {
  /** Words of times, and those that stand where a source's own name of a hazard is kept. */
  fixed: Tongue
  /** The forms `6:45p`, `noon` and `midnight` are understood; elsewhere texts have 24 hours. */
  knows12h: boolean
  /** Between hour and minute of 24. */
  hourMark: ':' | 'h'
  /** 16 points from north, clockwise. */
  compass: string
  /** `$1` distance, `$2` point, `$3` place. */
  bearing: string
  /** The same before a vowel: French, `12km NE d'Ontario`. */
  bearingOfVowel?: string
  at: Pattern
  update: Pattern
  /** Of a warning; of a quake that was none; of all else. */
  cancel: Pattern
  withdrawn: Pattern
  over: Pattern
  ended: Pattern
  was: Pattern
  now: Pattern
  stillOn: Pattern
  quake: string
  deep: Pattern
  shallow: string
  fire: string
  newFire: string
  hotspot: string
  hotspots: string
  fireSpotting: string
  prescribedBurn: string
  contained: Pattern
  avalancheDanger: Pattern
  avalanche: string
  /** 1 to 5. */
  danger: readonly [string, string, string, string, string]
  road: string
  roadClosed: string
  roadIncident: string
  roadWork: string
  trafficSlow: string
  chainUp: string
  river: string
  floodAt: Pattern
  /** `$1` height, `$2` time. */
  crest: string
  geomagnetic: string
  radiation: string
  blackout: string
  observed: Pattern
  pass: string
  rise: Pattern
  set: Pattern
  peak: Pattern
  mesh: string
  notice: string
  /** One alert made up to prove its way; and one of a scripted exercise. Japanese has one word for both (docs/decisions/0062). */
  drill: string
  exercise: string
  test: string
  marks: Readonly<Record<'RPT' | 'STILL' | 'DEMO', string>>
  via: Pattern
  /** Of digests: `$` is the span, the region and the time. */
  quiet: Pattern
  also: string
  inForce: string
  nowInForce: Pattern
  allOver: string
  alerts: Pattern
}

/** The words by which what a source says in English is said: only where the source's own words are not those of the channel. */
export interface Terms {
  hazards: Readonly<Record<Hazard, string>>
  /** `$` is the hazard, `%` its other case where a language has one (`X|Y` in the table). */
  levels: Readonly<Record<Level, Pattern>>
  /** A level without its hazard. */
  levelWords: Readonly<Record<'WARN' | 'WATCH' | 'ADV', string>>
  /** Of MeteoAlarm's colours: `$1` colour, `$2` hazard. */
  coloured: string
  colours: Readonly<Record<'yellow' | 'orange' | 'red', string>>
  calls: Readonly<Record<Call, string>>
  /** A river's flood: `$1` grade is one of these. */
  grades: Readonly<Record<'record' | 'major' | 'moderate' | 'minor', string>>
  trends: Readonly<Record<'rising' | 'falling' | 'steady', string>>
  fireStates: Readonly<Record<'out of control' | 'being held' | 'under control', string>>
  heatSeen: string
  volcanoLevel: Pattern
  emergencies: Readonly<Record<'tornado' | 'flash_flood', string>>
  /** News of radios and nodes, as the station's own source words them. */
  mesh: Readonly<Record<MeshSaying, string>>
  /** While a radio is away: `$` is its network. */
  noAlerts: Pattern
}

/** News of the station itself, as its sources word them. `$1` network or name, `$2` figures as they come. */
export const MESH_SAYINGS = {
  radio: /^(Meshtastic|MeshCore) radio (.+)$/,
  critical: /^Critical node (.+)$/,
  back: /^(.+) in service again after (\S+)$/,
  lost: /^(.+) out of service for (\S+)$/,
  heard: /^(.+) heard again after (\S+)$/,
  silent: /^(.+) not heard for (\S+)$/,
  up_low: /^(.+) battery up to (\d+%), still low$/,
  up: /^(.+) battery up to (\d+%)$/,
  dying: /^(.+) battery (\d+%), shuts down soon$/,
  battery: /^(.+) battery (\d+%)$/,
  use_down: /^(.+) channel use down to (\d+%)$/,
  use: /^(.+) channel use (\d+%), limit (\d+%)$/,
  busy: /^(.+) channel busy for (\S+), now (\d+%)$/,
  feed_silent: /^Feed (.+) silent for (\S+)$/,
  feed_never: /^Feed (.+) silent since the start$/,
  feed_back: /^Feed (.+) silent, back after (\S+)$/,
  off_battery: /^(.+) switching off: battery (\d+ %)$/,
  off_voltage: /^(.+) switching off: supply too weak$/
} as const
export type MeshSaying = keyof typeof MESH_SAYINGS

/** The value in the gap of a pattern. */
export const put = (pattern: Pattern, value: string): string => pattern.replaceAll('$', () => value)

/** Several values in the gaps `$1` to `$3` of a pattern. */
export const putAll = (pattern: string, values: readonly string[]): string =>
  pattern.replace(/\$([1-3])/g, (_, digit: string) => values[Number(digit) - 1] ?? '')
