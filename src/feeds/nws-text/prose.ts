import { callToAction, urgentCall } from '../calls.ts'
import { type HazardTimes, hazardSentence, headlineOf } from '../hazard.ts'
import { clip, oneLine, sentences } from '../prose.ts'
import type { Segment } from './product.ts'
import { parseTimeLine } from './times.ts'

/** What a segment says to people. */
export interface Wording {
  /** Without codes, place names and the line of the time. */
  body: string
  headline: string
  places: string[]
  detail: string
  instruction: string
}

const MAX_BODY = 20_000
const MAX_PLACES = 60

/** The readable parts of a segment about `event`; `times` when that is. */
export function wordingOf({ ugc, lines }: Segment, event: string, times?: HazardTimes): Wording {
  const coded = ugc === null ? -1 : lastCodeLine(lines, ugc.after)
  const timed = lines.findIndex((line, at) => at > coded && parseTimeLine(line) !== null)
  const text = tidy(lines.slice(Math.max(coded, timed) + 1).join('\n'))
  const [spoken = ''] = text.split(/^(?:&&|LAT\.\.\.LON\b)/m)
  const [story = '', ...actions] = spoken.split(/^PRECAUTIONARY\/PREPAREDNESS ACTIONS\.\.\.$/m)
  const headline = headlineAbout(story, event)
  const named = coded < 0 ? [] : placeNames(lines.slice(coded + 1, timed < 0 ? coded + 1 : timed))
  return {
    body: clip(spoken.trim(), MAX_BODY),
    headline: headlineOf(headline),
    places: (named.length > 0 ? named : placesAfterFor(story)).slice(0, MAX_PLACES),
    detail: clip(detailOf({ story, event, headline, times }), 400),
    instruction: clip(callToAction(actions.join('\n')) || urgentCall(story), 400)
  }
}

/** Of several headlines in dots the one that names the event: the others are of the other hazards of the segment. */
function headlineAbout(story: string, event: string): string {
  const all = [...story.matchAll(/^\.\.\.([^\n](?:[^\n]|\n(?!\n)){0,800}?)\.\.\.$/gm)].map(([, text = '']) =>
    oneLine(text)
  )
  return all.find((text) => text.toLowerCase().includes(event.toLowerCase())) ?? all[0] ?? ''
}

/** Without long runs of blanks and of empty lines: expressions that look for blocks stay quick. */
function tidy(text: string): string {
  const short = text.slice(0, MAX_BODY * 2)
  return short.replace(/[ \t]{20,}/g, ' '.repeat(19)).replace(/\n{3,}/g, '\n\n')
}

/** The last of the lines of codes: UGC, P-VTEC and H-VTEC. */
function lastCodeLine(lines: readonly string[], after: number): number {
  let last = after - 1
  while (/^\/[A-Z0-9.]+\/$|^\/[OTEX]\..+\/$/.test((lines[last + 1] ?? '').trim())) last++
  return last
}

/** `Calcasieu LA-` and the like: names between hyphens, up to the time line. */
function placeNames(lines: readonly string[]): string[] {
  const names = lines.filter((line) => line.trim() !== '')
  if (!names.some((line) => line.trim().endsWith('-'))) return []
  const [listed = ''] = names.join('\n').split(/^including the (?:cities|city|locations) of/im)
  return unique(
    oneLine(listed)
      .replace(/-(?=[A-Z]{2} SIDE\b)/gi, ' ')
      .split('-')
  ).map(calm)
}

/** `* Flood Warning for` and what is indented below; county names come without `in southeast Mississippi`. */
function placesAfterFor(story: string): string[] {
  const block = /\bfor(?: portions of)?(?:\.\.\.)?\s*\n((?:[ \t]{2,}\S[^\n]*\n?)+)/i.exec(story)?.[1]
  if (block === undefined) return []
  const names = block.split('\n').map((line) => {
    const name = oneLine(line)
      .replace(/[.\s]+$/, '')
      .replace(/^the (?=.*\b(?:river|creek|bayou|fork)\b)/i, '')
    return name.replace(/ in (?:(?:north|south|east|west|central)\w*[ -]?)+ ?[\w ]*$/i, '')
  })
  return unique(names).map(calm)
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

/** Names all in capitals in the usual spelling. */
export function calm(name: string): string {
  if (/[a-z]/.test(name)) return name
  const words = name
    .toLowerCase()
    .replace(/(^|[\s/(-])([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase())
  const usual = words.replace(/\b(?:In|And|Of|The|Near|At)\b/g, (word, at: number) =>
    at === 0 ? word : word.toLowerCase()
  )
  return usual.replace(/\b(?:Nra|Nwr|Nf|Nm|Az|Nv|Ut|Sw|Se|Nw|Ne|Us)\b/g, (word) => word.toUpperCase())
}

/** What happens; else the impacts, else the headline. A place for which an emergency was declared comes first. */
function detailOf({
  story,
  event,
  headline,
  times
}: {
  story: string
  event: string
  headline: string
  times: HazardTimes | undefined
}): string {
  const emergency = /\b((?:TORNADO|FLASH FLOOD) EMERGENCY FOR [^.]{2,80})\./i.exec(oneLine(story))?.[1]
  const impacts = /^[ \t]*\* IMPACTS?\.\.\.((?:[^\n]|\n(?!\n|[ \t]*\*))+)/im.exec(story)?.[1] ?? ''
  const hazard = hazardSentence(story, event, times)
  const bare =
    emergency === undefined
      ? hazard
      : hazard.replace(/\bAT \d{3,4} [AP]M [A-Z]{3,4}\.{3}(?:TORNADO|FLASH FLOOD) EMERGENCY FOR [^.]{2,80}\.\s*/i, '')
  const [told = ''] = [bare, sentences(impacts)[0], headline].filter((text) => text !== undefined && text !== '')
  return emergency === undefined ? oneLine(told) : oneLine(`${emergency}. ${told}`)
}
