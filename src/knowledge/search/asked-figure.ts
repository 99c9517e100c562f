import { quantityAsked } from './quantities.ts'
import { SPELT_WORDS } from './spelt-numbers.ts'

/** The form of a question that wants such a figure, and of a text that has one. */
type Need = readonly [asks: RegExp, has: RegExp]

const NUMERAL = String.raw`(?:\p{N}[\p{N}.,/]*|\b(?:${SPELT_WORDS}|one|half|quarter|ein\p{L}*|halbe?)\b)`
const word = (words: string): RegExp => new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])`, 'iu')
/** `how many years`, `in years`: a figure in years, or in what is counted beside them. */
const timed = (asked: string, near: string): Need => [
  word(`(?:how many|wie ?viele?|in) (?:${asked})`),
  word(`${near}|overnight|über Nacht`)
]
/** `per year`, `a year`, `in a year`. */
const per = (asked: string, near: string): Need => [
  word(
    `(?:how (?:many|much|often|far)|wie (?:viele?|oft|weit)|\\p{L}+)(?=.*\\b(?:per|an?|each|every|pro|im|in der) (?:${asked})(?![\\p{L}])).*`
  ),
  word(near)
]

/** Units by the size of what they measure: a rabies jab that protects for years is not one of the days 0, 3 and 7. */
const NEEDS: readonly Need[] = [
  timed('years|jahren?', 'years?|yearly|months?|life|lifelong|jahre?n?|monate?n?|leben'),
  timed('months|monaten?', 'months?|years?|weeks?|monate?n?|jahre?n?|wochen?'),
  timed('weeks|wochen', 'weeks?|days?|months?|wochen?|tage?n?|monate?n?'),
  timed('days|tagen?', 'days?|daily|weeks?|hours?|months?|tage?n?|täglich|wochen?|stunden?|monate?n?'),
  timed('hours|stunden', 'hours?|h|minutes?|min|days?|nights?|stunden?|minuten?|tage?n?'),
  timed('minutes|mins?|minuten', 'minutes?|min|seconds?|s|hours?|h|minuten?|sekunden?|stunden?'),
  timed('seconds|secs?|sekunden', 'seconds?|s|minutes?|min|sekunden?|minuten?'),
  per('years?|jahr', 'years?|yearly|annual\\p{L}*|seasons?|jahre?s?|jährlich'),
  per('minutes?|min', 'minutes?|min|minuten?'),
  per('hours?|h|stunde', 'hours?|h|hourly|stunden?|km/h|mph|knots'),
  [
    /\bkm\/h|\bkph\b|\bmph\b|\bknots\b|\bkilomet\w+ (?:per|an) hour/i,
    /km\/h|kph|mph|knots|(?:per|an|pro|in der) (?:hour|stunde)/i
  ],
  [
    /\b(?:square|sq)\b|\bm[²2](?!\p{L})|quadratmeter/iu,
    /\bsquare\b|m[²2](?!\p{L})|quadratmeter|\bhectares?\b|\bhektar\b|\bacres?\b/iu
  ],
  [/\bcubic\b|\bm[³3](?!\p{L})|kubikmeter/iu, /\bcubic\b|m[³3](?!\p{L})|kubikmeter|\blit(?:re|er)s?\b|\bl\b/iu],
  [/\bkN\b|\bkilonewtons?\b/i, /\bkN\b|newton/i],
  [/\bmSv\b|sievert/i, /\bmSv\b|sievert/i],
  [/\b(?:what|which) (?:strength|concentration)\b/i, /%|\bper ?cent\b|\bparts?\b|\bratio\b|\bppm\b/i],
  [
    /\bhow old (?:must|should|do|does|can|may|has|have)\b|\b(?:what|which) (?:minimum )?age\b|\bwie alt (?:muss|darf|soll)/i,
    new RegExp(
      `${NUMERAL}[\\s-]+(?:and over |or over )?(?:years?|months?|weeks?|days?|jahren?|monaten?|wochen?|tagen?)|(?:under|over|from|above|below|age|aged|unter|über|ab)\\s+(?:of\\s+)?${NUMERAL}`,
      'iu'
    )
  ],
  [
    /\b(?:deadly|lethal|fatal)\b|\bkills?\b|tödlich|\btöte[nt]/i,
    /deadly|lethal|fatal|\bkill|\bdies?\b|death|tödlich|\btöte|sterb|tod/i
  ],
  [
    /\bhow (?:long|many years) (?:do|does|can|will) .*\blive\b|\blife ?span\b/i,
    /\bliv(?:e|es|ing)\b|\blife|\bage\b|\bold\b|surviv/i
  ]
]

const MANY = /\b(?:how many|wie ?viele?)\s+(?<thing>[^?.,;]+)/iu
const UNIT =
  'mm|cm|m|km|kg|mg|µg|g|l|ml|°|%|percent|degrees?|met(?:re|er)s?|(?:kilo|centi|milli)met(?:re|er)s?|kilo(?:gram)?s?|(?:milli)?grams?|(?:milli)?lit(?:re|er)s?|seconds?|minutes?|min|hours?|days?|weeks?|months?|years?|(?:milli|kilo)?watts?|[mk]?w|volts?|v|amps?|a|mhz|khz|bar|psi|francs?|euros?|feet|foot|inch(?:es)?|miles?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|litern?|metern?|gramm|grad|prozent|franken'
const OF_UNIT = new RegExp(
  `${NUMERAL}(?:\\s*(?:to|bis|-|–|by|x|×|or|and)\\s*${NUMERAL})*[\\s-]*(?:${UNIT})(?![\\p{L}])`,
  'giu'
)
const COUNT = new RegExp(NUMERAL, 'iu')

/**
 * False when the question tells what its figure is of, and the text has none of that kind: years where it has days, kilonewtons where it
 * has parts, how many of a thing where all its numbers have units (contract §8: a number stands with what is asked for).
 */
export function holdsFigureAsked(question: string, { text, under }: { text: string; under: string }): boolean {
  const whole = `${under}\n${text}`
  if (NEEDS.some(([asks, has]) => asks.test(question) && !has.test(whole))) return false
  const thing = MANY.exec(question)?.groups?.['thing']
  return thing === undefined || quantityAsked(question) !== 'number' || COUNT.test(text.replaceAll(OF_UNIT, ' '))
}
