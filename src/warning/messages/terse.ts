/**
 * The English of bulletins in the short form of a radio message: `Southwest winds 25 to 35 mph with gusts up to 60 mph
 * expected` becomes `SW winds 25-35mph, gusts to 60mph`. Only measures and filling words change, never a figure.
 */

const SMALL = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ...SMALL.map((word, at): [string, string] => [word, String(at + 1)]),
  ['one and a half', '1.5'],
  ['two and a half', '2.5'],
  ['a half', '0.5'],
  ['one half', '0.5'],
  ['one quarter', '0.25'],
  ['three quarters', '0.75'],
  ['three tenths', '0.3'],
  ['one tenth', '0.1'],
  ['two tenths', '0.2']
])
const WORDED = [...NUMBERS.keys()].sort((a, b) => b.length - a.length).join('|')
const UNIT = 'inch(?:es)?|feet|foot|ft|mph|kts?|knots?|nm|percent|miles?|cfs|kcfs'
const NUMBER = `(?:\\d[\\d,]*(?:\\.\\d+)?|${WORDED})`

const SHORT_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    inch: 'in',
    inches: 'in',
    feet: 'ft',
    foot: 'ft',
    knot: 'kt',
    knots: 'kt',
    kts: 'kt',
    percent: '%',
    mile: 'mi',
    miles: 'mi'
  })
)

const unitText = (unit: string): string => SHORT_UNITS.get(unit.toLowerCase()) ?? unit.toLowerCase()
const numberText = (text: string): string =>
  (NUMBERS.get(text.toLowerCase()) ?? text).replace(/(?<=^\d{1,3}),(?=\d{3}$)/, '').replace(/\.0+$/, '')

const COMPASS: readonly (readonly [string, string])[] = [
  ['north', 'N'],
  ['south', 'S'],
  ['east', 'E'],
  ['west', 'W']
]

/** `southwesterly` → `SW`; null for what is no wind. */
function windOf(word: string): string {
  const plain = word.toLowerCase().replace(/(?:erly|ward|ern)$/, '')
  return COMPASS.reduce((text, [name, letter]) => text.replaceAll(name, letter), plain).replaceAll('-', '')
}

const DIRECTION = '(?:north|south|east|west)(?:-?(?:north|south)?(?:east|west))?(?:erly|ward)?'
const RANGE = new RegExp(
  `\\b(?:between |from )?(${NUMBER}) ?(?:to|and|-) ?(?:near |around |about )?(${NUMBER})(?: |-)?(${UNIT})(?![\\w/])`,
  'gi'
)
const SINGLE = new RegExp(`(?<![\\d.])(${NUMBER})(?: |-)(${UNIT})(?![\\w/])`, 'gi')

type Rule = readonly [RegExp, string | ((...groups: string[]) => string)]

const MEASURES: readonly Rule[] = [
  [/\bmiles (?:per|an) hour\b/gi, 'mph'],
  [/\b(one tenth|two tenths|three tenths|one quarter|one half|three quarters) of an (?=inch)/gi, '$1 '],
  [
    /\btemperatures (?:of |from |around )?(\d{2,3}) (?:to|-) (\d{2,3})(?! ?(?:degrees|below|F\b|C\b))/gi,
    'temperatures $1-$2F'
  ],
  [RANGE, (_, from = '', to = '', unit = '') => `${numberText(from)}-${numberText(to)}${unitText(unit)}`],
  [SINGLE, (_, number = '', unit = '') => numberText(number) + unitText(unit)],
  [
    /\btemperatures (?:as low as|down to|near|of) (-?\d+)(?: degrees)?(?! ?(?:degrees|below|F\b|C\b|-|to\b))/gi,
    'temperatures down to $1F'
  ],
  [/(\d) degrees(?: fahrenheit)?\b/gi, '$1F']
]

