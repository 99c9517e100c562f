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
 * else the first sentence that is neither a heading nor
 * a repetition of the head. '' when there is none. In a bulletin about several hazards it is the one about `event`.
 */
export function hazardSentence(description: string, event: string): string {
  const what = block(description, 'WHAT') ?? block(description, 'HAZARD')
  if (what !== null) return withRiver(aboutEvent(sentences(what), event), description, event)
  const period = /^\.((?:REST OF )?(?:TODAY|TONIGHT|THIS AFTERNOON))\.\.\.(.+)$/m.exec(description)
  if (period !== null) return oneLine(`${period[1] ?? ''}: ${period[2] ?? ''}`)
  for (const paragraph of description.split(/\n\s*\n/)) {
    const told = toldBy(paragraph.trim())
    if (told !== '') return told
  }
  return ''
}

/** Bullets that say where and when, which the message has already. */
const PLACE_OR_TIME =
  /^\*\s*(?:(?:AFFECTED AREAS?|LOCATIONS?|TIMING|WHEN|WHERE)\.{3}|(?:portions? of|the following|through|until|from)\b)/i

/** The first sentence of a paragraph that says something new: `* WINDS...Southwest 25 mph` becomes `Winds: Southwest 25 mph`. */
function toldBy(paragraph: string): string {
  if (isHeading(paragraph) || PLACE_OR_TIME.test(paragraph)) return ''
  const bare = paragraph
    .replace(
      /^\*\s*([A-Z])([A-Z /]{2,40})\.{3}/i,
      (_, first: string, rest: string) => `${first}${rest.toLowerCase()}: `
    )
    .replace(/^(?:\.(?=\w)|\*\s*)/, '')
  return sentences(bare).find((sentence) => !isRestated(sentence)) ?? ''
}

/** That something was issued, or is in effect, is what the head of the message says already. */
const RESTATED = [
  /^The (?:U\.?S\.? )?National Weather Service\b.{0,60}\b(?:has|have) (?:issued|extended|updated|cancel+ed|expanded)\b/i,
  /^(?:An? )?(?:[\w-]+ ){1,5}(?:watch|warning|advisory|statement) (?:is|are|remains|continues|will be|has been)\b/i,
  /^[\w ]+ issued .{0,80}\bby NWS\b/i,
  /^In [\w ]{3,30} this (?:watch|warning|advisory) includes\b/i,
  /^This (?:(?:watch|warning|advisory) )?includes\b/i
]

/** True for a sentence that only repeats what, until when and by whom. */
function isRestated(sentence: string): boolean {
  return RESTATED.some((pattern) => pattern.test(sentence))
}

const RIVER = /^[^.,;]{0,60}\b(?:river|creek|bayou|fork|brook|slough|stream)\b[^,;]{0,50}$/i

/** Two rivers of one county flood at once, and only WHERE tells which: `Cedar River at Renton: Minor flooding …`. */
function withRiver(sentence: string, description: string, event: string): string {
  if (sentence === '' || !/^flood /i.test(event)) return sentence
  const where = oneLine(block(description, 'WHERE') ?? '').replace(/\.$/, '')
  return RIVER.test(where) && !sentence.includes(where) ? `${where}: ${sentence}` : sentence
}

/** What is said of one hazard of several; `about` is '' where a sentence names none. */
interface Passage {
  about: string
  /** The sentence as it stands, and without `For the Gale Watch,`. */
  whole: string
  rest: string
  next: string
}

const NAMES_HAZARD =
  /^For (?:the |both )?([^,]{0,80}?\b(?:warning|watch|advisory|statement|risk)s?\b[^,]{0,60}), (.+)$/i

/** `For the Gale Watch, east winds …` names the hazard it speaks of; what is said of another one would be wrong here. */
function aboutEvent(all: readonly string[], event: string): string {
  const passages = all.map((whole, at): Passage => {
    const [, about = '', rest = whole] = NAMES_HAZARD.exec(whole) ?? []
    return { about: about.toLowerCase(), whole, rest, next: all[at + 1] ?? '' }
  })
  const own = passagesOf(passages, event)
  const [first] = own
  if (first === undefined) return ''
  // Of a first and a second warning of one name nothing tells which this is: the sentence says it itself.
  if (own.length > 1) return first.whole
  const sentence = first.about === '' ? first.whole : capitalised(first.rest)
  const both = first.next === '' || NAMES_HAZARD.test(first.next) ? sentence : `${sentence} ${first.next}`
  return sentence.length < SHORT && both.length <= LONG ? both : sentence
}

/** The passages that name the event, else those that name its hazard with another word for the level, else the first that names none. */
function passagesOf(passages: readonly Passage[], event: string): Passage[] {
  const name = event.toLowerCase()
  const hazard = name.replace(/ (?:warning|watch|advisory|statement)$/, '')
  for (const wanted of [name, hazard]) {
    const found = passages.filter(({ about }) => wanted !== '' && about.includes(wanted))
    if (found.length > 0) return found
  }
  const [first] = passages
  return first === undefined || first.about !== '' ? [] : [first]
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
  return paragraph === '' || paragraph.startsWith('...') || /^(?:[A-Z0-9]{6}|[A-Z][A-Z ,&/-]{2,60})$/.test(paragraph)
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
