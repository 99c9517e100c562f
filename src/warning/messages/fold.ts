import type { AirLanguage } from '../../model/air-languages.ts'
import type { Draft } from './draft.ts'
import { foldLatin } from './sanitise.ts'

const UMLAUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' })
)

/**
 * `text` with the letters of ASCII: marks are taken off Latin letters, in German `ä` is `ae`. Other scripts stay as they are: there is
 * no short way to write Japanese in Latin letters that its readers would read.
 */
export function foldText(text: string, language: AirLanguage): string {
  const written = language === 'de' ? text.replace(/[äöüÄÖÜ](?=(\p{Lu}?))/gu, umlaut) : text
  return foldLatin(written).replace(/[¿¡°]/g, '')
}

/** `ÜBUNG` is `UEBUNG`, `Über` is `Ueber`. */
function umlaut(letter: string, next: string): string {
  const two = UMLAUTS.get(letter) ?? letter
  return next === '' ? two : two.toUpperCase()
}

/** A draft with the letters of ASCII, before it is fitted: what is folded may be longer or shorter. */
export function foldDraft(draft: Draft, language: AirLanguage): Draft {
  const fold = (text: string): string => foldText(text, language)
  const { phrases, regions, places } = draft.where
  return {
    ...draft,
    what: fold(draft.what),
    subject: fold(draft.subject),
    facts: fold(draft.facts),
    where: { ...draft.where, phrases: phrases.map(fold), regions: regions.map(fold), places: places.map(fold) },
    extra: fold(draft.extra),
    time: { ...draft.time, variants: draft.time.variants.map(fold) },
    detail: fold(draft.detail),
    guidance: draft.guidance.map(fold),
    source: fold(draft.source)
  }
}
