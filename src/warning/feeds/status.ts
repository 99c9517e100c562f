import type { Reason } from '../../model/reason.ts'

/**
 * `off`: disabled, or this program does not ask (preview). `waiting`: not asked since the start. `unchanged`: answered, nothing
 * new. `stale`: no good answer for `stale_after_seconds`. `blocked`: may not be asked, see the reason. The last three: brokers and folders.
 */
export type SourceState =
  | 'off'
  | 'waiting'
  | 'polling'
  | 'ok'
  | 'unchanged'
  | 'failing'
  | 'stale'
  | 'blocked'
  | 'connecting'
  | 'ready'
  | 'down'

/** One source in `GET /api/sources`. Times are RFC 3339. */
export interface SourceStatus {
  name: string
  kind: string
  mode: 'poll' | 'push'
  enabled: boolean
  state: SourceState
  reason: Reason | null
  about: string
  last_ok: string | null
  last_attempt: string | null
  /** The time at which it last said something new. */
  last_change: string | null
  /** The number of things it listed last; of a push source, messages taken since the start. */
  items: number
  /** Of those, how many are not told, and why. */
  skipped: number
  skipped_reasons: Record<string, number>
  /** Since the start: bytes over the network, requests, events handed on. */
  bytes: number
  requests: number
  events: number
  failures: number
  error: Reason | null
  next_due: string | null
  interval_seconds: number | null
}

/** A source before anything is known of it. */
export function blankStatus(
  facts: Pick<SourceStatus, 'name' | 'kind' | 'mode' | 'enabled' | 'state' | 'reason' | 'about'>
): SourceStatus {
  return {
    ...facts,
    last_ok: null,
    last_attempt: null,
    last_change: null,
    items: 0,
    skipped: 0,
    skipped_reasons: {},
    bytes: 0,
    requests: 0,
    events: 0,
    failures: 0,
    error: null,
    next_due: null,
    interval_seconds: null
  }
}

const MOST_REASONS = 20

/** Reasons counted, the most frequent first; what lies beyond the twentieth is left out. */
export function countReasons(skipped: readonly { reason: string }[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return Object.fromEntries([...counts].sort((a, b) => b[1] - a[1]).slice(0, MOST_REASONS))
}
