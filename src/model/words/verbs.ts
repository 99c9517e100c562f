import type { VERB_CODES } from '../reasons/verbs.ts'
import type { SentencesOf } from './sentence.ts'

export const VERB_SENTENCES: SentencesOf<typeof VERB_CODES> = {
  import_entry_twice: {
    en: '{entry} stands twice in what is imported, and says two things: leave one of them, and nothing is lost unseen',
    de: '{entry} steht im Importierten zweimal und sagt Verschiedenes: lassen Sie eines davon stehen, damit nichts unbemerkt verlorengeht'
  },
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
  },
  support_outside_of_data: {
    en: 'the file would lie in the data folder {folder}, which stays as it is: name another place with --out FILE',
    de: 'die Datei läge im Datenordner {folder}, und der bleibt, wie er ist: nennen Sie mit --out FILE einen anderen Ort'
  },
  support_is_in: { en: 'in it: {files}', de: 'darin: {files}' },
  support_unread: { en: 'could not be read: {part} ({code})', de: 'nicht lesbar: {part} ({code})' },
  support_no_secrets: {
    en: 'It holds no key, passphrase, address, name of a person, text of a message or place; names of regions and families of yours are in it. Read it before you send it: every file is plain text.',
    de: 'Es enthält keinen Schlüssel, keine Passphrase, keine Adresse, keinen Personennamen, keinen Text einer Meldung und keinen Ort; die Namen Ihrer Regionen und Familien stehen darin. Lesen Sie es vor dem Versenden: jede Datei ist einfacher Text.'
  }
}
