/** Numbers in words, English and German, from two to a thousand: one list for all that looks for figures. */

const TENS = {
  en: 'twenty thirty forty fifty sixty seventy eighty ninety',
  de: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'
}
const BELOW_TWENTY = {
  en: 'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  de: 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'
}
const LARGE: readonly (readonly [string, number])[] = [
  ['dozen', 12],
  ['hundred', 100],
  ['thousand', 1000],
  ['dutzend', 12],
  ['hundert', 100],
  ['einhundert', 100],
  ['tausend', 1000],
  ['eintausend', 1000]
]

const numbered = (words: string, of: (at: number) => number): (readonly [string, number])[] =>
  words.split(' ').map((word, at) => [word, of(at)] as const)
const small = [...numbered(BELOW_TWENTY.en, (at) => at + 2), ...numbered(BELOW_TWENTY.de, (at) => at + 2)]
const tens = [...numbered(TENS.en, (at) => (at + 2) * 10), ...numbered(TENS.de, (at) => (at + 2) * 10)]
const germanUnits = [['ein', 1] as const, ...numbered(BELOW_TWENTY.de, (at) => at + 2).slice(0, 8)]
/** `fünfundzwanzig`, `zweihundert`, `dreitausend`: German writes them as one word. */
const compounds = germanUnits.flatMap(([unit, value]) => [
  ...numbered(TENS.de, (at) => (at + 2) * 10 + value).map(([word, sum]) => [`${unit}und${word}`, sum] as const),
  ...(value === 1 ? [] : [[`${unit}hundert`, value * 100] as const, [`${unit}tausend`, value * 1000] as const])
])

/** By the word in lower case. `one` is mostly a pronoun, and is not among them. */
export const SPELT: ReadonlyMap<string, number> = new Map([...small, ...tens, ...compounds, ...LARGE])

/** The words in which other numbers are counted: `two dozen`. */
export const MULTIPLES: ReadonlySet<string> = new Set(LARGE.map(([word]) => word))

const any = (words: readonly (readonly [string, number])[]): string => words.map(([word]) => word).join('|')

/** All of them for a regular expression, the longest first where one begins another. */
export const SPELT_WORDS = [
  `(?:${any(germanUnits)})(?:und(?:${any(numbered(TENS.de, (at) => at))})|hundert|tausend)`,
  any([...tens, ...LARGE]),
  any([...small].reverse())
].join('|')
