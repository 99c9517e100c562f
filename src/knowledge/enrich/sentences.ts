/** Ends of sentences: Latin, Greek, Arabic, Devanagari, Chinese and Japanese; the latter need no blank after them. */
const SENTENCE = /[^.!?;…؟।。！？]*(?:[.!?…؟।]+["'”’»)\]]*(?=\s|$)|[。！？]+["”’」』)\]]*|[.!?;…؟।]|$)\s*/gu
/** Words that end in a full stop without ending a sentence. */
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|No|Nos|Fig|Figs|Vol|pp?|cf|vs|etc|e\.g|i\.e|approx|ca|Sec|Ch|Inc|Ltd|Gen|Lt|Col|Sgt|Capt|U\.S)\.["')\]]*\s*$/

/**
 * The sentences of a text, each with the blanks after it: put together again they are the text. Runs in linear time; a
 * sentence of an unusual script may come out longer, none is lost.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let current = ''
  for (const [piece] of text.matchAll(SENTENCE)) {
    if (piece === '') continue
    current += piece
    if (!endsSentence(current)) continue
    sentences.push(current)
    current = ''
  }
  if (current !== '') sentences.push(current)
  return sentences
}

function endsSentence(text: string): boolean {
  // Only the end of it is looked at: a long list without any stop would be read again and again.
  const end = text.slice(-24)
  return (
    /(?:[.!?…؟।]["'”’»)\]]*\s+|[。！？]["”’」』)\]]*\s*)$/u.test(end) &&
    !ABBREVIATION.test(end) &&
    !/^\s*\d{1,3}\.\s*$/.test(text)
  )
}

/** The words of a text in small letters: letters and figures of any script, with apostrophes and hyphens inside. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []
}
