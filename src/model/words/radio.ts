import type { RADIO_CODES } from '../reasons/radio.ts'
import type { SentencesOf } from './sentence.ts'

export const RADIO_SENTENCES: SentencesOf<typeof RADIO_CODES> = {
  not_started: { en: 'not started yet', de: 'noch nicht gestartet' },
  closed: { en: 'closed', de: 'geschlossen' },
  connecting_to: { en: 'connecting to {link}', de: 'verbindet sich mit {link}' },
  connecting_again: {
    en: 'connecting to {link}; the last try: {last}',
    de: 'verbindet sich mit {link}; der letzte Versuch: {last}'
  },
  closed_before_answer: {
    en: 'the radio was closed before it answered',
    de: 'das Funkgerät wurde geschlossen, bevor es antwortete'
  },
  taken_away: {
    en: '{why}. It was lost within seconds of coming up {times} times running: someone else, such as a phone app, seems to be using this radio. Disconnect that, or give Lookout a radio of its own',
    de: '{why}. Die Verbindung ging {times}-mal hintereinander nach Sekunden verloren: jemand anders, etwa eine App auf einem Telefon, scheint dieses Funkgerät zu benutzen. Trennen Sie das, oder geben Sie Lookout ein eigenes Funkgerät'
  },
  radio_was_closed: {
    en: 'Radio {radio} was closed. Start Lookout again to use it.',
    de: 'Funkgerät {radio} wurde geschlossen. Starten Sie Lookout neu, um es zu benutzen.'
  },
  asked_again: {
    en: 'the radio has not answered for {seconds} s; it is asked again',
    de: 'das Funkgerät antwortet seit {seconds} s nicht; es wird noch einmal gefragt'
  },
  stopped_answering: {
    en: 'the radio stopped answering: no answer in {seconds} s',
    de: 'das Funkgerät antwortet nicht mehr: keine Antwort in {seconds} s'
  },
  not_ready: { en: 'not ready', de: 'nicht bereit' },
  no_answer_in: { en: 'no answer in {seconds} s', de: 'keine Antwort in {seconds} s' },
  cannot_connect: { en: 'cannot connect to {host}:{port}: {why}', de: 'keine Verbindung zu {host}:{port}: {why}' },
  radio_hung_up: { en: 'the radio closed the connection', de: 'das Funkgerät schloss die Verbindung' },
  link_not_open: { en: '{link} is not open', de: '{link} ist nicht offen' },
  host_refuses: {
    en: 'the host refuses the connection; is its network API switched on, and the port right?',
    de: 'der Rechner weist die Verbindung ab; ist seine Netzwerkschnittstelle eingeschaltet, und stimmt der Port?'
  },
  connection_reset: { en: 'the connection was reset', de: 'die Verbindung wurde zurückgesetzt' },
  host_unreachable: {
    en: 'the host cannot be reached; is the radio on this network?',
    de: 'der Rechner ist nicht erreichbar; ist das Funkgerät in diesem Netz?'
  },
  network_unreachable: { en: 'this network has no way to the host', de: 'dieses Netz hat keinen Weg zum Rechner' },
  host_unknown: {
    en: 'no host has this name; correct "host"',
    de: 'kein Rechner hat diesen Namen; berichtigen Sie „host“'
  },
  name_not_looked_up: { en: 'the name could not be looked up now', de: 'der Name ließ sich gerade nicht nachschlagen' },
  host_silent: { en: 'the host does not answer', de: 'der Rechner antwortet nicht' },
  connection_closed: { en: 'the connection was closed', de: 'die Verbindung wurde geschlossen' },
  closed_while_opening: { en: 'closed while opening', de: 'beim Öffnen geschlossen' },
  device_file_gone: { en: 'its device file is gone', de: 'seine Gerätedatei ist weg' },
  serial_closed: { en: 'the serial port was closed', de: 'der serielle Anschluss wurde geschlossen' },
  no_udevadm: {
    en: 'no device can be found by its USB numbers, because udevadm is not installed: apt-get install udev, or name the port by its file below /dev/serial/by-id',
    de: 'kein Gerät lässt sich an seinen USB-Nummern finden, denn udevadm ist nicht installiert: apt-get install udev, oder nennen Sie den Anschluss mit seiner Datei unter /dev/serial/by-id'
  },
  usb_absent: { en: 'no device {path} is plugged in', de: 'kein Gerät {path} ist eingesteckt' },
  usb_several: {
    en: '{count} devices are {path}; write usb:{usb}:SERIAL with one of: {serials}',
    de: '{count} Geräte sind {path}; schreiben Sie usb:{usb}:SERIAL mit einem von: {serials}'
  },
  device_lost: { en: 'the device was lost: {why}', de: 'das Gerät ging verloren: {why}' },
  device_lost_io: {
    en: 'the device was lost (i/o error); is it still plugged in?',
    de: 'das Gerät ging verloren (E/A-Fehler); ist es noch eingesteckt?'
  },
  port_absent: {
    en: '{path} is not there; is the radio plugged in?',
    de: '{path} ist nicht da; ist das Funkgerät eingesteckt?'
  },
  port_forbidden: {
    en: 'no permission for {path}; add the user Lookout runs as to the group dialout',
    de: 'keine Berechtigung für {path}; fügen Sie den Benutzer, unter dem Lookout läuft, der Gruppe dialout hinzu'
  },
  port_in_use: {
    en: '{path} is in use by another program; close that one',
    de: '{path} wird von einem anderen Programm benutzt; schließen Sie das'
  },
  cannot_be_written: { en: 'it cannot be written to: {why}', de: 'es lässt sich nicht darauf schreiben: {why}' },
  no_answer_to: {
    en: 'The radio did not answer {command} in {seconds} s.',
    de: 'Das Funkgerät beantwortete {command} nicht in {seconds} s.'
  },
  unanswered_running: {
    en: 'it did not answer {count} commands running, the last was {command}',
    de: 'es beantwortete {count} Befehle hintereinander nicht, zuletzt {command}'
  },
  lost_before_answer: {
    en: 'The link was lost before the radio answered {command}: {why}.',
    de: 'Die Verbindung ging verloren, bevor das Funkgerät {command} beantwortete: {why}.'
  },
  frames_senseless: {
    en: 'its frames stopped making sense: bytes are lost or changed on the way',
    de: 'seine Rahmen ergeben keinen Sinn mehr: Bytes gehen unterwegs verloren oder ändern sich'
  },
  link_was_lost: { en: 'The link was lost.', de: 'Die Verbindung ging verloren.' },
  link_lost: { en: 'the link was lost', de: 'die Verbindung ging verloren' },
  lost_unanswered: {
    en: 'the link was lost before the radio answered',
    de: 'die Verbindung ging verloren, bevor das Funkgerät antwortete'
  },
  no_meshcore: {
    en: 'No MeshCore radio answers on {link}: {seen}.',
    de: 'Kein MeshCore-Funkgerät antwortet an {link}: {seen}.'
  },
  mc_nothing: {
    en: 'nothing was received: is it a MeshCore companion radio, powered and on this port?',
    de: 'nichts kam an: Ist es ein MeshCore-Companion, eingeschaltet und an diesem Anschluss?'
  },
  mc_sees_meshtastic: {
    en: 'a Meshtastic radio is on this port: set "network" to "mt", or choose the other port',
    de: 'ein Meshtastic-Funkgerät ist an diesem Anschluss: setzen Sie „network“ auf „mt“, oder wählen Sie den anderen Anschluss'
  },
  mc_sees_gps: {
    en: 'a GPS receiver (NMEA sentences) is on this port: choose another port',
    de: 'ein GPS-Empfänger (NMEA) ist an diesem Anschluss: wählen Sie einen anderen'
  },
  mc_sees_echo: {
    en: 'our own bytes come back: the port is an echo, not a radio',
    de: 'unsere eigenen Bytes kommen zurück: der Anschluss ist ein Echo, kein Funkgerät'
  },
  mc_sees_text: {
    en: 'plain text was received: a boot log or a console, not a MeshCore companion radio with its USB or WiFi firmware',
    de: 'reiner Text kam an: ein Startprotokoll oder eine Konsole, kein MeshCore-Companion mit USB- oder WLAN-Firmware'
  },
  mc_sees_bytes: {
    en: 'unknown bytes were received ({sample} …): another kind of device, or another speed',
    de: 'unbekannte Bytes kamen an ({sample} …): ein anderes Gerät oder eine andere Geschwindigkeit'
  },
  not_handed_over: { en: '{why} The text was not handed over', de: '{why} Der Text wurde nicht übergeben' },
  queue_not_emptied: {
    en: 'the radio took the text, but its queue did not empty in {seconds} s',
    de: 'das Funkgerät nahm den Text an, aber seine Warteschlange wurde in {seconds} s nicht leer'
  },
  mc_error: { en: 'error {error}: {meaning}', de: 'Fehler {error}: {meaning}' },
  mc_unknown_command: { en: 'it does not know this command', de: 'diesen Befehl kennt es nicht' },
  mc_not_found: { en: 'not found', de: 'nicht gefunden' },
  mc_table_full: { en: 'its table is full', de: 'seine Tabelle ist voll' },
  mc_busy: { en: 'it is busy with something else', de: 'es ist mit anderem beschäftigt' },
  mc_storage_failed: { en: 'its storage failed', de: 'sein Speicher versagte' },
  mc_argument: { en: 'an argument is not allowed', de: 'ein Argument ist nicht erlaubt' },
  mc_reason_unknown: { en: 'a reason this version does not know', de: 'ein Grund, den diese Version nicht kennt' },
  firmware_without: {
    en: 'its firmware was built without this function',
    de: 'seine Firmware wurde ohne diese Funktion gebaut'
  },
  not_connected: {
    en: 'radio {radio} is {state}: the text was not handed over',
    de: 'Funkgerät {radio}: {state}; der Text wurde nicht übergeben'
  },
  not_connected_why: {
    en: 'radio {radio} is {state} ({why}): the text was not handed over',
    de: 'Funkgerät {radio}: {state} ({why}); der Text wurde nicht übergeben'
  },
  no_mc_channel: {
    en: 'this radio has no channel named {channel}, or two with different keys: set it up on the radio first',
    de: 'dieses Funkgerät hat keinen Kanal namens {channel}, oder zwei mit verschiedenen Schlüsseln: richten Sie ihn erst am Funkgerät ein'
  },
  too_large_with_name: {
    en: '{bytes} bytes with the name of the node, and {limit} fit: the radio would cut it',
    de: '{bytes} Bytes mit dem Namen des Knotens, und {limit} passen: das Funkgerät würde den Text kürzen'
  },
  direct_too_large: {
    en: '{bytes} bytes, and a direct text holds {limit}',
    de: '{bytes} Bytes, und ein direkter Text fasst {limit}'
  },
  no_contact: {
    en: 'this radio has no contact named {contact}',
    de: 'dieses Funkgerät hat keinen Kontakt namens {contact}'
  },
  several_contacts: {
    en: 'this radio has several contacts named {contact}: rename or remove one',
    de: 'dieses Funkgerät hat mehrere Kontakte namens {contact}: benennen Sie einen um, oder entfernen Sie ihn'
  },
  took_other_words: {
    en: 'the radio took other words than ours: bytes change on the way to it',
    de: 'das Funkgerät nahm andere Worte an als unsere: Bytes ändern sich auf dem Weg dorthin'
  },
  no_ack_once: { en: 'no acknowledgement came in one attempt', de: 'auf einen Versuch kam keine Bestätigung' },
  no_ack_in: { en: 'no acknowledgement came in {count} attempts', de: 'auf {count} Versuche kam keine Bestätigung' },
  contact_gone: {
    en: 'error 2: the radio no longer has this contact',
    de: 'Fehler 2: das Funkgerät hat diesen Kontakt nicht mehr'
  },
  pool_full_direct: {
    en: 'error 3 for a text that is short enough: its sixteen packets are all in use',
    de: 'Fehler 3 für einen Text, der kurz genug ist: seine sechzehn Pakete sind alle in Gebrauch'
  },
  pool_full_channel: {
    en: 'error 2 for a channel the radio has: its sixteen packets are all in use',
    de: 'Fehler 2 für einen Kanal, den das Funkgerät hat: seine sechzehn Pakete sind alle in Gebrauch'
  },
  too_long_to_tell: { en: 'too long for its repeats to be told', de: 'zu lang, um seine Wiederholungen zu erkennen' },
  no_repeat: { en: 'no repeat was heard', de: 'keine Wiederholung war zu hören' },
  no_ack: { en: 'no acknowledgement came', de: 'keine Bestätigung kam' },
  no_ack_reached: { en: 'no acknowledgement reached us', de: 'keine Bestätigung erreichte uns' },
  mt_error: { en: '{meaning} (error {error})', de: '{meaning} (Fehler {error})' },
  mt_result: { en: '{meaning} (result {result})', de: '{meaning} (Ergebnis {result})' },
  mt_no_route: { en: 'the radio knows no way to the addressee', de: 'das Funkgerät kennt keinen Weg zum Empfänger' },
  mt_no_chip: { en: 'the radio has no working LoRa chip', de: 'das Funkgerät hat keinen arbeitenden LoRa-Chip' },
  mt_channel_off: {
    en: 'the channel is not enabled on this radio',
    de: 'der Kanal ist an diesem Funkgerät nicht eingeschaltet'
  },
  mt_too_long: { en: 'the text is longer than a packet', de: 'der Text ist länger als ein Paket' },
  mt_airtime_used: {
    en: 'the airtime the region allows in an hour is used up',
    de: 'die Sendezeit, die in der Region in einer Stunde erlaubt ist, ist verbraucht'
  },
  mt_bad_request: { en: 'the radio does not understand the packet', de: 'das Funkgerät versteht das Paket nicht' },
  mt_not_allowed: { en: 'the radio does not allow it', de: 'das Funkgerät erlaubt es nicht' },
  mt_not_encrypted: {
    en: 'the text cannot be encrypted for the addressee',
    de: 'der Text lässt sich nicht für den Empfänger verschlüsseln'
  },
  mt_our_key_unknown: {
    en: "the addressee does not know this radio's key",
    de: 'der Empfänger kennt den Schlüssel dieses Funkgeräts nicht'
  },
  mt_too_often: { en: 'a radio takes one text every 2 s', de: 'ein Funkgerät nimmt alle 2 s einen Text' },
  mt_their_key_unknown: {
    en: "the radio does not know the addressee's key",
    de: 'das Funkgerät kennt den Schlüssel des Empfängers nicht'
  },
  mt_got_nak: { en: 'GOT_NAK: the addressee refused it', de: 'GOT_NAK: der Empfänger wies es ab' },
  mt_timeout: { en: 'TIMEOUT: no answer in time', de: 'TIMEOUT: keine rechtzeitige Antwort' },
  mt_max_retransmit: {
    en: 'MAX_RETRANSMIT: nobody repeated or acknowledged it',
    de: 'MAX_RETRANSMIT: niemand gab es weiter oder bestätigte es'
  },
  mt_no_response: {
    en: 'NO_RESPONSE: the addressee did not answer',
    de: 'NO_RESPONSE: der Empfänger antwortete nicht'
  },
  mt_queue_full: { en: "the radio's transmit queue is full", de: 'die Sendewarteschlange des Funkgeräts ist voll' },
  mt_tx_off: { en: 'the radio does not transmit now', de: 'das Funkgerät sendet gerade nicht' },
  mt_result_unknown: {
    en: 'the radio did not take it: result {result}',
    de: 'das Funkgerät nahm es nicht an: Ergebnis {result}'
  },
  mt_error_unknown: {
    en: 'the radio reports error {error}, unknown to this version',
    de: 'das Funkgerät meldet Fehler {error}, den diese Version nicht kennt'
  },
  refused_as: { en: '{name}: {why}', de: '{name}: {why}' },
  answered_error: { en: '{node} answered with error {error}', de: '{node} antwortete mit Fehler {error}' },
  text_unanswered_dead: {
    en: 'no answer to the text in {seconds} s, and the radio has stopped answering',
    de: 'keine Antwort auf den Text in {seconds} s, und das Funkgerät antwortet nicht mehr'
  },
  text_unanswered_known: {
    en: 'no answer to the text in {seconds} s: the radio had this packet already',
    de: 'keine Antwort auf den Text in {seconds} s: das Funkgerät hatte dieses Paket schon'
  },
  text_unanswered: {
    en: 'no answer to the text in {seconds} s from a radio that does answer: it discarded the text, or had this packet already',
    de: 'keine Antwort auf den Text in {seconds} s von einem Funkgerät, das sonst antwortet: es hat den Text verworfen oder hatte dieses Paket schon'
  },
  too_many_in_flight: { en: 'too many texts are in flight', de: 'zu viele Texte sind unterwegs' },
  not_a_node: {
    en: '{node} is not a node: write !a1b2c3d4 or its number',
    de: '{node} ist kein Knoten: schreiben Sie !a1b2c3d4 oder seine Nummer'
  },
  no_mt_channel: {
    en: '{channel} is no channel of a Meshtastic radio: they are 0 to 7',
    de: '{channel} ist kein Kanal eines Meshtastic-Funkgeräts: es gibt 0 bis 7'
  },
  mt_packet_too_large: {
    en: '{bytes} bytes: a packet holds 232, and the radio drops more without a word',
    de: '{bytes} Bytes: ein Paket fasst 232, und mehr verwirft das Funkgerät wortlos'
  },
  region_not_set: {
    en: 'the LoRa region of this radio is not set, so it does not transmit; set the region in the Meshtastic app',
    de: 'die LoRa-Region dieses Funkgeräts ist nicht gesetzt, darum sendet es nicht; setzen Sie die Region in der Meshtastic-App'
  },
  transmit_off: {
    en: 'transmitting is switched off in this radio; switch it on in the LoRa settings of the Meshtastic app',
    de: 'das Senden ist in diesem Funkgerät ausgeschaltet; schalten Sie es in den LoRa-Einstellungen der Meshtastic-App ein'
  },
  radio_restarted: { en: 'the radio restarted', de: 'das Funkgerät startete neu' },
  configuration_incomplete: {
    en: 'the radio left out part of its configuration; it is asked again',
    de: 'das Funkgerät ließ einen Teil seiner Konfiguration aus; es wird noch einmal gefragt'
  },
  configuration_endless: {
    en: 'the radio began to tell its configuration, and did not come to its end in {seconds} s',
    de: 'das Funkgerät begann, seine Konfiguration zu nennen, und kam in {seconds} s nicht zum Ende'
  },
  no_meshtastic: {
    en: 'no Meshtastic answer from {link} in {seconds} s: {seen}',
    de: 'keine Meshtastic-Antwort von {link} in {seconds} s: {seen}'
  },
  mt_sends_nothing: {
    en: 'it sends nothing; is it a Meshtastic radio, and its serial or network API switched on?',
    de: 'es sendet nichts; ist es ein Meshtastic-Funkgerät, und ist seine serielle oder Netzwerkschnittstelle eingeschaltet?'
  },
  mt_sees_gps: {
    en: 'it sends GPS sentences ({sentence}): this is a GPS receiver',
    de: 'es sendet GPS-Sätze ({sentence}): das ist ein GPS-Empfänger'
  },
  mt_sees_meshcore: {
    en: 'it sends MeshCore frames: set this radio\'s network to "mc", or correct the path',
    de: 'es sendet MeshCore-Rahmen: setzen Sie das Netz dieses Funkgeräts auf „mc“, oder berichtigen Sie den Pfad'
  },
  mt_sees_text: {
    en: 'it sends text ("{text}") and no Meshtastic frame',
    de: 'es sendet Text („{text}“) und keinen Meshtastic-Rahmen'
  },
  mt_sees_bytes: {
    en: 'it sends bytes that are no Meshtastic frame ({sample} …); is the path right, and the speed 115200 baud?',
    de: 'es sendet Bytes, die kein Meshtastic-Rahmen sind ({sample} …); stimmt der Pfad, und sind es 115200 Baud?'
  },
  sim_link_lost: { en: 'the link is lost', de: 'die Verbindung ist verloren' },
  sim_silent: { en: 'the radio has stopped answering', de: 'das Funkgerät antwortet nicht mehr' },
  sim_link_back: { en: 'the link is coming back', de: 'die Verbindung kommt wieder' },
  sim_fault: { en: 'refused by an injected fault', de: 'abgelehnt durch einen eingebauten Fehler' },
  sim_too_often: {
    en: 'error 38: a radio takes one text every 2 s; leave 3 s between texts',
    de: 'Fehler 38: ein Funkgerät nimmt alle 2 s einen Text; lassen Sie 3 s zwischen Texten'
  },
  sim_unrepeated: { en: 'nobody repeated it (error 5)', de: 'niemand gab es weiter (Fehler 5)' },
  sim_no_reply: { en: '{node} did not answer (error 5)', de: '{node} antwortete nicht (Fehler 5)' },
  sim_channel_off: {
    en: 'error 6: channel {channel} is not enabled on this radio',
    de: 'Fehler 6: Kanal {channel} ist an diesem Funkgerät nicht eingeschaltet'
  },
  sim_packet_too_large: {
    en: 'error 7: {bytes} bytes, a packet holds 232',
    de: 'Fehler 7: {bytes} Bytes, ein Paket fasst 232'
  },
  sim_over_duty: {
    en: 'error 9: the airtime allowed in an hour is used up',
    de: 'Fehler 9: die Sendezeit, die in einer Stunde erlaubt ist, ist verbraucht'
  },
  sim_over_duty_for: {
    en: 'error 9: the airtime allowed in an hour is used up; send again in {minutes} minutes',
    de: 'Fehler 9: die Sendezeit, die in einer Stunde erlaubt ist, ist verbraucht; senden Sie in {minutes} Minuten wieder'
  },
  sim_queue_full: {
    en: 'result 32: sixteen packets wait in the radio already',
    de: 'Ergebnis 32: sechzehn Pakete warten schon im Funkgerät'
  },
  sim_no_channel: {
    en: 'this radio has no channel named {channel}: add it to the radio first',
    de: 'dieses Funkgerät hat keinen Kanal namens {channel}: richten Sie ihn erst am Funkgerät ein'
  },
  sim_no_contact: {
    en: 'error 2: this radio has no contact named {contact}',
    de: 'Fehler 2: dieses Funkgerät hat keinen Kontakt namens {contact}'
  },
  sim_direct_too_large: {
    en: 'error 3: {bytes} bytes, a direct text holds 160',
    de: 'Fehler 3: {bytes} Bytes, ein direkter Text fasst 160'
  },
  sim_pool_full: {
    en: 'error 2 for a channel the radio has: sixteen packets wait in it already',
    de: 'Fehler 2 für einen Kanal, den das Funkgerät hat: sechzehn Pakete warten schon darin'
  },
  sim_unanswered: {
    en: 'no answer from the radio in {seconds} s: the text was discarded, or the radio had this packet already',
    de: 'keine Antwort vom Funkgerät in {seconds} s: der Text wurde verworfen, oder das Funkgerät hatte dieses Paket schon'
  },
  leaves_unanswered: {
    en: 'it does not answer the texts it is handed; they are offered again',
    de: 'es beantwortet die übergebenen Texte nicht; sie werden wieder angeboten'
  },
  refused_by_radio: { en: 'refused by the radio', de: 'vom Funkgerät abgelehnt' },
  radio_just_chosen: {
    en: 'it was chosen a moment ago and is being connected',
    de: 'es wurde eben gewählt und wird verbunden'
  },
  radio_needs: {
    en: 'Radio {radio} with link {link} needs "{setting}". Add it in config.json.',
    de: 'Funkgerät {radio} mit der Verbindung {link} braucht „{setting}“. Tragen Sie das in config.json ein.'
  },
  mt_channel_wrong: {
    en: 'Radio {radio} lists the channel {channel}: a Meshtastic channel is an index from 0 to 7. Correct "channels".',
    de: 'Funkgerät {radio} führt den Kanal {channel} auf: Ein Meshtastic-Kanal ist eine Nummer von 0 bis 7. Berichtigen Sie „channels“.'
  },
  mc_channel_wrong: {
    en: 'Radio {radio} lists the channel {channel}: a MeshCore channel is a name. Correct "channels".',
    de: 'Funkgerät {radio} führt den Kanal {channel} auf: Ein MeshCore-Kanal ist ein Name. Berichtigen Sie „channels“.'
  },
  driver_failed: { en: 'the driver of the radio failed', de: 'der Treiber des Funkgeräts versagte' },
  offered_again_before: {
    en: 'offered once more before its outcome was known',
    de: 'noch einmal angeboten, bevor sein Ausgang bekannt war'
  }
}
