/** Words that say nothing of a subject; they do not interrupt a term: `state of charge` is `state charge`. */
const STOP = new Set(
  // `you can` is not of canning, nor `will` of a testament.
  'a an the of and or for in on by with from is are was be at as it its this that these those can could will would may might must should shall'.split(
    ' '
  )
)
const VOWEL = /[aeiouy]/
/** Longest word that is looked at; longer ones are hashes, addresses or broken text. */
const MAX_WORD = 40

/** The words of a text in lower case without accents and apostrophes: letters and digits only. */
export function words(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length <= MAX_WORD)
}

/** Stems of the words of a text that say something, in order. */
export function stems(text: string): string[] {
  return words(text)
    .filter((word) => !STOP.has(word))
    .map(stem)
}

/** A light English stem: plural, -ing, -ed and a last e are cut, so that `purifying`, `purifies` and `purify` meet. */
export function stem(word: string): string {
  if (word.length <= 3) return word
  let base = singular(word)
  for (const ending of ['ing', 'ed']) {
    const cut = base.slice(0, -ending.length)
    if (base.endsWith(ending) && cut.length >= 3 && VOWEL.test(cut)) {
      base = undoubled(cut)
      break
    }
  }
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base.replace(/(?<=..)y$/, 'i')
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** `digging` → `dig`; `drilling` and `drill` meet because the doubled l of the short form goes too. */
function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word
}
