import type { Reason } from '../../../model/reason.ts'
import { sha256Hex } from '../../../platform/bytes/hash.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { FeedChanges, FeedStore, PollState } from './feed-store.ts'
import type { PolledSource } from './poller-setup.ts'
import { believable, type Pace } from './schedule.ts'

/** Polls this far apart are each written before they begin; of others what changed nothing is written with the next that did. */
const FAR_APART_MS = 60 * 60_000
/** Settings that do not change what a listing says. */
const PACING = new Set(['enabled', 'overrides', 'interval_seconds', 'stale_after_seconds', 'tell_when_stale'])

interface BadAnswer {
  error: Reason
  failures: number
  reached: boolean
  /** The answer was good, and could not be stored. */
  answered: boolean
  /** Milliseconds to the next poll. */
  wait: number
  /** The pause that the provider asked for. */
  retryAfterMs: number | null
}

/** Of the settings a listing is read with. */
export function readingOf(settings: object): string {
  return sha256Hex(JSON.stringify(Object.entries(settings).filter(([key]) => !PACING.has(key)))).slice(0, 16)
}

/**
 * Remembers when a source was asked and may be asked again, over restarts: a restart loop must not become a download
 * loop. So the first poll of a process is written down before it begins, and every one of those that are hours apart.
 */
export class PollHistory {
  readonly #store: FeedStore
  readonly #clock: Clock
  readonly #log: Pick<Log, 'error'>
  readonly #name: string
  readonly #pace: Pace
  #state: PollState
  /** This process has written a poll of it. */
  #noted = false
  #dirty = false
  /** `notBefore` of before the poll under way. */
  #before = 0

  constructor(
    { store, clock, log }: { store: FeedStore; clock: Clock; log: Pick<Log, 'error'> },
    { source, pace, version }: { source: PolledSource; pace: Pace; version: string }
  ) {
    this.#store = store
    this.#clock = clock
    this.#log = log
    this.#name = source.name
    this.#pace = pace
    this.#state = {
      kind: source.kind.kind,
      settings: `${version} ${readingOf(source.settings)}`,
      lastAttempt: null,
      lastOk: null,
      lastChange: null,
      nextDue: null,
      notBefore: 0,
      failures: 0,
      error: null,
      staleSince: null,
      items: 0
    }
  }

  get state(): Readonly<PollState> {
    return this.#state
  }

  /** Takes up what was remembered; without anything, or with other settings, the source is asked at `soon`. */
  open(soon: number): void {
    const before = this.#store.state(this.#name)
    if (before !== null && before.kind !== this.#state.kind) this.#store.forget(this.#name)
    if (before === null || before.kind !== this.#state.kind) {
      this.#state = { ...this.#state, nextDue: soon }
      return
    }
    const now = this.#clock.now()
    const { settings } = this.#state
    const changed = before.settings !== settings
    // The same listing says something else to another reader.
    if (changed) this.#store.forgetUrls(this.#name)
    const notBefore = believable(before.notBefore, now, this.#pace) ?? 0
    const due = changed ? soon : (believable(before.nextDue, now, this.#pace) ?? soon)
    this.#state = {
      ...before,
      settings,
      notBefore,
      nextDue: Math.max(soon, due, notBefore),
      ...(changed ? { failures: 0, error: null } : {})
    }
  }

  /** Milliseconds until the source may be asked at all; 0 when it may. */
  waitMs(): number {
    const now = this.#clock.now()
    return Math.max(0, (believable(this.#state.notBefore, now, this.#pace) ?? 0) - now)
  }

  dueIn(ms: number): void {
    this.#state = { ...this.#state, nextDue: Math.max(this.#clock.now() + ms, this.#state.notBefore) }
    this.#dirty = true
  }

  asking(at: number): void {
    const notBefore = Math.max(this.waitMs() + at, at + this.#pace.minMs)
    this.#before = this.#state.notBefore
    this.#state = { ...this.#state, lastAttempt: at, notBefore, nextDue: at + this.#pace.intervalMs }
    this.#dirty = true
    if (this.#pace.intervalMs >= FAR_APART_MS || !this.#noted) this.#note()
    else this.#keep()
  }

  /** A good answer. `items` is null when nothing had changed. Stored with everything else that follows from it. */
  good(
    { at, nextDue, items }: { at: number; nextDue: number; items: number | null },
    learned: Required<Pick<FeedChanges, 'urls' | 'memory'>>
  ): void {
    const now = this.#clock.now()
    const news = items === null ? {} : { items, lastChange: at }
    this.#state = {
      ...this.#state,
      ...news,
      lastOk: now,
      failures: 0,
      error: null,
      staleSince: null,
      nextDue: Math.max(nextDue, now)
    }
    this.#dirty = true
    if (items === null && learned.urls.size + learned.memory.size === 0) this.#keep()
    else this.#save(learned)
  }

  /** No good answer: what was known stays. A provider that was never reached has not been asked. */
  bad({ error, failures, reached, answered, wait, retryAfterMs }: BadAnswer): void {
    const now = this.#clock.now()
    const notBefore = Math.max(
      reached ? this.#state.notBefore : this.#before,
      now + (retryAfterMs ?? Number.NEGATIVE_INFINITY)
    )
    const lastOk = answered ? now : this.#state.lastOk
    this.#state = { ...this.#state, error, failures, notBefore, nextDue: now + wait, lastOk }
    this.#dirty = true
    if (reached) this.#note()
    else this.#keep()
  }

  stale(now: number): void {
    this.#state = { ...this.#state, staleSince: now }
    this.#note()
  }

  /** Writes what is not written yet. */
  close(): void {
    if (this.#dirty) this.#note()
  }

  #note(): void {
    this.#listenOn(() => this.#save({}))
  }

  #keep(): void {
    this.#listenOn(() => this.#store.keep(this.#name, this.#state, this.#clock.now()))
  }

  /** That times cannot be written is no reason not to listen. */
  #listenOn(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#log.error({ err: error, source: this.#name }, 'the times of a feed could not be stored')
    }
  }

  #save(changes: Omit<FeedChanges, 'state'>): void {
    const now = this.#clock.now()
    this.#store.save(this.#name, { ...changes, state: this.#state }, now)
    this.#noted = true
    this.#dirty = false
  }
}
