import { findCategory } from './families.ts'
import { weatherCategory } from './weather-hazards.ts'

/** The kind of alert that a message is. `category` is a known one and belongs to `family`. */
export interface AlertClass {
  category: string
  family: string
}

/** SAME event codes of civil and geophysical emergencies (CFR 47 §11.31(e), NWS Instruction 10-1712); weather codes go by the event name. */
const BY_CODE = new Map([
  ...codes('emergency_evacuation', 'EVI', 'EVA'),
  ...codes('emergency_civil', 'CEM', 'CDW', 'LAE', 'EAN'),
  ...codes('emergency_water', 'BWW', 'CWW', 'FCW'),
  ...codes('emergency_amber', 'CAE'),
  ...codes('emergency_missing', 'MEP'),
  ...codes('emergency_law', 'LEW', 'SPW', 'BLU'),
  ...codes('emergency_911_outage', 'TOE'),
  ...codes('emergency_hazmat', 'HMW', 'NUW', 'RHW', 'CHW', 'BHW'),
  ...codes('fire_warning', 'FRW', 'WFW', 'IFW'),
  ...codes('weather_flood_warning', 'DBW'),
  ...codes('weather_flood_watch', 'DBA'),
  ...codes('geological_hazard', 'LSW'),
  ...codes('avalanche_warning', 'AVW'),
  ...codes('avalanche_watch', 'AVA'),
  ...codes('tsunami_warning', 'TSW'),
  ...codes('tsunami_watch', 'TSA'),
  ...codes('earthquake_event', 'EQW'),
  ...codes('volcano_warning', 'VOW'),
  // CAP-CP 0.4, Canada, in capitals; weather goes by the event name here too.
  ...codes('emergency_amber', 'AMBER'),
  ...codes('emergency_missing', 'MISSINGPER', 'MISSINGVPER', 'SILVER'),
  ...codes('emergency_civil', 'CIVIL', 'CIVILEMERG', 'CIVILEVENT', 'ANIMALDANG', 'METEOR', 'FALLOBJECT'),
  ...codes('emergency_water', 'DRINKINGWATE'),
  ...codes('emergency_law', 'TERRORISM', 'CRIME', 'HOMECRIME', 'RETAILCRIME', 'INDUSTCRIME'),
  ...codes('emergency_911_outage', '911SERVICE'),
  ...codes('emergency_hazmat', 'CHEMICAL', 'BIOLOGICAL', 'RADIOLOGICAL', 'EXPLOSIVES', 'EXPLOSIVE'),
  ...codes('fire_warning', 'WILDFIRE', 'FORESTFIRE', 'URBANFIRE', 'INDUSTRYFIRE'),
  ...codes('avalanche_warning', 'AVALANCHE'),
  ...codes('tsunami_warning', 'TSUNAMI'),
  ...codes('earthquake_event', 'EARTHQUAKE'),
  ...codes('volcano_warning', 'VOLCANO', 'LAHAR', 'LAVAFLOW', 'PYROCLASTICF', 'PYROCLASTICS', 'VOLCANICASH'),
  ...codes('geological_hazard', 'LANDSLIDE'),
  ...codes('geomagnetic_storm', 'MAGNETSTORM'),
  ...codes('road_closure', 'ROADCLOSE'),
  // MoWaS, Germany: most of its codes only say what its categories and headline say as well.
  ...codes('fire_warning', 'BBK-EVC-077')
])

/** SAME codes that only exercise the system (CFR 47 §11.31(e)): never broadcast, whatever the status says. */
const TEST_CODES = new Set(['RWT', 'RMT', 'NPT', 'NAT', 'NST', 'DMO', 'TST', 'TESTMESSAGE'])

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/\bevacuat/i, 'emergency_evacuation'],
  [/\bsilver alert\b|\bmissing (?:and )?endangered|\bendangered missing\b/i, 'emergency_missing'],
  [/\bboil[\s-](?:tap[\s-])?water\b|\b(?:drinking|contaminated) water\b/i, 'emergency_water'],
  [/\b(?:child abduction|amber alert)/i, 'emergency_amber'],
  [/\b(?:law enforcement|shelter(?:ing)?[\s-]*in[\s-]*place|blue alert|active shooter)/i, 'emergency_law'],
  [/\b9[\s-]?1[\s-]?1\b.{0,60}\b(?:outage|down|out of (?:order|service))\b/i, 'emergency_911_outage'],
  [/\b(?:hazardous materials|hazmat|nuclear|radiological|chemical|biological hazard)/i, 'emergency_hazmat'],
  [/\b(?:civil (?:emergency|danger)|local area emergency)/i, 'emergency_civil'],
  [/\bred flag\b/i, 'fire_weather_warning'],
  [/\bfire weather watch\b/i, 'fire_weather_watch'],
  [/\bfire weather\b|\bextreme fire danger\b|\bfire ban\b/i, 'fire_weather_warning'],
  [/\bsmoke\b/i, 'smoke_advisory'],
  // The danger of forest fires is a forecast; a fire is one.
  [/\bforest[\s-]?fires? (?:danger|risk|index)/i, 'fire_weather_warning'],
  [/\b(?:(?:wild|bush|forest|grass)[\s-]?)?fires?\b/i, 'fire_warning'],
  [/\bavalanches? warning\b/i, 'avalanche_warning'],
  [/\bavalanches? watch\b/i, 'avalanche_watch'],
  [/\bavalanches?\b/i, 'avalanche_advisory'],
  [/\btsunami cancel/i, 'tsunami_warning'],
  [/\btsunami advisory\b/i, 'tsunami_advisory'],
  [/\btsunami (?:information|statement)\b/i, 'tsunami_statement'],
  [/\btsunami watch\b/i, 'tsunami_watch'],
  [/\btsunami\b.*\bwarning\b/i, 'tsunami_warning'],
  [/\btsunami\b/i, 'tsunami_watch'],
  [/\bearthquake\b/i, 'earthquake_event'],
  // The alert levels of the USGS, and the colours it gives for aviation: WARNING/RED, WATCH/ORANGE, ADVISORY/YELLOW.
  [/\bvolcan\w{0,6}\b.{0,60}\b(?:warning|red)\b/i, 'volcano_warning'],
  [/\bvolcan\w{0,6}\b.{0,60}\b(?:watch|orange)\b/i, 'volcano_watch'],
  [/\bvolcan\w{0,6}\b.{0,60}\b(?:advisory|yellow|normal|green|information|statement)\b/i, 'volcano_advisory'],
  [/\bash ?fall advisory\b/i, 'volcano_advisory'],
  [/\bvolcan|\bash ?fall\b/i, 'volcano_warning'],
  [/\bland ?slide\b/i, 'geological_hazard']
]

