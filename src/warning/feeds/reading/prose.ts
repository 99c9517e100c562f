import { NAMED_ENTITIES, oneLine as singleLine } from '../../../platform/text.ts'

/** Text of bulletins: wrapped at 70 columns, in blocks, with dots where other people put colons. */

/** Characters that a sender of HTML wrote as entities. */
export function characters(text: string): string {
  return text
    .replace(/&#(x[0-9a-f]{1,5}|\d{1,6});/gi, (whole, number: string) => characterOf(number) ?? whole)
    .replace(/&([a-z]{2,4});/g, (whole, name: string) => NAMED_ENTITIES.get(name) ?? whole)
}

/** Of a number as HTML writes it, `8211` or `x2013`; null for what is no character on paper. */
function characterOf(number: string): string | null {
  const code = /^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number)
  const isPrinted = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code < 127 || code > 159)
  return isPrinted ? String.fromCodePoint(code) : null
}

/** Text a sender wrote as HTML: breaks stay as lines, tags go, characters written as entities are read. */
export function withoutTags(text: string): string {
  const bare = text.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]{0,500}>/g, '')
  return characters(bare).trim()
}

/** One line, single blanks, without the tags and entities that some senders leave in. */
export function oneLine(text: string): string {
  return singleLine(characters(text.replace(/<[^<>]{0,200}>/g, ' ')))
}

const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Z]|St|Mt|Ft|Mtn|Pt|Hwy|Rte|No|Dr|Mr|Mrs|Ms|vs|approx|[Aa]pp|etc|U\.S|a\.m|p\.m)\.$/

/** The sentences of a text, each on one line with its stop. A dot after an initial or a common abbreviation ends none. */
export function sentences(text: string): string[] {
  const line = oneLine(text)
  const found: string[] = []
  let start = 0
  for (const match of line.matchAll(/(?<![.!?])[.!?]+(?=\s)/g)) {
    const end = match.index + match[0].length
    const sentence = line.slice(start, end)
    if (ABBREVIATION.test(sentence)) continue
    found.push(sentence.trim())
    start = end
  }
  const rest = line.slice(start).trim()
  return rest === '' ? found : [...found, rest]
}

/** At most `max` characters, whole words where there are any, never half of a surrogate pair, `…` where something is missing. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  const space = text[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ')
  const words = space >= max * LEAST_WORDS ? cut.slice(0, space).trimEnd() : cut
  return `${/[\uD800-\uDBFF]$/.test(words) ? words.slice(0, -1) : words}…`
}

/** A text that would lose more than this to its last word is cut in it. */
const LEAST_WORDS = 0.8
