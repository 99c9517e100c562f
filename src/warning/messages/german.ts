import type { LookoutEvent } from '../../model/event.ts'
import type { Draft } from './draft.ts'
import { textFact } from './facts.ts'

/** The fixed words of a text whose source speaks German: an English heading over German words is read by nobody in a hurry. */

const HEADS: readonly (readonly [RegExp, string])[] = [
  [/^CANCEL (?:WARN|ALERT|WARNUNG)?\s*/, 'ENTWARNUNG '],
  [/^ENDED /, 'BEENDET '],
  [/^YELLOW\b/, 'GELB'],
  [/^RED\b/, 'ROT'],
  [/\bUPD$/, 'NEU'],
  [/\b(?:WARN|ALERT)\b/, 'WARNUNG'],
  [/\bWATCH\b/, 'VORWARNUNG'],
  [/\bADV\b/, 'HINWEIS'],
  [/\bSTMT\b/, 'MELDUNG']
]

const DAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({ Mon: 'Mo', Tue: 'Di', Wed: 'Mi', Thu: 'Do', Fri: 'Fr', Sat: 'Sa', Sun: 'So' })
)
const MONTHS: ReadonlyMap<string, string> = new Map(Object.entries({ Mar: 'März', May: 'Mai', Oct: 'Okt', Dec: 'Dez' }))

const TIMES: readonly (readonly [RegExp, string])[] = [
  [/\btil further notice\b/g, 'bis auf Weiteres'],
  [/\bas of\b/g, 'Stand'],
  [/\btil\b/g, 'bis'],
  [/\bfrom\b/g, 'ab'],
  [/\bUpd\b/g, 'Stand'],
  [/\bmidnight\b/g, 'Mitternacht'],
  [/\bnoon\b/g, '12:00']
]

/** True when the source speaks German by its own word for it. */
export function isGerman({ data }: LookoutEvent): boolean {
  const cap = data['cap']
  const said = typeof cap === 'object' && cap !== null && 'language' in cap ? cap.language : data['language']
  return /^de\b/i.test(typeof said === 'string' ? said : textFact(data, 'language'))
}

/** A draft with German fixed words; places, names and the source's own words stay. */
export function inGerman(draft: Draft): Draft {
  const variants = draft.time.variants.map(germanTime)
  return {
    ...draft,
    what: HEADS.reduce((text, [pattern, word]) => text.replace(pattern, word), draft.what).trim(),
    time: { ...draft.time, variants },
    detail: draft.detail.replace(/^Still on: /, 'Weiter gilt: ')
  }
}

function germanTime(text: string): string {
  const words = TIMES.reduce((time, [pattern, word]) => time.replace(pattern, word), text)
  const days = words.replace(/\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/g, (day) => DAYS.get(day) ?? day)
  return days.replace(
    /\b([A-Z][a-z]{2}) (\d{1,2})\b/g,
    (_, month: string, day: string) => `${day}. ${MONTHS.get(month) ?? month}`
  )
}
