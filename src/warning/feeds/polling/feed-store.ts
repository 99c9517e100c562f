import type { Reason } from '../../../model/reason.ts'
/** The state of one polled source, kept over restarts. Times are epoch milliseconds. */
export interface PollState {
  kind: string
  /** Of the settings its listings were read with: others mean another reading of the same listing. */
  settings: string
  lastAttempt: number | null
  lastOk: number | null
  lastChange: number | null
  nextDue: number | null
  /** Not to be asked before, whoever wants it: the provider's least interval, its Retry-After. */
  notBefore: number
  failures: number
  error: Reason | null
  /** Since when it has been told as stale; null when it is not. */
  staleSince: number | null
  items: number
}

/** The last good answer of one address. */
export interface Validators {
  etag: string | null
  modified: string | null
  /** SHA-256 of the body. */
  hash: string
}

/** The traces of one poll or one message: stored together or not at all. */
export interface FeedChanges {
  state?: PollState
  urls?: ReadonlyMap<string, Validators>
  /** `undefined` removes the entry. */
  memory?: ReadonlyMap<string, unknown>
}

/** The memory of the sources. Writes are durable when the call returns. */
export interface FeedStore {
  state(source: string): PollState | null
  validators(source: string, url: string): Validators | null
  recall(source: string, key: string): unknown
  /** In the order of their keys. */
  recallAll(source: string, prefix: string): [key: string, value: unknown][]
  /** Their keys alone. */
  recallKeys(source: string, prefix: string): string[]
  save(source: string, changes: FeedChanges, now: number): void
  /**
   * Keeps a state that may be lost: it is written together with whatever is saved next, or when it is asked to keep one 15 minutes after the
   * first of them. So the polls of all sources that bring nothing cost one commit, not one each: a card wears by each of them.
   */
  keep(source: string, state: PollState, now: number): void
  /** Nothing of this source is known any more. */
  forget(source: string): void
  forgetUrls(source: string): void
}
