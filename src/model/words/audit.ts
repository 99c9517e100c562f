import type { AUDIT_CODES } from '../reasons/audit.ts'
import type { SentencesOf } from './sentence.ts'

export const AUDIT_SENTENCES: SentencesOf<typeof AUDIT_CODES> = {
  audit_started: { en: 'The station started, version {version}.', de: 'Die Station startete, Version {version}.' },
  audit_stopped: { en: 'The station stopped.', de: 'Die Station hielt an.' },
  audit_restart_asked: { en: 'Restarted from the page.', de: 'Von der Seite aus neu gestartet.' },
  nothing_restarts: {
    en: 'Lookout was started by hand: nothing would start it again. Restart it where it was started.',
    de: 'Lookout wurde von Hand gestartet: Nichts würde es wieder starten. Starten Sie es dort neu, wo es gestartet wurde.'
  },
  audit_cut: {
    en: 'Somebody shortened this log: it had {had} records, and {left} were left.',
    de: 'Jemand hat dieses Protokoll gekürzt: Es hatte {had} Einträge, {left} waren noch da.'
  },
  audit_settings_changed: { en: 'Settings changed: {places}', de: 'Einstellungen geändert: {places}' },
  audit_settings_changed_much: {
    en: 'Settings changed: {places}. Too much to be kept, so it cannot be taken back here.',
    de: 'Einstellungen geändert: {places}. Zu viel, um es aufzuheben; hier lässt es sich nicht zurücknehmen.'
  },
  audit_settings_taken_back: {
    en: 'Change {seq} of the settings was taken back: {places}',
    de: 'Änderung {seq} der Einstellungen wurde zurückgenommen: {places}'
  },
  audit_file_edited: {
    en: 'config.json was edited by hand: {places}',
    de: 'config.json wurde von Hand geändert: {places}'
  },
  audit_code_by_radio: {
    en: 'was sent a code for a new passphrase by radio',
    de: 'bekam über Funk einen Code für eine neue Passphrase'
  },
  audit_claimed: {
    en: 'The station was claimed from {from}.',
    de: 'Die Station wurde von {from} aus in Besitz genommen.'
  },
  audit_signed_in: { en: 'Signed in from {from}.', de: 'Angemeldet von {from}.' },
  audit_sign_in_refused: {
    en: 'A sign-in from {from} was refused.',
    de: 'Eine Anmeldung von {from} wurde abgewiesen.'
  },
  audit_signed_out: { en: 'Signed out.', de: 'Abgemeldet.' },
  audit_passphrase_changed: {
    en: 'The passphrase was changed from {from}.',
    de: 'Das Kennwort wurde von {from} aus geändert.'
  },
  audit_hotspot_on: {
    en: 'The hotspot {name} was switched on, or changed.',
    de: 'Der Hotspot {name} wurde eingeschaltet oder geändert.'
  },
  audit_hotspot_off: { en: 'The hotspot was switched off.', de: 'Der Hotspot wurde ausgeschaltet.' },
  audit_reset_by_file: {
    en: 'The passphrase was forgotten and every session ended: {file} asked for it.',
    de: 'Das Kennwort wurde vergessen und jede Sitzung beendet: {file} verlangte es.'
  },
  audit_silenced: { en: 'Silenced until {until}: {places}. “{said}”', de: 'Stumm bis {until}: {places}. „{said}“' },
  audit_silence_ended: { en: 'Silence {id} was ended.', de: 'Stummschaltung {id} wurde beendet.' },
  audit_acknowledged: { en: 'Acknowledged: {alert}. {said}', de: 'Bestätigt: {alert}. {said}' },
  audit_commanded: { en: 'Command by radio: !{command}, {outcome}', de: 'Befehl über Funk: !{command}, {outcome}' },
  audit_message_left: {
    en: 'Message {id} left by {radio} on {channel}.',
    de: 'Nachricht {id} ging mit {radio} auf {channel} hinaus.'
  },
  audit_changes_again: {
    en: 'This was changed again since: {places}. Look at it, and change it by hand.',
    de: 'Das wurde seitdem wieder geändert: {places}. Sehen Sie es an, und ändern Sie es von Hand.'
  },
  audit_no_such_entry: {
    en: 'The log holds no entry {seq} any more.',
    de: 'Das Protokoll enthält den Eintrag {seq} nicht mehr.'
  },
  audit_not_undoable: {
    en: 'Entry {seq} is no change of settings.',
    de: 'Eintrag {seq} ist keine Änderung der Einstellungen.'
  },
  audit_takes_folder: { en: 'verify-log takes no arguments but --data', de: 'verify-log nimmt nur --data' },
  audit_no_log: { en: 'there is no audit.log in {folder}', de: 'in {folder} gibt es kein audit.log' }
}
