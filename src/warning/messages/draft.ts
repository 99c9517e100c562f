import type { LookoutEvent } from '../../model/event.ts'
import { isNamedAgain } from '../../model/named-again.ts'
import { isAtLeast } from '../../model/severity.ts'
import { isUrgent } from '../../model/urgent.ts'
import type { Pattern } from './catalogue/words.ts'
import { clean, textFact } from './facts.ts'
import { instructionSentences, phoneGuidance, shortCall } from './guidance.ts'
import { timed } from './moments.ts'
import { fitPlaces, fitRegions } from './places.ts'
import type { ComposeRequest } from './request.ts'
import { sanitise } from './sanitise.ts'
import { leadSentences, splitSentences, withoutStop } from './sentences.ts'
import { shortSource } from './signature.ts'
import { terse } from './terse.ts'
import { parseInstant, parseMoment } from './times.ts'
import type { TimeWord } from './tongues.ts'
import { areaWhere, type Where } from './where.ts'
import { momentText, wordsOf } from './wording.ts'

/** The event's own time: the same in several lengths, longest first. */
export interface DraftTime {
  joint: ' ' | ', ' | '. '
  variants: string[]
  /** Stands after DETAIL instead of after WHERE. */
  last: boolean
}

/** A message before it is fitted into its budget, in reading order. Empty texts are left out. */
export interface Draft {
  /** Hazard word and level. */
  what: string
  /** The particular one: the name of a fire, a road, a magnitude. */
  subject: string
  /** Figures that follow the name. */
  facts: string
  whereJoint: ' ' | ', '
  where: Where
  /** A further figure, between WHERE and time. */
  extra: string
  time: DraftTime
  detailJoint: '. ' | ': '
  detail: string
  /** DO: sentences of guidance, of which the last go first. */
  guidance: string[]
  /** The number of them that save lives: they outlast DETAIL. */
  urgent: number
  /** True when the guidance outlasts whatever DETAIL says behind its first sentence. */
  grave: boolean
  source: string
  /** The part that is in the source's own words, in its tongue: WHAT, or the name behind it. */
  own?: 'what' | 'subject'
  /** How its end is said, where not as that of any thing. */
  cancel?: Pattern
  /** Without its DETAIL nobody knows what to do. */
  needsDetail?: boolean
}

/** A summary gives at most this much detail, in whole sentences; where more parts are allowed, what they hold. */
const SUMMARY_BYTES = 100
const REGION_IN_GUIDANCE_BYTES = 24

/** The parts that all families share; the templates replace what they know better. */
export function baseDraft(request: ComposeRequest): Draft {
  const { event } = request
  const detail = severalRivers([...(request.merged ?? []), event]) ?? terse(detailOf(request))
  const { sentences, urgent } = guidanceOf(request, detail)
  return {
    what: titleOf(event),
    subject: '',
    facts: '',
    whereJoint: ' ',
    where: areaWhere(request),
    extra: '',
    time: standardTime(request),
    detailJoint: '. ',
    detail: withoutCalls(detail, sentences),
    guidance: sentences,
    urgent,
    grave: isAtLeast(event.severity, 'critical'),
    source: shortSource(withoutStop(textFact(event.data, 'attribution')))
  }
}

/** The title as it may begin a text; empty when nothing readable is in it. */
export function titleOf(event: LookoutEvent): string {
  return withoutStop(sanitise(event.title.slice(0, 1000)))
}

const RIVER = /^([^:]{3,70}): ((?:record |major |moderate |minor )?flooding(?: (?:forecast|expected|possible))?)?/i
const GRAVITY = ['record', 'major', 'moderate', 'minor']

/** One sentence for each river of several, the gravest first; null for one river or none. */
function severalRivers(events: readonly LookoutEvent[]): string | null {
  const rivers = new Map<string, string>()
  for (const { data } of events) {
    const [whole = '', river = '', grade = ''] = RIVER.exec(textFact(data, 'detail')) ?? []
    if (whole === '' || !/\bflood/i.test(textFact(data, 'event_name'))) return null
    rivers.set(river, grade)
  }
  if (rivers.size < 2) return null
  const rank = (grade: string): number => (GRAVITY.indexOf(grade.split(' ')[0] ?? '') + GRAVITY.length) % GRAVITY.length
  const sorted = [...rivers].sort(([, one], [, other]) => rank(one) - rank(other))
  const told = sorted.map(([river, grade]) => (grade === '' ? river : `${river}: ${grade}`))
  return `${rivers.size} rivers. ${told.join('. ')}`
}

