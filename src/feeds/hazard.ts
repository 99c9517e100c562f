import { airSentence } from './air-quality.ts'
import { missingSentence } from './missing.ts'
import { clip, oneLine, sentences } from './prose.ts'
import { riverSentence } from './river.ts'

/** More than three packets hold; the composer takes what fits. */
const LONG = 640

/** When the hazard is, which tells it from others of the same bulletin. */
export interface HazardTimes {
  /** Epoch milliseconds, of what has not begun; else null. */
  begins: number | null
  /** Its begin and end as the bulletin writes them: `3 PM`, `midnight`. */
  labels: readonly string[]
}

const NO_TIMES: HazardTimes = { begins: null, labels: [] }

/**
 * What an NWS bulletin says of what happens: the figures of a river, of fire weather or of a watch, else the storm and its
 * HAZARD, else WHAT, else the first period of a forecast, else the first sentence that is neither a heading nor a repetition
 * of the head. '' when there is none. In a bulletin about several hazards it is what is said about `event`, of several of its
 * name the one of these times.
 */
export function hazardSentence(description: string, event: string, times: HazardTimes = NO_TIMES): string {
  const own = figuresOf(description, event) ?? stormOf(description) ?? listedFacts(description)
  if (own !== null) return clip(own, LONG)
  const what = block(description, 'WHAT') ?? block(description, 'HAZARD')
  if (what !== null) return withRiver(aboutEvent(sentences(what), { event, times, description }), description, event)
  const period = periodOf(description, times.begins)
  if (period !== null) return period
  for (const paragraph of description.split(/\n\s*\n/)) {
    const told = toldBy(paragraph.trim())
    if (told !== '') return told
  }
  return ''
}

/** `3 PM` of a time with its own offset, as bulletins write it; none of one in UTC, which no office uses. */
export function clockLabel(time: string): string[] {
  const [, hours = '', minutes = ''] = /T(\d\d):(\d\d)(?::\d\d)?-\d\d:\d\d$/.exec(time) ?? []
  if (hours === '') return []
  if (minutes === '00' && Number(hours) % 12 === 0) return [hours === '00' ? 'midnight' : 'noon']
  const hour = Number(hours) % 12 === 0 ? 12 : Number(hours) % 12
  return [`${hour}${minutes === '00' ? '' : minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`]
}

const DAY = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
/** The day of a forecast is the one of the west of North America, or nearly so. */
const WEST_MS = 8 * 3_600_000

/** The period of a marine forecast in which the hazard begins; '' when none fits, null for what is no such forecast. */
function periodOf(description: string, begins: number | null): string | null {
  const periods = [...description.matchAll(/^\.([A-Z][A-Z ]{2,30})\.{3}(\S[^\n]*(?:\n(?![.\n])[^\n]*)*)/gm)]
  const [first] = periods
  if (first === undefined || !/^(?:REST OF )?(?:TODAY|TONIGHT|THIS AFTERNOON)$/.test(first[1] ?? '')) return null
  const day = begins === null ? '' : (DAY[new Date(begins - WEST_MS).getUTCDay()] ?? '')
  const found = begins === null ? first : periods.find(([, name = '']) => name.startsWith(day))
  return oneLine(found?.[2] ?? '')
}

function figuresOf(description: string, event: string): string | null {
  if (/^(?:red flag|fire weather)\b/i.test(event)) return fireWeather(description, event)
  if (/^flood /i.test(event)) return riverSentence(description, riverOf(description))
  if (/^air quality/i.test(event)) return airSentence(description) || null
  if (/^(?:child abduction|amber alert|missing endangered|silver alert)/i.test(event))
    return missingSentence(description) || null
  return / watch$/i.test(event) ? watchThreats(description) : null
}

/** `KEY: value` line by line, as fire services write: where, how it stands, what it is. Null for what is no such list. */
function listedFacts(description: string): string | null {
  const facts = new Map(
    [...description.matchAll(/^([A-Z][A-Z ]{2,24}): *(\S.*)$/gm)].map(([, key = '', value = '']) => [key, value])
  )
  if (facts.size < 3) return null
  const told = ['LOCATION', 'STATUS', 'TYPE'].flatMap((key) => facts.get(key) ?? [])
  return told.length === 0 ? null : told.map((value) => oneLine(value).replace(/ ?\([^)]*\)/g, '')).join('. ')
}

