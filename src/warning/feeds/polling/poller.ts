import type { LookoutEvent } from '../../../model/event.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { sentenceOf } from '../../../model/words/sentences.ts'
import { settledWithin } from '../../../platform/clock/within.ts'
import { storageFaultOf } from '../../../platform/database/storage-fault.ts'
import { AppError } from '../../../platform/errors.ts'
import { deliver, refuseWhenAborted } from '../deliver.ts'
import type { PollTools, SourceReading } from '../source.ts'
import { type CountedReason, countReasons, type SourceStatus } from '../status.ts'
import type { Member } from './connectivity.ts'
import { BufferedMemory } from './memory.ts'
import { FetchRound } from './polite-fetch.ts'
import { PollHistory } from './poll-history.ts'
import { type PolledSource, type PollerSetup, type PollOrder, whyBlocked } from './poller-setup.ts'
import { believable, nextAfterFailure, nextAfterSuccess, type Pace, paceOf } from './schedule.ts'
import { backEvent, staleEvent } from './staleness.ts'

/** First polls after a start are spread over this. */
const START_SPREAD_MS = 3000
/** Timers of Node end at 24 days. */
const LONGEST_TIMER_MS = 12 * 3_600_000
const STOP_MS = 1500
/** Strain may be over by then. */
const RESTS_MS = 5 * 60_000

/** One polled source: when it is asked, what becomes of the answer, and how it is at present. Never two polls at once. */
export class Poller implements Member {
  readonly name: string
  readonly #s: PolledSource
  readonly #o: PollerSetup
  readonly #pace: Pace
  readonly #history: PollHistory
  readonly #stop = new AbortController()
  readonly #since: number
  readonly #session = { bytes: 0, requests: 0, events: 0, skipped: 0, reasons: [] as readonly CountedReason[] }
  #known: boolean
  #answer: 'ok' | 'unchanged' | null = null
  #polling: Promise<void> | null = null
  #suspended = false
  #cancelTimer: () => void = () => undefined
  #told = ''

  constructor(source: PolledSource, setup: PollerSetup) {
    this.name = source.name
    this.#s = source
    this.#o = setup
    this.#known = source.known
    this.#pace = paceOf(source.kind, source.settings, setup.intervalFactor)
    this.#since = setup.clock.now()
    this.#history = new PollHistory(setup, { source, pace: this.#pace, version: setup.version })
  }

  /** True once a whole listing has been read since the process started. */
  get known(): boolean {
    return this.#known
  }

  start(): void {
    const { clock, random } = this.#o
    const soon = clock.now() + Math.round(random() * START_SPREAD_MS)
    this.#history.open(soon)
    this.#arm()
    this.#tell()
  }

