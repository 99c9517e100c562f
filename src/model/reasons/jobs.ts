import type { Codes } from './kinds.ts'

/** Jobs. */
export const JOBS_CODES = {
  program_stopping: {},
  program_ended_times: { times: 'number' },
  lease_lost: {},
  others_first: {},
  out_of_memory: { how: 'reason' },
  needs_more_memory: { times: 'number' },
  worker_ended_times: { times: 'number', how: 'reason' },
  runs_alone: { times: 'number' },
  behind_others: { count: 'number' },
  rests_until: { until: 'time' },
  rests_until_because: { until: 'time', why: 'reason' },
  worker_again_after: { what: 'list', how: 'reason' }
} as const satisfies Codes
