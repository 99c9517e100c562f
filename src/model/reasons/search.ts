import type { Codes } from './kinds.ts'

/** Search, its vectors, and answers to questions. */
export const SEARCH_CODES = {
  nothing_about_this: {},
  not_found_nearest: { title: 'text', page: 'number' },
  no_model_configured: {},
  model_unanswered: { said: 'reason' },
  took_too_long: {},
  passages_do_not_answer: {},
  model_named_no_passage: {},
  model_says_strange: { words: 'text' },
  model_is_busy: {},
  vector_wrong_length: { length: 'number', dims: 'number' },
  vector_store_answers: { host: 'text', status: 'number' },
  vector_store_answers_said: { host: 'text', status: 'number', said: 'text' },
  embedding_name_too_long: { model: 'text' },
  vector_store_unreadable: { said: 'reason' },
  embedding_or_store_silent: { provider: 'text', said: 'reason' },
  vector_store_silent: { said: 'reason' },
  no_vectors_yet: {},
  vectors_made_anew: { model: 'text', own: 'number', total: 'number' }
} as const satisfies Codes
