import type { Codes } from './kinds.ts'

/** Reasons why no address can be looked up, or no file of addresses be made. */
export const ADDRESSES_CODES = {
  addresses_absent: {},
  addresses_damaged: {},
  addresses_put_aside: {},
  addresses_unreadable: {},
  addresses_no_column: { what: 'text' },
  addresses_not_ours: { file: 'text' },
  addresses_no_row: { why: 'text' },
  file_empty: { file: 'text' },
  no_such_file: { file: 'text' },
  file_unreadable: { file: 'text', said: 'reason' },
  addresses_cannot_be_read: { said: 'reason' },
  addresses_no_table: {},
  addresses_table_lacks: { columns: 'text' },
  addresses_no_plain_table: {}
} as const satisfies Codes
