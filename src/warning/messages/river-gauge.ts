import { METRES_PER_FOOT } from '../../model/units.ts'
import { put, putAll } from './catalogue/words.ts'
import { baseDraft, type Draft, titleOf } from './draft.ts'
import { numberFact, textFact } from './facts.ts'
import type { ComposeRequest } from './request.ts'
import { parseInstant } from './times.ts'
import { pointWhere } from './where.ts'
import { momentText, termsOf, wordsOf } from './wording.ts'

/**
 * `RIVER Payette@Horseshoe Bend 12.4ft rising, FLOOD 11.0, crest 13.1 Sun 4a (10:15p)`, from `gauge`, `stage_ft` or
 * `stage_m`, `trend`, `flood_stage_ft` or `_m`, `crest_ft` or `_m` and `crest_time` of the event's data.
 */
export function riverGauge(request: ComposeRequest): Draft {
  const { event } = request
  const gauge = textFact(event.data, 'gauge')
  const base = baseDraft(request)
  const atPoint = gauge === '' ? pointWhere(request, false) : { phrases: [], regions: [], places: [], counties: false }
  return {
    ...base,
    what: wordsOf(request).river,
    subject: gauge || titleOf(event),
    facts: figures(request),
    whereJoint: ', ',
    where: atPoint
  }
}

function figures(request: ComposeRequest): string {
  const { event, station } = request
  const said = wordsOf(request)
  const unit = station.units === 'imperial' ? 'ft' : 'm'
  const stage = height(request, 'stage')
  const flood = height(request, 'flood_stage')
  const crest = height(request, 'crest')
  const crestAt = parseInstant(event.data['crest_time'])
  const pieces = [
    [stage === '' ? '' : stage + unit, trendText(request)],
    flood === '' ? [] : [put(said.floodAt, stage === '' ? flood + unit : flood)],
    crest === '' ? [] : [putAll(said.crest, [crest, crestAt === null ? '' : momentText(request, crestAt)]).trim()]
  ]
  const words = pieces.map((piece) => piece.filter((word) => word !== '').join(' '))
  return words.filter((word) => word !== '').join(', ')
}

/** `rising`, in the channel's language where it is a word we know. */
function trendText(request: ComposeRequest): string {
  const trend = textFact(request.event.data, 'trend')
  return new Map(Object.entries(termsOf(request)?.trends ?? {})).get(trend) ?? trend
}

function height({ event, station }: ComposeRequest, key: string): string {
  const feet = numberFact(event.data, `${key}_ft`)
  const metres = numberFact(event.data, `${key}_m`) ?? (feet === null ? null : feet * METRES_PER_FOOT)
  if (metres === null) return ''
  if (station.units === 'metric') return metres.toFixed(1)
  return (feet ?? metres / METRES_PER_FOOT).toFixed(1)
}
