import type { AirLanguage } from '../../../model/air-languages.ts'
import { de, deTerms } from './de.ts'
import { en } from './en.ts'
import { es, esTerms } from './es.ts'
import { fr, frTerms } from './fr.ts'
import { it, itTerms } from './it.ts'
import { ja, jaTerms } from './ja.ts'
import { nl, nlTerms } from './nl.ts'
import { pl, plTerms } from './pl.ts'
import { pt, ptTerms } from './pt.ts'
import type { Terms, Words } from './words.ts'

/** Every language of texts on the air. English needs no terms: sources without another tongue speak it. */
export const CATALOGUE: Readonly<Record<AirLanguage, { words: Words; terms: Terms | null }>> = {
  en: { words: en, terms: null },
  de: { words: de, terms: deTerms },
  fr: { words: fr, terms: frTerms },
  es: { words: es, terms: esTerms },
  it: { words: it, terms: itTerms },
  pt: { words: pt, terms: ptTerms },
  nl: { words: nl, terms: nlTerms },
  pl: { words: pl, terms: plTerms },
  ja: { words: ja, terms: jaTerms }
}
