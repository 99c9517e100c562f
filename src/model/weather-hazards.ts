import type { Severity } from './vocabulary.ts'

type Kind = 'warning' | 'watch' | 'advisory' | 'statement'

/** As in `CategoryRow`. */
type Row = readonly [id: string, severity: Severity, description: string, example: string]

const USUAL: Readonly<Record<Kind, Severity>> = {
  warning: 'priority',
  watch: 'priority',
  advisory: 'routine',
  statement: 'routine'
}

/** Products that weigh other than usual: as the plain product of the NWS does; reasons in docs/severity.md. */
const UNUSUAL: ReadonlyMap<string, Severity> = new Map([
  ['tornado_warning', 'immediate'],
  ['tornado_watch', 'critical'],
  ['tropical_warning', 'critical'],
  ['thunderstorm_warning', 'critical'],
  ['flood_warning', 'critical'],
  ['dust_warning', 'critical'],
  ['rain_watch', 'routine'],
  ['marine_watch', 'routine']
])

const WORDS: Record<Kind, string> = {
  warning: 'warning',
  watch: 'watch',
  advisory: 'advisory',
  statement: 'statement or alert'
}

/**
 * Kinds of weather that are told apart, with the texts there are of each kind. A cooldown is one per category, and a
 * flood must not wait for a winter storm (docs/interface.md §4).
 */
const HAZARDS: readonly (readonly [hazard: string, label: string, Partial<Record<Kind, string>>])[] = [
  [
    'tornado',
    'Tornado',
    { warning: 'Tornado Warning: Jerome until 4:45 PM', watch: 'Tornado Watch: Jerome, Lincoln until 9 PM' }
  ],
  [
    'tropical',
    'Tropical storm or surge',
    {
      warning: 'Hurricane Warning: coast from Cape Ann to Salem',
      watch: 'Tropical Storm Watch: Outer Banks from Thu',
      statement: 'Tropical Cyclone Local Statement: storm 200 mi SE of Nags Head'
    }
  ],
  [
    'thunderstorm',
    'Thunderstorm',
    {
      warning: 'Severe Thunderstorm Warning: Gooding until 5:15 PM, hail 1.5 in',
      watch: 'Severe Thunderstorm Watch: Magic Valley until 10 PM'
    }
  ],
  [
    'flood',
    'Flood',
    {
      warning: 'Flood Warning: Big Wood River at Hailey until Sun noon',
      watch: 'Flood Watch: Blaine, Camas from Sat 6 PM',
      advisory: 'Flood Advisory: low roads near Bellevue until 8 PM',
      statement: 'Coastal Flood Statement: high tide Sun 7 AM'
    }
  ],
  [
    'rain',
    'Heavy rain',
    { warning: 'Rainfall warning: coast until noon, 80 mm', watch: 'Rainfall watch: coast from Sat morning' }
  ],
  [
    'winter',
    'Winter storm, snow or ice',
    {
      warning: 'Winter Storm Warning: Blaine, Camas until 6 PM Sat',
      watch: 'Winter Storm Watch: Sawtooths from Fri evening',
      advisory: 'Winter Weather Advisory: Stanley until 5 AM, 4 in of snow'
    }
  ],
  [
    'cold',
    'Cold, frost or wind chill',
    {
      warning: 'Extreme Cold Warning: Camas Prairie until 10 AM, -35 °F',
      watch: 'Freeze Watch: Treasure Valley Sun night',
      advisory: 'Frost Advisory: Magic Valley until 9 AM'
    }
  ],
  [
    'heat',
    'Heat',
    {
      warning: 'Extreme Heat Warning: Boise until Tue 9 PM, 108 °F',
      watch: 'Extreme Heat Watch: Elmore from Mon noon',
      advisory: 'Heat Advisory: Twin Falls noon to 9 PM'
    }
  ],
  [
    'wind',
    'Wind',
    {
      warning: 'High Wind Warning: Elmore until 3 AM, gusts 70 mph',
      watch: 'High Wind Watch: Elmore, Gooding from Fri noon',
      advisory: 'Wind Advisory: Twin Falls until 9 PM, gusts 50 mph'
    }
  ],
  [
    'marine',
    'Sea, surf and lakes',
    {
      warning: 'Gale Warning: Cape Suckling to Gore Point until Sat 5 AM',
      watch: 'Gale Watch: Prince William Sound from Sun',
      advisory: 'Small Craft Advisory: Lake Pend Oreille until 8 PM',
      statement: 'Rip Current Statement: beaches until Sun evening'
    }
  ],
  [
    'fog',
    'Fog',
    { warning: 'Fog warning: coast until 9 AM', advisory: 'Dense Fog Advisory: Snake River Plain until 10 AM' }
  ],
  [
    'dust',
    'Dust or sand',
    { warning: 'Dust Storm Warning: I-84 near Burley until 6 PM', advisory: 'Blowing Dust Advisory: Cassia until 8 PM' }
  ],
  [
    'air',
    'Air quality',
    { advisory: 'Air Stagnation Advisory: Treasure Valley until Wed', statement: 'Air Quality Alert: Ada, unhealthy' }
  ]
]

