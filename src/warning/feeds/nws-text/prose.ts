import { callToAction, urgentCall } from '../polling/calls.ts'
import { hazardSentence } from '../reading/hazard.ts'
import { headlineOf } from '../reading/headline.ts'
import type { HazardTimes } from '../reading/passages.ts'
import { clip, oneLine, sentences } from '../reading/prose.ts'
import { calmText } from '../reading/spelling.ts'
import { countiesIn, placeNames, placesAfterFor, quakePlaceIn } from './places.ts'
import type { Segment } from './product.ts'
import { parseTimeLine } from './times.ts'

/** The words of a segment for people. */
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
  const [story = '', ...actions] = spoken.split(/^[ \t]*(?:\*[ \t]*)?PRECAUTIONARY ?\/ ?PREPAREDNESS ACTIONS\.{3}/m)
  const headline = headlineAbout(story, event)
  const named = coded < 0 ? [] : placeNames(namesBelow(lines, coded + 1, timed))
  const [places = []] = [named, placesAfterFor(story), countiesIn(lines.join('\n')), quakePlaceIn(story, event)]
    .filter((names) => names.length > 0)
    .map((names) => names.slice(0, MAX_PLACES))
  const calm = (told: string): string => calmText(clip(told, 400), spoken, places)
  return {
    body: clip(spoken.trim(), MAX_BODY),
    headline: headlineOf(headline),
    places,
    detail: calm(detailOf({ story, event, headline, times })),
    instruction: calm(callToAction(actions.join('\n'), event) || urgentCall(story))
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

/** The lines between the codes and the time, or, where no time follows, up to the next empty line. */
function namesBelow(lines: readonly string[], start: number, timed: number): string[] {
  const end = timed < 0 ? lines.findIndex((line, at) => at >= start && line.trim() === '') : timed
  return lines.slice(start, Math.max(start, end))
}

/** The last of the lines of codes: UGC, P-VTEC and H-VTEC. */
function lastCodeLine(lines: readonly string[], after: number): number {
  let last = after - 1
  while (/^\/[A-Z0-9.]+\/$|^\/[OTEX]\..+\/$/.test((lines[last + 1] ?? '').trim())) last++
  return last
}

/** The event itself; else the impacts, else the headline. A place for which an emergency was declared comes first. */
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
