import { compoundOrdinals, DIRECTION_OF, ORDINALS, SUFFIX_OF } from './street-words.ts'

/** No address is longer: what follows is not looked at. */
const MAX_CHARACTERS = 500

const FRACTIONS: Readonly<Record<string, string>> = { '½': ' 1/2', '¼': ' 1/4', '¾': ' 3/4' }

/** Capitals without accents and points, as addresses are compared. */
export function plainText(text: string): string {
  const plain = text
    .slice(0, MAX_CHARACTERS)
    .replace(/[½¼¾]/g, (sign) => FRACTIONS[sign] ?? sign)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/\./g, '')
    .replace(/#\s*/g, ' # ')
    .replace(/[^\p{L}\p{N}#,\-/ ]/gu, ' ')
  return compoundOrdinals(plain)
}

/** As the post writes it: `NORTH MAIN STREET` → `N MAIN ST`. The name itself stays, whatever it looks like: `NORTH ST`. */
export function postalStreet(words: readonly string[]): string {
  const last = words.length - 1
  const tail = DIRECTION_OF.has(words[last] ?? '') && last >= 2 ? last - 1 : last
  return words
    .map((word, index) => {
      if (index === tail && index > 0) return SUFFIX_OF.get(word) ?? word
      if (index === last && index > tail) return DIRECTION_OF.get(word) ?? word
      if (index === 0 && tail >= 2) return DIRECTION_OF.get(word) ?? word
      return ORDINALS.get(word) ?? word
    })
    .join(' ')
}
