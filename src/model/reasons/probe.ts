import type { Codes } from './kinds.ts'

/** Reasons why no radio was found at a port or an address. */
export const PROBE_CODES = {
  no_radio_answers: { link: 'text' },
  probe_stopped: {},
  probe_under_way: {},
  port_is_used: { radio: 'text' }
} as const satisfies Codes
