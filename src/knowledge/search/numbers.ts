const ENGLISH =
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const GERMAN =
  'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'
const ENGLISH_TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'
const GERMAN_TENS = 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'

const inTurn = (words: string, { from, step }: { from: number; step: number }): [string, string][] =>
  words.split(' ').map((word, at) => [word, String(from + at * step)])
const ONES = { from: 2, step: 1 }
const TENS = { from: 20, step: 10 }

/** Numbers as words, from two on, with their digits: a bare "one" is mostly a pronoun. */
export const SPELT_NUMBERS: ReadonlyMap<string, string> = new Map([
  ...inTurn(ENGLISH, ONES),
  ...inTurn(GERMAN, ONES),
  ...inTurn(ENGLISH_TENS, TENS),
  ...inTurn(GERMAN_TENS, TENS)
])
const WORDS = new Map([...SPELT_NUMBERS, ['one', '1'], ['half', '1/2'], ['halb', '1/2']])

/** The numbers of a text, in digits; those that are spelt too. */
export function numbersIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const spelt = words.flatMap((word) => WORDS.get(word) ?? [])
  return [...digitsIn(text), ...spelt].map(normal)
}

/** Those written in digits, as they stand. */
export function digitsIn(text: string): string[] {
  return text.match(/\d+(?:[.,\u00A0\u202F]\d+)*/g) ?? []
}

/** `1,000`, `1.000` and `1000` are one number to a reader. */
export function normal(number: string): string {
  return number.replace(/[^\d]/g, '').replace(/^0+(?=\d)/, '')
}
