import { SPELT_WORDS } from './spelt-numbers.ts'

/** A figure, in digits or spelt. A bare "one" is mostly a pronoun. */
const NUMBER = new RegExp(
  String.raw`\p{N}|\b(?:${SPELT_WORDS}|half|quarter|third|fifth|tenth|double|twice|halbe?|doppelt)\b|\b(?:one|an?|ein(?:e[rmn]?)?) (?:(?:square|cubic|level|full|whole|good|more) )?(?:second|minute|hour|day|week|month|year|lit(?:re|er)|gram|kilogram|milligram|millilitre|cent|part|tablet|drop|cup|spoon|spoonful|teaspoon|tablespoon|percent|degree|volt|watt|ampere|met(?:re|er)|kilomet(?:re|er)|centimet(?:re|er)|mile|foot|inch|minute|stunde|sekunde|tag|woche|monat|jahr|liter|meter|gramm|tropfen|teil|tablette|löffel|prozent|grad)\b`,
  'iu'
)

/** A figure right before its unit: `half an hour`, `two to three days`, `one and a half metres`. */
const COUNT = String.raw`(?:\p{N}[\p{N}.,/]*|\b(?:${SPELT_WORDS}|an?|one|half|quarter|third|few|several|every|each|eine[rmn]?|ein|halbe|jede[rnms]?))(?:[ -](?:and a half|of an?|an?|square|cubic|full|whole|good|more))*[ -]?`
/** `short`: units of a letter or two, which stand behind digits alone; `without`: other ways to say it. */
const counted = (units: string, { short = '', without = '' } = {}): RegExp => {
  const shorts = short === '' ? '' : `|\\p{N} ?(?:${short})(?![\\p{L}])`
  return new RegExp(`${COUNT}(?:${units})(?![\\p{L}])${shorts}${without}`, 'iu')
}

const UNITS = {
  time: counted(
    'seconds?|minutes?|hours?|days?|weeks?|months?|years?|times(?! (?:its|their|the|as|more|less|larger|on)\\b)|summers?|winters?|nights?|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?',
    { short: 'min|s|h|d', without: '|\\bovernight\\b|\\bdays? [\\p{N}]|\\btimes a (?:day|minute|week)' }
  ),
  length: counted(
    "(?:centi|milli|kilo|zenti)?met(?:re|er)s?n?|feet|foot|inch(?:es)?|yards?|miles?|fingers?|(?:arm|hand)(?:'s|s') (?:length|breadths?)|(?:\\p{L}+ )?lengths?|paces?|strides?",
    {
      short: 'mm|cm|km|m|ft',
      without:
        "|\\barm's length|\\b(?:half|third|quarter|fifth|sixth|eighth|tenth|drittel|viertel|hälfte)s? (?:of|der|des) "
    }
  ),
  temperature: counted('degrees?|grad', { short: '°[cf]?|c|f', without: '|\\p{N} ?°' }),
  voltage: counted('volts?', { short: 'v' }),
  current: counted('amperes?|amps?', { short: 'a' }),
  power: counted('(?:kilo)?watts?', { short: 'k?w' }),
  frequency: counted('[kmg]hz|(?:mega|kilo)?hertz', { without: '|\\b(?:channel|kanal) \\p{N}' }),
  money: counted('francs?|franken|euros?|dollars?|pounds?|cents?|crowns?|kronen|chf|eur|usd|€', {
    without: '|[€$£] ?\\p{N}|\\b(?:free(?! (?:of|from))|(?:costs?|for) nothing|kostenlos|\\p{N}+ for)\\b'
  }),
  drops: counted('drops?|tropfen'),
  tablets: counted('(?:\\p{L}+ )?(?:tablets?|pills?|capsules?|tabletten?|kapseln?)', {
    without: '|\\b(?:tablets?|tabletten)\\b.*\\p{N}'
  }),
  mass: counted('(?:kilo|milli)?gramm?e?s?|kilos?|tonnes?', { short: '[mk]?g|t' }),
  volume: counted(
    '(?:milli)?lit(?:re|er)s?n?|cups?|(?:tea|table)?spoon(?:ful)?s?|glass(?:es)?|[^\\s]*löffel|tassen?|gallons?',
    { short: 'm?l' }
  ),
  pressure: counted('bars?|psi|kpa|(?:met(?:re|er)s?|m|feet|ft) of (?:head|water)', { short: 'bar|psi|kpa' }),
  energy: counted('(?:kilo)?calories|(?:kilo)?joules?|(?:kilo)?watt[- ]hours?|amp(?:ere)?[- ]hours?|kalorien', {
    short: 'kcal|kj|k?wh|m?ah'
  }),
  number: NUMBER
} as const

/** The kind of figure that a question asks for. */
export type Quantity = keyof typeof UNITS | 'amount' | 'span' | 'rate' | 'pace'

