import type { TERMINAL_CODES } from '../reasons/terminal.ts'
import type { SentencesOf } from './sentence.ts'

export const TERMINAL_SENTENCES: SentencesOf<typeof TERMINAL_CODES> = {
  lang_unknown: {
    en: '--lang is {known}, not "{asked}"',
    de: '--lang ist {known}, nicht „{asked}“'
  },
  addresses_action_unknown: {
    en: 'unknown action "{action}": import or check',
    de: 'unbekannte Aktion „{action}“: import oder check'
  },
  addresses_names_files: {
    en: 'name the files: lookout addresses import FILE.csv…, or --from FILE.sqlite',
    de: 'nennen Sie die Dateien: lookout addresses import FILE.csv…, oder --from FILE.sqlite'
  },
  no_such_state: {
    en: '"{state}" is no state or province: write its two letters, such as ID,MT',
    de: '„{state}“ ist kein Bundesstaat und keine Provinz: schreiben Sie die zwei Buchstaben, etwa ID,MT'
  },
  country_two_letters: { en: '--country is two letters: US, DE', de: '--country sind zwei Buchstaben: US, DE' },
  no_address_file_yet: {
    en: 'there is no file {path}: make one with lookout addresses import',
    de: 'es gibt keine Datei {path}: machen Sie eine mit lookout addresses import'
  },
  archiver_action_unknown: {
    en: 'unknown action "{action}": lookout archiver, or lookout archiver install FILE',
    de: 'unbekannte Aktion „{action}“: lookout archiver, oder lookout archiver install FILE'
  },
  archiver_names_file: {
    en: 'name the file: lookout archiver install FILE',
    de: 'nennen Sie die Datei: lookout archiver install FILE'
  },
  backup_names_folder: { en: 'name one folder: lookout backup DIR', de: 'nennen Sie einen Ordner: lookout backup DIR' },
  stamp_goes_with_verify: { en: '--stamp goes with --verify', de: '--stamp gehört zu --verify' },
  keep_is_a_number: {
    en: '--keep is how many backups stay: 1 or more',
    de: '--keep ist, wie viele Sicherungen bleiben: 1 oder mehr'
  },
  check_takes_one_file: { en: 'check-config takes one file', de: 'check-config nimmt eine Datei' },
  explain_names_event: {
    en: 'name the event: lookout explain --event FILE',
    de: 'nennen Sie das Ereignis: lookout explain --event FILE'
  },
  at_is_rfc_time: {
    en: '--at is an RFC 3339 time such as 2026-07-01T12:00:00Z',
    de: '--at ist eine Zeit nach RFC 3339, etwa 2026-07-01T12:00:00Z'
  },
  import_names_files: {
    en: 'name the files of the earlier system: lookout import config.yaml notifications.yaml',
    de: 'nennen Sie die Dateien des früheren Systems: lookout import config.yaml notifications.yaml'
  },
  import_file_exists: {
    en: '{file} is there already: name another file, nothing is overwritten',
    de: '{file} gibt es schon: nennen Sie eine andere Datei, nichts wird überschrieben'
  },
  import_file_too_large: {
    en: '{file} is larger than 4 MiB: that is no configuration',
    de: '{file} ist größer als 4 MiB: das ist keine Konfiguration'
  },
  feed_names_source: { en: 'name one source: lookout feed NAME', de: 'nennen Sie eine Quelle: lookout feed NAME' },
  at_is_time: {
    en: '--at is a time such as 2026-07-01T12:00:00Z',
    de: '--at ist eine Zeit, etwa 2026-07-01T12:00:00Z'
  },
  feed_no_such_source: {
    en: 'no source is named "{source}". There are: {names}.',
    de: 'keine Quelle heißt „{source}“. Es gibt: {names}.'
  },
  put_into_sources: {
    en: '{why}: put it into `sources` of the configuration',
    de: '{why}: tragen Sie sie unter `sources` in die Konfiguration ein'
  },
  cannot_read_file: { en: 'cannot read {file}: {said}', de: '{file} kann nicht gelesen werden: {said}' },
  file_is_not_json: { en: '{file} is not JSON: {said}', de: '{file} ist kein JSON: {said}' },
  no_history_in: { en: 'there is no history in {folder}', de: 'in {folder} gibt es keinen Verlauf' },
  replay_names_files: {
    en: 'name at least one file: lookout replay FILE…',
    de: 'nennen Sie mindestens eine Datei: lookout replay FILE…'
  },
  speed_is_positive: { en: '--speed is a number greater than 0', de: '--speed ist eine Zahl größer als 0' },
  at_file: { en: '{file}: {why}', de: '{file}: {why}' },
  restore_names_folder: {
    en: 'name one folder of backups: lookout restore DIR --data NEW',
    de: 'nennen Sie einen Ordner mit Sicherungen: lookout restore DIR --data NEW'
  },
  restore_names_data: {
    en: 'name the new data folder: lookout restore DIR --data NEW',
    de: 'nennen Sie den neuen Datenordner: lookout restore DIR --data NEW'
  },
  preview_takes_one_folder: { en: 'preview takes one folder', de: 'preview nimmt einen Ordner' },
  tag_names_areas: {
    en: 'name the areas: lookout tag --areas FILE',
    de: 'nennen Sie die Gebiete: lookout tag --areas FILE'
  },
  not_a_json_object: { en: 'not a JSON object', de: 'kein JSON-Objekt' },
  not_json_said: { en: 'not JSON: {said}', de: 'kein JSON: {said}' },
  token_action_unknown: {
    en: 'unknown action "{action}": new, list, revoke or claim',
    de: 'unbekannte Aktion „{action}“: new, list, revoke oder claim'
  },
  token_names_one: {
    en: 'name the token: lookout token revoke ID (lookout token list shows them)',
    de: 'nennen Sie das Token: lookout token revoke ID (lookout token list zeigt sie)'
  },
  no_such_token: {
    en: 'there is no token {id}: lookout token list shows them',
    de: 'es gibt kein Token {id}: lookout token list zeigt sie'
  },
  claimed_by_somebody: {
    en: 'somebody has claimed this station. "lookout token claim --new" forgets the passphrase and ends every session',
    de: 'jemand hat diese Station übernommen. „lookout token claim --new“ vergisst die Passphrase und beendet jede Sitzung'
  },
  token_names_scope: {
    en: 'name the scope: --scope events or --scope operator',
    de: 'nennen Sie den Umfang: --scope events oder --scope operator'
  },
  verb_for_program_help: {
    en: 'this verb is for the program itself. lookout --help tells the verbs for you.',
    de: 'dieses Verb ist für das Programm selbst. lookout --help nennt die Verben für Sie.'
  },
  zones_action_unknown: {
    en: 'unknown action "{action}": import, fetch, sources, list, find or remove',
    de: 'unbekannte Aktion „{action}“: import, fetch, sources, list, find oder remove'
  },
  zones_names_file: {
    en: 'name the file: lookout zones import FILE',
    de: 'nennen Sie die Datei: lookout zones import FILE'
  },
  system_is_a_name: {
    en: '--system {system}: a name such as EMMA_ID or NUTS3',
    de: '--system {system}: ein Name wie EMMA_ID oder NUTS3'
  },
  zones_names_codes: {
    en: 'name codes: lookout zones find IDZ014 IDC013',
    de: 'nennen Sie Codes: lookout zones find IDZ014 IDC013'
  },
  zones_names_pack: {
    en: 'name the pack: lookout zones remove NAME',
    de: 'nennen Sie das Paket: lookout zones remove NAME'
  },
  no_such_pack: {
    en: 'there is no pack {name}: lookout zones list shows them',
    de: 'es gibt kein Paket {name}: lookout zones list zeigt sie'
  },
  work_convert_needs: { en: 'work convert:… needs IN and OUT', de: 'work convert:… braucht IN und OUT' },
  work_zim_info_needs: { en: 'work convert:zim-info needs FILE', de: 'work convert:zim-info braucht FILE' },
  work_zim_articles_needs: {
    en: 'work convert:zim-articles needs FILE FROM',
    de: 'work convert:zim-articles braucht FILE FROM'
  },
  work_mirror_needs: { en: 'work scrape:mirror needs OPTIONS', de: 'work scrape:mirror braucht OPTIONS' },
  unknown_verb: {
    en: 'unknown verb "{verb}". Known: {known}. lookout --help tells more.',
    de: 'unbekanntes Verb „{verb}“. Bekannt: {known}. lookout --help sagt mehr.'
  },
  cannot_make_folder: {
    en: 'cannot make the folder {folder}: {said}',
    de: 'der Ordner {folder} kann nicht gemacht werden: {said}'
  },
  not_enough_space_in: {
    en: 'there is not enough space in {folder}: {needed} are to be written, {missing} are missing. Remove something there, or use another disk',
    de: 'in {folder} ist nicht genug Platz: {needed} sind zu schreiben, {missing} fehlen. Entfernen Sie dort etwas, oder nehmen Sie einen anderen Datenträger'
  },
  disk_of_is_full: {
    en: 'the disk of {folder} is full: remove something there',
    de: 'der Datenträger von {folder} ist voll: entfernen Sie dort etwas'
  },
  file_system_too_small: {
    en: 'the file system of {folder} takes no file of this size (FAT ends at 4 GiB): use ext4 or exFAT',
    de: 'das Dateisystem von {folder} nimmt keine Datei dieser Größe (FAT endet bei 4 GiB): nehmen Sie ext4 oder exFAT'
  },
  backup_not_in_data: {
    en: 'a backup goes into a folder of its own, not into the data folder',
    de: 'eine Sicherung geht in einen eigenen Ordner, nicht in den Datenordner'
  },
  no_station_folder: {
    en: '{folder} is no data folder of a station: there is neither config.json nor lookout.db',
    de: '{folder} ist kein Datenordner einer Station: es gibt weder config.json noch lookout.db'
  },
  other_backup_works: {
    en: 'another backup works on {folder}: wait for its end',
    de: 'eine andere Sicherung arbeitet an {folder}: warten Sie auf ihr Ende'
  },
  manifest_unreadable: { en: '{file} cannot be read: {said}', de: '{file} kann nicht gelesen werden: {said}' },
  first_boot_names_files: {
    en: 'name the text file and the folder for answers: lookout first-boot FILE ANSWERS, or --show FILE',
    de: 'nennen Sie die Textdatei und den Ordner für Antworten: lookout first-boot FILE ANSWERS, oder --show FILE'
  },
  verify_bundle_names_folder: {
    en: 'verify-bundle takes one folder: where the bundle was unpacked',
    de: 'verify-bundle nimmt einen Ordner: in dem das Paket ausgepackt wurde'
  },
  release_no_keys: {
    en: 'there is no key (*.pem) in {folder}: name one with --key',
    de: 'in {folder} liegt kein Schlüssel (*.pem): nennen Sie einen mit --key'
  },
  release_not_trusted: {
    en: '{folder} is signed by none of the keys that are trusted ({keys}): do not run it',
    de: '{folder} ist mit keinem der Schlüssel signiert, denen vertraut wird ({keys}): führen Sie es nicht aus'
  },
  file_is_there_already: { en: '{file} is there already', de: '{file} ist schon da' },
  copy_is_missing: {
    en: 'the copy of {file} is missing from the backup',
    de: 'die Kopie von {file} fehlt in der Sicherung'
  },
  copy_is_damaged: {
    en: 'the copy of {file} is damaged: try another stamp (--stamp), or lookout backup --verify',
    de: 'die Kopie von {file} ist beschädigt: versuchen Sie einen anderen Stand (--stamp), oder lookout backup --verify'
  },
  not_into_backups: {
    en: 'a station is not restored into its folder of backups',
    de: 'eine Station wird nicht in ihren Ordner der Sicherungen zurückgespielt'
  },
  restore_not_empty: {
    en: '{folder} is not empty: restore into a new folder, look at it, then put it in place of the old one',
    de: '{folder} ist nicht leer: spielen Sie in einen neuen Ordner zurück, sehen Sie ihn an, und setzen Sie ihn dann an die Stelle des alten'
  },
  file_no_folder: { en: '{path} is a file, no folder', de: '{path} ist eine Datei, kein Ordner' },
  no_data_folder_said: {
    en: 'there is no data folder {folder}: {said}',
    de: 'es gibt keinen Datenordner {folder}: {said}'
  },
  no_such_backup: {
    en: 'there is no complete backup {stamp} in {folder}; there are: {complete}',
    de: 'es gibt keine vollständige Sicherung {stamp} in {folder}; es gibt: {complete}'
  },
  no_complete_backup: {
    en: 'there is no complete backup in {folder}: make one with lookout backup {path}',
    de: 'es gibt keine vollständige Sicherung in {folder}: machen Sie eine mit lookout backup {path}'
  },
  cannot_copy_database: {
    en: 'cannot copy the database {path}: {said}',
    de: 'die Datenbank {path} kann nicht kopiert werden: {said}'
  },
  cannot_read_database: {
    en: 'cannot read the database {path}: {said}',
    de: 'die Datenbank {path} kann nicht gelesen werden: {said}'
  },
  cannot_open_database: {
    en: 'cannot open the database {path}: {said}',
    de: 'die Datenbank {path} kann nicht geöffnet werden: {said}'
  },
  newer_database: {
    en: '{path} was made by a newer Lookout (schema {version}, this one knows {known}): install the newer version, or move the file away',
    de: '{path} stammt von einem neueren Lookout (Schema {version}, dieses kennt {known}): installieren Sie die neuere Version, oder räumen Sie die Datei weg'
  },
  no_data_folder_yet: {
    en: 'there is no data folder {folder}: lookout start makes it; LOOKOUT_DATA names another',
    de: 'es gibt keinen Datenordner {folder}: lookout start macht ihn; LOOKOUT_DATA nennt einen anderen'
  },
  is_no_folder: { en: '{folder} is no folder', de: '{folder} ist kein Ordner' },
  data_folder_unreachable: {
    en: 'the data folder {folder} cannot be reached: {said}',
    de: 'der Datenordner {folder} ist nicht erreichbar: {said}'
  },
  verb_started_by_start: {
    en: 'this verb is for the program itself: it is started by lookout start',
    de: 'dieses Verb ist für das Programm selbst: lookout start startet es'
  },
  request_cancelled: { en: 'cancelled', de: 'abgebrochen' },
  unknown_request: { en: 'unknown request "{method}"', de: 'unbekannte Anfrage „{method}“' },
  data_is_empty: { en: '--data is empty: name a folder', de: '--data ist leer: nennen Sie einen Ordner' },
  must_be: { en: '{name} is {value}, but it must be {wanted}', de: '{name} ist {value}, muss aber {wanted} sein' },
  no_such_profile: {
    en: 'there is no profile "{name}"; choose one of {known}',
    de: 'es gibt kein Profil „{name}“; wählen Sie eines von {known}'
  },
  json_fault_at: { en: '{file}:{line}:{column}: {said}', de: '{file}:{line}:{column}: {said}' },
  profiles_missing: {
    en: 'the folder of profiles, {folder}, is missing: install the program again',
    de: 'der Ordner der Profile, {folder}, fehlt: installieren Sie das Programm neu'
  },
  changed_meanwhile: {
    en: 'somebody else changed this in the meantime (it is at revision {revision} now): load it again and repeat your change',
    de: 'jemand anders hat das inzwischen geändert (es ist jetzt bei Revision {revision}): laden Sie es neu, und wiederholen Sie Ihre Änderung'
  },
  verb_for_program: { en: 'this verb is for the program itself', de: 'dieses Verb ist für das Programm selbst' },
  no_file_named: { en: 'no file is named', de: 'keine Datei ist genannt' },
  pack_no_zone_code: {
    en: '{file}: no feature has a zone code (as id, or as STATE_ZONE, UGC, FIPS …).',
    de: '{file}: kein Feature hat einen Zonencode (als id, oder als STATE_ZONE, UGC, FIPS …).'
  },
  give_pack_a_name: {
    en: 'give the pack a name: --name NAME (letters, digits, - and _)',
    de: 'geben Sie dem Paket einen Namen: --name NAME (Buchstaben, Ziffern, - und _)'
  },
  pack_unreadable: { en: '{file} cannot be read: {said}', de: '{file} kann nicht gelesen werden: {said}' },
  pack_neither_json_nor_zip: {
    en: '{file} is neither JSON nor a zip: {said}',
    de: '{file} ist weder JSON noch ein Zip: {said}'
  },
  shapefile_lacks: {
    en: '{file}: a zipped shapefile holds a .shp and a .dbf; found {found}.',
    de: '{file}: ein gezipptes Shapefile enthält eine .shp und eine .dbf; gefunden: {found}.'
  },
  shapefile_projected: {
    en: '{file}: its coordinates are projected. Save it in degrees (EPSG:4326) first.',
    de: '{file}: die Koordinaten sind projiziert. Speichern Sie es erst in Grad (EPSG:4326).'
  },
  shapefile_unreadable: {
    en: '{file}: its .shp or .dbf cannot be read: {said}',
    de: '{file}: die .shp oder .dbf kann nicht gelesen werden: {said}'
  },
  several_shapefiles: {
    en: '{file}: holds several shapefiles. Name one with --member: {found}.',
    de: '{file}: enthält mehrere Shapefiles. Nennen Sie eines mit --member: {found}.'
  },
  zip_entry_large: { en: '{file}: {entry} is larger than 1 GB.', de: '{file}: {entry} ist größer als 1 GB.' },
  zip_unreadable: { en: '{file} is not a readable zip: {said}', de: '{file} ist kein lesbares Zip: {said}' },
  zone_service_status: { en: 'the service answered {status}', de: 'der Dienst antwortete {status}' },
  zone_service_not_json: {
    en: 'the service answered something else than JSON: {said}',
    de: 'der Dienst antwortete etwas anderes als JSON: {said}'
  },
  zone_service_no_outline: {
    en: 'the service answered without an outline',
    de: 'der Dienst antwortete ohne einen Umriss'
  },
  not_a_zone_pack: {
    en: 'This is no zone pack: give a GeoJSON FeatureCollection or a TopoJSON topology.',
    de: 'Das ist kein Zonenpaket: geben Sie eine GeoJSON-FeatureCollection oder eine TopoJSON-Topologie an.'
  },
  no_feature_has_code: {
    en: 'No feature has a zone code: put it in `id` or `properties.code`.',
    de: 'Kein Feature hat einen Zonencode: setzen Sie ihn in `id` oder `properties.code`.'
  },
  arc_is_missing: { en: 'arc {arc} is missing', de: 'der Bogen {arc} fehlt' },
  arc_too_often: {
    en: 'arc {arc} stands in it more than {most} times',
    de: 'der Bogen {arc} steht mehr als {most} Mal darin'
  },
  stored_nowhere: {
    en: '{why}: it was not stored; mend the disk and try again',
    de: '{why}: es wurde nicht gespeichert; bringen Sie den Datenträger in Ordnung, und versuchen Sie es noch einmal'
  },
  free_some_space: {
    en: '{why}: free some space and try again',
    de: '{why}: schaffen Sie Platz, und versuchen Sie es noch einmal'
  },
  data_folder_not_made: {
    en: 'the data folder {folder} cannot be made: {why}',
    de: 'der Datenordner {folder} kann nicht gemacht werden: {why}'
  },
  path_cannot_be_written: { en: '{path} cannot be written: {why}', de: '{path} kann nicht beschrieben werden: {why}' },
  disk_mounted_read_only: {
    en: 'its disk is mounted read-only, as after an error of the card (see dmesg)',
    de: 'der Datenträger ist nur lesbar eingehängt, wie nach einem Fehler der Karte (siehe dmesg)'
  },
  mode_forbids_it: { en: 'its mode forbids it (chmod u+rw)', de: 'die Rechte verbieten es (chmod u+rw)' },
  belongs_to_root: {
    en: 'it belongs to root and this is user {user}, as after a run with sudo: sudo chown -R {user} {folder}',
    de: 'es gehört root, und dies ist Benutzer {user}, wie nach einem Lauf mit sudo: sudo chown -R {user} {folder}'
  },
  belongs_to_user: {
    en: 'it belongs to user {owner} and this is user {user}, as after a run with sudo: sudo chown -R {user} {folder}',
    de: 'es gehört Benutzer {owner}, und dies ist Benutzer {user}, wie nach einem Lauf mit sudo: sudo chown -R {user} {folder}'
  },
  file_in_the_way: { en: 'a file is in the way ({said})', de: 'eine Datei ist im Weg ({said})' },
  link_to_nothing: {
    en: 'it is a link to {target}, which is not there: is its disk mounted?',
    de: 'es ist ein Link auf {target}, das nicht da ist: ist sein Datenträger eingehängt?'
  },
  other_lookout_runs: {
    en: 'another Lookout runs on {folder}: stop it, or use another folder (LOOKOUT_DATA)',
    de: 'ein anderes Lookout läuft auf {folder}: halten Sie es an, oder nehmen Sie einen anderen Ordner (LOOKOUT_DATA)'
  },
  changed_on_disk: {
    en: '{file} was changed on disk at the same moment: try again',
    de: '{file} wurde im selben Augenblick auf dem Datenträger geändert: versuchen Sie es noch einmal'
  },
  repair_it_first: {
    en: 'nothing was saved, because the file on disk is not valid. Repair it first: {problem}',
    de: 'nichts wurde gespeichert, weil die Datei auf dem Datenträger nicht gültig ist. Reparieren Sie sie zuerst: {problem}'
  },
  refused_at_start: {
    en: 'the configuration is refused and there is no good copy of it. {problem}. Correct it; lookout check-config tells all that is wrong',
    de: 'die Konfiguration wird abgelehnt, und es gibt keine gute Kopie davon. {problem}. Berichtigen Sie sie; lookout check-config sagt alles, was falsch ist'
  },
  refused_at_start_more: {
    en: 'the configuration is refused and there is no good copy of it. {problem} (and {more} more). Correct it; lookout check-config tells all that is wrong',
    de: 'die Konfiguration wird abgelehnt, und es gibt keine gute Kopie davon. {problem} (und {more} weitere). Berichtigen Sie sie; lookout check-config sagt alles, was falsch ist'
  },
  fault_full: { en: 'the disk of the data folder is full', de: 'der Datenträger des Datenordners ist voll' },
  fault_io: {
    en: 'the disk of the data folder fails (I/O error)',
    de: 'der Datenträger des Datenordners versagt (Ein-/Ausgabefehler)'
  },
  fault_read_only: {
    en: 'the disk of the data folder takes nothing: it is mounted read-only, or its files belong to another user',
    de: 'der Datenträger des Datenordners nimmt nichts an: er ist nur lesbar eingehängt, oder die Dateien gehören einem anderen Benutzer'
  },
  fault_gone: {
    en: 'the data folder, or the database in it, is not where it was: is its disk still connected?',
    de: 'der Datenordner oder die Datenbank darin ist nicht mehr, wo sie war: ist der Datenträger noch angeschlossen?'
  },
  fault_damaged: { en: 'the database is damaged', de: 'die Datenbank ist beschädigt' }
}
