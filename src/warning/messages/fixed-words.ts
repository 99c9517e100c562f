import type { LookoutEvent } from '../../model/event.ts'
import type { Draft } from './draft.ts'
import { textFact } from './facts.ts'
import { TONGUES, type Tongue } from './tongues.ts'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** A time as `times.ts` writes it: `6:45p`, `Sat 7a`, `Jul 12 7a`, `Jul 12 2027`, `Fri midnight`. */
const MOMENT = '(?:[A-Z][a-z]{2} )?(?:\\d{1,2} )?(?:\\d[\\d:]*[ap]?|noon|midnight)'
const TIMED = new RegExp(`\\b(til|from|since|as of|Upd) (${MOMENT})`, 'g')
const STILL_ON = /^Still on(?=: )/

/**
 * A draft with its fixed words in the tongue that its source speaks by its own word for it: an English heading over German words is read
 * by nobody in a hurry. Places, names and the source's own words stay; so does a draft in a tongue without a table.
 */
export function inItsTongue(draft: Draft, event: LookoutEvent): Draft {
  const tongue = TONGUES.get(languageOf(event).slice(0, 2).toLowerCase())
  if (tongue === undefined) return draft
  return {
    ...draft,
    what: headIn(tongue, draft.what),
    time: { ...draft.time, variants: draft.time.variants.map((text) => timeIn(tongue, text)) },
    detail: draft.detail.replace(STILL_ON, tongue.stillOn)
  }
}

function languageOf({ data }: LookoutEvent): string {
  const cap = data['cap']
  const said = typeof cap === 'object' && cap !== null && 'language' in cap ? cap.language : data['language']
  return typeof said === 'string' ? said : textFact(data, 'language')
}

function headIn({ levels = {}, ...tongue }: Tongue, what: string): string {
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
    const form = wordFor(tongue, word)
    const said = momentIn(tongue, moment)
    return form.includes('$') ? form.replace('$', said) : `${form} ${said}`
  })
}

function wordFor({ until, from, since, asOf, updated }: Tongue, word: string): string {
  return new Map(Object.entries({ til: until, from, since, 'as of': asOf })).get(word) ?? updated
}

function momentIn({ days, months, dayMark = '', midnight, noon }: Tongue, moment: string): string {
  return moment
    .replace('midnight', midnight)
    .replace('noon', noon)
    .replace(/^[A-Z][a-z]{2}(?= \D| \d[\d:]*[ap]?$)/, (day) => days.split(' ')[DAYS.indexOf(day)] ?? day)
    .replace(/^([A-Z][a-z]{2}) (\d{1,2})(?= )/, (_, name: string, day: string) => {
      const at = MONTHS.indexOf(name)
      if (months === '') return `${at + 1}/${day}`
      return `${day}${dayMark} ${months.split(' ')[at] ?? name}`
    })
}
