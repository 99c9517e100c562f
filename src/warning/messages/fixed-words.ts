import type { LookoutEvent } from '../../model/event.ts'
import type { Draft } from './draft.ts'
import { momentIn, timed } from './moments.ts'
import { declaredBy } from './spoken.ts'
import { type TimeWord, TONGUES, type Tongue } from './tongues.ts'

/** A time as `times.ts` writes it: `6:45p`, `Sat 7a`, `Jul 12 7a`, `Jul 12 2027`, `Fri midnight`. */
const MOMENT = '(?:[A-Z][a-z]{2} )?(?:\\d{1,2} )?(?:\\d[\\d:]*[ap]?|noon|midnight)'
const TIMED = new RegExp(`\\b(til|from|since|as of|Upd) (${MOMENT})`, 'g')
const STILL_ON = /^Still on(?=: )/

/**
 * A draft with its fixed words in the tongue that its source speaks by its own word for it: an English heading over German words is read
 * by nobody in a hurry. Places, names and the source's own words stay; so does a draft in a tongue without a table.
 */
export function inItsTongue(draft: Draft, event: LookoutEvent): Draft {
  const tongue = TONGUES.get(declaredBy(event))
  if (tongue === undefined) return draft
  return {
    ...draft,
    what: headIn(tongue, draft.what),
    time: { ...draft.time, variants: draft.time.variants.map((text) => timeIn(tongue, text)) },
    detail: draft.detail.replace(STILL_ON, tongue.stillOn)
  }
}

/** WHAT of a source that speaks this tongue, with the few English words in it. */
export function headIn({ levels = {}, ...tongue }: Tongue, what: string): string {
  return (
    what
      // `ENTWARNUNG WARNUNG` would say it twice.
      .replace(levels['WARN'] === undefined ? /^CANCEL / : /^CANCEL (?:(?:WARN|ALERT|WARNUNG) ?)?/, `${tongue.cancel} `)
      .replace(/^ENDED /, `${tongue.ended} `)
      .replace(/\bUPD$/, tongue.update)
      .replace(/^YELLOW\b/, tongue.yellow)
      .replace(/^(?:ORANGE|AMBER)\b/, tongue.orange)
      .replace(/^RED\b/, tongue.red)
      .replace(/\b(?:WARN|ALERT|WATCH|ADV|STMT)\b/, (level) => levels[level] ?? level)
      .trim()
  )
}

function timeIn(tongue: Tongue, text: string): string {
  return text.replace('til further notice', tongue.furtherNotice).replace(TIMED, (_, word: string, moment: string) => {
    return timed(wordFor(tongue, word), momentIn(tongue, moment))
  })
}

function wordFor({ until, from, since, asOf, updated }: Tongue, word: string): TimeWord {
  return new Map<string, TimeWord>(Object.entries({ til: until, from, since, 'as of': asOf })).get(word) ?? updated
}
