import type { KEYS_CODES } from '../reasons/keys.ts'
import type { SentencesOf } from './sentence.ts'

export const KEYS_SENTENCES: SentencesOf<typeof KEYS_CODES> = {
  has_more_bytes: { en: 'it has more than {limit} bytes', de: 'sie hat mehr als {limit} Bytes' },
  keys_file_unreadable: {
    en: '{file} in the data folder cannot be read: {why}',
    de: '{file} im Datenordner kann nicht gelesen werden: {why}'
  },
  keys_changed_meanwhile: {
    en: 'somebody else has changed keys.env meanwhile: look again',
    de: 'jemand anders hat keys.env inzwischen geändert: Sehen Sie noch einmal nach'
  },
  no_such_key: {
    en: 'there is no key {ref}: GET /api/keys lists them',
    de: 'es gibt keinen Schlüssel {ref}: GET /api/keys führt sie auf'
  },
  key_give_alone: {
    en: 'give the key alone, without the name before the =',
    de: 'geben Sie den Schlüssel allein an, ohne den Namen vor dem ='
  },
  key_letters: {
    en: 'a key has 1 to 512 letters, digits and signs, without spaces and quotes',
    de: 'ein Schlüssel hat 1 bis 512 Buchstaben, Ziffern und Zeichen, ohne Leerzeichen und Anführungszeichen'
  },
  key_not_valid: { en: 'the key is not valid: {why}', de: 'der Schlüssel ist nicht gültig: {why}' },
  key_there_already: {
    en: 'this key is there already, as {key} ({provider})',
    de: 'diesen Schlüssel gibt es schon, als {key} ({provider})'
  },
  key_no_embedding_server: {
    en: 'no embedding server is configured that this key is for',
    de: 'kein Vektorserver ist eingerichtet, für den dieser Schlüssel wäre'
  },
  key_accepted: { en: '{host} accepts it', de: '{host} nimmt ihn an' },
  key_over_limit: { en: 'valid, but over its limit: {said}', de: 'gültig, aber über seiner Grenze: {said}' },
  request_given_up: { en: 'the request was given up', de: 'die Anfrage wurde aufgegeben' },
  no_key_for: {
    en: 'no key for {name}: add one on the page Keys',
    de: 'kein Schlüssel für {name}: Fügen Sie auf der Seite „Schlüssel“ einen hinzu'
  },
  keys_refused: {
    en: 'every key for {name} is refused: the page Keys says why',
    de: 'jeder Schlüssel für {name} wird abgelehnt: Die Seite „Schlüssel“ sagt, warum'
  },
  keys_over_limit: {
    en: 'every key for {name} is over its limit until {until}',
    de: 'jeder Schlüssel für {name} ist bis {until} über seiner Grenze'
  },
  keys_no_answer: { en: 'no key for {name} brought an answer', de: 'kein Schlüssel für {name} brachte eine Antwort' },
  server_wants_key: {
    en: 'the server wants a key ({said}): add one for {name} on the page Keys',
    de: 'der Server verlangt einen Schlüssel ({said}): Fügen Sie auf der Seite „Schlüssel“ einen für {name} hinzu'
  },
  provider_answers: { en: '{host} answers {status}', de: '{host} antwortet {status}' },
  provider_answers_said: { en: '{host} answers {status}: {said}', de: '{host} antwortet {status}: {said}' }
}
