import type { GateVerdict } from '../coverage/gate.ts'
import type { GuardView, TraceStep } from './decision.ts'
import type { NotificationsConfig } from './settings.ts'

/** The knowledge of a decision beside the event. */
export interface DecideContext {
  notifications: NotificationsConfig
  /** IANA zone the quiet hours are told in. */
  timezone: string
  view: GuardView
  now: number
  gate: GateVerdict
  /** The regions a code reaches; null when nobody can tell. */
  regionsOf: (code: string) => readonly string[] | null
  /** Steps taken before (identity, thread, tagging), kept at the head of the trace. */
  before: TraceStep[]
  /** True for an event of a polled source that stands under the cold-start rule; always false for pushed events. */
  coldStart: boolean
}
