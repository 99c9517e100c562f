const WORDS: Readonly<Record<string, string>> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  twelve: '12',
  twenty: '20',
  thirty: '30',
  half: '1/2',
  zwei: '2',
  drei: '3',
  vier: '4',
  fünf: '5',
  sechs: '6',
  sieben: '7',
  acht: '8',
  neun: '9',
  zehn: '10',
  zwölf: '12',
  zwanzig: '20',
  halb: '1/2'
}

/** The numbers of a text, in digits; those that are spelt too. */
export function numbersIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const spelt = words.flatMap((word) => (Object.hasOwn(WORDS, word) ? [WORDS[word] ?? ''] : []))
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
