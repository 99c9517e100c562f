import type { Codes } from './kinds.ts'

/** Jobs. */
export const JOBS_CODES = {
  program_stopping: {},
  program_ended_times: { times: 'number' },
  lease_lost: {}
} as const satisfies Codes
