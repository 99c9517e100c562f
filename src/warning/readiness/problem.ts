import type { Reason } from '../../model/reason.ts'

export const PROBLEM_CODES = [
  'notifications_off',
  'no_named_area',
  'tagging_off',
  'matrix_off',
  'matrix_empty',
  'no_radio',
  'all_radios_down',
  'storage_failing',
  'network_without_radio',
  'channel_missing',
  'channel_disabled',
  'imported_matrix_off',
  'matrix_network_off',
  'matrix_silent',
  'family_unrouted',
  'radio_down',
  'radio_connecting',
  'radio_suspect',
  'radio_unusable',
  'no_hazard_source',
  'source_silent',
  'source_failing',
  'source_blocked',
  'source_down',
  'messages_failed',
  'event_untold',
  'zones_unplaced',
  'clock_unknown',
  'clock_from_radio',
  'clock_jumped',
  'disk_nearly_full',
  'loop_stalled',
  'work_shed',
  'starts_failed',
  'undervoltage',
  'backup_failed',
  'writes_stopped',
  'database_put_aside',
  'knowledge_closed',
  'config_stale',
  'proxy_unnamed',
  'admin_key_changed',
  'demo',
  'drill',
  'preview'
] as const
export type ProblemCode = (typeof PROBLEM_CODES)[number]

/** Something that keeps a warning from going out, as programs read it; the sentence is made at the edge. Contract §13. */
export interface Problem {
  code: ProblemCode
  /** Values of the sentence. */
  params: Readonly<Record<string, string | number | Reason>>
  /** True: nothing would be sent. False: something would be missed. */
  blocking: boolean
  /** The page that mends it. */
  link: string
}

export interface Readiness {
  /** False while nothing would be sent. */
  ready: boolean
  /** Problems that would keep a warning from everybody come first, then those that would lose some. */
  problems: readonly Problem[]
}
