import { oneLine, sentences } from '../reading/prose.ts'

/** Facts that road authorities put into words only. */

const CLOSED =
  /\b(?:road|highway|hwy|route|freeway|interstate|bridge|tunnel|pass|ramp|street)(?: is| remains| currently)? closed\b|\ball lanes?(?: are)? (?:closed|blocked)\b|\b(?:full|total|complete) (?:road )?closure\b|\bclosed (?:in both directions|to (?:all )?(?:traffic|vehicles))\b|(?:^|\. )closed\b/i
const REOPENED = /\b(?:re-?opened|open to traffic|no longer closed)\b/i

/** True when the text says that the whole road is closed, not a lane of it. */
export function saysClosed(text: string): boolean {
  return CLOSED.test(text) && !REOPENED.test(text)
}

/** `Highway 14` → `Hwy 14`: the usual word in messages. */
export function shortRoad(name: string): string {
  return oneLine(name)
    .replace(/\bHighway\b/gi, 'Hwy')
    .replace(/\bInterstate (?=\d)/gi, 'I-')
}

/** The beginning of a text before the first comma or stop, when that can be the name of a road. */
export function roadInText(text: string): string {
  const name = /^[^,.;:]{2,40}/.exec(oneLine(text))?.[0].trim() ?? ''
  return /\d|\b(?:road|rd|street|st|highway|hwy|avenue|ave|drive|bridge|pass|tunnel|freeway|parkway|way)\b/i.test(name)
    ? name
    : ''
}

const HOUSEKEEPING =
  /^(?:last updated|next update|until|updated|road closed|reported|from \w+ \d|starting)\b|^\(?[A-Z]{2,}-?\d|^\([^()]*\)\.?$|^(?:liikennetiedote|ensitiedote|tarkempi paikka|välillä|ajankohta|haittaa|lisätieto|liikenne- ja|puh|sähköposti|fintraffic|tieliikennekeskus|eli|faksi|puhelin|fax|tel|e-?mail)(?=[\s.:]|$)/i
/** More does not fit into a message anyway. */
const MOST_SENTENCES = 3

/** The sentences that say what happened: without the road, which stands before them, and without when it was written. */
export function detailOf(text: string, road: string): string {
  const all = sentences(text.slice(0, 4000)).map((sentence) => withoutRoad(sentence, road))
  const telling = all.filter((sentence) => sentence.length > 1 && !HOUSEKEEPING.test(sentence))
  return telling.slice(0, MOST_SENTENCES).join(' ')
}

/** `Ensitiedote liikenneonnettomuudesta`: the first news of what it says. */
const FIRST_NEWS: ReadonlyMap<string, string> = new Map([
  ['Ensitiedote liikenneonnettomuudesta.', 'Liikenneonnettomuus.'],
  ['Liikennetiedote onnettomuudesta.', 'Onnettomuus.']
])

function withoutRoad(sentence: string, road: string): string {
  const known = FIRST_NEWS.get(sentence)
  if (known !== undefined) return known
  const rest = road !== '' && sentence.startsWith(road) ? sentence.slice(road.length) : sentence
  return rest.replace(/^[,.:;\s]+/, '').replace(/^(?:in )?both directions\b[.,]?\s*/i, '')
}
