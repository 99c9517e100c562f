/** Words that only a German question has. */
const GERMAN =
  /(?:^|\s)(?:wie|was|wo|wann|warum|wer|welche[rmns]?|wieviel|ist|sind|der|die|das|den|dem|ein|eine[rmns]?|ich|man|muss|soll|darf|kann|für|bei|mit|nach|gegen|ohne|nicht|und|oder)(?=\s|$|\?)/i
const ENDING = /(?:ungen|ern|en|er|es|em|e|n|s)$/

export function isGerman(question: string): boolean {
  return GERMAN.test(question)
}

/** The word without its ending, in small letters without accents: Brände and Brand are one word, Bleichen and Bleiche another. */
export function germanStem(word: string): string {
  const folded = word
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
  const cut = folded.replace(ENDING, '')
  return cut.length >= 4 ? cut : folded
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))
/** Words that only one of the two languages has: `die`, `was`, `in`, `am` and `man` are words of both. */
const ONLY = {
  de: words(
    `auf aus bei beim bis das dass dem den der des durch ein eine einem einen einer es für gegen ich ihr im ist kann kein keine mein mit muss nach
    nicht oder ohne sich sie sind soll um und unter von vor wann warum welche welchem welchen welcher welches wenn wer wie wieviel wird wo zu zum zur`
  ),
  en: words(
    `and are as at be by can do does for from has have how i if is it may must my no not of on or our should than that the their them
    then there they this to we what when where which who why with you your`
  )
} as const

/** The language that more of the small words are of; null where it is neither's, or as much the one as the other. */
export function languageOf(text: string): 'de' | 'en' | null {
  const found = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const count = (only: ReadonlySet<string>): number => found.filter((word) => only.has(word)).length
  const more = count(ONLY.de) - count(ONLY.en)
  return more === 0 ? null : more > 0 ? 'de' : 'en'
}
