import { abbreviateEvent, levelWord } from './abbreviations.ts'
import type { Draft } from './draft.ts'
import { placesOf, textFact } from './facts.ts'
import { fitPlaces } from './places.ts'
import type { ComposeRequest } from './request.ts'
import { sanitise } from './sanitise.ts'

/** `WINTER STORM WARN (was WATCH)`: whoever heard of the watch knows that this takes its place (`data.replaces`). */
export function raised(draft: Draft, { event, merged = [] }: ComposeRequest): Draft {
  const was = textFact(event.data, 'replaces')
  if (was === '' || merged.some(({ data }) => textFact(data, 'replaces') !== was)) return draft
  const level = levelWord(was) ?? abbreviateEvent(was)
  return { ...draft, facts: [`(was ${level})`, draft.facts].filter((fact) => fact !== '').join(' ') }
}

/** The places where a warning goes on of which a part ended. */
export const remainsOf = ({ event }: ComposeRequest): string[] =>
  placesOf([{ ...event, data: { places: event.data['remains'] as string[] } }])

/** `Now WIND ADV`: what a watch became, where that is not told (`data.replaced_by`). */
export function replacementOf({ event }: ComposeRequest): string {
  const heir = event.data['replaced_by']
  const name = typeof heir === 'object' && heir !== null && 'event_name' in heir ? heir.event_name : ''
  return typeof name === 'string' && name !== '' ? `Now ${abbreviateEvent(sanitise(name))}` : ''
}

/** Places where it goes on take no more than this of an end. */
const REMAINS_BYTES = 60

/**
 * An end names what ended, where and when; what it was like no longer matters. Where only a part ended (`data.remains`), it
 * names that part and what goes on: the name of the region alone would sound all clear.
 */
export function ending(
  draft: Draft,
  word: string,
  { stamp, now, remains }: { stamp: string; now: string; remains: readonly string[] }
): Draft {
  const { phrases, regions, places } = draft.where
  const what = draft.what.replace(
    /^(?:entwarnung|all[- ]clear|aufhebung|cancel+ed|cancel+ation)\b(?: f[üu]r| for)?\s*[:–-]?\s*/iu,
    ''
  )
  const going = remains.length === 0 ? '' : `Still on: ${fitPlaces(remains, REMAINS_BYTES).text}`
  const partOnly = going !== '' && places.length > 0
  return {
    ...draft,
    what: `${word} ${what || draft.what}`,
    facts: '',
    where: {
      ...draft.where,
      phrases: phrases.slice(-1),
      regions: partOnly ? [] : regions,
      counties: partOnly || draft.where.counties
    },
    extra: '',
    detail: [now, going].filter((sentence) => sentence !== '').join('. '),
    guidance: [],
    urgent: 0,
    time: { joint: ' ', variants: stamp === '' ? [] : [stamp], last: false }
  }
}
