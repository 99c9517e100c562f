import type { AirLanguage } from '../../model/air-languages.ts'
import type { Config } from '../../settings/schema.ts'

type Customs = Pick<Config['station'], 'time_format' | 'units' | 'language'>

/** Countries that write 6:21 in the afternoon, not 18:21: CLDR 48, `timeData`, preferred `h`. Everywhere else the clock has 24 hours. */
const TWELVE_HOURS = new Set(
  (
    'AE AG AL AR AS AU BB BD BH BM BN BO BS BT CA CL CO CR CU CY DJ DM DO DZ EC EG EH ER ET FJ FM GD GH GM GR GT GU GY HK HN IN IQ JM JO KH ' +
    'KI KN KP KR KW KY LB LC LR LS LY MH MO MP MR MW MX MY NA NI NZ OM PA PE PG PH PK PR PS PW PY QA SA SB SD SG SL SO SS SV SY SZ TC TD ' +
    'TN TO TT TW UM US UY VC VE VG VI VU WS YE ZM'
  ).split(' ')
)
/** Countries whose signposts and warnings count miles: CLDR 48, `measurementData` US and UK, with the islands of the United States. */
const MILES = new Set('AS GB GU LR MP PR UM US VI'.split(' '))

/**
 * Countries where nearly everybody reads one of the languages that texts can have: CLDR 48, `territoryInfo`, official and from 80 % on. Where several are
 * spoken (CH, BE, CA, LU) nobody is chosen for; English stays.
 */
const TONGUES: readonly [AirLanguage, string][] = [
  ['de', 'AT DE LI'],
  ['es', 'AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR SV UY VE'],
  ['fr', 'BL FR GP MC MF MQ PM RE'],
  ['it', 'IT SM VA'],
  ['ja', 'JP'],
  ['nl', 'NL'],
  ['pl', 'PL'],
  ['pt', 'BR PT']
]
const TONGUE_OF = new Map(TONGUES.flatMap(([tongue, countries]) => countries.split(' ').map((code) => [code, tongue])))

/** How a country writes times and distances, and the language of its texts; null for none. @param country ISO 3166-1 alpha-2 */
export function customsOf(country: string): Customs | null {
  if (country === '') return null
  return {
    time_format: TWELVE_HOURS.has(country) ? '12h' : '24h',
    units: MILES.has(country) ? 'imperial' : 'metric',
    language: TONGUE_OF.get(country) ?? 'en'
  }
}
