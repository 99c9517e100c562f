import { because, type Reason } from '../../model/reason.ts'
import { sentenceOf } from '../../model/words/sentences.ts'
import type { SkippedItem } from './feed.ts'

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
  skipped_reasons: CountedReason[]
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
    skipped_reasons: [],
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

/** A reason why something was left out, and how often. */
export interface CountedReason {
  reason: Reason
  count: number
}

/** Reasons counted, the most frequent first; what lies beyond the twentieth is left out. */
export function countReasons(skipped: readonly { reason: Reason }[]): CountedReason[] {
  const counts = new Map<string, CountedReason>()
  for (const { reason } of skipped) addTo(counts, reason)
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, MOST_REASONS)
}

/** Counts one more; reasons hold what a sender wrote, so those beyond the twentieth are counted together. */
export function countOneMore(counted: readonly CountedReason[], reason: Reason): CountedReason[] {
  const counts = new Map(counted.map((one) => [JSON.stringify(one.reason), { ...one }]))
  const isKnown = counts.has(JSON.stringify(reason))
  addTo(counts, isKnown || counts.size < MOST_REASONS ? reason : because('other_reasons'))
  return [...counts.values()]
}

function addTo(counts: Map<string, CountedReason>, reason: Reason): void {
  const key = JSON.stringify(reason)
  const found = counts.get(key)
  if (found === undefined) counts.set(key, { reason, count: 1 })
  else found.count++
}

const MOST_LOGGED = 10

/** Entries that were left out, as the log tells them. */
export function saidItems(skipped: readonly SkippedItem[]): { id: string; reason: string }[] {
  return skipped.slice(0, MOST_LOGGED).map(({ id, reason }) => ({ id, reason: sentenceOf(reason) }))
}
