import { decodeAs, WESTERN } from './encodings.ts'

/** Names an encoding for bytes that are neither UTF-8 nor UTF-16. In this process, or in one of its own (guess-child.ts). */
export type Guess = (sample: Uint8Array) => Promise<string>

/**
 * The encodings that texts are really found in, by the name the detector knows each, and by the label of the Encoding standard.
 * Left out is what Node cannot decode (code pages of DOS but the Cyrillic one), what hardly anybody wrote (Latin-3, -4, -6, -8, -10,
 * those of the Macintosh), and Latin-9: it differs from Windows-1252 in eight characters, and would make letters of fractions.
 */
const ENCODINGS: Readonly<Record<string, string>> = {
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1252: WESTERN,
  cp1253: 'windows-1253',
  cp1254: 'windows-1254',
  cp1255: 'windows-1255',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp1258: 'windows-1258',
  cp866: 'ibm866',
  cp874: 'windows-874',
  'iso8859-1': WESTERN,
  'iso8859-2': 'iso-8859-2',
  'iso8859-5': 'iso-8859-5',
  'iso8859-6': 'iso-8859-6',
  'iso8859-7': 'iso-8859-7',
  'iso8859-8': 'iso-8859-8-i',
  'iso8859-9': 'windows-1254',
  'iso8859-13': 'iso-8859-13',
  'koi8-r': 'koi8-r',
  'koi8-u': 'koi8-u',
  'tis-620': 'windows-874',
  big5hkscs: 'big5',
  cp932: 'shift_jis',
  shift_jis_2004: 'shift_jis',
  euc_jis_2004: 'euc-jp',
  cp949: 'euc-kr',
  euc_kr: 'euc-kr',
  gb18030: 'gb18030'
}

/** Encodings of letters of our alphabet with other marks: a wrong one changes some letters of a text, and nobody sees it at once. */
const LATIN = new Set(['windows-1250', 'iso-8859-2', 'windows-1254', 'windows-1257', 'iso-8859-13', 'windows-1258'])
/**
 * Such a guess is believed from this on, and where so many bytes beyond ASCII speak for it: of 7,800 short Western texts one is read
 * worse then, of 2,642 texts of the other languages nine in ten are read right (test/knowledge/encoding).
 */
const SURE_OF_LATIN = 0.12
const FEWEST_OF_LATIN = 4
/** Signs that stand within words only when the text is read in the wrong encoding: `wys³any`. */
const SIGN_IN_WORD = /(?<=[A-Za-zÀ-ÿ])[¡-¿×÷‚„†‡ˆ‰‹›˜™](?=[A-Za-z])/
/** Words of other alphabets have no letters of ours in them; a Western text read as Cyrillic has hardly any other words. */
const MOST_MIXED = 0.3
/** Bytes without a character, of all that are not ASCII: damage, or the wrong encoding. */
const MOST_BROKEN = 0.02

/**
 * The likeliest encoding of these bytes, or Windows-1252 where none is likely enough: its text is then what it was without a guess,
 * wrong in the letters beyond ASCII at most. Loads the detector, which takes 70 MB: for a process of its own.
 */
export async function guessEncoding(sample: Uint8Array): Promise<string> {
  const { chardet } = await import('jschardet')
  const options = { includeEncodings: Object.keys(ENCODINGS), compatNames: false }
  const { encoding, confidence } = chardet.detect(sample, options)
  const guessed = ENCODINGS[encoding ?? ''] ?? WESTERN
  return isBelieved(guessed, confidence, sample) ? guessed : WESTERN
}

function isBelieved(encoding: string, confidence: number, sample: Uint8Array): boolean {
  if (LATIN.has(encoding)) return isSureOfLatin(confidence, sample)
  const text = decodeAs(sample, encoding)
  return !isBroken(text) && !isMixed(text)
}

function isSureOfLatin(confidence: number, sample: Uint8Array): boolean {
  if (SIGN_IN_WORD.test(decodeAs(sample, WESTERN))) return true
  return confidence >= SURE_OF_LATIN && sample.filter((byte) => byte > 0x7f).length >= FEWEST_OF_LATIN
}

function isBroken(text: string): boolean {
  const broken = text.match(/[\ufffd\x80-\x9f]/g)?.length ?? 0
  const beyond = text.match(/\P{ASCII}/gu)?.length ?? 0
  return broken > Math.max(1, beyond * MOST_BROKEN)
}

function isMixed(text: string): boolean {
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? []
  const beyond = words.filter((word) => /\P{ASCII}/u.test(word))
  const mixed = beyond.filter((word) => /[a-z]/i.test(word)).length
  // An accented letter that stands alone ("è", "à") is a word of several languages, and of no other alphabet.
  const own = beyond.some((word) => !/[a-z]/i.test(word) && word.length > 1)
  return !own || mixed > beyond.length * MOST_MIXED
}
