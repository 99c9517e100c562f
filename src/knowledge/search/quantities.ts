/** A figure, in digits or spelt. A bare "one" is mostly a pronoun. */
const NUMBER =
  /\p{N}|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|half|quarter|third|double|twice|dozen|hundred|thousand|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|halbe?|doppelt|hundert|tausend)\b|\b(?:one|an?|ein(?:e[rmn]?)?) (?:(?:square|cubic|level|full|whole|good|more) )?(?:second|minute|hour|day|week|month|year|lit(?:re|er)|gram|kilogram|milligram|millilitre|cent|part|tablet|drop|cup|spoon|spoonful|teaspoon|tablespoon|percent|degree|volt|watt|ampere|met(?:re|er)|kilomet(?:re|er)|centimet(?:re|er)|mile|foot|inch|minute|stunde|sekunde|tag|woche|monat|jahr|liter|meter|gramm|tropfen|teil|tablette|löffel|prozent|grad)\b/iu

/** A figure right before its unit: `half an hour`, `two to three days`, `one and a half metres`. */
const COUNT =
  '(?:\\p{N}[\\p{N}.,/]*|\\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|half|quarter|third|dozen|few|several|hundred|thousand|every|each|eine[rmn]?|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|halbe|jede[rnms]?))(?:[ -](?:and a half|of an?|an?|square|cubic|full|whole|good|more))*[ -]?'
const counted = (units: string, without = ''): RegExp => new RegExp(`${COUNT}(?:${units})(?![\\p{L}])${without}`, 'iu')

const UNITS = {
  time: counted(
    'seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|min|s|h|d',
    '|\\bovernight\\b|\\bdays? [\\p{N}]|\\btimes a (?:day|minute|week)'
  ),
  length: counted(
    "(?:centi|milli|kilo)?met(?:re|er)s?|feet|foot|inch(?:es)?|yards?|miles?|fingers?|(?:arm|hand)(?:'s|s') (?:length|breadths?)|mm|cm|km|m|ft",
    "|\\barm's length"
  ),
  temperature: counted('degrees?|grad|° ?[cf]?'),
  voltage: counted('volts?|v'),
  current: counted('amperes?|amps?|a'),
  number: NUMBER
} as const

export type Quantity = keyof typeof UNITS

const ASKED: readonly (readonly [RegExp, Quantity])[] = [
  [
    /\bhow (?:long|soon|often)\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|\bwie (?:lange?|oft)\b/i,
    'time'
  ],
  [
    /\bhow (?:deep|far|high|thick|wide|tall|near|close)\b|\bhow many (?:metres|meters|kilomet(?:re|er)s|miles|feet|yards|inches)\b|\b(?:distance|spacing|depth|width|thickness) (?:of|from|between|for)\b|\bwie (?:tief|weit|hoch|dick|breit)\b/i,
    'length'
  ],
  [/\bhow (?:hot|cold|warm)\b|\btemperatur/i, 'temperature'],
  [/\bvoltage\b|\bhow many volts\b|\bspannung\b/i, 'voltage'],
  [/\bhow many (?:amps|amperes)\b/i, 'current'],
  [
    /\bhow (?:much|many|fast|quickly|large|big|old)\b|\b(?:dose|dosage|maximum|percentage|formula)\b|\bwie ?viele?\b|\bdosis\b/i,
    'number'
  ]
]

const AMOUNT =
  /(?:\bhow (?:much|many)|\b(?:dose|dosage|amount) of|\bwie ?viele?|\bdosis)\s+(?:\p{L}+ (?:of|von) )?(\p{L}[\p{L}\p{M}]*)/iu
/** Units and things counted: no amount of these is asked for. */
const COUNTED_IN =
  /^(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|met(?:re|er)s?|lit(?:re|er)s?|kilograms?|grams?|milligrams?|milli\w+|centi\w+|drops?|degrees?|volts?|watts?|amps?|amperes?|times|people|persons?|stunden|minuten|tage|meter|liter|gramm|tropfen|grad)$/i

/** Words for a kind of figure, which the figure itself stands for. */
const QUANTITY_WORD =
  /^(?:temperature|voltage|volts?|dose|dosage|amount|maximum|minimum|percentage|number|distance|spacing|depth|width|thickness|height|length|size|speed|duration|formula|recipe|long|deep|far|thick|wide|tall|hot|old|large|quickly|times?|amps?|amperes?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|met(?:re|er)s?|per|temperatur|spannung|dosis|menge|abstand|tiefe|breite|höhe|länge|stunden|minuten|tage|meter|pro)$/i

/** Substances of which a wrong one, or another's amount, does harm. */
const SUBSTANCE =
  /\b(?:bleach|chlorine|hypochlorite|calcium|iodine|iodide|alum|permanganate|moringa|paracetamol|acetaminophen|ibuprofen|aspirin|morphine|codeine|tramadol|insulin|penicillin|amoxicillin|antibiotics?|doxycycline|azithromycin|ciprofloxacin|artesunate|artemether|chloroquine|quinine|permethrin|ivermectin|deet|zinc|vitamin|adrenaline|epinephrine|atropine|warfarin|diazepam|charcoal|salt|sugar|vinegar|alcohol|lye|lime|quicklime|petrol|diesel|acid|ammonia|arsenic|mercury|cyanide|chlor|bleiche|jod|kaliumpermanganat|salz|zucker|kalk)\b/giu

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
  return UNITS[quantity].test(text)
}

/** The thing whose amount is asked for: bleach in "how much bleach" and in "how many drops of bleach". */
export function amountAskedOf(question: string): string | null {
  const [substance, ...others] = substancesIn(question)
  const named = AMOUNT.exec(question)?.[1]?.toLowerCase()
  if (named !== undefined && !COUNTED_IN.test(named)) return named
  return substance !== undefined && others.length === 0 && quantityAsked(question) !== null ? substance : null
}
