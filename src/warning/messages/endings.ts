import { abbreviateEvent, levelWord } from './abbreviations.ts'
import { type Pattern, put } from './catalogue/words.ts'
import type { Draft } from './draft.ts'
import { levelIn } from './draft-terms.ts'
import { placesOf, textFact } from './facts.ts'
import { fitPlaces } from './places.ts'
import { productIn } from './products.ts'
import type { ComposeRequest } from './request.ts'
import { sanitise } from './sanitise.ts'
import { termsOf, wordsOf } from './wording.ts'

/** `WINTER STORM WARN (was WATCH)`: whoever heard of the watch knows that this takes its place (`data.replaces`). */
export function raised(draft: Draft, request: ComposeRequest): Draft {
  const { event, merged = [] } = request
  const was = textFact(event.data, 'replaces')
  if (was === '' || merged.some(({ data }) => textFact(data, 'replaces') !== was)) return draft
  const terms = termsOf(request)
  const word = levelWord(was)
  const level = terms === null ? (word ?? abbreviateEvent(was)) : levelIn(terms, word ?? '')
  if (level === null) return draft
  return { ...draft, facts: [put(wordsOf(request).was, level), draft.facts].filter((fact) => fact !== '').join(' ') }
}

/** Places where it goes on take no more than this of an end. */
const REMAINS_BYTES = 60

/** `Still on: Blaine Co ID`: where a warning goes on of which a part ended. */
export function remainsOf(request: ComposeRequest): string {
  const { event } = request
  const remains = placesOf([{ ...event, data: { places: event.data['remains'] as string[] } }])
  return remains.length === 0 ? '' : put(wordsOf(request).stillOn, fitPlaces(remains, REMAINS_BYTES).text)
}

/** `Now WIND ADV`: what a watch became, where that is not told (`data.replaced_by`). */
export function replacementOf(request: ComposeRequest): string {
  const { event } = request
  const heir = event.data['replaced_by']
  const name = typeof heir === 'object' && heir !== null && 'event_name' in heir ? heir.event_name : ''
  if (typeof name !== 'string' || name === '') return ''
  const product = productIn(request, name) ?? (termsOf(request) === null ? abbreviateEvent(sanitise(name)) : null)
  return product === null ? '' : put(wordsOf(request).now, product)
}

/**
 * An end names what ended, where and when; what it was like no longer matters. Where only a part ended (`data.remains`), it
 * names that part and what goes on: the name of the region alone would sound all clear.
 */
export function ending(
  draft: Draft,
  form: Pattern,
  { stamp, now, remains }: { stamp: string; now: string; remains: string }
): Draft {
  const { phrases, regions, places } = draft.where
  const what = draft.what.replace(
    /^(?:entwarnung|all[- ]clear|aufhebung|cancel+ed|cancel+ation)\b(?: f[üu]r| for)?\s*[:–-]?\s*/iu,
    ''
  )
  const partOnly = remains !== '' && places.length > 0
  return {
    ...draft,
    what: put(form, what || draft.what),
    facts: '',
    where: {
      ...draft.where,
      phrases: phrases.slice(-1),
      regions: partOnly ? [] : regions,
      counties: partOnly || draft.where.counties
    },
    extra: '',
    detail: [now, remains].filter((sentence) => sentence !== '').join('. '),
    guidance: [],
    urgent: 0,
    time: { joint: ' ', variants: stamp === '' ? [] : [stamp], last: false }
  }
}
