import type { Codes } from './kinds.ts'

/** Reasons why a day or a span of time is none that can be shown. */
export const PERIODS_CODES = {
  day_is_written: {},
  period_is_written: {},
  period_or_day: {},
  period_ends_before: {},
  period_too_long: { days: 'number' }
} as const satisfies Codes