/** Words of services that have no English name, or an English one of their own. None stands in English for anything else. */
const BY_FOREIGN_NAME: readonly (readonly [RegExp, string])[] = [
  [/evakuier|räumung|避難|évacuation|evacuación/i, 'emergency_evacuation'],
  [/\bamok|geiselnahme|\battentat\b|mise à l.abri|tiroteo|confinamiento/i, 'emergency_law'],
  [/trinkwasser|abkochgebot|eau potable/i, 'emergency_water'],
  [/notruf|appels? d'urgence/i, 'emergency_911_outage'],
  [/gefahrstoff|chemieunfall|radioaktiv|nucléaire/i, 'emergency_hazmat'],
  [/waldbrand|flächenbrand|vegetationsbrand|feu de forêt|incendios? forestal|skogbrann|skogsbrand/i, 'fire_warning'],
  [/sn[øo]skred|snö?skred|lawine|valang|lavin(?:a|e)\b|laviini|雪崩|なだれ/i, 'avalanche_warning'],
  [/大津波警報|津波警報|海嘯警報|海啸警报/, 'tsunami_warning'],
  [/津波注意報|海嘯消息|海啸(?:消息|信息)/, 'tsunami_advisory'],
  [/津波|海嘯|海啸/, 'tsunami_watch'],
  [/地震|gempa|erdbeben|séisme|terremoto|sismo\b/i, 'earthquake_event'],
  [/噴火|火山|vulkan|gunung ?api|erupsi/i, 'volcano_warning'],
  [/土砂災害|jordskred|tanah longsor|erdrutsch|glissement de terrain/i, 'geological_hazard'],
  [
    /hochwasser|überschwemmung|sturmflut|inondation|inundaci|alluvion|flomfare|översväm|banjir|洪水|氾濫/i,
    'weather_flood_warning'
  ]
]

/** CAP 1.2 §3.2.2 `category`, where neither code nor name decides. `Met` and the rest are weather. */
const BY_CAP_CATEGORY = new Map([
  ['Fire', 'fire_warning'],
  ['Geo', 'geological_hazard'],
  ['CBRNE', 'emergency_hazmat'],
  ['Security', 'emergency_law'],
  ['Safety', 'emergency_civil'],
  ['Rescue', 'emergency_civil'],
  ['Health', 'emergency_civil'],
  ['Infra', 'emergency_civil'],
  ['Env', 'emergency_civil'],
  ['Other', 'emergency_civil'],
  ['Transport', 'road_incident']
])

function codes(category: string, ...list: string[]): [string, string][] {
  return list.map((code) => [code, category])
}

/** True when one of the SAME codes says that this is a test or a demonstration. */
export function isTestCode(same: readonly string[]): boolean {
  return same.some((code) => TEST_CODES.has(code))
}

/** Category and family of an alert: by event code (SAME, CAP-CP, MoWaS), else by event name, else by CAP category, else weather by the hazard and the last word of its name. */
export function classifyAlert(
  event: string,
  same: readonly string[] = [],
  capCategories: readonly string[] = []
): AlertClass {
  const category =
    firstOf(same, BY_CODE) ??
    [...BY_NAME, ...BY_FOREIGN_NAME].find(([pattern]) => pattern.test(event))?.[1] ??
    byCapCategory(event, [...new Set(capCategories)]) ??
    weatherCategory(event)
  return { category, family: findCategory(category)?.family ?? 'weather' }
}

/** More kinds than this name no hazard: the sender says that it is serious, and means everybody. */
const MOST_KINDS = 2

/** Weather is weather, whatever the sender files it under: British floods are `Geo`, and a Heat Advisory comes as `Health`. */
function byCapCategory(event: string, categories: readonly string[]): string | null {
  if (categories.length > MOST_KINDS) return 'emergency_civil'
  const isWeather = /\bflood|\bair quality\b/i.test(event) || isWeatherProduct(event)
  return isWeather || categories.includes('Met') ? null : firstOf(categories, BY_CAP_CATEGORY)
}

/** `Heat Advisory`, `High Wind Warning`: a hazard and a level; `hot water outage` has none. */
function isWeatherProduct(event: string): boolean {
  return /\b(?:warning|watch|advisory)\s*$/i.test(event) && weatherCategory(event).split('_').length > 2
}

function firstOf(keys: readonly string[], table: ReadonlyMap<string, string>): string | null {
  for (const key of keys) {
    const found = table.get(key)
    if (found !== undefined) return found
  }
  return null
}
