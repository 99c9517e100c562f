import type { SEARCH_CODES } from '../reasons/search.ts'
import type { SentencesOf } from './sentence.ts'

export const SEARCH_SENTENCES: SentencesOf<typeof SEARCH_CODES> = {
  nothing_about_this: { en: 'nothing in the library is about this', de: 'nichts in der Bibliothek handelt davon' },
  not_found_nearest: {
    en: 'not found; nearest: {title}, p. {page}',
    de: 'nicht gefunden; am nächsten: {title}, S. {page}'
  },
  no_model_configured: {
    en: 'no language model is configured: these are the passages that were found',
    de: 'kein Sprachmodell ist eingerichtet: Das sind die gefundenen Stellen'
  },
  model_unanswered: {
    en: 'the language model has not answered: {said}',
    de: 'das Sprachmodell hat nicht geantwortet: {said}'
  },
  took_too_long: { en: 'it took too long', de: 'es dauerte zu lange' },
  passages_do_not_answer: {
    en: 'the passages that were found do not answer this',
    de: 'die gefundenen Stellen beantworten das nicht'
  },
  model_named_no_passage: {
    en: 'the language model named no passage for its answer, so it is not shown',
    de: 'das Sprachmodell nannte keine Stelle für seine Antwort, daher wird sie nicht gezeigt'
  },
  model_says_strange: {
    en: 'the answer of the language model says {words}, which no passage it names does, so it is not shown',
    de: 'die Antwort des Sprachmodells sagt {words}, was keine genannte Stelle tut, daher wird sie nicht gezeigt'
  },
  model_is_busy: {
    en: 'the language model is busy with other questions: these are the passages that were found',
    de: 'das Sprachmodell ist mit anderen Fragen beschäftigt: Das sind die gefundenen Stellen'
  },
  vector_wrong_length: {
    en: 'a vector of {length} numbers is none of a model of {dims}',
    de: 'ein Vektor aus {length} Zahlen gehört nicht zu einem Modell mit {dims}'
  },
  vector_store_answers: {
    en: 'the vector store (Qdrant, {host}) answers {status}',
    de: 'der Vektorspeicher (Qdrant, {host}) antwortet {status}'
  },
  vector_store_answers_said: {
    en: 'the vector store (Qdrant, {host}) answers {status}: {said}',
    de: 'der Vektorspeicher (Qdrant, {host}) antwortet {status}: {said}'
  },
  embedding_name_too_long: {
    en: 'the name of the embedding model is too long: {model}',
    de: 'der Name des Vektormodells ist zu lang: {model}'
  },
  vector_store_unreadable: {
    en: 'the vector store cannot be read: {said}',
    de: 'der Vektorspeicher kann nicht gelesen werden: {said}'
  },
  embedding_or_store_silent: {
    en: 'the embedding server ({provider}) or the vector store does not answer: {said}',
    de: 'der Vektorserver ({provider}) oder der Vektorspeicher antwortet nicht: {said}'
  },
  vector_store_silent: {
    en: 'the vector store does not answer: {said}',
    de: 'der Vektorspeicher antwortet nicht: {said}'
  },
  no_vectors_yet: { en: 'no passage has a vector yet', de: 'noch hat keine Stelle einen Vektor' },
  vectors_made_anew: {
    en: 'vectors are being made anew with {model}: {own} of {total} passages have them',
    de: 'Vektoren entstehen neu mit {model}: {own} von {total} Stellen haben sie'
  }
}
