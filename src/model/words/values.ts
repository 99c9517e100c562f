import type { Language } from './languages.ts'

/** The program's own words among the values, by language; in English they are their own. */
export const VALUE_WORDS: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<string, string>>>> = {
  de: {
    cancelled: 'abgesagt',
    ended: 'beendet',
    superseded: 'überholt',
    acknowledged: 'bestätigt',
    connecting: 'verbindet sich',
    ready: 'bereit',
    suspect: 'antwortet nicht',
    down: 'nicht erreichbar',
    closed: 'geschlossen'
  }
}

/** What stands between the last two of several names. */
export const JOINTS: Readonly<Record<Language, Readonly<Record<'any' | 'all', string>>>> = {
  en: { any: ' or ', all: ' and ' },
  de: { any: ' oder ', all: ' und ' }
}
