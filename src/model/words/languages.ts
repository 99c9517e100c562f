/** The languages that sentences and pages exist in. English is the source. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]
