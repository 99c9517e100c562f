import type { WhyReason } from '../messages/catalogue/replies/sentences.ts'

/** The words of a trace (docs/states.md) by what whoever asks needs to know; those that come to the same are one. */
const WORDS: Readonly<Record<WhyReason, readonly string[]>> = {
  off: ['notifications_off'],
  turn: ['pacing', 'coalescing', 'next_part', 'standby_slot', 'rate_limit_exceeded', 'queue_full', 'pool_full'],
  peer: ['standby', 'heard_peer'],
  airtime: ['airtime', 'channel_busy', 'duty_cycle_limit'],
  again: ['resend', 'repeat'],
  no_radio: ['no_radio', 'radio_down', 'not_connected', 'tx_disabled'],
  no_answer: ['no_answer', 'interrupted'],
  refused: ['refused', 'disabled', 'too_large'],
  no_channel: ['no_channel', 'channel_disabled'],
  nobody_heard: ['nobody_heard'],
  too_late: ['queue_deadline'],
  quiet_hours: ['quiet_hours'],
  cooldown: ['cooldown'],
  summary: ['summary', 'digest'],
  inhibited: ['inhibited'],
  over: [
    ...['ended_held', 'ended_quietly', 'cancelled', 'ended', 'expired', 'ended_before', 'ended_by_time'],
    ...['nothing_to_cancel', 'already_cancelled', 'over']
  ],
  silenced: ['silenced'],
  newer: ['superseded', 'replaced', 'withdrawn'],
  matrix_off: ['matrix_off', 'network_off'],
  same_text: ['same_text', 'duplicate'],
  no_addressee: [
    'unknown_destination',
    'incomplete_destination',
    'bad_destination',
    'ambiguous_contact',
    'unknown_contact'
  ],
  server: ['server_unavailable', 'server_refused'],
  no_text: ['no_text'],
  outside: ['outside', 'no_area'],
  unplaced: ['unlocated_weather', 'unplaced', 'no_location', 'unknown_codes'],
  stale: ['stale'],
  known: ['cold_start'],
  muted: ['muted', 'cell_disabled'],
  floor: ['below_min_severity'],
  no_route: ['no_route', 'no_cell', 'no_region', 'family_off', 'region_scope', 'no_delivery']
}

const BY_WORD: ReadonlyMap<string, WhyReason> = new Map(
  (Object.keys(WORDS) as WhyReason[]).flatMap((reason) => WORDS[reason].map((word) => [word, reason] as const))
)

/** The reason that a word of a trace comes to; null for the code of a refusal by a radio that nobody here knows. */
export const whyReason = (word: string): WhyReason | null => BY_WORD.get(word) ?? null
