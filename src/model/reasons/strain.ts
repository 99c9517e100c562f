import type { Codes } from './kinds.ts'

/** The strain of the machine, and what is given up for it. */
export const STRAIN_CODES = {
  strain_temperature: { value: 'number' },
  strain_memory: { value: 'number' },
  strain_own_memory: { value: 'number' },
  strain_memory_pressure: { value: 'number' },
  strain_battery: { value: 'number' },
  strain_failed_starts: { value: 'number' },
  shed_models: {},
  shed_ocr: {},
  shed_crawls: {},
  shed_search: {},
  shed_slow_feeds: {},
  shed_dashboard: {},
  is_shed: { steps: 'reasons', causes: 'reasons' },
  start_waits: { count: 'number', seconds: 'number' }
} as const satisfies Codes
