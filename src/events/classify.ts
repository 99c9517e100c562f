import { findCategory } from './families.ts'
import { weatherCategory } from './weather-hazards.ts'

/** What kind of alert a message is. `category` is a known one and belongs to `family`. */
export interface AlertClass {
  category: string
  family: string
}

/** SAME event codes of civil and geophysical emergencies (CFR 47 §11.31(e)); weather codes go by the event name. */
const BY_CODE = new Map([
  ...codes('emergency_evacuation', 'EVI', 'EVA'),
  ...codes('emergency_civil', 'CEM', 'CDW', 'LAE', 'EAN'),
  ...codes('emergency_amber', 'CAE', 'MEP'),
  ...codes('emergency_law', 'LEW', 'SPW', 'BLU'),
  ...codes('emergency_911_outage', 'TOE'),
  ...codes('emergency_hazmat', 'HMW', 'NUW', 'RHW', 'CHW', 'BHW'),
  ...codes('fire_warning', 'FRW'),
  ...codes('avalanche_warning', 'AVW'),
  ...codes('avalanche_watch', 'AVA'),
  ...codes('tsunami_warning', 'TSW'),
  ...codes('tsunami_watch', 'TSA'),
  ...codes('earthquake_event', 'EQW'),
  ...codes('volcano_warning', 'VOW')
])

/** SAME codes that only exercise the system (CFR 47 §11.31(e)): never broadcast, whatever the status says. */
const TEST_CODES = new Set(['RWT', 'RMT', 'NPT', 'NAT', 'NST', 'DMO', 'TST'])

const BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/\bevacuat/i, 'emergency_evacuation'],
  [/\b(?:child abduction|amber alert|missing (?:and )?endangered)/i, 'emergency_amber'],
  [/\b(?:law enforcement|shelter[\s-]in[\s-]place|blue alert)/i, 'emergency_law'],
  [/\b911\b.*\boutage/i, 'emergency_911_outage'],
  [/\b(?:hazardous materials|hazmat|nuclear|radiological|chemical|biological hazard)/i, 'emergency_hazmat'],
  [/\b(?:civil (?:emergency|danger)|local area emergency)/i, 'emergency_civil'],
  [/\bred flag\b/i, 'fire_weather_warning'],
  [/\bfire weather watch\b/i, 'fire_weather_watch'],
  [/\bfire weather\b|\bextreme fire danger\b/i, 'fire_weather_warning'],
  [/\bsmoke\b/i, 'smoke_advisory'],
  [/\b(?:wild|bush)?fires?\b/i, 'fire_warning'],
  [/\bavalanches? warning\b/i, 'avalanche_warning'],
  [/\bavalanches? watch\b/i, 'avalanche_watch'],
  [/\bavalanches?\b/i, 'avalanche_advisory'],
  [/\btsunami (?:watch|advisory)\b/i, 'tsunami_watch'],
  [/\btsunami\b.*\bwarning\b/i, 'tsunami_warning'],
  [/\btsunami\b/i, 'tsunami_watch'],
  [/\bearthquake\b/i, 'earthquake_event'],
  [/\bvolcan/i, 'volcano_warning'],
  [/\blandslide\b/i, 'geological_hazard']
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

/** Category and family of an alert: by SAME code, else by event name, else by CAP category, else weather by the hazard and the last word of its name. */
export function classifyAlert(
  event: string,
  same: readonly string[] = [],
  capCategories: readonly string[] = []
): AlertClass {
  const category =
    firstOf(same, BY_CODE) ??
    BY_NAME.find(([pattern]) => pattern.test(event))?.[1] ??
    (capCategories.includes('Met') ? null : firstOf(capCategories, BY_CAP_CATEGORY)) ??
    weatherCategory(event)
  return { category, family: findCategory(category)?.family ?? 'weather' }
}

function firstOf(keys: readonly string[], table: ReadonlyMap<string, string>): string | null {
  for (const key of keys) {
    const found = table.get(key)
    if (found !== undefined) return found
  }
  return null
}
