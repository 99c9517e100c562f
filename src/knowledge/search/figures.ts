import { SPELT, SPELT_WORDS } from './spelt-numbers.ts'

/** A figure of a text with its unit: `20 kg`, `4,000 m`, `8 %`. A range holds all that lies in it. */
export interface Figure {
  from: number
  to: number
  /** The same for all its spellings; null for a bare number, or one of a thing that is counted. */
  unit: string | null
}

/** The figure behind one of these names one of several. */
const LABELLED =
  /(?<!\p{L})(channel|kanal|section|abschnitt|paragraph|step|schritt|class|klasse|type|typ|stage|stufe|meldestufe|level|phase|zone|group|gruppe|rule|number|nummer)\s+(\p{N}+)/giu

/** The name of a model or a type: `TM-25`, `KA-52b`. */
const MODEL = /(?<![\p{L}\p{N}-])(\p{L}{1,4})-(\p{N}{1,5}\p{L}?)(?![\p{L}\p{N}-])/gu

const UNITS: readonly (readonly [unit: string, spellings: string])[] = [
  ['mg', 'mg milligram milligrams milligramm'],
  ['g', 'g gram grams gramme gramm'],
  ['kg', 'kg kgs kilo kilos kilogram kilograms kilogramm'],
  ['ml', 'ml millilitre millilitres milliliter milliliters'],
  ['l', 'l litre litres liter liters litern'],
  ['%', '% percent prozent per_cent'],
  ['mm', 'mm mm2 mm² millimetre millimetres millimeter millimeters'],
  ['cm', 'cm centimetre centimetres centimeter centimeters zentimeter zentimetern'],
  ['m', 'm metre metres meter meters metern'],
  ['km', 'km kilometre kilometres kilometer kilometers kilometern'],
  ['m²', 'm² m2 sqm qm quadratmeter quadratmetern'],
  ['m³', 'm³ m3 cbm kubikmeter kubikmetern'],
  ['ft', 'ft foot feet'],
  ['°', '° °c °f deg degree degrees grad c'],
  ['V', 'v volt volts'],
  ['A', 'a amp amps ampere amperes'],
  ['Ah', 'ah'],
  ['W', 'w watt watts'],
  ['kW', 'kw kilowatt kilowatts'],
  ['Hz', 'hz khz mhz ghz megahertz kilohertz'],
  ['s', 's sec secs second seconds sekunde sekunden'],
  ['min', 'min mins minute minutes minuten'],
  ['h', 'h hr hrs hour hours stunde stunden'],
  ['d', 'day days tag tage tagen'],
  ['week', 'week weeks woche wochen'],
  ['month', 'month months monat monate monaten'],
  ['year', 'year years jahr jahre jahren'],
  ['drop', 'drop drops tropfen'],
  ['tablet', 'tablet tablets pill pills tablette tabletten'],
  ['capsule', 'capsule capsules kapsel kapseln'],
  ['spoon', 'spoon spoons teaspoon teaspoons tablespoon tablespoons löffel teelöffel esslöffel'],
  ['cup', 'cup cups tasse tassen glass glasses glas']
]
const UNIT = new Map(
  UNITS.flatMap(([unit, spellings]) => spellings.split(' ').map((one) => [one.replace('_', ' '), unit] as const))
)
const DIGITS = String.raw`(?<![\p{L}\p{N}]-?)[-−]?\p{N}+(?:[.,]\p{N}+)*`
const NEXT = String.raw`(?:[\s-]?(%|°\s?[cf]?(?!\p{L})|(?!(?:to|bis|and|und)\s)\p{L}+[²³23]?))?`
const ONE = new RegExp(
  String.raw`(?:(over|above|more than|from|at least|über|ab|mindestens|under|below|less than|up to|at most|unter|bis|höchstens)\s+)?(${DIGITS})${NEXT}(?:(?:\s+(?:to|bis|and|und)\s+|\s?[–-]\s?)(\p{N}+(?:[.,]\p{N}+)*)${NEXT})?`,
  'giu'
)
/** `square metres` are m²: a figure has one word for its unit. */
const SQUARE = /\b(?:square|sq\.?)[\s-]+(?:met(?:re|er)s?|m)\b/giu
const CUBIC = /\bcubic[\s-]+(?:met(?:re|er)s?|m)\b/giu
/** Where the figure itself stands, it is said; a range says it where nothing nearer does. */
const IN_RANGE = 0.5
const LOW = /^(?:over|above|more than|from|at least|über|ab|mindestens)$/i

