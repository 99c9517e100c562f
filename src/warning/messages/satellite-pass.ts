import { put, type Words } from './catalogue/words.ts'
import { baseDraft, type Draft, titleOf } from './draft.ts'
import { numberFact, textFact } from './facts.ts'
import type { ComposeRequest } from './request.ts'
import { parseInstant } from './times.ts'
import { hourText, momentText, pointText, wordsOf } from './wording.ts'

/**
 * `PASS NOAA 20 rise 3:41p NNE max 62 E 3:48p set 3:55p S`, from `satellite`, `rise_time`, `rise_azimuth`, `max_time`,
 * `max_azimuth`, `max_elevation`, `set_time`, `set_azimuth` of the event's data (RFC 3339, degrees).
 */
export function satellitePass(request: ComposeRequest): Draft {
  const { data } = request.event
  const rise = moment(request, 'rise', true)
  const peak = peakOf(request)
  const set = moment(request, 'set', false)
  const variants = [[rise, peak, set], [rise, peak], [rise]].map((pieces) =>
    pieces.filter((piece) => piece !== '').join(' ')
  )
  return {
    ...baseDraft(request),
    what: wordsOf(request).pass,
    subject: textFact(data, 'satellite') || titleOf(request.event),
    time: { joint: ' ', variants: [...new Set(variants)], last: false }
  }
}

// Only the rise names its day: the rest of the pass follows within minutes.
function moment(request: ComposeRequest, what: 'rise' | 'set', withDay: boolean): string {
  const { data } = request.event
  const at = parseInstant(data[`${what}_time`])
  if (at === null) return ''
  const time = withDay ? momentText(request, at) : hourText(request, at)
  const words = wordsOf(request)
  const pieces = [time, azimuthText(words, data, `${what}_azimuth`)].filter((piece) => piece !== '')
  return put(words[what], pieces.join(' '))
}

function peakOf(request: ComposeRequest): string {
  const { event } = request
  const elevation = numberFact(event.data, 'max_elevation')
  if (elevation === null) return ''
  const at = parseInstant(event.data['max_time'])
  const time = at === null ? '' : hourText(request, at)
  const words = wordsOf(request)
  const pieces = [String(Math.round(elevation)), azimuthText(words, event.data, 'max_azimuth'), time]
  return put(words.peak, pieces.filter((piece) => piece !== '').join(' '))
}

function azimuthText(words: Words, data: ComposeRequest['event']['data'], key: string): string {
  const degrees = numberFact(data, key)
  return degrees === null ? '' : pointText(words, degrees)
}
