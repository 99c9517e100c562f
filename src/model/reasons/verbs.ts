import type { Codes } from './kinds.ts'

/** Which station a verb works on. */
export const VERB_CODES = {
  uses_running_station: { pid: 'number', folder: 'text' },
  uses_this_folder: { folder: 'text', stations: 'list' },
  several_stations_run: { stations: 'list' },
  station_of_other_user: { pid: 'number', user: 'text' }
} as const satisfies Codes
