import type { Severity } from '../../../model/severity.ts'
import { JMA_WEATHER_LEVELS } from './settings.ts'

type WeatherLevel = (typeof JMA_WEATHER_LEVELS)[number]

/** One kind of warning: what `Kind.Code` means. */
export interface WarningKind {
  code: string
  level: WeatherLevel
  /** As the agency calls it in English. */
  name: string
  /** Kinds of one hazard replace each other. */
  hazard: string
  category: string
  severity: Severity
  instruction: string
}

type Codes = Partial<Record<WeatherLevel, string>>

/** Hazard, name, hazard of our categories, codes, and whether its steps are the levels of evacuation (since May 2026 named so). */
const TABLE: readonly (readonly [hazard: string, name: string, category: string, codes: Codes, levels?: 'levels'])[] = [
  ['rain', 'Heavy Rain', 'rain', { advisory: '10', warning: '03', danger: '43', emergency: '33' }, 'levels'],
  ['landslide', 'Landslide', 'flood', { advisory: '29', warning: '09', danger: '49', emergency: '39' }, 'levels'],
  ['flood', 'Flood', 'flood', { advisory: '18', warning: '04', danger: '44', emergency: '34' }, 'levels'],
  ['surge', 'Storm Surge', 'tropical', { advisory: '19', warning: '08', danger: '48', emergency: '38' }, 'levels'],
  ['wind', 'Storm', 'wind', { warning: '05', emergency: '35' }],
  ['wind', 'Gale', 'wind', { advisory: '15' }],
  ['blizzard', 'Snow Storm', 'winter', { warning: '02', emergency: '32' }],
  ['blizzard', 'Gale and Snow', 'winter', { advisory: '13' }],
  ['snow', 'Heavy Snow', 'winter', { advisory: '12', warning: '06', emergency: '36' }],
  ['waves', 'High Wave', 'marine', { advisory: '16', warning: '07', emergency: '37' }],
  ['thunder', 'Thunderstorm', '', { advisory: '14' }],
  ['melt', 'Snow Melting', 'flood', { advisory: '17' }],
  ['fog', 'Dense Fog', 'fog', { advisory: '20' }],
  ['dry', 'Dry Air', '', { advisory: '21' }],
  ['avalanche', 'Avalanche', '', { advisory: '22' }],
  ['cold', 'Low Temperature', 'cold', { advisory: '23' }],
  ['frost', 'Frost', 'cold', { advisory: '24' }],
  ['icing', 'Ice Accretion', 'winter', { advisory: '25' }],
  ['wet-snow', 'Snow Accretion', 'winter', { advisory: '26' }]
]

const SUFFIX: Record<WeatherLevel, string> = {
  advisory: 'Advisory',
  warning: 'Warning',
  danger: 'Danger Warning',
  emergency: 'Emergency Warning'
}

/** At level 3 the old and the sick leave, at 4 everybody; at 5 it happens already. */
const BY_LEVEL: Record<WeatherLevel, readonly [severity: Severity, instruction: string]> = {
  advisory: ['routine', ''],
  warning: ['critical', 'Level 3: elderly and infirm leave places in danger.'],
  danger: ['immediate', 'Level 4: everybody leave places in danger now.'],
  emergency: ['immediate', 'Level 5: lives in danger, save yourself now.']
}
const PLAIN: Record<WeatherLevel, readonly [severity: Severity, instruction: string]> = {
  advisory: ['routine', ''],
  warning: ['priority', ''],
  danger: ['immediate', 'Protect your life now.'],
  emergency: ['immediate', 'Protect your life now.']
}

/** Kinds by code, the same in reports as XML and in the listing, before and since the levels of May 2026. */
export const WARNING_KINDS: ReadonlyMap<string, WarningKind> = new Map(
  TABLE.flatMap(([hazard, name, of, codes, levels]) =>
    JMA_WEATHER_LEVELS.flatMap((level): [string, WarningKind][] => {
      const code = codes[level]
      if (code === undefined) return []
      const [severity, instruction] = (levels === undefined ? PLAIN : BY_LEVEL)[level]
      const step = level === 'advisory' ? 'advisory' : 'warning'
      const category = categoryOf(of, step)
      return [[code, { code, level, name: `${name} ${SUFFIX[level]}`, hazard, category, severity, instruction }]]
    })
  )
)

function categoryOf(hazard: string, step: 'advisory' | 'warning'): string {
  const known =
    hazard !== '' && !(hazard === 'rain' && step === 'advisory') && !(hazard === 'tropical' && step === 'advisory')
  return known ? `weather_${hazard}_${step}` : `weather_${step}`
}

/** The rank of a level, from 0. */
export function rankOf(level: WeatherLevel): number {
  return JMA_WEATHER_LEVELS.indexOf(level)
}

/** Prefectures by the first two digits of a municipality, for those whose own name nobody's node could show. */
const PREFECTURES = (
  'Hokkaido Aomori Iwate Miyagi Akita Yamagata Fukushima Ibaraki Tochigi Gunma Saitama Chiba Tokyo Kanagawa Niigata ' +
  'Toyama Ishikawa Fukui Yamanashi Nagano Gifu Shizuoka Aichi Mie Shiga Kyoto Osaka Hyogo Nara Wakayama Tottori ' +
  'Shimane Okayama Hiroshima Yamaguchi Tokushima Kagawa Ehime Kochi Fukuoka Saga Nagasaki Kumamoto Oita Miyazaki ' +
  'Kagoshima Okinawa'
).split(' ')

export function prefectureName(code: string): string {
  return PREFECTURES[Number(code.slice(0, 2)) - 1] ?? code
}
