/**
 * Why something is as it is, as state holds it: a code and its values. Rows store it, decisions compare it; the sentence is made at
 * the edge, in the language of whoever reads (`dashboard/words/sentences.ts`).
 */

/**
 * Every code with its values. `text` is a name, a title or somebody else's words and is never translated; `word` is one of the
 * program's own (`cancelled`), which has a translation; `time` is epoch milliseconds.
 */
export const REASON_PARAMS = {
  /** A sentence that has no code: of an older version. */
  note: { text: 'text' },
  accepted: {},
  joined: { id: 'number' },
  told_in_digest: { id: 'number', channel: 'text' },
  held_until: { until: 'time' },
  released: {},
  released_quiet: {},
  withdrawn: { was: 'word' },
  silenced_waiting: {},
  silenced_held: {},
  matrix_off_held: {},
  ended_quietly: {},
  over_before_due: {},
  nothing_left: {},
  too_late: {},
  superseded_unstored: {},
  said_before: { id: 'number' },
  notifications_off: {},
  notifications_on: {},
  way_free: {},
  no_radio_configured: { network: 'text' },
  radio_not_ready: { radio: 'text', state: 'word', said: 'text' },
  no_channel_index: { radio: 'text', channel: 'text' },
  no_channel_named: { radio: 'text', channel: 'text' },
  channel_disabled: { radio: 'text', channel: 'text' },
  channel_busy: { radio: 'text', percent: 'number' },
  airtime_spent: { radio: 'text' },
  no_text: {},
  handed_over: {},
  handed_over_again: {},
  left_radio: {},
  left_simulated: {},
  part_left: { part: 'number', count: 'number' },
  heard: {},
  heard_by: { by: 'text' },
  part_heard: {},
  part_heard_by: { by: 'text' },
  earlier_heard: {},
  acknowledged: {},
  nobody_heard: {},
  radio_said: { said: 'text' },
  no_word: {},
  unheard_again: {},
  renewed: {},
  unanswered_again: { said: 'text' },
  unanswered_lost: { said: 'text' },
  refused: { said: 'text' },
  refused_for_now: { said: 'text' },
  cut_off_again: {},
  cut_off_lost: {},
  not_worth_again: {},
  over_unsaid: {},
  over_said: {},
  no_destination: { destination: 'text' },
  sending_by: { transport: 'text' },
  server_took: {},
  server_refused: { said: 'text' },
  server_refused_for_now: { said: 'text' }
} as const satisfies Record<string, Readonly<Record<string, Kind>>>

type Kind = 'number' | 'text' | 'word' | 'time'
type ValueOf<K extends Kind> = K extends 'number' | 'time' ? number : string

export type ReasonCode = keyof typeof REASON_PARAMS

type Kinds<Code extends ReasonCode> = (typeof REASON_PARAMS)[Code]
export type ReasonParams<Code extends ReasonCode> = {
  -readonly [Name in keyof Kinds<Code>]: Kinds<Code>[Name] extends Kind ? ValueOf<Kinds<Code>[Name]> : never
}

/** As rows hold it. */
export interface Reason {
  code: ReasonCode
  params: Readonly<Record<string, string | number>>
}

/** The only way to make one: the types know which values its code has. */
export function because<Code extends ReasonCode>(
  code: Code,
  ...[params]: keyof Kinds<Code> extends never ? [] : [ReasonParams<Code>]
): Reason {
  return { code, params: params ?? {} }
}