const SPELT_COUNT = new RegExp(String.raw`(?<!\p{L})(${SPELT_WORDS})(?=[ -](\p{L}+))`, 'giu')

/** True for `40m` and `750w`: a figure with its unit, written as one word. */
export function isFigureWord(word: string): boolean {
  const [, unit] = /^\p{N}+(\p{L}{1,4}[²³23]?)$/u.exec(word) ?? []
  return unit !== undefined && isUnit(unit)
}

/** The unit that a word spells, the same for all its spellings. */
export const unitOf = (word: string): string | undefined => UNIT.get(word.toLowerCase())

/** True for a unit in any of its spellings. */
export const isUnit = (word: string): boolean => unitOf(word) !== undefined

/** The figures of a text that are written in digits, in order; `spelt`: also those in words before a unit. */
export function figuresOf(text: string, { spelt: isSpelt = true } = {}): Figure[] {
  const plain = text.replace(SQUARE, 'm²').replace(CUBIC, 'm³')
  const inDigits = !isSpelt
    ? plain
    : plain.replace(SPELT_COUNT, (spelt: string, word: string, next: string) =>
        isUnit(next) ? String(SPELT.get(word.toLowerCase()) ?? spelt) : spelt
      )
  return [...inDigits.matchAll(ONE)].flatMap(([, bound, first = '', unit, second, otherUnit]) => {
    const of = (name: string | undefined): string | null =>
      UNIT.get((name ?? '').toLowerCase().replace(/\s/g, '')) ?? null
    const from = numberOf(first)
    const [own, other] = [of(unit), of(otherUnit)]
    // Two figures with units of their own are two.
    if (second !== undefined && (unit === undefined || own === other))
      return { from, to: numberOf(second), unit: other ?? own }
    if (second !== undefined)
      return [first, second].map((digits, at) => ({
        from: numberOf(digits),
        to: numberOf(digits),
        unit: at === 0 ? own : other
      }))
    if (bound === undefined) return { from, to: from, unit: of(unit) }
    return LOW.test(bound) ? { from, to: Infinity, unit: of(unit) } : { from: -Infinity, to: from, unit: of(unit) }
  })
}

/** Names with their figure, which a text must have as they stand: `channel 5`, not five minutes; `TM-25`, not TM-18. */
export function namesWithFigure(question: string): RegExp[] {
  const labelled = [...question.matchAll(LABELLED)].map(
    ([, name = '', figure = '']) => new RegExp(`(?<!\\p{L})${name}\\s+${figure}(?![\\p{L}\\p{N}])`, 'iu')
  )
  const models = [...question.matchAll(MODEL)].map(
    ([, letters = '', figure = '']) => new RegExp(`(?<![\\p{L}\\p{N}])${letters}[-\\s]?${figure}(?!\\p{N})`, 'iu')
  )
  return [...labelled, ...models]
}

/** How a text has the figure asked about: 1 the figure itself, less a range with it in between, 0 not at all. */
export function holdsFigure(known: readonly Figure[], asked: Figure): number {
  const fitting = known.filter(
    ({ from, to, unit }) =>
      from <= asked.from && asked.to <= to && (asked.unit === null ? from === to || unit === null : unit === asked.unit)
  )
  if (fitting.some(({ from, to }) => from === asked.from && to === asked.to)) return 1
  return fitting.length > 0 ? IN_RANGE : 0
}

/** `4,000` and `2.000` are thousands, `0,15` and `12.7` are not. */
function numberOf(digits: string): number {
  const sign = /^[-−]/.test(digits) ? -1 : 1
  const plain = digits.replace(/^[-−]/, '')
  return (
    sign * Number(/^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(plain) ? plain.replace(/[.,]/g, '') : plain.replace(',', '.'))
  )
}
