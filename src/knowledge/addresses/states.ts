/** States, territories and provinces as the address file writes them, by the names people use. USPS Publication 28, appendix B; Canada Post. */
const US: Readonly<Record<string, string>> = {
  ...{
    AL: 'ALABAMA',
    AK: 'ALASKA',
    AZ: 'ARIZONA',
    AR: 'ARKANSAS',
    CA: 'CALIFORNIA',
    CO: 'COLORADO',
    CT: 'CONNECTICUT'
  },
  DE: 'DELAWARE',
  DC: 'DISTRICT OF COLUMBIA',
  FL: 'FLORIDA',
  GA: 'GEORGIA',
  HI: 'HAWAII',
  ID: 'IDAHO',
  IL: 'ILLINOIS',
  IN: 'INDIANA',
  IA: 'IOWA',
  KS: 'KANSAS',
  KY: 'KENTUCKY',
  LA: 'LOUISIANA',
  ME: 'MAINE',
  MD: 'MARYLAND',
  MA: 'MASSACHUSETTS',
  MI: 'MICHIGAN',
  MN: 'MINNESOTA',
  MS: 'MISSISSIPPI',
  MO: 'MISSOURI',
  MT: 'MONTANA',
  NE: 'NEBRASKA',
  NV: 'NEVADA',
  NH: 'NEW HAMPSHIRE',
  NJ: 'NEW JERSEY',
  NM: 'NEW MEXICO',
  NY: 'NEW YORK',
  NC: 'NORTH CAROLINA',
  ND: 'NORTH DAKOTA',
  OH: 'OHIO',
  OK: 'OKLAHOMA',
  OR: 'OREGON',
  PA: 'PENNSYLVANIA',
  RI: 'RHODE ISLAND',
  SC: 'SOUTH CAROLINA',
  SD: 'SOUTH DAKOTA',
  TN: 'TENNESSEE',
  TX: 'TEXAS',
  UT: 'UTAH',
  VT: 'VERMONT',
  VA: 'VIRGINIA',
  WA: 'WASHINGTON',
  WV: 'WEST VIRGINIA',
  WI: 'WISCONSIN',
  WY: 'WYOMING',
  PR: 'PUERTO RICO',
  VI: 'VIRGIN ISLANDS',
  GU: 'GUAM',
  AS: 'AMERICAN SAMOA',
  MP: 'NORTHERN MARIANA ISLANDS'
}
const CANADA: Readonly<Record<string, string>> = {
  AB: 'ALBERTA',
  BC: 'BRITISH COLUMBIA',
  MB: 'MANITOBA',
  NB: 'NEW BRUNSWICK',
  NL: 'NEWFOUNDLAND AND LABRADOR',
  NS: 'NOVA SCOTIA',
  NT: 'NORTHWEST TERRITORIES',
  NU: 'NUNAVUT',
  ON: 'ONTARIO',
  PE: 'PRINCE EDWARD ISLAND',
  QC: 'QUEBEC',
  SK: 'SASKATCHEWAN',
  YT: 'YUKON'
}

export type Country = 'US' | 'CA'

const COUNTRY_OF = new Map<string, Country>([
  ...Object.keys(US).map((code): [string, Country] => [code, 'US']),
  ...Object.keys(CANADA).map((code): [string, Country] => [code, 'CA'])
])
const BY_NAME = new Map([...Object.entries(US), ...Object.entries(CANADA)].map(([code, name]) => [name, code]))
/** Words of the longest name. */
const LONGEST = 4

/** Every code. */
export const STATES: readonly string[] = [...COUNTRY_OF.keys()]

export function isState(code: string): boolean {
  return COUNTRY_OF.has(code)
}

/** Country of a state's code; null when it is none. */
export function countryOf(code: string): Country | null {
  return COUNTRY_OF.get(code) ?? null
}

/** The state at the end of the words, by code or by name, and how many words it takes. */
export function stateAtEnd(words: readonly string[]): { state: string; length: number } | null {
  for (let length = Math.min(LONGEST, words.length); length > 0; length--) {
    const text = words.slice(-length).join(' ')
    const state = length === 1 && isState(text) ? text : BY_NAME.get(text)
    if (state !== undefined) return { state, length }
  }
  return null
}