  /** The contact has changed, perhaps: what was blocked may be asked now. */
  configChanged(): void {
    if (this.#polling === null) this.#arm()
    this.#tell()
  }

  /** Asks now, unless the provider's least interval has not passed. */
  pollNow(): PollOrder {
    const reason = this.#blocked()
    const waitMs = this.#history.waitMs()
    if (this.#stop.signal.aborted) return { asked: false, why: 'stopped', reason: because('lookout_stopping'), waitMs }
    if (reason !== null) return { asked: false, why: 'blocked', reason, waitMs }
    if (this.#polling === null && waitMs > 0)
      return {
        asked: false,
        why: 'early',
        reason: because('asked_too_soon', { source: this.name }),
        waitMs
      }
    this.#begin()
    return { asked: true }
  }

  probe(): void {
    if (this.#blocked() === null && this.#history.waitMs() === 0) this.#begin()
  }

  suspend(): void {
    this.#suspended = true
    this.#arm()
    this.#tell()
  }

  resume(ms: number): void {
    this.#suspended = false
    this.#history.dueIn(ms)
    this.#arm()
  }

  /** Gives up what is under way; resolves within 2 s. Nothing is stored afterwards. */
  async stop(): Promise<void> {
    this.#cancelTimer()
    this.#o.connectivity.forget(this)
    this.#stop.abort()
    if (this.#polling !== null) await settledWithin(this.#polling, STOP_MS, this.#o.clock)
    this.#history.close()
  }

  status(): SourceStatus {
    const { kind, settings } = this.#s
    const { state } = this.#history
    const blocked = this.#blocked()
    return {
      name: this.name,
      kind: kind.kind,
      mode: 'poll',
      enabled: true,
      state: this.#stateNow(blocked),
      reason: blocked ?? (this.#suspended ? because('waits_for_network') : (this.#rests() ?? state.error)),
      about: kind.about,
      last_ok: timeText(state.lastOk),
      last_attempt: timeText(state.lastAttempt),
      last_change: timeText(state.lastChange),
      items: state.items,
      skipped: this.#session.skipped,
      skipped_reasons: [...this.#session.reasons],
      bytes: this.#session.bytes,
      requests: this.#session.requests,
      events: this.#session.events,
      failures: state.failures,
      error: state.error,
      next_due: blocked !== null || this.#suspended || !settings.enabled ? null : timeText(state.nextDue),
      interval_seconds: this.#pace.intervalMs / 1000
    }
  }

  #stateNow(blocked: Reason | null): SourceStatus['state'] {
    if (blocked !== null) return 'blocked'
    if (this.#history.state.staleSince !== null) return 'stale'
    if (this.#polling !== null) return 'polling'
    if (this.#history.state.failures > 0) return 'failing'
    return this.#answer ?? 'waiting'
  }

  #blocked(): Reason | null {
    return whyBlocked(this.#s, this.#o.station().contact)
  }

  /** Sets the one timer: for the next poll, or for the moment it counts as stale. */
  #arm(): void {
    this.#cancelTimer()
    if (this.#stop.signal.aborted || this.#polling !== null || this.#blocked() !== null) return
    const now = this.#o.clock.now()
    const { nextDue, staleSince, lastOk } = this.#history.state
    const dueAt = this.#suspended ? Number.POSITIVE_INFINITY : (nextDue ?? now)
    const good = Math.max(this.#since, believable(lastOk, now, this.#pace) ?? 0)
    const staleAt = staleSince === null ? good + this.#pace.staleMs : Number.POSITIVE_INFINITY
    const wait = Math.max(0, Math.min(dueAt, staleAt) - now)
    if (wait === Number.POSITIVE_INFINITY) return
    // The timer's task is done when it fires, whatever the clock says by then: it may have been set back.
    const task = staleAt < dueAt ? () => this.#becomeStale() : () => this.#turn()
    this.#cancelTimer =
      wait > LONGEST_TIMER_MS
        ? this.#o.clock.after(LONGEST_TIMER_MS, () => this.#arm())
        : this.#o.clock.after(wait, task)
  }

  /** Its time has come. Under strain it comes again later; somebody who asks now is still answered. */
  #turn(): void {
    if (this.#rests() === null) this.#begin()
    else {
      this.#history.dueIn(RESTS_MS)
      this.#arm()
      this.#tell()
    }
  }

  #rests(): Reason | null {
    return this.#o.restsFor?.(this.#pace.intervalMs) ?? null
  }

  #begin(): void {
    if (this.#polling !== null || this.#stop.signal.aborted) return
    this.#cancelTimer()
    this.#polling = this.#poll().finally(() => {
      this.#polling = null
      this.#arm()
      this.#tell()
    })
  }

  async #poll(): Promise<void> {
    const at = this.#o.clock.now()
    const round = new FetchRound(this.#o, this.name, this.#stop.signal)
    const memory = new BufferedMemory(this.#o.store, this.name)
    try {
      this.#history.asking(at)
      const reading = await this.#s.kind.poll(this.#s.settings, this.#tools(round, memory, at))
      if (reading !== 'unchanged') await this.#deliver(reading)
      refuseWhenAborted(this.#stop.signal)
      this.#succeeded(reading, { round, memory, at })
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#failed(error, round)
    } finally {
      this.#session.requests += round.requests
      this.#session.bytes += round.bytes
    }
  }

  #tools(round: FetchRound, memory: BufferedMemory, receivedAt: number): PollTools {
    return {
      source: this.name,
      receivedAt,
      memory,
      station: this.#o.station(),
      coverage: this.#o.coverage(),
      inForce: this.#o.inForce,
      families: this.#o.families,
      fetch: (request) => round.fetch(request),
      signal: this.#stop.signal
    }
  }

  /** Contract §4 rule 6: the first whole listing, and any within the grace of the start, is known rather than new. */
  async #deliver(reading: SourceReading): Promise<void> {
    const graceMs = this.#o.coldStartGraceMs()
    const coldStart = graceMs > 0 && (!this.#known || this.#o.clock.now() - this.#o.startedAt < graceMs)
    const { overrides } = this.#s.settings
    const { accept } = this.#o
    const done = await deliver(reading.events, { accept, overrides, coldStart, signal: this.#stop.signal })
    this.#session.events += done.events
    this.#session.skipped = reading.skipped.length + done.skipped.length
    this.#session.reasons = countReasons([...reading.skipped, ...done.skipped])
  }

  #succeeded(
    reading: SourceReading | 'unchanged',
    { round, memory, at }: { round: FetchRound; memory: BufferedMemory; at: number }
  ): void {
    const { staleSince, lastOk, failures } = this.#history.state
    this.#known = true
    this.#suspended = false
    this.#answer = reading === 'unchanged' ? 'unchanged' : 'ok'
    const wait = nextAfterSuccess(this.#pace, round.maxAge, this.#o.random)
    this.#history.good(
      {
        at,
        nextDue: at + Math.max(wait, round.failure?.retryAfterMs ?? 0),
        items: reading === 'unchanged' ? null : reading.items
      },
      { urls: round.learned, memory: memory.takeChanges() }
    )
    if (failures > 0) this.#o.log.info({ source: this.name }, 'the feed answers again')
    if (staleSince !== null) this.#record(backEvent({ name: this.name, staleSince, lastOk, now: this.#o.clock.now() }))
    if (round.requests > 0) this.#o.connectivity.report(this, true)
  }

  #failed(error: unknown, round: FetchRound): void {
    const failure = round.failure
    const quiet = failure?.kind === 'quiet'
    const failures = this.#history.state.failures + (quiet ? 0 : 1)
    const { status = null, retryAfterMs = null } = failure ?? {}
    // Its answer was good, and only our own disk did not take it: the feed is neither silent nor to be spared.
    const ours = storageFaultOf(error) !== null
    const failed = { failures: ours ? 1 : Math.max(1, failures), status, retryAfterMs }
    const wait = nextAfterFailure(this.#pace, failed, this.#o.random)
    const expected = error instanceof AppError
    const why = expected ? error.reason : because('read_unexpectedly')
    const said = sentenceOf(why)
    if (!expected) this.#o.log.error({ err: error, source: this.name }, 'reading a feed failed unexpectedly')
    else if (failures === 1) this.#o.log.warn({ source: this.name, error: said }, 'a feed gave no good answer')
    else this.#o.log.debug({ source: this.name, error: said, failures }, 'a feed gave no good answer')
    this.#history.bad({ error: why, failures, reached: round.reached, answered: ours, wait, retryAfterMs })
    if (round.reached) this.#suspended = false
    if (round.requests > 0 && !quiet) this.#o.connectivity.report(this, round.reached)
  }

  #becomeStale(): void {
    const now = this.#o.clock.now()
    this.#history.stale(now)
    const { lastOk, error } = this.#history.state
    this.#o.log.warn({ source: this.name, error: error === null ? null : sentenceOf(error) }, 'a feed is stale')
    this.#record(staleEvent({ name: this.name, staleSince: now, lastOk, error, now }))
    this.#arm()
    this.#tell()
  }

  /** Told on the mesh only where the settings say so; stored in any case. */
  #record(event: LookoutEvent): void {
    this.#o
      .accept([{ event, coldStart: this.#s.settings.tell_when_stale !== true }])
      .catch((error: unknown) =>
        this.#o.log.error({ err: error, source: this.name }, 'a stale feed could not be recorded')
      )
  }

  /** Observers hear of changes, not of every poll. */
  #tell(): void {
    const status = this.status()
    const { state, reason, error, last_change: lastChange, items } = status
    const now = JSON.stringify([state, reason, error, lastChange, items])
    if (state === 'polling' || now === this.#told) return
    this.#told = now
    this.#o.onChange(status)
  }
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
