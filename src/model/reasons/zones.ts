import type { Codes } from './kinds.ts'

/** Reasons why a pack of zones is not made of what an authority publishes. */
export const ZONE_CODES = {
  no_such_zone_source: { name: 'text' },
  zones_names_source: {},
  zone_file_by_hand: { address: 'text', command: 'text' },
  zone_file_not_fetched: { address: 'text', command: 'text', why: 'reason' },
  zone_file_status: { status: 'number' },
  zone_source_of_none: { country: 'text' }
} as const satisfies Codes
