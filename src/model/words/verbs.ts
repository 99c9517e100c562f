import type { VERB_CODES } from '../reasons/verbs.ts'
import type { SentencesOf } from './sentence.ts'

export const VERB_SENTENCES: SentencesOf<typeof VERB_CODES> = {
  uses_running_station: {
    en: 'uses {folder}, the data folder of the station that runs here (process {pid})',
    de: 'arbeitet mit {folder}, dem Datenordner der Station, die hier läuft (Prozess {pid})'
  },
  uses_this_folder: {
    en: 'uses {folder}; the station that runs here has another: {stations}',
    de: 'arbeitet mit {folder}; die Station, die hier läuft, hat einen anderen: {stations}'
  },
  several_stations_run: {
    en: 'several stations run here: name the data folder of one with --data, or LOOKOUT_DATA: {stations}',
    de: 'mehrere Stationen laufen hier: nennen Sie den Datenordner von einer mit --data oder LOOKOUT_DATA: {stations}'
  },
  station_of_other_user: {
    en: "the station that runs here (process {pid}) is of another user: sudo -u '{user}' lookout …, or name another folder with --data or LOOKOUT_DATA",
    de: "die Station, die hier läuft (Prozess {pid}), gehört einem anderen Benutzer: sudo -u '{user}' lookout …, oder nennen Sie einen anderen Ordner mit --data oder LOOKOUT_DATA"
  }
}