function detailOf({ event, limitBytes, maxParts = 1 }: ComposeRequest): string {
  // The head of a quake's text names the depth already.
  const withoutDepth = (text: string): string =>
    event.data.depth_km === undefined ? text : text.replace(/^Depth -?[\d.]+ (?:km|mi)\.\s*/, '')
  const detail = withoutStop(
    withoutPreamble(withoutLinks(withoutDepth(textFact(event.data, 'detail')))) ||
      leadSentences(tellingSummary(withoutDepth(event.summary)), maxParts > 1 ? limitBytes * maxParts : SUMMARY_BYTES)
  )
  const repeats = titleOf(event).toLowerCase().startsWith(sanitise(detail).toLowerCase())
  return repeats || !/[\p{L}\p{N}]/u.test(detail) ? '' : detail
}

/** A summary, unless it is a headline of nothing but names of products and their times. */
function tellingSummary(summary: string): string {
  const line = withoutLinks(clean(summary))
  return line.split(/\.{3}\s+\.{3}/).every((one) => isNamedAgain(one.trim())) ? '' : line
}

/** The clock of the bulletin's own zone, beside times of the station's, and who issued it: both are said already. */
const PREAMBLES = [
  /(^|[.!?] )At (?:noon|midnight|\d{3,4} [AP]M) [A-Z]{3,4}(?: \/[^/]{3,20}\/)?(?:, |\.\.\.| )(?:an? )?/gi,
  /^()At \d{1,2}:\d\d [ap]\.m\. [A-Z]{3,4}, (?:an? )?/,
  /^()Environment Canada meteorologists are tracking (?:an? )?/i,
  /^()The National Weather Service (?:in [\w ./-]{3,40}? )?has issued an? (?:[\w-]+ ){1,4}(?:warning|statement) for /i
]

/** Nobody opens a link on a mesh, and what only leads to one says nothing. */
function withoutLinks(text: string): string {
  return text
    .replace(/\bread more\b[.:]?/gi, '')
    .replace(LINK, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[.,;])/g, '')
    .trim()
}

const LINK =
  /(?:\b(?:for (?:more|further|additional) (?:information|details|info),? ?)?(?:please )?(?:see|visit|go to|details?(?: at| on)?:?|more(?: at)?:?|check|at|on) )?\(?(?:https?:\/\/|www\.)[^\s)]+\)?/gi

/** Drops what a forecaster writes before the thing itself: what follows has to fit a packet. */
function withoutPreamble(detail: string): string {
  const bare = PREAMBLES.reduce((text, pattern) => text.replace(pattern, (_, stop = '') => stop), detail)
  return bare === detail
    ? detail
    : bare.replace(/(^|[.!?] )(\p{Ll})/gu, (_, stop: string, letter: string) => stop + letter.toUpperCase())
}

/** `If you are in this coastal area, move to higher ground` says no more than its call. */
const isOnly = (call: string, sentence: string): boolean =>
  /^if you\b/i.test(sentence) && withoutStop(sentence).toLowerCase().endsWith(withoutStop(call).toLowerCase())

/** A call that DETAIL says behind its first sentence stands in DO, where it stays longer. */
function withoutCalls(detail: string, calls: readonly string[]): string {
  const [first = '', ...rest] = splitSentences(detail)
  if (calls.some((call) => isOnly(call, first))) return withoutCalls(rest.join(' '), calls)
  const kept = rest.filter((sentence) => !calls.some((call) => sentence.toLowerCase().includes(call.toLowerCase())))
  return kept.length === rest.length ? detail : withoutStop([first, ...kept].join(' '))
}

/** The guidance, what saves lives first; what DETAIL says already is left out. */
function guidanceOf(request: ComposeRequest, detail: string): { sentences: string[]; urgent: number } {
  const [first = ''] = splitSentences(detail)
  const said = first.toLowerCase()
  const repeats = (call: string): boolean => said.includes(call.toLowerCase()) && !isOnly(call, first)
  const calls = callsOf(request)
    .map((call) => shortCall(toAllHere(withoutLinks(call), request)))
    .filter((call) => call !== '' && !repeats(call))
  const urgent = calls.filter(isUrgent)
  const asked = [...urgent, ...calls.filter((call) => !isUrgent(call))]
  return { sentences: asked, urgent: Math.min(1, urgent.length) }
}

