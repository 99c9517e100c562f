import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'

/** One entry of a listing that did not become an event, and why. */
export interface SkippedItem {
  id: string
  reason: Reason
}

/**
 * A listing as read: whole, or refused with AppError `bad-input` (empty, cut off, a web page instead of data).
 * A single broken entry is skipped with its reason and never spoils the rest.
 */
export interface ParsedFeed {
  /** Kind of the source, such as `nws`. */
  kind: string
  events: LookoutEvent[]
  skipped: SkippedItem[]
  /** The time at which the source made the listing, RFC 3339 UTC, or null when it does not say. */
  updated: string | null
}

/** `receivedAt` is epoch milliseconds. */
export interface ParseOptions {
  receivedAt: number
  /** `source` of the events made; default: the kind. */
  source?: string
}

/** Reason of entries that only exercise the system. */
export const TEST_REASON = because('only_a_test')
