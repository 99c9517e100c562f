import type { Vtec } from '../reading/vtec.ts'

/** Name and CAP words of an event, as the NWS gives them in its CAP alerts; levels are read from these (events/levels.ts). */
export interface Naming {
  event: string
  severity: string
  urgency: string
}

/** Phenomena of P-VTEC (NWS Directive 10-1703), as they stand in event names. */
const PHENOMENA = new Map(
  `AF Ashfall|AS Air Stagnation|AV Avalanche|BH Beach Hazards|BS Blowing Snow|BW Brisk Wind|BZ Blizzard|CF Coastal Flood|CW Cold Weather
DF Debris Flow|DS Dust Storm|DU Blowing Dust|EC Extreme Cold|EH Excessive Heat|EW Extreme Wind|FA Flood|FF Flash Flood|FG Dense Fog
FL Flood|FR Frost|FW Red Flag|FZ Freeze|GL Gale|HF Hurricane Force Wind|HI Inland Hurricane|HS Heavy Snow|HT Heat|HU Hurricane
HW High Wind|HY Hydrologic|HZ Hard Freeze|IP Sleet|IS Ice Storm|LB Lake Effect Snow and Blowing Snow|LE Lake Effect Snow|LO Low Water
LS Lakeshore Flood|LW Lake Wind|MA Special Marine|MF Dense Fog|MH Ashfall|MS Dense Smoke|RB Small Craft|RP Rip Current|SB Snow and Blowing Snow
SC Small Craft|SE Hazardous Seas|SI Small Craft|SM Dense Smoke|SN Snow|SQ Snow Squall|SR Storm|SS Storm Surge|SU High Surf|SV Severe Thunderstorm
SW Small Craft|TI Inland Tropical Storm|TO Tornado|TR Tropical Storm|TS Tsunami|TY Typhoon|UP Heavy Freezing Spray|VO Volcano|WC Wind Chill
WF Wildfire|WI Wind|WS Winter Storm|WW Winter Weather|XH Extreme Heat|ZF Freezing Fog|ZR Freezing Rain|ZY Freezing Spray`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const)
)
const SIGNIFICANCES = new Map([
  ['W', 'Warning'],
  ['A', 'Watch'],
  ['Y', 'Advisory'],
  ['S', 'Statement'],
  ['O', 'Outlook'],
  ['N', 'Synopsis'],
  ['F', 'Forecast']
])

const USUAL = new Map([
  ['W', ['Severe', 'Expected']],
  ['A', ['Severe', 'Future']],
  ['Y', ['Moderate', 'Expected']],
  ['S', ['Moderate', 'Expected']]
])
/** Deviations of the NWS CAP alerts from what is usual for warnings, watches and advisories. */
const UNUSUAL = new Map([
  ...words('Extreme', 'Immediate', 'TO.W', 'EW.W', 'TS.W'),
  ...words('Extreme', 'Expected', 'HU.W', 'TY.W', 'SS.W'),
  ...words('Extreme', 'Future', 'TO.A'),
  ...words('Severe', 'Immediate', 'SV.W', 'FF.W', 'SQ.W', 'DS.W', 'MA.W', 'SR.W', 'FL.W'),
  ...words('Moderate', 'Expected', 'GL.W', 'SE.W', 'FZ.W', 'HZ.W', 'FR.W'),
  ...words('Moderate', 'Future', 'GL.A', 'SE.A', 'FZ.A', 'HZ.A')
])

function words(severity: string, urgency: string, ...keys: string[]): [string, string[]][] {
  return keys.map((key) => [key, [severity, urgency]])
}

const NOW_MS = 3 * 3600 * 1000

/** The event of a VTEC string; `sent` is epoch milliseconds. A flood that begins later is expected, not there yet. */
export function namingOfVtec({ phenomenon, significance, start }: Vtec, sent: number): Naming {
  const key = `${phenomenon}.${significance}`
  const [severity = 'Unknown', usual = 'Unknown'] = UNUSUAL.get(key) ?? USUAL.get(significance) ?? []
  const isLater = key === 'FL.W' && start !== null && start - sent > NOW_MS
  return { event: eventOf(key, phenomenon, significance), severity, urgency: isLater ? 'Expected' : usual }
}

function eventOf(key: string, phenomenon: string, significance: string): string {
  if (key === 'FW.A') return 'Fire Weather Watch'
  const name = PHENOMENA.get(phenomenon) ?? `Hazard ${phenomenon}`
  return `${name} ${SIGNIFICANCES.get(significance) ?? ''}`.trim()
}

/** Products whose segments may come without VTEC, by the first three letters of their AWIPS identifier; CAP words behind the name. */
const PRODUCTS = new Map(
  `SPS Special Weather Statement/Moderate/Expected|AQA Air Quality Alert/Unknown/Unknown|ESF Hydrologic Outlook/Unknown/Future
TOR Tornado Warning/Extreme/Immediate|SVR Severe Thunderstorm Warning/Severe/Immediate|FFW Flash Flood Warning/Severe/Immediate
FLW Flood Warning/Severe/Expected|FFA Flood Watch/Severe/Future|SMW Special Marine Warning/Severe/Immediate|EWW Extreme Wind Warning/Extreme/Immediate
DSW Dust Storm Warning/Severe/Immediate|SQW Snow Squall Warning/Severe/Immediate|RFW Red Flag Warning/Severe/Expected
SVS Severe Weather Statement/Moderate/Expected|FFS Flash Flood Statement/Moderate/Expected|FLS Flood Statement/Moderate/Expected
MWS Marine Weather Statement/Minor/Expected|WSW Winter Weather Message/Moderate/Expected|NPW Weather Message/Moderate/Expected
CFW Coastal Hazard Message/Moderate/Expected|HLS Hurricane Local Statement/Moderate/Expected|RFD Rangeland Fire Danger/Moderate/Expected
AVW Avalanche Warning/Severe/Expected|AVA Avalanche Watch/Severe/Future|SAB Avalanche Advisory/Moderate/Expected
BLU Blue Alert/Severe/Immediate|CAE Child Abduction Emergency/Severe/Immediate|CDW Civil Danger Warning/Severe/Immediate
CEM Civil Emergency Message/Severe/Immediate|EQW Earthquake Warning/Severe/Immediate|EVI Evacuation Immediate/Extreme/Immediate
FRW Fire Warning/Severe/Immediate|HMW Hazardous Materials Warning/Extreme/Immediate|LAE Local Area Emergency/Severe/Expected
LEW Law Enforcement Warning/Severe/Immediate|MEP Missing Endangered Persons/Severe/Expected|NUW Nuclear Power Plant Warning/Extreme/Immediate
RHW Radiological Hazard Warning/Extreme/Immediate|SPW Shelter In Place Warning/Extreme/Immediate|TOE 911 Telephone Outage/Severe/Expected
VOW Volcano Warning/Severe/Immediate|TSU Tsunami Message/Moderate/Expected
TIB Tsunami Information Statement/Minor/Past`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 3), entry.slice(4).split('/')] as const)
)

/** Products that only exercise the system, and such as are not for the public. */
const TESTS = new Set(['RWT', 'RMT', 'NPT', 'NAT', 'NST', 'DMO', 'TST'])

/** The event of a product without VTEC, or null for one that is no alert: a forecast, a report. */
export function namingOfProduct(awips: string): Naming | null {
  const [event, severity = 'Unknown', urgency = 'Unknown'] = PRODUCTS.get(awips.slice(0, 3)) ?? []
  return event === undefined ? null : { event, severity, urgency }
}

export function isTestProduct(awips: string): boolean {
  return TESTS.has(awips.slice(0, 3))
}
