import type { SourceSettings } from '../common-settings.ts'
import type { SourceKind } from '../source.ts'

const MINUTE_MS = 60_000
const MAX_BACKOFF_MS = 30 * MINUTE_MS
/** Of a feed of warnings: what it holds may be an evacuation. */
const MAX_WARNING_BACKOFF_MS = 2 * MINUTE_MS
const JITTER = 0.1
/** A Retry-After is believed up to a day; `max-age` up to an hour, for a listing of warnings that says more is mistaken. */
const MAX_RETRY_AFTER_MS = 24 * 60 * MINUTE_MS
const MAX_MAX_AGE_MS = 60 * MINUTE_MS
const LEAST_STALE_MS = 15 * MINUTE_MS

export interface Pace {
  /** Between two polls that go well, milliseconds. */
  intervalMs: number
  /** The provider's own least. */
  minMs: number
  /** Without a good answer this long the source counts as stale. */
  staleMs: number
  /** The longest wait after failures, of our own accord. */
  backoffMs: number
}

/** The profile's factor stretches what is configured; nothing goes below the provider's least. */
export function paceOf(
  kind: Pick<SourceKind, 'defaultIntervalSeconds' | 'minIntervalSeconds' | 'warns'>,
  settings: Pick<SourceSettings, 'interval_seconds' | 'stale_after_seconds'>,
  factor: number
): Pace {
  const minMs = kind.minIntervalSeconds * 1000
  const wantedMs = (settings.interval_seconds ?? kind.defaultIntervalSeconds) * 1000
  const intervalMs = Math.max(wantedMs, minMs) * factor
  const staleMs = settings.stale_after_seconds === undefined ? 3 * intervalMs : settings.stale_after_seconds * 1000
  return {
    intervalMs,
    minMs,
    backoffMs: kind.warns === true ? MAX_WARNING_BACKOFF_MS : MAX_BACKOFF_MS,
    staleMs: settings.stale_after_seconds === undefined ? Math.max(staleMs, LEAST_STALE_MS) : staleMs
  }
}

/** Milliseconds from a good poll to the next: the interval or `max-age`, whichever is longer, ±10 %, never below the least. */
export function nextAfterSuccess({ intervalMs, minMs }: Pace, maxAge: number | null, random: () => number): number {
  const raised = Math.max(intervalMs, Math.min((maxAge ?? 0) * 1000, MAX_MAX_AGE_MS))
  return Math.max(minMs, jittered(raised, random))
}

export interface Failed {
  /** In a row, this one included. */
  failures: number
  /** HTTP status; null when there was none. */
  status: number | null
  retryAfterMs: number | null
}

/**
 * Milliseconds from a failed poll to the next: 1, 2, 4 … 30 min ±10 %, for a feed of warnings at most 2 min; never below the
 * provider's least, never before its Retry-After. Refused for good (401, 403) is not asked again before 30 min: it is how providers warn before they block.
 */
export function nextAfterFailure(
  { minMs, backoffMs }: Pick<Pace, 'minMs' | 'backoffMs'>,
  failed: Failed,
  random: () => number
): number {
  const forbidden = failed.status === 401 || failed.status === 403
  const step = Math.min(backoffMs, MINUTE_MS * 2 ** Math.min(10, failed.failures - 1))
  const wait = forbidden
    ? Math.round(MAX_BACKOFF_MS * (1 + JITTER * random()))
    : Math.min(backoffMs, jittered(step, random))
  return Math.max(minMs, wait, failed.retryAfterMs ?? 0)
}

function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 - JITTER + 2 * JITTER * random()))
}

/** Retry-After (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now; null when it says nothing. At most a day. */
export function retryAfterMs(value: string | null, now: number): number | null {
  if (value === null) return null
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) || ms <= 0 ? null : Math.min(ms, MAX_RETRY_AFTER_MS)
}

/** A remembered time that lies further ahead than anything asks for comes from a clock that was wrong. */
export function believable(time: number | null, now: number, { intervalMs }: Pace): number | null {
  return time !== null && time - now <= Math.max(MAX_RETRY_AFTER_MS, intervalMs * (1 + JITTER)) ? time : null
}
