import type { AirLanguage } from '../../../model/air-languages.ts'
import { de, deTerms } from './de.ts'
import { en } from './en.ts'
import type { Terms, Words } from './words.ts'

/** Every language of texts on the air. English needs no terms: sources without another tongue speak it. */
export const CATALOGUE: Readonly<Record<AirLanguage, { words: Words; terms: Terms | null }>> = {
  en: { words: en, terms: null },
  de: { words: de, terms: deTerms }
}
