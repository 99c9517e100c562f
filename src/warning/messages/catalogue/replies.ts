import type { AirLanguage } from '../../../model/air-languages.ts'
import { de } from './replies/de.ts'
import { en } from './replies/en.ts'
import { es } from './replies/es.ts'
import { fr } from './replies/fr.ts'
import { it } from './replies/it.ts'
import { ja } from './replies/ja.ts'
import { nl } from './replies/nl.ts'
import { pl } from './replies/pl.ts'
import { pt } from './replies/pt.ts'
import type { Replies } from './replies/sentences.ts'

/** Answers by radio and news of the station itself, in every language of texts on the air. */
export const REPLIES: Readonly<Record<AirLanguage, Replies>> = { en, de, fr, es, it, pt, nl, pl, ja }