/** A noun that asks for a figure by itself, as in `dipole length` and `minimum distance to the road`. */
const NOUN = (words: string): string => `(?<!different |same |equal )(?:${words})\\b(?! (?:gauge|cooker|box))`
const MANY = '(?:how many|wie ?viele?)'
const asking = (...parts: readonly string[]): RegExp => new RegExp(`\\b(?:${parts.join('|')})`, 'iu')

/** The first that fits. */
const ASKED: readonly (readonly [RegExp, Quantity])[] = [
  [asking(`${MANY} (?:drops|tropfen)\\b`), 'drops'],
  [asking(`${MANY} (?:tablets|pills|capsules|tabletten|kapseln)\\b`), 'tablets'],
  [asking(`${MANY} (?:milli|kilo)?(?:grams?|gramm|mg|g|kg|kilos?)\\b`), 'mass'],
  [asking(`${MANY} (?:milli)?(?:lit(?:re|er)s?|ml|l|cups|(?:tea|table)?spoons|löffel|tassen)\\b`), 'volume'],
  [asking(`${MANY} (?:kilo)?watts?\\b`), 'power'],
  [asking(`${MANY} (?:amps|amperes?)\\b`), 'current'],
  [asking('voltage\\b', `${MANY} volts?\\b`, 'spannung\\b'), 'voltage'],
  [
    asking('(?:what|which) frequency\\b', 'frequency (?:of|for)\\b', 'welche frequenz\\b', 'frequenz (?:von|für)\\b'),
    'frequency'
  ],
  [
    asking(
      'how long (?:is|are|was) (?:the|an?)\\b',
      'how long (?!(?:to|do|does|did|is|are|was|can|could|may|must|should|will|would|until|till|before|after|for|have|has|i|we|you|it|they|he|she|keep|leave|wait|boil|check|cook)\\b)(?=\\p{L})'
    ),
    'span'
  ],
  [
    asking(
      'how (?:long|soon|often)\\b',
      `${MANY} (?:seconds|minutes|hours|days|weeks|months|years|sekunden|minuten|stunden|tage|wochen|monate|jahre)\\b`,
      'wie (?:lange?|oft)\\b'
    ),
    'time'
  ],
  [
    asking(
      'how (?:deep|far|high|thick|wide|tall|near|close)\\b',
      'too (?:near|close|far)\\b',
      `${MANY} (?:metres|meters?|kilomet(?:re|er)s?|miles|feet|yards|inches|zentimeter|abstand)\\b`,
      '(?:distance|spacing|depth|width|thickness) (?:of|from|between|for)\\b',
      'wie (?:tief|weit|hoch|dick|breit|nah)\\b'
    ),
    'length'
  ],
  [asking('how (?:hot|cold|warm|steep)\\b', 'temperatur', 'wie (?:heiß|kalt|warm|steil)\\b'), 'temperature'],
  [
    asking(
      'how (?:much|many) (?:is|are|was|would be) (?:the|a) (?:fine|price|fee|penalty)\\b',
      'how many (?:francs|euros|dollars|pounds|crowns)\\b',
      '(?:fine|price|fee) (?:of|for)\\b',
      '(?:what|how much) (?:does|do|did|is|will|would) .*\\bcosts?\\b',
      'was kostet\\b'
    ),
    'money'
  ],
  [asking('how quickly\\b'), 'pace'],
  [asking('how fast\\b', 'wie schnell\\b'), 'rate'],
  [
    asking(
      '(?:load|weight) (?:of|for)\\b',
      'how heavy\\b',
      '(?:what|how much) (?:does|do) .*\\bweighs?\\b',
      'wie schwer\\b',
      'wie ?viel wiegt\\b'
    ),
    'mass'
  ],
  [asking('how much (?:\\p{L}+ ){0,2}(?:does|do|can) .*\\b(?:hold|contain)s?\\b'), 'volume'],
  [asking(NOUN('temps?')), 'temperature'],
  [asking(NOUN('freqs?|frequency|frequenz')), 'frequency'],
  [asking(NOUN('calories|kcal|watt ?hours|wh|kalorien')), 'energy'],
  [asking(NOUN('(?:tyre|tire|air) pressure|reifendruck')), 'pressure'],
  [asking(NOUN('current|amps|amperage')), 'current'],
  [
    asking(
      NOUN(
        'length|width|height|depth|thickness|diameter|distance|spacing|clearance|gap|contour interval|länge|breite|höhe|tiefe|abstand'
      )
    ),
    'length'
  ],
  [asking('how much\\b', '(?:dose|dosage) ', '(?:dose|dosage)$', 'wie ?viel\\b', 'dosis\\b'), 'amount'],
  [
    asking(
      'how (?:many|large|big|old|strong)\\b',
      NOUN(
        '(?:max|min)(?:imum)?|percentage|formula|ratio|capacity|rating|limit|size|strength|angle|consumption|yield|loss|number of|(?:oil|fuel|mortar|syrup) mix|(?:fuel|oil|petrol|paraffin|parafin|kerosene|diesel|gas|water) use'
      ),
      'wie ?viele\\b',
      'wie alt\\b'
    ),
    'number'
  ]
]

