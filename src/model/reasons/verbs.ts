import type { Codes } from './kinds.ts'

/** Which station a verb works on, and what it refuses to make of two. */
export const VERB_CODES = {
  import_entry_twice: { entry: 'text' },
  uses_running_station: { pid: 'number', folder: 'text' },
  uses_this_folder: { folder: 'text', stations: 'list' },
  several_stations_run: { stations: 'list' },
  station_of_other_user: { pid: 'number', user: 'text' },
  support_outside_of_data: { folder: 'text' },
  support_is_in: { files: 'list' },
  support_unread: { part: 'text', code: 'text' },
  support_no_secrets: {}
} as const satisfies Codes