const WINDS: readonly Rule[] = [
  [
    /\b(north|south|east|west) ?-?(north|south)(east|west)(?:erly|ward)?(?= (?:winds?|\d))/gi,
    (_, ...words) =>
      words
        .slice(0, 3)
        .map((word) => word.charAt(0).toUpperCase())
        .join('')
  ],
  [/^Highest gusts up to /i, 'Gusts to '],
  [/^Expect (?:sustained )?winds/i, 'Winds'],
  [/\bgusts up of (?=\d)/gi, 'gusts of '],
  [/\b(?:highest|largest|maximum)(?: significant)? waves/gi, 'waves'],
  [
    new RegExp(`(?<=\\d(?:kt|mph) )from the (${DIRECTION})(?= (?:and|with)\\b|[,.;]|$)`, 'gi'),
    (_, from = '') => `from the ${windOf(from)}`
  ],
  [
    new RegExp(`\\b(${DIRECTION})(?: (to) (${DIRECTION}))?(?= (?:winds?|gales?|swells?|\\d))`, 'gi'),
    (_, from = '', to = '', other = '') => windOf(from) + (to ? `-${windOf(other)}` : '')
  ],
  [
    new RegExp(
      `\\b(moving|mvg|drifting|spreading)(?: to(?: the)?)? (${DIRECTION})(?: at| around| near)?(?= \\d)`,
      'gi'
    ),
    (_, verb = '', direction = '') => `${verb} ${windOf(direction)}`
  ],
  [
    new RegExp(`(\\d(?:mi|nm)) (${DIRECTION}) of\\b`, 'gi'),
    (_, distance = '', direction = '') => `${distance} ${windOf(direction)} of`
  ],
  [
    /,? with (?:a few |isolated |occasional |frequent |damaging |locally )?(?:gale force |storm force |higher )?(?:wind )?gusts/gi,
    ', gusts'
  ],
  [/\bbecoming ([NSEW]{1,3}) winds? (?:of )?(?=\d)/g, 'becoming $1 '],
  [/\bgusts (?:of )?(?:up to|to|as high as|as strong as) (?=\d)/gi, 'gusts to '],
  [/\bgusts (?:of|near|around|from|between) (?=\d)/gi, 'gusts '],
  [/\bwinds (?:could|may|will)? ?gust(?:ing)? (?:as high as|up to|to) (?=\d)/gi, 'gusts to '],
  [/\bwinds (?:could|may|will)? ?gust(?:ing)? (over|above|in excess of) (?=\d)/gi, 'gusts over '],
  [/,? and (?:significant )?(seas|waves)(?= (?:of |to |up to )?\d)/gi, ', $1'],
  [/\bin excess of (?=\d)/gi, 'over ']
]

const SNOW: readonly Rule[] = [
  [
    /\b(?:(total|additional|new|storm total|event total|light|minor) )?(snow|sleet|ice) (?:and sleet )?(?:accumulations?|amounts)(?: of)?(?: between| around)? (up to )?(?=\d)/gi,
    (_, kind = '', what = '', upTo = '') =>
      `${what.toLowerCase()} ${kind.toLowerCase() === 'additional' ? 'another ' : ''}${upTo ? 'up to ' : ''}`
  ],
  [
    /\b(heavy |moderate |light )?((?:lake effect )?(?:wet )?(?:snow|mixed precipitation))(?: showers)?(?: (?:expected|possible|occurring))?\. snow (?=\d|another|up to)/gi,
    (_, heavy = '', what = '') => `${heavy}${what} `
  ],
  [/(snow|sleet|ice) another (?=\d)/gi, '$1, another '],
  [/(snow|sleet|ice) another up to (?=\d)/gi, '$1, up to another ']
]

