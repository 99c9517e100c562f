import type { Codes } from './kinds.ts'

/** Entries of the audit log: who did something, and what left. */
export const AUDIT_CODES = {
  audit_started: { version: 'text' },
  audit_stopped: {},
  audit_restart_asked: {},
  nothing_restarts: {},
  audit_cut: { had: 'number', left: 'number' },
  audit_settings_changed: { places: 'list' },
  audit_settings_changed_much: { places: 'list' },
  audit_settings_taken_back: { seq: 'number', places: 'list' },
  audit_file_edited: { places: 'list' },
  audit_claimed: { from: 'text' },
  audit_code_by_radio: {},
  audit_signed_in: { from: 'text' },
  audit_sign_in_refused: { from: 'text' },
  audit_signed_out: {},
  audit_passphrase_changed: { from: 'text' },
  audit_hotspot_on: { name: 'text' },
  audit_hotspot_off: {},
  audit_reset_by_file: { file: 'text' },
  audit_silenced: { places: 'list', until: 'time', said: 'text' },
  audit_silence_ended: { id: 'number' },
  audit_acknowledged: { alert: 'text', said: 'text' },
  audit_commanded: { command: 'text', outcome: 'word' },
  audit_message_left: { id: 'number', channel: 'channel', radio: 'text' },
  audit_changes_again: { places: 'list' },
  audit_no_such_entry: { seq: 'number' },
  audit_not_undoable: { seq: 'number' },
  audit_takes_folder: {},
  audit_no_log: { folder: 'text' }
} as const satisfies Codes