const AMOUNT =
  /(?:\bhow (?:much|many)|\b(?:dose|dosage|amount) of|\bwie ?viele?|\bdosis)\s+(?:\p{L}+ (?:of|von) )?(\p{L}[\p{L}\p{M}]*)/iu
/** Units and things counted: no amount of these is asked for. */
const COUNTED_IN =
  /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|met(?:re|er)s?|lit(?:re|er)s?|kilograms?|grams?|milligrams?|milli\w+|centi\w+|drops?|degrees?|volts?|watts?|amps?|amperes?|times|people|persons?|stunden|minuten|tage|meter|liter|gramm|tropfen|grad)$/i

const RATE =
  /(?:\b(?:an?|per|each|every|pro|je|in der|in an?) (?:second|minute|hour|day|week|sekunde|minute|stunde|tag|woche)|km\/h|\bknots\b|\bmph\b)/iu

const WITHIN = new RegExp(String.raw`\b(?:within|less than|innerhalb|in weniger als)\s+${COUNT}`, 'iu')

/** Words for a kind of figure, which the figure itself stands for. */
const QUANTITY_WORD =
  /^(?:temperature|voltage|volts?|doses?|dosages?|amount|ratio|mixing|load|fine|costs?|price|frequency|frequenz|maximum|minimum|percentage|number|distance|spacing|depth|width|thickness|height|length|size|speed|duration|temps?|freqs?|min|max|calories|wh|current|draw|formula|recipe|long|deep|far|thick|wide|tall|hot|old|large|quickly|times?|amps?|amperes?|drops?|tablets?|mg|ml|grams?|milligrams?|watts?|francs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|met(?:re|er)s?|per|temperatur|spannung|dosis|menge|abstand|tiefe|breite|höhe|länge|stunden|minuten|tage|meter|tropfen|gramm|tabletten|pro)$/i

/** Substances of which a wrong one, or another's amount, does harm. */
const SUBSTANCE =
  /\b(?:bleach|chlorine|hypochlorite|calcium|iodine|iodide|alum|permanganate|moringa|paracetamol|acetaminophen|ibuprofen|aspirin|morphine|codeine|tramadol|insulin|penicillin|amoxicillin|flucloxacillin|clindamycin|nitrofurantoin|metronidazole|naloxone|misoprostol|doxycycline|azithromycin|ciprofloxacin|artesunate|artemether|chloroquine|quinine|permethrin|ivermectin|deet|zinc|vitamin|adrenaline|epinephrine|atropine|warfarin|diazepam|charcoal|salt|sugar|vinegar|alcohol|lye|lime|quicklime|petrol|diesel|acid|ammonia|arsenic|mercury|cyanide|chlor|bleiche|jod|kaliumpermanganat|salz|zucker|kalk)\b/giu

export function hasNumber(text: string): boolean {
  return NUMBER.test(text)
}

/** Names of substances in a text, in small letters, each once. */
export function substancesIn(text: string): string[] {
  return [...new Set((text.match(SUBSTANCE) ?? []).map((name) => name.toLowerCase()))]
}

/** The kind of figure that would answer, or null when none is asked for. */
export function quantityAsked(question: string): Quantity | null {
  return ASKED.find(([asks]) => asks.test(question))?.[1] ?? null
}

export function namesQuantity(word: string): boolean {
  return QUANTITY_WORD.test(word)
}

export function hasQuantity(text: string, quantity: Quantity): boolean {
  if (quantity === 'span') return UNITS.time.test(text) || UNITS.length.test(text)
  if (quantity === 'rate') return NUMBER.test(text) && (RATE.test(text) || WITHIN.test(text))
  if (quantity === 'pace') return RATE.test(text) || UNITS.time.test(text)
  if (quantity === 'amount') return NUMBER.test(withoutMeasures(text))
  return UNITS[quantity].test(text)
}

/** A time, a length or a warmth is the amount of nothing. */
function withoutMeasures(text: string): string {
  return [UNITS.time, UNITS.length, UNITS.temperature, UNITS.voltage].reduce(
    (rest, measure) => rest.replaceAll(new RegExp(measure, 'giu'), ' '),
    text
  )
}

/** The thing whose amount is asked for: bleach in "how much bleach" and in "how many drops of bleach". */
export function amountAskedOf(question: string): string | null {
  const [substance, ...others] = substancesIn(question)
  const named = AMOUNT.exec(question)?.[1]?.toLowerCase()
  if (named !== undefined && !COUNTED_IN.test(named)) return named
  return substance !== undefined && others.length === 0 && quantityAsked(question) !== null ? substance : null
}