const FILLER: readonly Rule[] = [
  [
    /^An extended period of stagnant air, with light winds and little vertical mixing(?:\. This is due to an inversion near the surface that will continue to trap pollutants)?/i,
    'Stagnant air with light winds traps pollutants'
  ],
  [/\. (?:It|This storm|The storm) is (?:located )?(?=(?:near|over|moving)\b)/g, ' '],
  [/ in ice free waters(?= \d)/gi, ''],
  // A clock of another zone beside those of the station.
  [/,[^,.;]*\b\d{1,2}(?::?\d\d)? ?[AP]M (?:[ECMPAH][SD]?T|AK[SD]T|ChST|SST)\b[^,.;]*(?=[.;,]|$)/g, ''],
  [/^For (?:the )?first round [^,\d]{4,40}, (?=\d)/i, ''],
  [/(?<=[.] )For (?:the )?first round [^,\d]{4,40}, (?=\d)/gi, ''],
  [/\bAccumulation amounts range from /gi, 'Snow '],
  [/\bVsby\b/g, 'Visibility'],
  [/ in the most persistent (?:lake )?snows?\b/gi, ''],
  [/\bThere is a likelihood (?:of |for )?moderate winter weather impacts\. /gi, ''],
  [
    /\bThere is an? (\d+(?:-\d+)?)% chance (?:for|of) (?:total )?snow accumulations (?:over|of at least) (\d+in)\b/gi,
    '$1% chance of over $2 snow'
  ],
  [/\b((?:heavy |light |wet )?snow)(?: (?:expected|possible|occurring))?\. snow (?=\d)/gi, '$1 '],
  [/\bless than (?:a|one)[- ]quarter(?:[- ]of a)?[- ]mile visibility\b/gi, 'visibility under 1/4mi'],
  [/ with (?:strong |damaging )winds? (?:in excess of|over) (?=\d)/gi, ', winds over '],
  [/(?<=\d mph|\dmph) wind gusts\b/gi, ' gusts'],
  [
    /\b(?:on \p{L}{3,9} \d{1,2},? )?an earthquake with (?:an? )?preliminary magnitude (?:of )?(\d(?:\.\d)?) occurred\b/giu,
    'M$1 quake'
  ],
  [/\bincluding: /gi, 'including '],
  [/(?<=\d(?:mph|kt|in|ft)) expected(?= and (?:greater|isolated|locally|over|up to))/gi, ''],
  [/\bgreater than (?=\d)/gi, 'over '],
  [/(?<=\d(?:in|ft)) expected(?= (?:between |above |below )?\d)/gi, ''],
  [/\bup to (?=\d+(?:\.\d+)?-\d)/gi, ''],
  [/ fra \d{1,2}\.? \p{Ll}+ \d\d:\d\d UTC til (?:\d{1,2}\.? \p{Ll}+ )?\d\d:\d\d UTC/gu, ''],
  // The same speed in other units.
  [/ ?\((?:\d+(?:-\d+)? ?(?:m\/s|kn|kt|km\/h)[^()]{0,40}|Bft \d[^()]{0,20}|level \d of \d)\)/gi, ''],
  [/^The [\w .,'-]{3,70}? has (?:issued|extended|declared|called) (?:an? )?(?=[a-z])/, ''],
  // `No tsunami expected` would turn round.
  [/(?<!\bnot? [\w -]{0,24}) (?:(?:is|are) )?(?:expected|forecast|occurring|anticipated)(?=[.;]|$)/gi, ''],
  [/ at times(?=[.,;]|$)/gi, ''],
  [/ (?:is|are|will be) possible(?=[.,;]| in\b|$)/gi, ' possible'],
  [/ (?:continues?|continue) to be possible/gi, ' still possible'],
  [/\bcaused by excessive rainfall\b/gi, 'from heavy rain'],
  [/\bcaused by\b/gi, 'from'],
  [/\b(?:was|were) (?:located )?(?=(?:near|over|along|about|around|moving|from|\d))/gi, ''],
  [
    /\b(?:the )?(?:National Weather Service )?(?:Doppler radar|meteorologists) (?:was tracking|were tracking|detected|indicated|tracked|has indicated) (?:an? )?/gi,
    ''
  ],
  [
    /\b(?:with |,? (?:with )?)?(?:locally |isolated )?(?:higher|greater|lesser|lower|heavier) (?:amounts|totals|accumulations)[^.;,\d]*(?=[.;,]|$)/gi,
    ''
  ],
  [/\balong a line extending (?=from\b)/gi, ''],
  [/^(?:An?|The) (?=(?:severe|strong|line|cluster|large|confirmed|storm|thunderstorm|band)\b)/i, ''],
  [/,? or (?:near |over |\d+(?:mi|nm) [NSEW]{1,3} of )[^,.;]{3,40},(?= moving\b)/g, ','],
  [/(\w)\.{3} ?(?=\w)/g, '$1, '],
  [/\bapproximately |\bin diameter\b/gi, '']
]

/** The same for the sentences that the German weather service writes again and again. */
const GERMAN: readonly Rule[] = [
  [/ ?mit Geschwindigkeiten zwischen (\d+) ?km\/h und (\d+) ?km\/h/g, ' $1-$2 km/h'],
  [/ ?mit Geschwindigkeiten (?:um|bis) (\d+) ?km\/h/g, ' bis $1 km/h'],
  [/^Es (?:treten|tritt) (.{8,160}?) auf(?=\.|$)/, '$1'],
  [/\bmuss mit (.{8,120}?) gerechnet werden/g, '$1 möglich']
]

const RULES = [...MEASURES, ...WINDS, ...SNOW, ...FILLER, ...GERMAN]

/** `text` with its measures and filling words shortened; another language than English stays as it is. */
export function terse(text: string): string {
  const short = RULES.reduce((line, [pattern, by]) => line.replace(pattern, by as string), text)
  const tidy = short
    .replace(/ {2,}/g, ' ')
    .replace(/ ([.,;])/g, '$1')
    .replace(/([.,;])[.,;]+/g, (all, first: string) => (all.startsWith('..') ? all : first))
    .trim()
  const cased = /^\p{Lu}/u.test(text) ? tidy.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : tidy
  return cased.replace(/([.!?] )(\p{Ll})/gu, (_, stop: string, letter: string) => stop + letter.toUpperCase())
}
