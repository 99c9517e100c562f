import type { PLATFORM_CODES } from '../reasons/platform.ts'
import type { SentencesOf } from './sentence.ts'

export const PLATFORM_SENTENCES: SentencesOf<typeof PLATFORM_CODES> = {
  no_space_to_write: {
    en: 'no space left to write {path}: free some and try again',
    de: 'kein Platz mehr, um {path} zu schreiben: Schaffen Sie welchen, und versuchen Sie es noch einmal'
  },
  cannot_write: { en: 'cannot write {path}: {why}', de: '{path} kann nicht geschrieben werden: {why}' },
  disk_read_only: { en: 'the disk is mounted read-only', de: 'der Datenträger ist nur lesbar eingehängt' },
  user_may_not_write: { en: 'this user may not write there', de: 'dieser Benutzer darf dort nicht schreiben' },
  cannot_write_io: {
    en: 'cannot write {path}: the disk fails (I/O error)',
    de: '{path} kann nicht geschrieben werden: Der Datenträger versagt (E/A-Fehler)'
  },
  folder_not_where_it_was: {
    en: 'its folder is not where it was: is the disk still connected?',
    de: 'ihr Ordner ist nicht mehr da, wo er war: Ist der Datenträger noch angeschlossen?'
  },
  body_too_large: {
    en: '{host}: the body has more than {limit} bytes',
    de: '{host}: Der Inhalt hat mehr als {limit} Bytes'
  },
  body_packed: {
    en: '{host}: the body is packed as {encoding}, which nobody asked for',
    de: '{host}: Der Inhalt ist als {encoding} gepackt, was niemand verlangt hat'
  },
  cannot_be_reached: { en: '{host} cannot be reached ({why})', de: '{host} ist nicht erreichbar ({why})' },
  connection_refused: {
    en: '{host} refuses the connection. Are address and port right, and does the service there run?',
    de: '{host} lehnt die Verbindung ab. Stimmen Adresse und Port, und läuft der Dienst dort?'
  },
  certificate_not_accepted: {
    en: 'the certificate of {host} is not accepted ({why})',
    de: 'das Zertifikat von {host} wird nicht anerkannt ({why})'
  },
  certificate_by_clock: {
    en: 'by the clock of this station the certificate of {host} is not valid now. Is the clock right?',
    de: 'nach der Uhr dieser Station gilt das Zertifikat von {host} zurzeit nicht. Geht die Uhr richtig?'
  },
  answer_garbled: {
    en: '{host}: the answer was cut off or garbled ({why})',
    de: '{host}: Die Antwort war abgeschnitten oder verstümmelt ({why})'
  },
  too_many_redirects: { en: '{host}: more than {limit} redirects', de: '{host}: mehr als {limit} Weiterleitungen' },
  not_http_source: {
    en: 'not an address of http or https: look at the settings of this source',
    de: 'keine Adresse mit http oder https: Sehen Sie in die Einstellungen dieser Quelle'
  },
  not_http: {
    en: 'not an address of http or https: look at the settings',
    de: 'keine Adresse mit http oder https: Sehen Sie in die Einstellungen'
  },
  redirect_nowhere: { en: '{host}: a redirect to nowhere', de: '{host}: eine Weiterleitung ins Nichts' },
  redirect_not_followed: {
    en: '{host}: a redirect to {protocol} is not followed',
    de: '{host}: Der Weiterleitung zu {protocol} wird nicht gefolgt'
  },
  redirect_to_plain: {
    en: '{host}: a redirect from https to http is not followed',
    de: '{host}: Einer Weiterleitung von https zu http wird nicht gefolgt'
  },
  no_connection: {
    en: '{host}: no connection within {seconds} s',
    de: '{host}: keine Verbindung innerhalb von {seconds} s'
  },
  no_whole_answer: { en: 'no whole answer within {seconds} s', de: 'keine ganze Antwort innerhalb von {seconds} s' },
  sends_elsewhere: {
    en: '{host} sends elsewhere ({status}), which is not followed: give the final address',
    de: '{host} leitet weiter ({status}), dem wird nicht gefolgt: Geben Sie die endgültige Adresse an'
  },
  address_with_secret: {
    en: 'an address with a name or a password in it',
    de: 'eine Adresse mit einem Namen oder Passwort darin'
  },
  not_public: {
    en: '{host}, which is not an address of the public Internet',
    de: '{host}: keine Adresse des öffentlichen Internets'
  },
  leads_not_public: {
    en: '{host}: it leads to {address}, which is not an address of the public Internet',
    de: '{host}: führt zu {address}, keine Adresse des öffentlichen Internets'
  },
  host_without_address: { en: '{host} has no address', de: '{host} hat keine Adresse' },
  nothing_fetched_from: { en: 'nothing is fetched from {what}', de: 'nichts wird geholt von {what}' },
  program_not_here: {
    en: '{program} is not installed on this machine',
    de: '{program} ist auf dieser Maschine nicht installiert'
  },
  program_too_long: {
    en: '{program} took longer than {seconds} s and was stopped',
    de: '{program} brauchte länger als {seconds} s und wurde angehalten'
  },
  program_wrote_too_much: {
    en: '{program} wrote more than {limit} and was stopped',
    de: '{program} schrieb mehr als {limit} und wurde angehalten'
  },
  program_needed_memory: {
    en: '{program} needed more than {limit} of memory and was stopped',
    de: '{program} brauchte mehr als {limit} Speicher und wurde angehalten'
  },
  program_needed_profile_memory: {
    en: '{program} needed more memory than this profile gives ({limit} for a file) and was stopped',
    de: '{program} brauchte mehr Speicher, als dieses Profil gibt ({limit} für eine Datei), und wurde angehalten'
  },
  program_filled_folder: {
    en: '{program} filled its folder with more than {limit} and was stopped',
    de: '{program} füllte seinen Ordner mit mehr als {limit} und wurde angehalten'
  },
  program_was_stopped: { en: '{program} was stopped', de: '{program} wurde angehalten' },
  sandbox_away: {
    en: 'lookout-sandbox, which gives programs a view of their own files, does not: {said} (systemctl status lookout-sandbox; to do without: LOOKOUT_SANDBOX= in /etc/default/lookout)',
    de: 'lookout-sandbox, das Programmen ihren Blick auf Dateien gibt, tut es nicht: {said} (systemctl status lookout-sandbox; um darauf zu verzichten: LOOKOUT_SANDBOX= in /etc/default/lookout)'
  },
  side_stopped: { en: 'the {name} was stopped', de: '{name}: angehalten' },
  not_ready_within: { en: 'not ready within {seconds} s', de: 'nicht bereit innerhalb von {seconds} s' },
  side_needed_memory: {
    en: 'it needed more than {limit} MiB of memory and was ended',
    de: 'es brauchte mehr als {limit} MiB Speicher und wurde beendet'
  },
  side_rests: {
    en: 'the {name} cannot answer: it ended ({how})',
    de: '{name}: kann nicht antworten, es hat geendet ({how})'
  },
  side_ended: {
    en: 'the {name} ended before it answered ({how})',
    de: '{name} endete, bevor eine Antwort kam ({how})'
  },
  side_no_answer: {
    en: 'the {name} gave no answer to {method} within {limit} ms',
    de: '{name} gab auf {method} innerhalb von {limit} ms keine Antwort'
  },
  side_no_answer_ended: {
    en: 'the {name} gave no answer to {method} within {limit} ms; it ended: {how}',
    de: '{name} gab auf {method} innerhalb von {limit} ms keine Antwort; Ende: {how}'
  },
  of_file: { en: '{file}: {said}', de: '{file}: {said}' },
  at_host: { en: '{host}: {said}', de: '{host}: {said}' },
  ended_with_words: { en: '{how}: {said}', de: '{how}: {said}' },
  address_said: { en: 'the address: {said}', de: 'die Adresse: {said}' },
  notifier_missing: {
    en: 'systemd started us and wants to hear of us, and there is no {program}: it will end us. Install it, or use Type=exec without WatchdogSec',
    de: 'systemd hat uns gestartet und will von uns hören, aber {program} fehlt: Es wird uns beenden. Installieren Sie es, oder nehmen Sie Type=exec ohne WatchdogSec'
  },
  notifier_ended: {
    en: 'what tells systemd of us ({program}) ended ({how}); it is started again',
    de: 'was systemd von uns berichtet ({program}), endete ({how}); es wird neu gestartet'
  },
  service_starts: { en: 'starting', de: 'startet' },
  service_runs: {
    en: '{ready} of {radios} radios ready, {waiting} messages wait',
    de: '{ready} von {radios} Funkgeräten bereit, {waiting} Meldungen warten'
  },
  service_stands_still: { en: 'stands still: {loops}', de: 'steht still: {loops}' },
  service_stops: { en: 'stopping', de: 'hält an' },
  tls_needs_openssl: {
    en: 'openssl is not installed, so the station cannot make a certificate: install it (package openssl), or name a certificate and its key in http.tls',
    de: 'openssl ist nicht installiert, die Station kann also kein Zertifikat machen: Installieren Sie es (Paket openssl), oder nennen Sie in http.tls ein Zertifikat und seinen Schlüssel'
  },
  tls_not_made: {
    en: 'openssl could not make a certificate: {said}',
    de: 'openssl konnte kein Zertifikat machen: {said}'
  },
  tls_no_certificate: {
    en: 'the file holds no certificate (PEM, which begins with BEGIN CERTIFICATE)',
    de: 'die Datei enthält kein Zertifikat (PEM, beginnt mit BEGIN CERTIFICATE)'
  },
  tls_no_key: {
    en: 'the file holds no private key without a passphrase (PEM, which begins with BEGIN PRIVATE KEY)',
    de: 'die Datei enthält keinen privaten Schlüssel ohne Passphrase (PEM, beginnt mit BEGIN PRIVATE KEY)'
  },
  tls_not_its_key: {
    en: 'the key is not the one of the certificate',
    de: 'der Schlüssel gehört nicht zum Zertifikat'
  },
  restore_not_whole: {
    en: '{said}. {folder} is not whole: remove it',
    de: '{said}. {folder} ist unvollständig: Entfernen Sie den Ordner'
  }
}
