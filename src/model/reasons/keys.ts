import type { Codes } from './kinds.ts'

/** Keys of outside providers. */
export const KEYS_CODES = {
  has_more_bytes: { limit: 'number' },
  keys_file_unreadable: { file: 'text', why: 'reason' },
  keys_changed_meanwhile: {},
  no_such_key: { ref: 'text' },
  key_give_alone: {},
  key_letters: {},
  key_not_valid: { why: 'reason' },
  key_there_already: { key: 'text', provider: 'text' },
  key_no_embedding_server: {},
  key_accepted: { host: 'text' },
  key_over_limit: { said: 'reason' },
  request_given_up: {},
  no_key_for: { name: 'text' },
  keys_refused: { name: 'text' },
  keys_over_limit: { name: 'text', until: 'text' },
  keys_no_answer: { name: 'text' },
  server_wants_key: { said: 'reason', name: 'text' },
  provider_answers: { host: 'text', status: 'number' },
  provider_answers_said: { host: 'text', status: 'number', said: 'text' }
} as const satisfies Codes
