import { AIR_LANGUAGES, type AirLanguage } from '../../../model/air-languages.ts'
import type { LookoutEvent } from '../../../model/event.ts'
import { clip } from '../reading/prose.ts'
import { childrenOf, childText, type Element } from '../reading/xml.ts'

/** The same alert in another language of it. */
export interface OtherTongue {
  language: AirLanguage
  info: Element
}

/** A channel's text has room for less. Characters, and places. */
const MOST_CHARACTERS = 400
const MOST_PLACES = 60

const twoLetters = (info: Element): string => childText(info, 'language').slice(0, 2).toLowerCase()

/** Facts that are the same in whatever language an info is: without them two infos are two things. */
const factsOf = (info: Element): string =>
  JSON.stringify(
    ['severity', 'urgency', 'certainty', 'onset', 'effective', 'expires'].map((name) => childText(info, name))
  )

/**
 * The infos that say the same as one of `chosen` in another language of texts on the air. CAP 1.2 (§3.2.2) has an info for each language
 * and nothing that joins them: they are those at the same place among as many of their language, with the same facts.
 */
export function otherTongues(infos: readonly Element[], chosen: readonly Element[]): (info: Element) => OtherTongue[] {
  const [first] = chosen
  const own = first === undefined ? '' : twoLetters(first)
  const lists = AIR_LANGUAGES.flatMap((language) => {
    const speaking = infos.filter((info) => twoLetters(info) === language)
    return language === own || speaking.length !== chosen.length ? [] : [{ language, speaking }]
  })
  return (info) => {
    const at = chosen.indexOf(info)
    return lists.flatMap(({ language, speaking }) => {
      const same = speaking[at]
      return same === undefined || factsOf(same) !== factsOf(info) ? [] : [{ language, info: same }]
    })
  }
}

/** The words of an event in another language of its alert, cut to what a text could hold: `data.tongues`. */
export function wordsIn({ title, data }: LookoutEvent, info: Element): Record<string, unknown> {
  const { event_name, detail, instruction, places } = data
  const areas = childrenOf(info, 'area').length
  return {
    title: clip(title, MOST_CHARACTERS),
    ...(event_name === undefined ? {} : { event_name: clip(event_name, 100) }),
    ...(detail === undefined ? {} : { detail: clip(detail, MOST_CHARACTERS) }),
    ...(instruction === undefined ? {} : { instruction: clip(instruction, MOST_CHARACTERS) }),
    ...(areas === 0 || places === undefined ? {} : { places: places.slice(0, MOST_PLACES) })
  }
}
