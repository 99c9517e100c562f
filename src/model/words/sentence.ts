import type { Language } from './languages.ts'

/** `{name}` is a value. Where a number decides about the words, each plural form of the language (Intl.PluralRules) has its own sentence. */
export type Sentence = string | PluralSentence

export interface PluralSentence {
  by: string
  one: string
  other: string
}

type Sentences = Readonly<Record<Language, Sentence>>

/** A sentence in every language for each of these codes. */
export type SentencesOf<Codes> = Readonly<Record<keyof Codes, Sentences>>