/** `People between Cairns and Townsville should stay inside`, to Cairns to Townsville: everybody here is meant. */
function toAllHere(call: string, { event }: ComposeRequest): string {
  const [, where = '', asked = ''] =
    /^(?:people|persons|residents|those|everyone) (?:in|between|within|of|near) (.{3,60}?) (?:must|should|are (?:urged|advised|asked) to) (.+)$/i.exec(
      call
    ) ?? []
  const names = where.match(/\p{Lu}[\p{L}'-]+/gu) ?? []
  const here = (event.data.places ?? []).join(' ')
  if (names.length === 0 || /\d|\b(?:of|within)\b/.test(where) || !names.every((name) => here.includes(name)))
    return call
  return asked.charAt(0).toUpperCase() + asked.slice(1)
}

function callsOf(request: ComposeRequest): string[] {
  const { data } = request.event
  const { regions, places, counties } = areaWhere(request)
  const region = fitRegions(regions, REGION_IN_GUIDANCE_BYTES).text
  const place = region || fitPlaces(places, REGION_IN_GUIDANCE_BYTES, { counties }).text
  const phone = phoneGuidance(textFact(data, 'short_text'), place)
  return phone.length > 0 ? phone : instructionSentences(textFact(data, 'instruction'))
}

/**
 * The time every copy of a text carries (contract §6): `til` the end, with `from` when the hazard is still ahead, with `since`
 * when it is told late; else the source's own time in parentheses. Until further notice is no time, so that it has both.
 */
export function standardTime(request: ComposeRequest): DraftTime {
  const { event, nowMs } = request
  const furtherNotice = event.data['until_further_notice'] === true
  const end = latestEnd([event, ...(request.merged ?? [])])
  const { fixed } = wordsOf(request)
  const open = furtherNotice ? fixed.furtherNotice : ''
  const until = end === null ? open : timed(fixed.until, momentText(request, end))
  const variants: string[] = []
  const onset = parseInstant(event.onset)
  if (end !== null && onset !== null && onset > nowMs && onset < end)
    variants.push(`${timed(fixed.from, momentText(request, onset))} ${until}`)
  const since = request.late === true && end !== null ? begunAt(event, nowMs) : null
  if (since !== null)
    return { joint: ' ', variants: [`${timed(fixed.since, momentText(request, since))} ${until}`], last: false }
  const stamp = end === null ? sentStamp(request, furtherNotice ? fixed.asOf : '$') : ''
  const text = [until, stamp].filter((piece) => piece !== '').join(' ')
  return { joint: ' ', variants: text === '' ? variants : [...variants, text], last: false }
}

/** The time it began: its onset, else when its source said so; null while it is ahead. */
function begunAt({ onset, sent_at }: LookoutEvent, nowMs: number): number | null {
  const begun = parseMoment(onset) ?? parseMoment(sent_at)
  return begun === null || begun > nowMs ? null : begun
}

/** The stamp of the source's own time, `(6:21p)`; empty when it named no readable time. */
export function sentStamp(request: ComposeRequest, form: TimeWord = '$'): string {
  const sent = parseMoment(request.event.sent_at)
  return sent === null ? '' : `(${timed(form, momentText(request, sent))})`
}

/** The stamp of an end: the end of the event if that has passed, else the source's own time. */
export function endedStamp(request: ComposeRequest): string {
  const { event, nowMs } = request
  const end = parseInstant(event.expires)
  return end !== null && end <= nowMs ? `(${momentText(request, end)})` : sentStamp(request)
}

/** An end that only the reader assumed (`data.end_assumed`) is not told. */
function latestEnd(events: readonly LookoutEvent[]): number | null {
  let latest: number | null = null
  for (const { expires, data } of events) {
    const end = data['end_assumed'] === true ? null : parseInstant(expires)
    if (end !== null && (latest === null || end > latest)) latest = end
  }
  return latest
}

/** `Upd 9:42a`: as of when the figures are, for things that have no end yet. */
export function updatedTime(request: ComposeRequest, last: boolean): DraftTime {
  const sent = parseMoment(request.event.sent_at)
  const { updated } = wordsOf(request).fixed
  return { joint: '. ', variants: sent === null ? [] : [timed(updated, momentText(request, sent))], last }
}
