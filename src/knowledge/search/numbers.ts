import { MULTIPLES, SPELT } from './spelt-numbers.ts'

const [TEN, HUNDRED] = [10, 100]
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['one', '1'],
  ['half', '1/2'],
  ['halb', '1/2']
])

/** The numbers of a text, in digits; those that are spelt too. */
export function numbersIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const others = words.flatMap((word) => OTHERS.get(word) ?? [])
  return [...digitsIn(text), ...speltIn(text), ...others].map(normal)
}

/** Those from two on that are spelt, in digits: `twenty-five` is 25, `two hundred` is 200. */
export function speltIn(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const found: string[] = []
  for (let at = 0; at < words.length; at++) {
    const valueAt = (place: number): number => SPELT.get(words[place] ?? '') ?? 0
    let value = valueAt(at)
    if (value === 0) continue
    const unit = valueAt(at + 1)
    if (isTens(value) && unit > 0 && unit < TEN) {
      value += unit
      at++
    }
    const next = words[at + 1] ?? ''
    if (value < HUNDRED && MULTIPLES.has(next)) {
      value *= valueAt(at + 1)
      at++
    }
    found.push(String(value))
  }
  return found
}

/** Twenty to ninety: a word for a unit may follow. */
const isTens = (value: number): boolean => value > TEN && value < HUNDRED && value % TEN === 0

/** Those written in digits, as they stand. */
export function digitsIn(text: string): string[] {
  return text.match(/\d+(?:[.,\u00A0\u202F]\d+)*/g) ?? []
}

/** `1,000`, `1.000` and `1000` are one number to a reader. */
export function normal(number: string): string {
  return number.replace(/[^\d]/g, '').replace(/^0+(?=\d)/, '')
}
