import { byteLength, cutToBytes } from './budget.ts'

/** Shorter remains say nothing. */
const LEAST_BYTES = 20
/** The beginning of a further sentence says nothing below this. */
const LEAST_REST_BYTES = 32
const MARK = '...'
/** A clause with a figure says enough: `Destructive winds over 110mph`. */
const LEAST_FIGURE_BYTES = 28
const ABBREVIATED = /(?:^|[\s(.])(?:\p{L}|St|Mt|Mtn|Pt|Lk|Cr|Ft|Hwy|Rd|Dr|Mr|Mrs|Ms|No|approx|vs|etc)\.$/iu

/** A number whose unit was cut off misleads (`between 4...`), and so does `up to` nothing. */
const DANGLING =
  /(?:[\s,;:(/-]+(?:is|are|was|were|has|have|had|been|being|be|will|may|can|must|should|that|which|who|where|when|while|its|their|his|her|this|these|an?|and|as|at|about|around|between|by|for|from|in|into|less|more|near|of|on|or|over|than|the|to|up|with|und|mit|bis|von|zu|aus|bei|durch|eine?[mnrs]?|für|nach|über|et|de|du|con|y|[\d.,/-]+))+$/iu

/** The sentences of a cleaned text, each with its own punctuation. A dot after `St`, `Mt` or one letter ends none. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of text.matchAll(/(?<![.!?])[.!?]+["')]* +(?=[\p{Lu}\p{Lo}\p{N}"'(])/gu)) {
    const end = match.index + match[0].trimEnd().length
    const sentence = text.slice(start, end)
    if (ABBREVIATED.test(sentence.slice(-8))) continue
    sentences.push(sentence)
    start = match.index + match[0].length
  }
  const last = text.slice(start)
  return last === '' ? sentences : [...sentences, last]
}

/** As many leading sentences as `limit` bytes hold, at least one. */
export function leadSentences(text: string, limit: number): string {
  const [first = '', ...rest] = splitSentences(text)
  let lead = first
  for (const sentence of rest) {
    const longer = `${lead} ${sentence}`
    if (byteLength(longer) > limit) break
    lead = longer
  }
  return lead
}

/** `text` without the full stop and separators at its end; an ellipsis stays. */
export function withoutStop(text: string): string {
  const bare = text.replace(/(?<![\s,;:-])[\s,;:-]+$/u, '')
  // The full stop of Chinese and Japanese.
  if (bare.endsWith('。')) return withoutStop(bare.slice(0, -1))
  return bare.endsWith('.') && !bare.endsWith('..') ? withoutStop(bare.slice(0, -1)) : bare
}

/** The sentences of `text` that stand whole in `cut`, at least two words, and what of `cut` follows them. */
function wholeSentences(text: string, cut: string): [lead: string, rest: string] {
  let lead = ''
  for (const sentence of splitSentences(text)) {
    const longer = lead === '' ? sentence : `${lead} ${sentence}`
    if (!cut.startsWith(`${longer} `)) break
    lead = longer
  }
  return lead.includes(' ') ? [lead, cut.slice(lead.length + 1)] : ['', cut]
}

/** `text` cut between words to `limit` bytes with `...` at its end; empty when less than 20 bytes would remain. */
export function cutWords(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text
  const cut = cutToBytes(text, limit - MARK.length)
  const space = cut.lastIndexOf(' ')
  // A text without spaces (CJK) is cut where it fits.
  const words = text[cut.length] === ' ' || space < cut.length / 2 ? cut : cut.slice(0, space)
  const shortened = withoutStop(withoutStop(words).replace(DANGLING, '')).trimEnd() + MARK
  const [lead, rest] = wholeSentences(text, shortened)
  // `Heavy snow possible. Total snow accumulations...`: such a rest only costs airtime.
  if (lead !== '' && byteLength(rest) < LEAST_REST_BYTES) return lead
  return byteLength(shortened) < LEAST_BYTES ? '' : shortened
}

const HANGING =
  /(?:,? (?:associated|accompanied|combined|caused|located|because|due|along|together|such|an?|and|as|at|by|for|from|in|lasting|of|on|or|the|to|with))+$/i
/** Points at which a sentence may end without being half of one. */
const CLAUSE =
  /(?:[,;:]| -)(?= )|(?= and an? \d)| (?=and (?:is|are|was|were|has|have|will|may|moving|burning|spreading|leak\w+|blocking|threatening)\b)|(?= and\b)(?<=\d\S*(?: possible| expected| seconds)?|\b(?:County|Counties|Valley|Coast|Mountains|Range|Creek|Islands?))| (?=(?:in and (?:near|around)|with|near|across|over(?! \d)|along|between|in places|in the (?:most|eye)|related to|including|except|especially|due to|highest|through|during|while|as well as)\b)/g
/** Of a sentence cut at a clause at least this share must stay, else it is cut between words. */
const LEAST_SHARE = 0.5
/** A part of a text that ends with a clause is at least so full. */
const LEAST_CLAUSE = 0.75

/** `Levee at Curtis Landing about to give way`: English without its articles, before anything is cut off. */
function asHeadline(text: string): string {
  if (!/\b(?:the|is|are|was|were|has|have|will)\b/i.test(text)) return text
  const bare = text
    .replace(/(?<=^|[.!?] )(?:The|An?) (?=\p{L}{2})|\b(?:the|an?) (?=\p{L}{2})/gu, '')
    .replace(/ (?:is|are|was|were|has been|have been)(?= (?:about to|\w{3,}(?:ing|ed)\b))/gi, '')
  return bare.replace(/(?<=^|[.!?] )\p{Ll}/gu, (letter) => letter.toUpperCase())
}

/** Without its place it would be asked of everybody. */
const SOME_ONLY = /\b(?:evacuat\w*|residents|people|persons|everyone|homes)\b/i

/** `cutWords`, but a sentence that must be cut ends with a clause of it, if that leaves enough. */
export function cutDetail(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text
  let whole = ''
  for (const { index } of text.matchAll(CLAUSE)) {
    const clause = text.slice(0, index)
    if (byteLength(clause) > limit) break
    // `between Elsey Rd` is nowhere.
    if (/\bbetween (?:(?! and\b)[^,;])*$/i.test(clause)) continue
    whole = clause
  }
  // `15-20ft along north shores and 10-14ft` would leave open where.
  const told = withoutStop(
    withoutStop(whole)
      .replace(HANGING, '')
      .replace(/,? and [\w/-]*\d[\w/-]*$/, '')
  )
  const least = /\d/.test(told) ? LEAST_FIGURE_BYTES : limit * LEAST_SHARE
  if (byteLength(told) >= Math.max(LEAST_BYTES, least)) return told
  // Half of a stretch of road is nowhere.
  const [before = ''] = text.split(/ between /i)
  if (before !== text && !SOME_ONLY.test(before) && before.length >= LEAST_BYTES - 2 && byteLength(before) <= limit)
    return before
  const headline = asHeadline(text)
  return byteLength(headline) <= limit ? headline : cutWords(text, limit)
}

/**
 * As much of `text` as `limit` bytes hold, to go on elsewhere: up to a clause where that is most of it, else a word that neither hangs
 * nor is a number without what it counts. A text without spaces (CJK, an address) is cut between graphemes.
 */
export function beginningOf(text: string, limit: number): string {
  const cut = cutToBytes(text, limit)
  const words = text[cut.length] === ' ' ? cut : cut.slice(0, Math.max(0, cut.lastIndexOf(' ')))
  const clauses = [...cut.matchAll(/[,;:](?= )/g)].map(({ index }) => index + 1)
  const clause = cut.slice(0, clauses.at(-1) ?? 0)
  if (byteLength(clause) >= limit * LEAST_CLAUSE) return clause
  return words.replace(DANGLING, '').trimEnd() || words.trimEnd() || cut
}
