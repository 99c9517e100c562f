/** A Japanese full stop has a byte more than a point and a blank; so many of one part. */
export const MOST_STOPS = 6

const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** A point that ends a sentence: `Mt. Fuji` and `St. Helens` are one name. */
const STOP = /(?<!(?:^|[\s/,(])(?:Mt|Mtn|St|Ste|Ft|Pt|No|Dr|Jr|Sr|Hwy|Rd|Cr|approx))\. /gu
/** Running words of another tongue, as prose has and names of places have not. */
const PROSE = /(?:\s\p{Ll}[\p{Ll}'’-]*){2}/u

/**
 * The full stops of Japanese where a sentence is Japanese, also where its last word is a name or a time in Latin letters; the prose of a source keeps its own. Of a part
 * without Japanese all is in the tongue of its source.
 */
export function withJapaneseStops(part: string, most: number): string {
  if (!JAPANESE.test(part)) return part
  let left = most
  let begin = 0
  return part.replace(STOP, (point, at: number) => {
    const sentence = part.slice(begin, at)
    begin = at + point.length
    const ours = JAPANESE.test(sentence) && !PROSE.test(afterJapanese(sentence))
    return ours && left-- > 0 ? '。' : point
  })
}

function afterJapanese(sentence: string): string {
  const signs = [...sentence]
  return signs.slice(signs.findLastIndex((sign) => JAPANESE.test(sign)) + 1).join('')
}
