/** Text of bulletins: wrapped at 70 columns, in blocks, with dots where other people put colons. */

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' ']
])

/** Characters that a sender of HTML wrote as entities. */
export function characters(text: string): string {
  return text.replace(/&(#39|[a-z]{2,4});/g, (whole, name: string) => ENTITIES.get(name) ?? whole)
}

/** One line, single blanks, without the tags and entities that some senders leave in. */
export function oneLine(text: string): string {
  return characters(text.replace(/<[^<>]{0,200}>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
}

const ABBREVIATION = /(?:^|[\s(])(?:[A-Z]|St|Mt|Ft|Mtn|Hwy|Rte|No|Dr|Mr|Mrs|Ms|vs|approx|[Aa]pp|etc|U\.S|a\.m|p\.m)\.$/

/** The sentences of a text, each on one line with its stop. A dot after an initial or a common abbreviation ends none. */
export function sentences(text: string): string[] {
  const line = oneLine(text)
  const found: string[] = []
  let start = 0
  for (const match of line.matchAll(/[.!?]+(?=\s)/g)) {
    const end = match.index + match[0].length
    const sentence = line.slice(start, end)
    if (ABBREVIATION.test(sentence)) continue
    found.push(sentence.trim())
    start = end
  }
  const rest = line.slice(start).trim()
  return rest === '' ? found : [...found, rest]
}

/** A first sentence this short says little; the next one is taken along, as long as both stay below the other limit. */
const SHORT = 40
const LONG = 160

/**
 * The sentence of an NWS bulletin that says what happens: WHAT, else HAZARD, else the first period of a forecast,
 * else the first sentence that is not a heading. '' when there is none. In a bulletin about several hazards it is the one about `event`.
 */
export function hazardSentence(description: string, event: string): string {
  const what = block(description, 'WHAT') ?? block(description, 'HAZARD')
  if (what !== null) return aboutEvent(sentences(what), event)
  const period = /^\.((?:REST OF )?(?:TODAY|TONIGHT|THIS AFTERNOON))\.\.\.(.+)$/m.exec(description)
  if (period !== null) return oneLine(`${period[1] ?? ''}: ${period[2] ?? ''}`)
  const paragraph = description.split(/\n\s*\n/).find((text) => !isHeading(text.trim())) ?? ''
  const all = sentences(paragraph.trim().replace(/^(?:\.(?=\w)|\*\s*)/, ''))
  return all.find((sentence) => !isRestated(sentence)) ?? ''
}

/** That something was issued, or is in effect, is what the head of the message says already. */
const RESTATED = [
  /^The (?:U\.?S\.? )?National Weather Service\b.{0,60}\b(?:has|have) (?:issued|extended|updated|cancel+ed|expanded)\b/i,
  /^(?:An? )?(?:[\w-]+ ){1,5}(?:watch|warning|advisory|statement) (?:is|are|remains|continues|will be|has been)\b/i,
  /^[\w ]+ issued .{0,80}\bby NWS\b/i
]

/** True for a sentence that only repeats what, until when and by whom. */
function isRestated(sentence: string): boolean {
  return RESTATED.some((pattern) => pattern.test(sentence))
}

/** `For the Gale Watch, east winds …` names the hazard it speaks of. */
function aboutEvent(all: readonly string[], event: string): string {
  const name = event.toLowerCase()
  for (const sentence of all) {
    const match = /^For [^,]{0,80}, (.+)$/.exec(sentence)
    if (match?.[1] !== undefined && sentence.slice(0, 100).toLowerCase().includes(`${name},`))
      return capitalised(match[1])
  }
  const [first = '', second] = all
  const both = second === undefined ? first : `${first} ${second}`
  return first.length < SHORT && both.length <= LONG ? both : first
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The first sentence that tells people to do something, not what a watch means; else the first. '' when there is none. */
export function instructionSentence(instruction: string): string {
  if (/^\s*(?:not applicable|none|n\/a)\W*$/i.test(instruction)) return ''
  const all = sentences(instruction)
  return all.find((sentence) => !/^(?:A|An|The|There|This|These)\b/.test(sentence)) ?? all[0] ?? ''
}

/** Headlines in dots, product identifiers and empty lines. */
function isHeading(paragraph: string): boolean {
  return paragraph === '' || paragraph.startsWith('...') || /^[A-Z0-9]{6}$/.test(paragraph)
}

/** The text of `* NAME...text` or `NAME...text` up to the next empty line or bullet, or null. */
function block(description: string, name: string): string | null {
  const start = new RegExp(`^[ \\t]*(?:\\*[ \\t]*)?${name}(?:\\.{3}|:)`, 'm').exec(description)
  if (start === null) return null
  const rest = description.slice(start.index + start[0].length)
  const end = rest.search(/\n[ \t]*(?:\n|\*)/)
  const text = (end < 0 ? rest : rest.slice(0, end)).trim()
  return text === '' ? null : text
}

/** A headline on one line; '' when it only repeats the head of the message. */
export function headlineOf(text: string): string {
  const line = oneLine(text)
  return isRestated(line) ? '' : line
}

/** At most `max` characters, never half of a surrogate pair, `…` where something is missing. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