/** `A tornado or two possible, hail to 3 inches, gusts to 75 mph` of the threats a watch lists; null without a list. */
function watchThreats(description: string): string | null {
  const listed = /^[ \t]*\* Primary threats include\.{3}[ \t]*\n((?:[ \t]{2,}\S[^\n]*\n?)+)/im.exec(description)?.[1]
  if (listed === undefined) return null
  const threats = listed
    .replace(/\n {3,}(?=\S)/g, ' ')
    .split('\n')
    .map(oneLine)
  const tornado = threats.find((threat) => /tornado/i.test(threat))
  const hail = /(\d+(?:\.\d+)?) inch/i.exec(threats.find((threat) => /hail/i.test(threat)) ?? '')?.[1]
  const gusts = /(\d+) mph/i.exec(threats.find((threat) => /gusts|winds/i.test(threat)) ?? '')?.[1]
  const told = [tornado, hail && `hail to ${hail} inches`, gusts && `gusts to ${gusts} mph`].filter(Boolean).join(', ')
  return told === '' ? threats.filter((threat) => threat !== '').join('; ') : capitalised(told)
}

const SEEN =
  /^[ \t]*(?:\*[ \t]*)?(at (?:\d{1,4}|noon|midnight) ?(?:AM|PM)?\b[^\n]*(?:\n(?![ \t]*\n|[ \t]*(?:\*|HAZARD\.))[^\n]*)*)/im
const STORM = /\b(?:storms?|thunderstorms?|tornado(?:es)?|waterspouts?|squalls?|winds|circulation|rotation)\b/i

/** Longer than this, the place of a storm is told after its hazard. */
const MOST_SEEN = 150
const EMERGENCY = /\b(?:TORNADO|FLASH FLOOD) EMERGENCY FOR\b/i

/** Where the storm is and how it moves, and then its HAZARD; null for a bulletin that follows no storm. */
function stormOf(description: string): string | null {
  const told = sentences(SEEN.exec(description)?.[1] ?? '')
  const seen = told.find((sentence) => !EMERGENCY.test(sentence)) ?? ''
  if (!STORM.test(seen) || /\b(?:flood|rain (?:has|have)|heavy rain)/i.test(seen)) return null
  const hazard = oneLine(block(description, 'HAZARD') ?? '')
  // The ends of a long line of storms say less than what they bring.
  return (seen.length > MOST_SEEN && hazard !== '' ? [hazard, seen] : [seen, hazard])
    .filter((part) => part !== '')
    .join(' ')
}

/** Wind and humidity, which make a fire weather product; null when it gives neither. */
function fireWeather(description: string, event: string): string | null {
  const said = (name: string): string =>
    aboutEvent(sentences(block(description, name) ?? ''), { event, times: NO_TIMES, description })
  const wind = said('(?:WINDS?|[Ww]inds?)').replace(
    /^(?:For [^,\d]{0,40}?(?=\b(?:north|south|east|west|variable|winds?)))?(?:winds?:?\s+)?/i,
    ''
  )
  const humidity = said('(?:(?:MINIMUM )?(?:RELATIVE )?HUMIDIT(?:Y|IES)|(?:[Rr]elative )?[Hh]umidity)')
  const dry = /(?:as low as |down to |of |near |around )?(\d+(?: (?:to|and|-) \d+)?) ?(?:percent|%)/i.exec(
    humidity
  )?.[1]
  const [first = ''] = sentences(wind)
  const blowing = /\d/.test(first) ? first.replace(/[.\s]+$/, '') : ''
  const facts = [
    blowing === '' || /\bwinds?\b/i.test(blowing) ? blowing : `Wind ${blowing}`,
    dry === undefined ? '' : `humidity ${dry} percent`
  ]
  const told = facts.filter((fact) => fact !== '').join(', ')
  return told === '' ? null : told
}

/** Bullets that say where and when, which the message has already, or how to read the product. */
const PLACE_OR_TIME =
  /^\*\s*(?:(?:AFFECTED AREAS?|LOCATIONS?(?: AFFECTED| IMPACTED)?|TIMING|WHEN|WHERE|CHANGES[ A-Z]*|NEW INFORMATION|CURRENT WATCHES[ /A-Z]*)(?:\.{3}|:)|(?:portions? of|the following|through|until|from)\b|(?:[A-Z][\w-]* ){1,5}(?:warning|watch|advisory|statement) for\b)/i

/** What goes on with names. */
const LIST =
  /^(?:Some |Other )?(?:locations|areas|this includes)\b[^.]{0,60}\b(?:includ\w+|following|of)\b[^.]{0,40}\.{3}/i