/** By what the sources' event names say; the first that fits. A bare "Storm Warning" is one of the sea (NWS Directive 10-303). */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\btornado|\bwaterspout/i, 'tornado'],
  [/\b(?:fog|mist)\b/i, 'fog'],
  // The DWD measures gusts on land by the names of winds at sea: "SEVERE THUNDERSTORM with gale-force gusts", "HURRICANE-FORCE GUSTS".
  [/^(?!.*\bmarine\b).*\bthunder/i, 'thunderstorm'],
  [/\b(?:gale|storm|hurricane)[\s-]force (?:wind )?gusts?\b/i, 'wind'],
  [
    /\b(?:gale|small craft|hazardous seas|special marine|marine|freezing spray|brisk wind|hurricane force|surf|rip current|beach hazards|low water|heavy seas|coastal event)\b|^storm (?:warning|watch)$/i,
    'marine'
  ],
  [/\b(?:hurricane|typhoon|tropical|storm surge|cyclone)\b/i, 'tropical'],
  [/\bthunder|\bhail|\blightning/i, 'thunderstorm'],
  [/\b(?:winter|blizzard|snow|snowfall|sleet|ice|icing|freezing (?:rain|drizzle))\b/i, 'winter'],
  [/\bflood|\bhydrologic\b|\b(?:high water|debris flow)\b/i, 'flood'],
  [/\brain(?:fall)?\b/i, 'rain'],
  [/\b(?:wind chill|cold|freeze|frost|low[\s-]temperatures?)\b/i, 'cold'],
  [/\b(?:heat|hot|high[\s-]temperatures?)\b/i, 'heat'],
  [/\b(?:dust|dust ?storm|sand ?storm|sand)\b/i, 'dust'],
  [/\b(?:air quality|air stagnation|ashfall|ozone|smog)\b/i, 'air'],
  [/\bwinds?\b|\bgusts?\b/i, 'wind']
]

/** The rows of all hazards: `weather_flood_warning`. What fits none keeps `weather_warning` and its like. */
export const WEATHER_HAZARD_ROWS: readonly Row[] = HAZARDS.flatMap(([hazard, label, examples]) =>
  (['warning', 'watch', 'advisory', 'statement'] as const).flatMap((kind): Row[] => {
    const example = examples[kind]
    return example === undefined
      ? []
      : [
          [
            `weather_${hazard}_${kind}`,
            UNUSUAL.get(`${hazard}_${kind}`) ?? USUAL[kind],
            `${label}: ${WORDS[kind]}`,
            example
          ]
        ]
  })
)

const PARENTS: ReadonlyMap<string, string> = new Map([
  ...WEATHER_HAZARD_ROWS.map(([id]) => [id, `weather_${id.slice(id.lastIndexOf('_') + 1)}`] as const),
  ['emergency_water', 'emergency_civil'],
  ['emergency_missing', 'emergency_amber'],
  ['tsunami_advisory', 'tsunami_watch'],
  ['tsunami_statement', 'tsunami_watch'],
  ['volcano_watch', 'volcano_warning'],
  ['volcano_advisory', 'volcano_warning']
])

/** The category of a weather alert by its name: hazard and last word. */
export function weatherCategory(event: string): string {
  const kind = /\b(warning|watch|advisory)\b\s*$/i.exec(event)?.[1]?.toLowerCase() ?? 'statement'
  const hazard = NAMES.find(([pattern]) => pattern.test(event.trim()))?.[1]
  const id = `weather_${hazard ?? ''}_${kind}`
  return PARENTS.has(id) ? id : `weather_${kind}`
}

/**
 * The names a configuration may know a category by: its own, then the wider one it is a part of. `weather_warning` was the
 * only name once, and still means every warning; boil-water notices were `emergency_civil`.
 */
export function categoryNames(category: string): string[] {
  const parent = PARENTS.get(category)
  return parent === undefined ? [category] : [category, parent]
}
