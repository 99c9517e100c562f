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
