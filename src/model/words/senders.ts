import type { SENDERS_CODES } from '../reasons/senders.ts'
import type { SentencesOf } from './sentence.ts'

export const SENDERS_SENTENCES: SentencesOf<typeof SENDERS_CODES> = {
  message_longer_than: { en: 'The message is longer than {kib} KiB.', de: 'Die Nachricht ist länger als {kib} KiB.' },
  setting_file_unreadable: {
    en: 'The file named in {setting} cannot be read: {said}',
    de: 'Die in {setting} genannte Datei kann nicht gelesen werden: {said}'
  },
  nothing_listened_to: {
    en: 'The settings name nothing to listen to.',
    de: 'Die Einstellungen nennen nichts, worauf gehört wird.'
  },
  nobody_listens_to: { en: 'nobody listens to {topic}', de: 'niemand hört auf {topic}' },
  folder_not_inside: {
    en: '{path} is not a folder inside the data folder. Give an absolute path.',
    de: '{path} ist kein Ordner im Datenordner. Geben Sie einen absoluten Pfad an.'
  },
  link_is_closed: { en: 'closed', de: 'geschlossen' },
  mqtt_no_version_5: {
    en: '{where} does not know MQTT 5; the version before is tried.',
    de: '{where} kennt MQTT 5 nicht; die Version davor wird versucht.'
  },
  topic_not_asked: { en: 'it is of a topic that is not asked for any more', de: 'ihr Thema wird nicht mehr verlangt' },
  waits_in_memory: {
    en: 'nothing can be stored: it waits in memory',
    de: 'nichts kann gespeichert werden: sie wartet im Arbeitsspeicher'
  },
  could_not_be_stored: { en: 'it could not be stored', de: 'sie konnte nicht gespeichert werden' },
  broker_closed: {
    en: '{where} closed the connection. It is tried again.',
    de: '{where} hat die Verbindung geschlossen. Es wird noch einmal versucht.'
  },
  could_not_be_stored_said: { en: 'it could not be stored: {said}', de: 'sie konnte nicht gespeichert werden: {said}' },
  nats_other_consumer: {
    en: 'The hub has a consumer {durable} of another kind (not a pull consumer with explicit acknowledgement). Set another name in durable.',
    de: 'Der Hub hat einen Abnehmer {durable} von anderer Art (kein Pull-Consumer mit ausdrücklicher Bestätigung). Setzen Sie einen anderen Namen in durable.'
  },
  folder_too_many_files: {
    en: 'There are more than {most} files in {folder}: move the old ones away.',
    de: 'In {folder} liegen mehr als {most} Dateien: räumen Sie die alten weg.'
  },
  folder_unreadable: {
    en: 'The folder {folder} cannot be read ({said}).',
    de: 'Der Ordner {folder} kann nicht gelesen werden ({said}).'
  },
  file_longer_than: { en: '{file} is longer than {mib} MiB', de: '{file} ist länger als {mib} MiB' },
  dropped_unreadable: { en: '{file} cannot be read ({said}).', de: '{file} kann nicht gelesen werden ({said}).' },
  folder_unusable: {
    en: 'The folder {folder} cannot be used now: {said}',
    de: 'Der Ordner {folder} ist jetzt nicht benutzbar: {said}'
  },
  file_said: { en: '{file}: {why}', de: '{file}: {why}' },
  dropped_too_long: { en: 'it is longer than {mb} MB', de: 'sie ist länger als {mb} MB' },
  dropped_cannot_be_read: { en: 'it cannot be read: {said}', de: 'sie kann nicht gelesen werden: {said}' },
  files_refused: {
    en: { by: 'count', one: 'A file was refused. {first}', other: '{count} files were refused. {first}' },
    de: { by: 'count', one: 'Eine Datei wurde abgelehnt. {first}', other: '{count} Dateien wurden abgelehnt. {first}' }
  },
  broker_closed_twin: {
    en: '{where} closed the connection. If it does so again and again, another client may have the same client_id ({client}): give every station its own.',
    de: '{where} hat die Verbindung geschlossen. Geschieht das immer wieder, hat vielleicht ein anderer Client dieselbe client_id ({client}): geben Sie jeder Station ihre eigene.'
  },
  asked_to_send_again: {
    en: 'A message could not be stored: {said} The broker is asked to send it again.',
    de: 'Eine Nachricht konnte nicht gespeichert werden: {said} Der Broker soll sie noch einmal senden.'
  },
  may_not_read: {
    en: '{where} does not let this user read {topics}.',
    de: '{where} lässt diesen Benutzer {topics} nicht lesen.'
  },
  no_mqtt_answer: {
    en: '{where} does not answer as an MQTT broker. Check the port, and mqtt:// or mqtts://.',
    de: '{where} antwortet nicht wie ein MQTT-Broker. Prüfen Sie den Port, und mqtt:// oder mqtts://.'
  },
  broker_refuses_id: {
    en: '{where} does not accept this client_id. Set another one.',
    de: '{where} nimmt diese client_id nicht an. Setzen Sie eine andere.'
  },
  broker_unavailable: {
    en: '{where} is not available now. It is tried again.',
    de: '{where} ist jetzt nicht verfügbar. Es wird noch einmal versucht.'
  },
  broker_refuses_login: {
    en: '{where} refuses user name or password. Set username and password of this source.',
    de: '{where} lehnt Benutzernamen oder Passwort ab. Setzen Sie username und password dieser Quelle.'
  },
  broker_refuses_user: {
    en: '{where} does not let this user in. Check username and password, and what the broker allows this user and this client_id.',
    de: '{where} lässt diesen Benutzer nicht herein. Prüfen Sie username und password, und was der Broker diesem Benutzer und dieser client_id erlaubt.'
  },
  broker_busy: {
    en: '{where} is busy. It is tried again.',
    de: '{where} ist beschäftigt. Es wird noch einmal versucht.'
  },
  broker_banned_us: {
    en: '{where} has banned this client. Ask its owner.',
    de: '{where} hat diesen Client gesperrt. Fragen Sie den Betreiber.'
  },
  broker_shuts_down: {
    en: '{where} shuts down. It is tried again.',
    de: '{where} wird heruntergefahren. Es wird noch einmal versucht.'
  },
  broker_heard_nothing: {
    en: '{where} heard nothing from us for too long. It is tried again.',
    de: '{where} hat zu lange nichts von uns gehört. Es wird noch einmal versucht.'
  },
  broker_other_client: {
    en: '{where} gave the session to another client with the same client_id. Give every station a client_id of its own.',
    de: '{where} gab die Sitzung einem anderen Client mit derselben client_id. Geben Sie jeder Station eine eigene client_id.'
  },
  broker_quota: {
    en: '{where} says that a quota is used up. Ask its owner.',
    de: '{where} sagt, dass ein Kontingent erschöpft ist. Fragen Sie den Betreiber.'
  },
  broker_told_to_end: {
    en: '{where} was told to end the connection. Ask its owner.',
    de: '{where} wurde angewiesen, die Verbindung zu beenden. Fragen Sie den Betreiber.'
  },
  broker_ended_code: {
    en: '{where} ended the connection with code {number}.',
    de: '{where} beendete die Verbindung mit dem Code {number}.'
  },
  broker_failed_said: { en: '{where}: {said}', de: '{where}: {said}' },
  net_refused: {
    en: '{where} refuses the connection. Check the address and the port, and that the broker runs.',
    de: '{where} lehnt die Verbindung ab. Prüfen Sie Adresse und Port, und ob der Broker läuft.'
  },
  net_unknown_name: {
    en: '{where} is not a known name. Check the address, or the connection to the internet.',
    de: '{where} ist kein bekannter Name. Prüfen Sie die Adresse oder die Verbindung zum Internet.'
  },
  net_no_lookup: {
    en: '{where} cannot be looked up. Check the address, or the connection to the internet.',
    de: '{where} lässt sich nicht nachschlagen. Prüfen Sie die Adresse oder die Verbindung zum Internet.'
  },
  net_no_answer: {
    en: '{where} does not answer. Check the address, the port and firewalls in between.',
    de: '{where} antwortet nicht. Prüfen Sie Adresse, Port und Firewalls dazwischen.'
  },
  net_unreachable: {
    en: '{where} cannot be reached. Check the network.',
    de: '{where} ist nicht erreichbar. Prüfen Sie das Netz.'
  },
  net_no_network: {
    en: '{where} cannot be reached: there is no network. It is tried again.',
    de: '{where} ist nicht erreichbar: es gibt kein Netz. Es wird noch einmal versucht.'
  },
  net_broken_off: {
    en: '{where} broke the connection off. If it wants an encrypted connection, or a plain one, change the address.',
    de: '{where} brach die Verbindung ab. Will er eine verschlüsselte oder eine einfache Verbindung, ändern Sie die Adresse.'
  },
  tls_self_made: {
    en: '{where} has a certificate of its own making. Name it in ca_file to trust it.',
    de: '{where} hat ein selbst gemachtes Zertifikat. Nennen Sie es in ca_file, um ihm zu trauen.'
  },
  tls_own_authority: {
    en: '{where} has a certificate of an authority of its own. Name that in ca_file to trust it.',
    de: '{where} hat ein Zertifikat einer eigenen Stelle. Nennen Sie diese in ca_file, um ihr zu trauen.'
  },
  tls_unknown_authority: {
    en: '{where} has a certificate nobody known vouches for. Name its authority in ca_file.',
    de: '{where} hat ein Zertifikat, für das niemand Bekanntes bürgt. Nennen Sie seine Stelle in ca_file.'
  },
  tls_expired: {
    en: '{where} has a certificate that has expired. Check the clock of this machine, or tell the owner.',
    de: '{where} hat ein abgelaufenes Zertifikat. Prüfen Sie die Uhr dieses Rechners, oder sagen Sie es dem Betreiber.'
  },
  tls_not_yet_valid: {
    en: '{where} has a certificate that is not valid yet. Check the clock of this machine.',
    de: '{where} hat ein Zertifikat, das noch nicht gilt. Prüfen Sie die Uhr dieses Rechners.'
  },
  tls_other_name: {
    en: '{where} has a certificate for another name. Use the name the certificate is for.',
    de: '{where} hat ein Zertifikat für einen anderen Namen. Verwenden Sie den Namen, für den es gilt.'
  },
  tls_not_spoken: {
    en: '{where} does not speak TLS on this port. Check the port, or use an address for plain connections.',
    de: '{where} spricht auf diesem Port kein TLS. Prüfen Sie den Port, oder verwenden Sie eine Adresse für einfache Verbindungen.'
  },
  nats_no_stream: {
    en: 'The hub has no stream {stream}. Check its name, ask the owner of the hub, or set create_stream where the server is yours.',
    de: 'Der Hub hat keinen Strom {stream}. Prüfen Sie den Namen, fragen Sie den Betreiber, oder setzen Sie create_stream, wenn der Server Ihrer ist.'
  },
  nats_no_account: {
    en: 'JetStream is not enabled for this account. Ask the owner of the hub.',
    de: 'JetStream ist für dieses Konto nicht eingeschaltet. Fragen Sie den Betreiber des Hubs.'
  },
  nats_no_jetstream: {
    en: 'JetStream is not enabled on this server. Ask the owner of the hub.',
    de: 'JetStream ist auf diesem Server nicht eingeschaltet. Fragen Sie den Betreiber des Hubs.'
  },
  nats_no_subjects_held: {
    en: 'The stream does not hold {subjects}. Check subjects against what the owner of the hub says.',
    de: 'Der Strom enthält {subjects} nicht. Vergleichen Sie subjects mit dem, was der Betreiber des Hubs sagt.'
  },
  nats_hub_answers: { en: 'The hub answers: {said}.', de: 'Der Hub antwortet: {said}.' },
  nats_not_let_in: {
    en: '{where} does not let us in. Check username and password, token, nkey_secret or creds_file of this source.',
    de: '{where} lässt uns nicht herein. Prüfen Sie username und password, token, nkey_secret oder creds_file dieser Quelle.'
  },
  nats_expired: {
    en: '{where}: the credentials have expired. Ask the owner of the hub for new ones.',
    de: '{where}: die Zugangsdaten sind abgelaufen. Bitten Sie den Betreiber des Hubs um neue.'
  },
  nats_not_allowed: {
    en: '{where} does not allow this user what a consumer needs: {said}. Ask the owner of the hub.',
    de: '{where} erlaubt diesem Benutzer nicht, was ein Abnehmer braucht: {said}. Fragen Sie den Betreiber des Hubs.'
  },
  nats_too_slow: {
    en: '{where} does not answer in time. It is tried again.',
    de: '{where} antwortet nicht rechtzeitig. Es wird noch einmal versucht.'
  },
  nats_consumer_gone: {
    en: 'The consumer was removed from the hub; it is made anew.',
    de: 'Der Abnehmer wurde vom Hub entfernt; er wird neu angelegt.'
  },
  nats_stream_gone: { en: 'The stream was removed from the hub.', de: 'Der Strom wurde vom Hub entfernt.' },
  receiver_closed: { en: '{host}:{port} closed the connection', de: '{host}:{port} hat die Verbindung geschlossen' },
  receiver_no_answer: { en: '{host}:{port} does not answer', de: '{host}:{port} antwortet nicht' },
  receiver_silent: { en: '{host}:{port} was silent for {seconds} s', de: '{host}:{port} schwieg {seconds} s lang' },
  receiver_failed: { en: '{host}:{port}: {said}', de: '{host}:{port}: {said}' },
  elements_download_failed: {
    en: 'The download of orbital elements failed: {why}',
    de: 'Das Laden der Bahnelemente schlug fehl: {why}'
  },
  elements_file_failed: { en: 'Reading {file} failed: {why}', de: 'Das Lesen von {file} schlug fehl: {why}' },
  no_elements_of: { en: 'No elements of {satellites}.', de: 'Keine Bahnelemente von {satellites}.' },
  no_elements_yet: { en: 'There are no orbital elements yet.', de: 'Es gibt noch keine Bahnelemente.' },
  none_can_be_followed: {
    en: 'No satellite can be followed. {id}: {why}.',
    de: 'Kein Satellit kann verfolgt werden. {id}: {why}.'
  },
  satellite_left_out: { en: '{id} left out: {why}.', de: '{id} ausgelassen: {why}.' },
  satellites_left_out: {
    en: '{id} and {more} more left out: {why}.',
    de: '{id} und {more} weitere ausgelassen: {why}.'
  },
  host_wants_quiet: {
    en: '{host} has asked to be left alone until {until}',
    de: '{host} hat gebeten, bis {until} in Ruhe gelassen zu werden'
  },
  host_answered: { en: '{host} answered {status}', de: '{host} antwortete {status}' },
  host_answered_unchanged: {
    en: '{host} answered 304, although nothing was known of it',
    de: '{host} antwortete 304, obwohl nichts davon bekannt war'
  },
  host_wants_key: {
    en: '{host} answered 401: the key is missing or wrong',
    de: '{host} antwortete 401: der Schlüssel fehlt oder ist falsch'
  },
  host_refuses_us: {
    en: '{host} answered 403: it refuses us; asking again soon would only make it worse',
    de: '{host} antwortete 403: wir werden abgelehnt; bald wieder zu fragen würde es nur schlimmer machen'
  },
  host_has_nothing: {
    en: '{host} answered 404: there is nothing at this address; look at the settings of this source',
    de: '{host} antwortete 404: unter dieser Adresse ist nichts; sehen Sie in die Einstellungen dieser Quelle'
  },
  host_address_gone: {
    en: '{host} answered 410: this address is gone; look at the settings of this source',
    de: '{host} antwortete 410: diese Adresse gibt es nicht mehr; sehen Sie in die Einstellungen dieser Quelle'
  },
  host_too_many: { en: '{host} answered 429: too many requests', de: '{host} antwortete 429: zu viele Anfragen' }
}
