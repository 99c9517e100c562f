/** The languages that texts on the air exist in (docs/interface.md §5); of pages and of the terminal there are fewer. */
export const AIR_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja'] as const
export type AirLanguage = (typeof AIR_LANGUAGES)[number]

/** How the texts of one channel are written. */
export interface Spoken {
  language: AirLanguage
  /** Letters with marks are written without them, `ä` as `ae` in German. */
  ascii: boolean
}

export const ENGLISH: Spoken = { language: 'en', ascii: false }
