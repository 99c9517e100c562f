import { clip, sentences } from './prose.ts'

/** Finds the passage of a bulletin that is about one hazard of several. */

/** More than a packet holds; the composer takes what fits. */
const LONG = 320

/** The times of the hazard, which tell it from others of the same bulletin. */
export interface HazardTimes {
  /** Epoch milliseconds, of what has not begun; else null. */
  begins: number | null
  /** Its begin and end as the bulletin writes them: `3 PM`, `midnight`. */
  labels: readonly string[]
}

export const NO_TIMES: HazardTimes = { begins: null, labels: [] }

/** The text of `* NAME...text` or `NAME...text` up to the next empty line or bullet, or null. */
export function block(description: string, name: string): string | null {
  const start = new RegExp(`^[ \\t]*(?:\\*[ \\t]*)?(?:${name})(?:\\.{3}|:)`, 'm').exec(description)
  if (start === null) return null
  const rest = description.slice(start.index + start[0].length)
  const end = rest.search(/\n[ \t]*(?:\n|\*)/)
  const text = (end < 0 ? rest : rest.slice(0, end)).trim()
  return text === '' ? null : text
}

/** The words on one hazard of several; `about` is '' where a passage names none. */
interface Passage {
  about: string
  /** As it stands, and without `For the Gale Watch,`. */
  whole: string
  rest: string
}

const NAMES_HAZARD =
  /^(?:For|During|In|With) (?:the |both )?([^,]{0,80}?\b(?:warning|watch|advisory|statement|risk)s?\b[^,]{0,60}), (.+)$/i

interface Sought {
  event: string
  times: HazardTimes
  description: string
}

/** `For the Gale Watch, east winds …` names the hazard it speaks of; what is said of another one would be wrong here. */
export function aboutEvent(all: readonly string[], sought: Sought): string {
  const own = passagesOf(passagesIn(all), sought.event)
  const told = own.length > 1 ? ofSeveral(own, sought) : own[0]
  if (told === undefined) return ''
  return clip(told.about === '' ? told.whole : capitalised(told.rest), LONG)
}

function passagesIn(all: readonly string[]): Passage[] {
  const passages: Passage[] = []
  for (const whole of all) {
    const [, about = '', rest = whole] = NAMES_HAZARD.exec(whole) ?? []
    const last = passages.at(-1)
    // A sentence that names no hazard goes on about the one before it.
    if (about !== '' || last === undefined) passages.push({ about: about.toLowerCase(), whole, rest })
    else Object.assign(last, { whole: `${last.whole} ${whole}`, rest: `${last.rest} ${whole}` })
  }
  return passages
}

/**
 * Of a first and a second warning of one name WHEN says which has these times. Where it does not, the one that has not begun
 * is the second of two, and else the passage says itself which it is about.
 */
function ofSeveral(own: readonly Passage[], { event, times, description }: Sought): Passage | undefined {
  const whens = passagesOf(passagesIn(sentences(block(description, 'WHEN') ?? '')), event)
  const hits = whens.map(
    ({ rest }) => times.labels.filter((label) => new RegExp(`\\b${label}\\b`, 'i').test(rest)).length
  )
  const most = Math.max(0, ...hits)
  const best = hits.filter((count) => count === most).length === 1 ? whens[hits.indexOf(most)] : undefined
  const timed = most === 0 ? undefined : own.find(({ about }) => about === best?.about)
  if (timed !== undefined) return timed
  const [first, second] = own
  const oneRuns = /\buntil\b/i.test(whens[0]?.rest ?? '') && !/\bfrom\b/i.test(whens[0]?.rest ?? '')
  if (own.length === 2 && (oneRuns || times.begins === null)) return times.begins === null ? first : second
  return first === undefined ? undefined : { ...first, about: '' }
}

/** The passages that name the event, else those that name its hazard with another word for the level, else the first that names none. */
function passagesOf(passages: readonly Passage[], event: string): Passage[] {
  const name = event.toLowerCase()
  const hazard = name.replace(/ (?:warning|watch|advisory|statement)$/, '')
  // `For Warning this afternoon` leaves the hazard out.
  const level = name.slice(name.lastIndexOf(' ') + 1)
  for (const wanted of [name, hazard, level]) {
    const found = passages.filter(({ about }) => wanted !== '' && about.includes(wanted))
    if (found.length > 0) return found
  }
  const [first] = passages
  return first === undefined || first.about !== '' ? [] : [first]
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