/** The first sentence of a paragraph that says something new: `* WINDS...Southwest 25 mph` becomes `Winds: Southwest 25 mph`. */
function toldBy(paragraph: string): string {
  if (isHeading(paragraph) || isTable(paragraph) || PLACE_OR_TIME.test(paragraph) || LIST.test(paragraph)) return ''
  const bare = paragraph
    .replace(
      /^\*\s*([A-Z])([A-Z /]{2,40})\.{3}/i,
      (_, first: string, rest: string) => `${first}${rest.toLowerCase()}: `
    )
    .replace(/^(?:\.(?=\w)|\*\s*)/, '')
  const all = sentences(bare).filter((sentence) => !isRestated(sentence) && !NAMED_AGAIN.test(sentence))
  const [first = ''] = all
  if (FIGURE.test(first)) return first
  // What happens, and then how much of it.
  const figures = all
    .slice(1, 4)
    .find((sentence) => FIGURE.test(sentence) && first.length + sentence.length < MOST_TOLD)
  return figures === undefined ? first : `${first} ${figures}`
}

/** `STORM WARNING TODAY`: its name and its time. */
const NAMED_AGAIN =
  /^(?:[\w-]+ ){1,4}(?:watch|warning|advisory)(?: (?:in effect|from|to|today|tonight|through|this|until|late|early|\w+day|and|night|morning|afternoon|evening))+$/i

/** An amount with its unit. */
const FIGURE = /\d ?(?:km\/h|m\/s|mph|kt|kn|mm|cm|l\/m|inch|feet|ft\b|%|percent|°|degrees)/i
const MOST_TOLD = 260

/** Columns of counties or cities, a line of codes, or names without a sentence. */
function isTable(paragraph: string): boolean {
  const lines = paragraph.split('\n')
  const columns = lines.filter((line) => /\S {3,}\S/.test(line))
  if (columns.length * 2 > lines.length) return true
  if (/^[A-Z]{2}[CZ]\d{3}[->]/.test(paragraph)) return true
  return !/[a-z\d]/.test(paragraph) && !/[.!?]/.test(paragraph)
}

/** That something was issued, or is in effect, is what the head of the message says already; what a product is nobody asks. */
const RESTATED = [
  /^The (?:U\.?S\.? )?National Weather Service\b.{0,60}\b(?:has|have) (?:issued|extended|updated|cancel+ed|expanded)\b/i,
  /^The NWS Storm Prediction Center has issued\b/i,
  /^(?:An? |The )?(?:[\w-]+ ){1,5}(?:watch|warning|advisory|statement)(?: (?:number )?\d{1,4})? (?:is|are|remains?|continues|will be|has been|means)\b/i,
  /^[\w ]+ issued .{0,80}\bby NWS\b/i,
  /^In [\w ]{3,30} this (?:watch|warning|advisory) includes\b/i,
  /^This (?:(?:watch|warning|advisory) )?includes\b/i,
  /^This product covers\b/i,
  /^(?:The )?(?:areas?|locations?|following (?:areas?|locations?|counties))(?: \w+)? (?:affected|impacted|include)\b/i,
  /^(?:Some )?locations (?:impacted|affected|that)\b/i,
  /^[A-Z0-9>-]{6,}-\d{6}-/
]

/** True for a sentence that only repeats what, until when and by whom. */
function isRestated(sentence: string): boolean {
  return RESTATED.some((pattern) => pattern.test(sentence))
}

const RIVER = /^[^.,;]{0,60}\b(?:river|creek|bayou|fork|brook|slough|stream)\b[^,;]{0,50}$/i

/** The river of the WHERE of a bulletin, `Cedar River at Renton`; '' where it names counties. */
function riverOf(description: string): string {
  const where = oneLine(block(description, 'WHERE') ?? '').replace(/\.$/, '')
  return RIVER.test(where) ? where : ''
}

/** Two rivers of one county flood at once, and only WHERE tells which: `Cedar River at Renton: Minor flooding …`. */
function withRiver(sentence: string, description: string, event: string): string {
  const river = /^flood /i.test(event) && sentence !== '' ? riverOf(description) : ''
  return river === '' || sentence.includes(river) ? sentence : `${river}: ${sentence}`
}

/** What is said of one hazard of several; `about` is '' where a passage names none. */
interface Passage {
  about: string
  /** As it stands, and without `For the Gale Watch,`. */
  whole: string
  rest: string
}

const NAMES_HAZARD =
  /^For (?:the |both )?([^,]{0,80}?\b(?:warning|watch|advisory|statement|risk)s?\b[^,]{0,60}), (.+)$/i

interface Sought {
  event: string
  times: HazardTimes
  description: string
}

