import type { ANSWERS_CODES } from '../reasons/answers.ts'
import type { SentencesOf } from './sentence.ts'

export const ANSWERS_SENTENCES: SentencesOf<typeof ANSWERS_CODES> = {
  q_is_missing: {
    en: 'q is missing: the address, a part of one, or a postal code',
    de: 'q fehlt: die Adresse, ein Teil davon oder eine Postleitzahl'
  },
  no_outline_of_code: {
    en: 'No outline of {code} is known here: import a zone pack that has it.',
    de: 'Kein Umriss von {code} ist hier bekannt: importieren Sie ein Zonenpaket, das ihn hat.'
  },
  most_codes_at_once: { en: 'at most {most} codes at once', de: 'höchstens {most} Codes auf einmal' },
  not_to_retry: {
    en: 'It is {status}: only what failed or was left out can be tried again.',
    de: 'Der Stand ist „{status}“: Nur Gescheitertes oder Ausgelassenes lässt sich noch einmal versuchen.'
  },
  nothing_to_decide: {
    en: 'There is nothing to decide about this document.',
    de: 'Über dieses Dokument ist nichts zu entscheiden.'
  },
  original_is_gone: {
    en: 'What it was a copy of is not here any more: keep it instead.',
    de: 'Das, wovon es eine Kopie war, ist nicht mehr da: behalten Sie es stattdessen.'
  },
  profile_no_measurements: {
    en: 'the profile {profile} keeps no history of measurements',
    de: 'das Profil {profile} führt keinen Verlauf von Messwerten'
  },
  no_file_sent: {
    en: 'There is no file: send it as the field "file".',
    de: 'Es ist keine Datei dabei: senden Sie sie im Feld „file“.'
  },
  profile_uses_no_keys: {
    en: 'This profile runs without knowledge: nothing here uses keys.',
    de: 'Dieses Profil läuft ohne Wissen: nichts hier verwendet Schlüssel.'
  },
  file_not_compressed: {
    en: 'Send the file without a Content-Encoding: compressed bodies are not read.',
    de: 'Senden Sie die Datei ohne Content-Encoding: Gepacktes wird nicht gelesen.'
  },
  maps_unreadable: {
    en: 'the folder maps cannot be read ({said})',
    de: 'der Ordner maps kann nicht gelesen werden ({said})'
  },
  no_gazetteer: {
    en: 'The list of places is not installed here: npm run build makes it. Give latitude and longitude.',
    de: 'Das Ortsverzeichnis ist hier nicht installiert: npm run build legt es an. Geben Sie Breite und Länge an.'
  },
  gazetteer_unreadable: {
    en: 'The list of places cannot be read ({said}). Give latitude and longitude.',
    de: 'Das Ortsverzeichnis kann nicht gelesen werden ({said}). Geben Sie Breite und Länge an.'
  },
  preview_transmits_nothing: {
    en: 'this is a preview: it transmits nothing. Run lookout start for that.',
    de: 'das ist eine Vorschau: sie sendet nichts. Dafür gibt es lookout start.'
  },
  notifications_are_off: {
    en: 'notifications are off (notifications.enabled): nothing is sent, no test either',
    de: 'Benachrichtigungen sind ausgeschaltet (notifications.enabled): nichts wird gesendet, auch keine Probe'
  },
  sign_in_at_provider: {
    en: 'Behind the identity provider nobody signs in here: sign in there.',
    de: 'Hinter dem Identitätsanbieter meldet sich hier niemand an: melden Sie sich dort an.'
  },
  name_something_to_set: {
    en: 'name something to set or to remove',
    de: 'nennen Sie etwas, das gesetzt oder entfernt werden soll'
  },
  kept_secret_needs_match: {
    en: 'a kept secret needs If-Match: its pointer means one revision only',
    de: 'ein behaltenes Geheimnis braucht If-Match: sein Zeiger gilt nur für eine Revision'
  },
  until_after_since: { en: 'until must be later than since', de: 'until muss später sein als since' },
  send_as_type: { en: 'Send the bytes as Content-Type: {type}.', de: 'Senden Sie die Bytes als Content-Type: {type}.' },
  say_upload_length: {
    en: 'Say at the beginning how long the file is: Upload-Length.',
    de: 'Sagen Sie am Anfang, wie lang die Datei ist: Upload-Length.'
  },
  header_is_bytes: { en: 'The header {name} is a number of bytes.', de: 'Der Header {name} ist eine Zahl von Bytes.' },
  send_as_multipart: {
    en: 'Send the file as multipart/form-data, in the field "file", or its bytes alone.',
    de: 'Senden Sie die Datei als multipart/form-data im Feld „file“, oder ihre Bytes allein.'
  },
  area_was_drawn: {
    en: 'The area {name} was drawn: change it on the page Coverage, or choose another name.',
    de: 'Das Gebiet {name} wurde gezeichnet: ändern Sie es auf der Seite „Gebiet“, oder wählen Sie einen anderen Namen.'
  },
  cannot_listen: {
    en: 'cannot listen on {host}, port {port}: {said}',
    de: 'auf {host}, Port {port}, kann nicht gehört werden: {said}'
  },
  web_folder_missing: {
    en: 'the folder web is missing beside {from}: install the program again',
    de: 'der Ordner web fehlt neben {from}: installieren Sie das Programm neu'
  },
  pages_folder_missing: {
    en: 'the folder pages is missing beside {from}: install the program again',
    de: 'der Ordner pages fehlt neben {from}: installieren Sie das Programm neu'
  },
  one_file_at_a_time: {
    en: 'Send one file at a time, as the field "file".',
    de: 'Senden Sie eine Datei auf einmal, im Feld „file“.'
  },
  form_is_broken: { en: 'The form is broken or was cut off.', de: 'Das Formular ist kaputt oder wurde abgeschnitten.' },
  send_form_with_boundary: {
    en: 'Send a form as multipart/form-data with its boundary, or the bytes of the file.',
    de: 'Senden Sie ein Formular als multipart/form-data mit seiner Grenze, oder die Bytes der Datei.'
  },
  form_many_fields: { en: 'The form has too many fields.', de: 'Das Formular hat zu viele Felder.' },
  send_as: { en: 'Send {type}.', de: 'Senden Sie {type}.' },
  body_not_compressed: {
    en: 'Send the body without a Content-Encoding: compressed bodies are not read.',
    de: 'Senden Sie den Inhalt ohne Content-Encoding: Gepacktes wird nicht gelesen.'
  },
  body_has_more_than: {
    en: 'The body has more than {limit}: send less at once.',
    de: 'Der Inhalt hat mehr als {limit}: senden Sie weniger auf einmal.'
  },
  body_was_cut_off: { en: 'The body was cut off.', de: 'Der Inhalt wurde abgeschnitten.' },
  body_is_not_utf8: { en: 'The body is not UTF-8.', de: 'Der Inhalt ist kein UTF-8.' },
  json_levels_deep: {
    en: 'The JSON is nested more than {most} levels deep.',
    de: 'Das JSON ist mehr als {most} Ebenen tief verschachtelt.'
  },
  json_many_values: {
    en: 'The JSON holds more lists and names than a guest may send at once: sign in, or send less.',
    de: 'Das JSON enthält mehr Listen und Namen, als ein Gast auf einmal senden darf: Melden Sie sich an, oder senden Sie weniger.'
  },
  client_has_left: { en: 'The client has left.', de: 'Der Client ist gegangen.' },
  paper_not_made: { en: 'The PDF could not be made: {said}', de: 'Das PDF ließ sich nicht herstellen: {said}' },
  not_under_this_host: {
    en: 'Lookout does not answer under this host name. Use its IP address, or add the name to http.allowed_hosts.',
    de: 'Lookout antwortet nicht unter diesem Rechnernamen. Verwenden Sie die IP-Adresse, oder tragen Sie den Namen in http.allowed_hosts ein.'
  },
  token_sends_events_only: { en: 'This token may only send events.', de: 'Dieses Token darf nur Ereignisse senden.' },
  not_an_operator: { en: '{name} is not one of http.operators.', de: '{name} gehört nicht zu http.operators.' },
  from_another_site: {
    en: 'This request comes from another web site, or from another port of this one.',
    de: 'Diese Anfrage kommt von einer anderen Website oder von einem anderen Port dieser.'
  },
  profile_no_knowledge: {
    en: 'This profile runs without knowledge: choose one with it (subsystems.knowledge) to keep and search documents.',
    de: 'Dieses Profil läuft ohne Wissen: wählen Sie eines mit (subsystems.knowledge), um Dokumente aufzubewahren und zu durchsuchen.'
  },
  preview_changes_nothing: {
    en: 'this is a preview: it changes no documents. Run lookout start for that.',
    de: 'das ist eine Vorschau: sie ändert keine Dokumente. Dafür gibt es lookout start.'
  },
  profile_no_library: {
    en: 'This profile runs without the library: choose one with it (subsystems.library) to keep archives.',
    de: 'Dieses Profil läuft ohne Bibliothek: wählen Sie eines mit (subsystems.library), um Archive aufzubewahren.'
  },
  preview_keeps_nothing: {
    en: 'this is a preview: it keeps nothing. Run lookout start for that.',
    de: 'das ist eine Vorschau: sie bewahrt nichts auf. Dafür gibt es lookout start.'
  },
  clients_listen_already: {
    en: '{most} clients listen already: close one, or try again later.',
    de: '{most} Clients hören schon zu: schließen Sie einen, oder versuchen Sie es später noch einmal.'
  },
  address_listens_already: {
    en: '{most} pages of this address listen already: close one, or try again later.',
    de: '{most} Seiten dieser Adresse hören schon zu: schließen Sie eine, oder versuchen Sie es später noch einmal.'
  },
  nothing_at_this_address: { en: 'There is nothing at this address.', de: 'Unter dieser Adresse gibt es nichts.' },
  profile_no_scraper: {
    en: 'This profile archives no sites: choose one with it (subsystems.scraper) to make archives of web sites.',
    de: 'Dieses Profil archiviert keine Websites: wählen Sie eines mit (subsystems.scraper), um Archive von Websites zu machen.'
  },
  session_file_unusable: {
    en: '{file} in the data folder cannot be used ({said}): nobody is signed in. "lookout token claim" puts it aside and shows a new claim code',
    de: '{file} im Datenordner ist nicht benutzbar ({said}): niemand ist angemeldet. „lookout token claim“ legt die Datei beiseite und zeigt einen neuen Übernahmecode'
  },
  claimed_sign_in: {
    en: 'somebody has claimed this station: sign in with the passphrase',
    de: 'jemand hat diese Station übernommen: melden Sie sich mit der Passphrase an'
  },
  claimed_already: {
    en: 'This station is claimed already: sign in with the passphrase.',
    de: 'Diese Station ist schon übernommen: melden Sie sich mit der Passphrase an.'
  },
  no_claim_code_yet: {
    en: 'There is no claim code yet: run "lookout token claim" on the station.',
    de: 'Es gibt noch keinen Übernahmecode: rufen Sie auf der Station „lookout token claim“ auf.'
  },
  not_the_claim_code: {
    en: 'This is not the claim code. The newest one counts.',
    de: 'Das ist nicht der Übernahmecode. Der neueste zählt.'
  },
  not_claimed_yet: {
    en: 'Nobody has claimed this station yet: claim it with the claim code first.',
    de: 'Noch hat niemand diese Station übernommen: übernehmen Sie sie zuerst mit dem Übernahmecode.'
  },
  not_the_passphrase: { en: 'This is not the passphrase.', de: 'Das ist nicht die Passphrase.' },
  tokens_unusable: {
    en: 'the tokens in {path} cannot be used ({said}): repair the file, or move it away and make new tokens',
    de: 'die Token in {path} sind nicht benutzbar ({said}): reparieren Sie die Datei, oder räumen Sie sie weg und machen neue Token'
  },
  preview_takes_no_events: {
    en: 'this is a preview: it takes no events and sends nothing. Run lookout start for that.',
    de: 'das ist eine Vorschau: sie nimmt keine Ereignisse an und sendet nichts. Dafür gibt es lookout start.'
  },
  preview_asks_nobody: {
    en: 'this is a preview: it asks nobody. Run lookout start for that.',
    de: 'das ist eine Vorschau: sie fragt niemanden. Dafür gibt es lookout start.'
  },
  program_is_stopping: { en: 'the program is stopping', de: 'das Programm wird beendet' },
  no_satpass_source: {
    en: 'no source of kind satpass is configured and enabled',
    de: 'keine Quelle der Art satpass ist eingerichtet und eingeschaltet'
  },
  satpass_no_observers: {
    en: 'the satpass source has no observers: add one',
    de: 'die satpass-Quelle hat keine Beobachter: fügen Sie einen hinzu'
  },
  no_such_observer: {
    en: 'no observer is named "{name}": one of {names}',
    de: 'kein Beobachter heißt „{name}“: einer von {names}'
  },
  no_elements_read_yet: {
    en: 'no orbital elements have been read yet: try again later',
    de: 'noch wurden keine Bahnelemente gelesen: versuchen Sie es später noch einmal'
  },
  no_named_satellite: {
    en: 'none of the satellites named in the settings is in the orbital elements',
    de: 'keiner der in den Einstellungen genannten Satelliten steht in den Bahnelementen'
  },
  library_too_slow: {
    en: 'the library has not answered in time',
    de: 'die Bibliothek hat nicht rechtzeitig geantwortet'
  },
  not_a_feature: {
    en: 'Not a GeoJSON Feature: it needs "type": "Feature".',
    de: 'Kein GeoJSON-Feature: es braucht "type": "Feature".'
  },
  line_is_no_event: {
    en: 'Each line is an Event or a GeoJSON Feature: a JSON object.',
    de: 'Jede Zeile ist ein Ereignis oder ein GeoJSON-Feature: ein JSON-Objekt.'
  },
  profile_no_addresses: {
    en: 'the profile {profile} looks up no addresses',
    de: 'das Profil {profile} schlägt keine Adressen nach'
  },
  preview_most_vertices: {
    en: 'at most {most} vertices and codes in a preview: save it, and see what comes',
    de: 'höchstens {most} Ecken und Codes in einer Vorschau: speichern Sie, und sehen Sie, was kommt'
  },
  exercise_runs: {
    en: 'an exercise is running: stop it first',
    de: 'eine Übung läuft: beenden Sie zuerst diese'
  },
  exercise_no_run: { en: 'no exercise is running', de: 'es läuft keine Übung' },
  drill_needs_area: {
    en: 'no coverage area has the name {region}, or it has no place',
    de: 'kein Abdeckungsgebiet heißt {region}, oder es hat keinen Ort'
  },
  drill_needs_family: { en: 'there is no family {family}', de: 'es gibt keine Familie {family}' },
  demo_only_while_playing: {
    en: 'events of the demo exist only while it plays: post it without data.demo',
    de: 'Ereignisse der Vorführung gibt es nur, solange sie läuft: senden Sie es ohne data.demo'
  },
  most_events_at_once: {
    en: 'at most {most} events at once, not {count}: send them in several requests',
    de: 'höchstens {most} Ereignisse auf einmal, nicht {count}: senden Sie sie in mehreren Anfragen'
  },
  none_of_events_taken: {
    en: 'None of the events was taken, because not all are valid. {place}: {why}',
    de: 'Keines der Ereignisse wurde angenommen, weil nicht alle gültig sind. {place}: {why}'
  },
  radio_has_no_channel: {
    en: 'radio {radio} has no channel {channel}',
    de: 'das Funkgerät {radio} hat keinen Kanal {channel}'
  },
  radio_channel_disabled: {
    en: 'channel {channel} is disabled on radio {radio}',
    de: 'der Kanal {channel} ist auf dem Funkgerät {radio} ausgeschaltet'
  },
  nothing_can_be_sent: { en: 'nothing of this text can be sent', de: 'nichts von diesem Text kann gesendet werden' },
  text_has_bytes: {
    en: 'the text has {bytes} bytes, and {limit} fit',
    de: 'der Text hat {bytes} Bytes, und {limit} passen'
  },
  until_is_rfc: { en: 'until is RFC 3339', de: 'until ist eine Zeit nach RFC 3339' },
  duration_is_written: { en: 'a duration is written 30m, 2h or 1d', de: 'eine Dauer schreibt man 30m, 2h oder 1d' },
  silence_ends_in_future: { en: 'a silence ends in the future', de: 'eine Stummschaltung endet in der Zukunft' },
  silence_lasts_at_most: {
    en: 'a silence lasts at most {longest}',
    de: 'eine Stummschaltung dauert höchstens {longest}'
  },
  no_name_in_matrix: {
    en: '"{name}" cannot be a name in the matrix: choose another',
    de: '„{name}“ kann kein Name in der Matrix sein: wählen Sie einen anderen'
  },
  no_area_is_named: { en: 'no area is named "{name}"', de: 'kein Gebiet heißt „{name}“' },
  area_still_named: { en: 'an area is still named "{name}"', de: 'ein Gebiet heißt noch „{name}“' },
  coverage_not_valid: { en: 'the coverage is not valid: {why}', de: 'das Gebiet ist nicht gültig: {why}' },
  matrix_not_valid: { en: 'the matrix is not valid: {why}', de: 'die Matrix ist nicht gültig: {why}' },
  family_not_known: {
    en: 'unknown family "{family}": one of {known}',
    de: 'unbekannte Familie „{family}“: eine von {known}'
  },
  cell_is_there_already: {
    en: 'the matrix has a cell for {family} × {region} already: one of the two would be lost. Save without renaming in the matrix, and edit the matrix',
    de: 'die Matrix hat schon eine Zelle für {family} × {region}: eine der beiden ginge verloren. Speichern Sie ohne Umbenennen in der Matrix, und bearbeiten Sie die Matrix'
  },
  write_secret_again: {
    en: 'write the secret again in place of {mark}',
    de: 'schreiben Sie das Geheimnis anstelle von {mark} noch einmal'
  },
  body_is_not_json: { en: 'The body is not valid JSON.', de: 'Der Inhalt ist kein gültiges JSON.' },
  body_is_not_json_at: {
    en: 'The body is not valid JSON: line {line}, column {column}: {said}.',
    de: 'Der Inhalt ist kein gültiges JSON: Zeile {line}, Spalte {column}: {said}.'
  },
  passphrase_at_least: {
    en: 'A passphrase has at least {least} characters.',
    de: 'Eine Passphrase hat mindestens {least} Zeichen.'
  },
  passphrase_at_most: {
    en: 'A passphrase has at most {most} bytes.',
    de: 'Eine Passphrase hat höchstens {most} Bytes.'
  },
  event_refused: { en: 'The event is refused. {why}', de: 'Das Ereignis wird abgelehnt. {why}' },
  event_refused_at: { en: 'The event is refused. {place}: {why}', de: 'Das Ereignis wird abgelehnt. {place}: {why}' },
  not_an_event: { en: 'not an event', de: 'kein Ereignis' },
  taken_from_memory: {
    en: '{why}. Of {count} events {taken} were taken from memory; the others are below critical: send all of them again',
    de: '{why}. Von {count} Ereignissen wurden {taken} im Arbeitsspeicher angenommen; die anderen liegen unter kritisch: senden Sie alle noch einmal'
  },
  input_not_valid: { en: '{name} is not valid: {why}', de: '{name} ist nicht gültig: {why}' },
  input_not_valid_at: { en: '{name} is not valid at {place}: {why}', de: '{name} ist nicht gültig bei {place}: {why}' },
  and_more_issues: { en: '{why} (and {more} more)', de: '{why} (und {more} weitere)' },
  name_the_domain: { en: 'name the domain it belongs to', de: 'nennen Sie das Sachgebiet, zu dem es gehört' },
  silence_names_something: {
    en: 'name a family, a region or a thread: to silence everything, switch notifications off',
    de: 'nennen Sie eine Familie, eine Region oder einen Faden: um alles stummzuschalten, schalten Sie die Benachrichtigungen aus'
  },
  family_unknown: { en: 'unknown family "{family}"', de: 'unbekannte Familie „{family}“' },
  no_region_is_named: { en: 'no region is named "{region}"', de: 'keine Region heißt „{region}“' },
  no_alert_has_thread: {
    en: 'no alert has the thread id or the code "{thread}"',
    de: 'keine Warnung hat die Faden-Kennung oder den Code „{thread}“'
  },
  duration_or_until: { en: 'give either duration (2h) or until', de: 'geben Sie entweder duration (2h) oder until an' },
  no_name_here: {
    en: '"{name}" cannot be a name here: choose another',
    de: '„{name}“ kann hier kein Name sein: wählen Sie einen anderen'
  },
  no_such_section: {
    en: 'there is no section "{section}": one of {known}',
    de: 'es gibt keinen Abschnitt „{section}“: einer von {known}'
  },
  no_place_in_list: { en: 'the list has no place "{token}"', de: 'die Liste hat keine Stelle „{token}“' },
  nothing_below_plain: {
    en: 'nothing can stand below a plain value',
    de: 'unter einem einfachen Wert kann nichts stehen'
  },
  no_secret_to_keep: {
    en: 'there is no such secret to keep at {from}: write it again',
    de: 'bei {from} gibt es kein solches Geheimnis zu behalten: schreiben Sie es noch einmal'
  },
  data_is_an_object: { en: 'data is an object', de: 'data ist ein Objekt' },
  event_is_an_object: { en: 'an event is a JSON object', de: 'ein Ereignis ist ein JSON-Objekt' },
  send_tus_version: {
    en: 'Send the header Tus-Resumable: {version}.',
    de: 'Senden Sie den Header Tus-Resumable: {version}.'
  },
  address_takes: { en: 'This address takes {methods}.', de: 'Diese Adresse nimmt {methods}.' },
  others_try_things: {
    en: 'Others are trying things out: try again in {seconds} s.',
    de: 'Andere probieren gerade etwas aus: versuchen Sie es in {seconds} s noch einmal.'
  },
  first_one_under_way: {
    en: 'What you asked for before is still under way: try again in {seconds} s.',
    de: 'Was Sie vorher wollten, ist noch in Arbeit: versuchen Sie es in {seconds} s noch einmal.'
  },
  token_not_valid: { en: 'This token is not valid, or not any more.', de: 'Dieses Token gilt nicht oder nicht mehr.' },
  who_are_you: {
    en: 'Who are you? Sign in at /sign-in or through the identity provider, send a token (Authorization: Bearer …), or ask from this machine itself.',
    de: 'Wer sind Sie? Melden Sie sich unter /sign-in oder über den Identitätsanbieter an, senden Sie ein Token (Authorization: Bearer …), oder fragen Sie von diesem Rechner selbst.'
  },
  too_many_requests: {
    en: 'Too many requests at once: try again in {seconds} s.',
    de: 'Zu viele Anfragen auf einmal: versuchen Sie es in {seconds} s noch einmal.'
  },
  too_many_tries: {
    en: 'Too many tries: wait {seconds} s, then try again.',
    de: 'Zu viele Versuche: warten Sie {seconds} s, dann versuchen Sie es noch einmal.'
  },
  demo_plays: {
    en: 'DEMO "{title}": invented events on simulated radios, nothing is transmitted. It ends when you configure a radio, a coverage area or a matrix cell.',
    de: 'DEMO „{title}“: erfundene Ereignisse auf simulierten Funkgeräten, nichts geht auf Sendung. Sie endet, sobald ein Funkgerät, ein Gebiet oder eine Zelle der Verteilung eingerichtet ist.'
  },
  demo_was_seen: {
    en: 'DEMO "{title}": invented events on simulated radios, nothing is transmitted. It ends when you configure a radio, a coverage area or a matrix cell. This folder has seen it, so nothing is sent twice: --demo-again starts a new run.',
    de: 'DEMO „{title}“: erfundene Ereignisse auf simulierten Funkgeräten, nichts geht auf Sendung. Sie endet, sobald ein Funkgerät, ein Gebiet oder eine Zelle der Verteilung eingerichtet ist. Dieser Ordner kennt sie schon, deshalb wird nichts zweimal gesendet: --demo-again beginnt sie von vorn.'
  }
}
