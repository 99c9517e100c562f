/**
 * Fixed words for hazards and levels, so that the same thing is always called the same.
 * The tables are maps because names come from feeds, and `constructor` is no level.
 */

/** The level a name ends in → as a text writes it. Keys are in lower case. */
export const LEVELS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    warning: 'WARN',
    watch: 'WATCH',
    advisory: 'ADV',
    statement: 'STMT',
    outlook: 'OUTLOOK',
    emergency: 'EMERGENCY',
    alert: 'ALERT'
  })
)

/** Products whose whole name is replaced. Keys are in lower case. */
const PRODUCTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '911 telephone outage': '911 OUTAGE',
    '911 telephone outage emergency': '911 OUTAGE',
    'administrative message': 'ADMIN MSG',
    amber: 'AMBER ALERT',
    'child abduction emergency': 'AMBER ALERT',
    'civil emergency message': 'CIVIL EMERGENCY',
    'evacuation immediate': 'EVACUATION IMMEDIATE',
    'evacuation - immediate': 'EVACUATION IMMEDIATE',
    'network message notification': 'NETWORK MSG',
    'practice/demo warning': 'PRACTICE WARN',
    'shelter in place': 'SHELTER IN PLACE',
    'short term forecast': 'SHORT TERM FCST',
    'tsunami message': 'TSUNAMI MSG'
  })
)

/** Hazards whose usual name is shorter than the official one. Keys are in lower case. */
export const HAZARDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    avalanche: 'AVY',
    'biological hazard': 'BIOHAZARD',
    'chemical hazard': 'CHEM HAZARD',
    earthquake: 'QUAKE',
    'excessive heat': 'EXTREME HEAT',
    'fire weather': 'FIRE WX',
    'hazardous materials': 'HAZMAT',
    'hazardous weather': 'HAZARDOUS WX',
    'nuclear power plant': 'NUCLEAR PLANT',
    'radiological hazard': 'RADIATION HAZARD',
    'severe thunderstorm': 'SVR',
    'severe weather': 'SVR WX',
    'special weather': 'SPECIAL WX',
    tornado: 'TOR',
    'winter weather': 'WINTER WX',
    'marine weather': 'MARINE WX'
  })
)

const LEVEL_AT_END = new RegExp(`^(.+?)\\s+(${[...LEVELS.keys()].join('|')})$`, 'i')

/**
 * Hazard word and level of a product the tables know or whose name ends in a level word (`Tornado Warning` → `TOR WARN`);
 * null for any other name.
 */
export function productHead(eventName: string): string | null {
  const name = eventName.replace(/\s+/g, ' ').trim()
  const whole = PRODUCTS.get(name.toLowerCase())
  if (whole !== undefined) return whole
  const [, hazard = '', level = ''] = LEVEL_AT_END.exec(name) ?? []
  if (level === '') return null
  return `${HAZARDS.get(hazard.toLowerCase()) ?? hazard.toUpperCase()} ${LEVELS.get(level.toLowerCase()) ?? ''}`
}

/** `productHead`, or for an unknown name the name in upper case with its level words shortened wherever they stand. */
export function abbreviateEvent(eventName: string): string {
  const known = productHead(eventName)
  if (known !== null) return known
  const words = eventName.trim().split(/\s+/)
  return words.map((word) => LEVELS.get(word.toLowerCase()) ?? word.toUpperCase()).join(' ')
}

const TITLE_PRODUCT =
  /^((?:[A-Z][\w'/-]*\s+){1,5}(?:Warning|Watch|Advisory|Statement|Outlook|Emergency))(?=\s+(?:issued|in effect|remains|until|for|continues|extended)\b|\s*[:.,;(-]|$)/

/** The product name a title begins with (`Tornado Warning issued July 3 …` → `Tornado Warning`), or null. */
export function productInTitle(title: string): string | null {
  return TITLE_PRODUCT.exec(title)?.[1] ?? null
}

/** The level a name speaks of, as a message writes it (`Geomagnetic Storm Watch` → `WATCH`), or null. */
export function levelWord(name: string): string | null {
  for (const word of name.toLowerCase().split(/[^a-z]+/)) {
    if (word === 'watch' || word === 'warning' || word === 'advisory') return LEVELS.get(word) ?? null
  }
  return null
}