/** `For the Gale Watch, east winds …` names the hazard it speaks of; what is said of another one would be wrong here. */
function aboutEvent(all: readonly string[], sought: Sought): string {
  const own = passagesOf(passagesIn(all), sought.event)
  const told = own.length > 1 ? ofSeveral(own, sought) : own[0]
  if (told === undefined) return ''
  return clip(told.about === '' ? told.whole : capitalised(told.rest), LONG)
}

function passagesIn(all: readonly string[]): Passage[] {
  const passages: Passage[] = []
  for (const whole of all) {
    const [, about = '', rest = whole] = NAMES_HAZARD.exec(whole) ?? []
    const last = passages.at(-1)
    // A sentence that names no hazard goes on about the one before it.
    if (about !== '' || last === undefined) passages.push({ about: about.toLowerCase(), whole, rest })
    else Object.assign(last, { whole: `${last.whole} ${whole}`, rest: `${last.rest} ${whole}` })
  }
  return passages
}

/**
 * Of a first and a second warning of one name WHEN says which has these times. Where it does not, the one that has not begun
 * is the second of two, and else the passage says itself which it is about.
 */
function ofSeveral(own: readonly Passage[], { event, times, description }: Sought): Passage | undefined {
  const whens = passagesOf(passagesIn(sentences(block(description, 'WHEN') ?? '')), event)
  const hits = whens.map(
    ({ rest }) => times.labels.filter((label) => new RegExp(`\\b${label}\\b`, 'i').test(rest)).length
  )
  const most = Math.max(0, ...hits)
  const best = hits.filter((count) => count === most).length === 1 ? whens[hits.indexOf(most)] : undefined
  const timed = most === 0 ? undefined : own.find(({ about }) => about === best?.about)
  if (timed !== undefined) return timed
  const [first, second] = own
  const oneRuns = /\buntil\b/i.test(whens[0]?.rest ?? '') && !/\bfrom\b/i.test(whens[0]?.rest ?? '')
  if (own.length === 2 && (oneRuns || times.begins === null)) return times.begins === null ? first : second
  return first === undefined ? undefined : { ...first, about: '' }
}

/** The passages that name the event, else those that name its hazard with another word for the level, else the first that names none. */
function passagesOf(passages: readonly Passage[], event: string): Passage[] {
  const name = event.toLowerCase()
  const hazard = name.replace(/ (?:warning|watch|advisory|statement)$/, '')
  // `For Warning this afternoon` leaves the hazard out.
  const level = name.slice(name.lastIndexOf(' ') + 1)
  for (const wanted of [name, hazard, level]) {
    const found = passages.filter(({ about }) => wanted !== '' && about.includes(wanted))
    if (found.length > 0) return found
  }
  const [first] = passages
  return first === undefined || first.about !== '' ? [] : [first]
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Headlines in dots, product identifiers and empty lines. */
function isHeading(paragraph: string): boolean {
  return paragraph === '' || paragraph.startsWith('...') || /^(?:[A-Z0-9]{6}|[A-Z][A-Z ,&/-]{2,60})$/.test(paragraph)
}

/** The text of `* NAME...text` or `NAME...text` up to the next empty line or bullet, or null. */
function block(description: string, name: string): string | null {
  const start = new RegExp(`^[ \\t]*(?:\\*[ \\t]*)?(?:${name})(?:\\.{3}|:)`, 'm').exec(description)
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

/** A headline that fits a message says more than the first sentence of a forecaster's prose. Characters. */
const SHORT_HEADLINE = 110

/**
 * The detail of a statement or outlook written as prose: its headline, in usual spelling, where that is short and says
 * something. Everything else keeps `detail`.
 */
export function headlined(
  detail: string,
  { description, event, headline }: { description: string; event: string; headline: string }
): string {
  const isProse =
    block(description, 'WHAT') === null && block(description, 'HAZARD') === null && stormOf(description) === null
  const line = headlineOf(headline).replace(/^\.{3}|\.{3}$/g, '')
  if (!isProse || !/(?:statement|outlook)$/i.test(event) || line.length < 12 || line.length > SHORT_HEADLINE)
    return detail
  if (/\b(?:in effect|cancel+ed|will expire|advisory for)\b/i.test(line)) return detail
  return inUsualSpelling(line, description)
}

/** A line all in capitals in small letters, but for names that the text writes with a capital inside a sentence. */
function inUsualSpelling(line: string, text: string): string {
  if (/[a-z]/.test(line)) return line
  const names = new Map([...text.matchAll(/[a-z,] ([A-Z][a-z]+)/g)].map(([, name = '']) => [name.toLowerCase(), name]))
  return capitalised(line.toLowerCase().replace(/[a-z]+/g, (word) => names.get(word) ?? word))
}
