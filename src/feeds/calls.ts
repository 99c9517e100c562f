import { isUrgent } from '../events/urgent.ts'
import { oneLine, sentences } from './prose.ts'

/** An instruction longer than this is no cry. Characters. */
const MOST_URGENT = 130

/** What says nothing to do now: where to read on, what a watch is, who asked for it. */
const EMPTY = [
  /^(?:A|An|The|There|This|These|It|In|For|Heavy snow will|Rip currents are|High surf will)\b/,
  /^(?:please )?(?:continue to )?(?:monitor|listen|stay tuned|check|consult|visit|refer|see|report|submit|tune)\b/i,
  /^you should (?:monitor|listen|continue)/i,
  /^(?:remember|additional information|persons? in these areas|most flood deaths|visibility)\b/i,
  /\bmeans that\b|\bweather\.gov\b|https?:|\bwww\.|\bnot applicable\b/i
]

/** `People in the path are urged to seek shelter` asks for `Seek shelter`. */
function imperative(sentence: string): string {
  const asked =
    /^.{0,160}?\b(?:(?:are|is) (?:urged|urgest|advised|asked|encouraged|ordered)(?: to)?|should|must)(?: immediately)? (?=(?:seek|move|evacuate|leave|shelter|take|stay|secure|remain|avoid|prepare|close)\b)/i.exec(
      sentence
    )?.[0]
  if (asked === undefined) return sentence
  const rest = sentence.slice(asked.length)
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

const IMPERATIVE =
  /^(?:if caught|take|seek|move|do not|don't|evacuate|turn around|leave|go|stay|avoid|get|use|shelter|abandon|remain|secure|fasten|slow|swim|heed|prepare|close|boil|comply|keep)\b/i

/**
 * What a bulletin tells people to do: the sentence that saves lives, else the first that says something to do. '' when it
 * only says where to read on, or what the product is. CAP writes `Not Applicable` where there is nothing.
 */
export function callToAction(instruction: string): string {
  if (/^\s*(?:not applicable|none|n\/a)\W*$/i.test(instruction)) return ''
  const all = sentences(oneLine(instruction).replace(/^(?:REMEMBER\.{3}|ACHTUNG!|HINWEIS:|NOTE:)\s*/i, ''))
  const urgent = all
    .filter((sentence) => isUrgent(sentence) && imperative(sentence).length < MOST_URGENT)
    .sort((a, b) => Number(b.length < 60) - Number(a.length < 60))
  if (urgent[0] !== undefined) return imperative(urgent[0])
  const useful = all.filter((sentence) => !EMPTY.some((pattern) => pattern.test(imperative(sentence))))
  const call = useful.find((sentence) => IMPERATIVE.test(imperative(sentence))) ?? useful[0]
  return call === undefined ? '' : imperative(call)
}

/** The sentence that saves lives of a text that has no part of its own for instructions; '' without one. */
export function urgentCall(text: string): string {
  const found = sentences(text).find((sentence) => isUrgent(sentence) && imperative(sentence).length < MOST_URGENT)
  return found === undefined ? '' : imperative(found)
}
