import { because } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { isClockSet } from '../../platform/clock/clock-set.ts'
import type { TraceStep } from '../routing/decision.ts'
import type { ByTime } from './by-time.ts'
import type { StoredEvent } from './stored-event.ts'

export interface SecondLookOptions {
  clock: Clock
  byTime: ByTime
  /** Decides some stored events anew, in one transaction. */
  decideAnew: (stored: readonly StoredEvent[], why: TraceStep) => void
  /** At a start, the newest event is of a time that the clock has not reached yet: it was set back, or lost its time. */
  onBehind: (ms: number) => void
  onError: (error: unknown) => void
}

/** The time before the clock was set in which decisions may have been made by the wrong time. */
const LOOK_BACK_MS = 24 * 3_600_000
/** So long must a clock have run on undisturbed before anything is forgotten by it. */
const TRUST_MS = 24 * 3_600_000
/** Away for longer than this, or a wrong clock, then or now: nobody knows at a start. */
const LONG_AWAY_MS = 24 * 3_600_000
/** Two clocks differ by as much. */
const SLACK_MS = 60_000
/** Between two steps there is room for events and radios. */
const AT_ONCE = 10
const STEP_MS = 1
const GRAVE_AT_ONCE = 3

/** Decides anew what was not told because of a time, once the clock was set: docs/interface.md §4 rule 6. */
export class SecondLook {
  readonly #o: SecondLookOptions
  #cancel: () => void = () => undefined
  #cancelRescue: () => void = () => undefined
  #trustedFrom = 0

  constructor(options: SecondLookOptions) {
    this.#o = options
    const now = options.clock.now()
    const newest = options.byTime.newest()
    if (newest !== null && Math.abs(now - newest) > LONG_AWAY_MS) this.#trustedFrom = now + TRUST_MS
  }

  /**
   * True when what is old by the wall clock may be forgotten: by one that is years ahead all would be, and be told
   * again afterwards.
   */
  mayForget(): boolean {
    return this.#o.clock.now() >= this.#trustedFrom
  }

  /** At a start: a clock that was wrong when the last run ended may be right now. */
  start(): void {
    const now = this.#o.clock.now()
    const { byTime } = this.#o
    const newest = byTime.newest()
    if (newest !== null && newest - now > SLACK_MS) this.#o.onBehind(newest - now)
    if (byTime.isFromWrongClock(now)) this.clockSet()
    this.rescued()
  }

  /** Rows of the file may have been lost: of what is grave and goes on, what no channel has is told. */
  rescued(): void {
    if (this.#o.byTime.isRescued()) this.#rescueFrom(-1)
  }

  stop(): void {
    this.#cancel()
    this.#cancelRescue()
  }

  /**
   * The wall clock was set, in either direction. Begins from the start when it is set again meanwhile. A clock that lost its
   * time (1970) knows nothing better than the one by which something was over: with it nothing is decided anew.
   */
  clockSet(): void {
    const now = this.#o.clock.now()
    const since = now - LOOK_BACK_MS
    this.#trustedFrom = now + TRUST_MS
    this.#cancel()
    if (!isClockSet(now)) return
    this.#from(this.#o.byTime.first(since) - 1, since)
  }

  #from(seq: number, since: number): void {
    this.#cancel()
    this.#cancel = this.#soon(() => this.#step(seq, since))
  }

  #rescueFrom(seq: number): void {
    this.#cancelRescue()
    this.#cancelRescue = this.#soon(() => {
      const { byTime, clock, decideAnew } = this.#o
      const stored = byTime.nextGrave(seq, clock.now(), GRAVE_AT_ONCE)
      const last = stored.at(-1)
      if (last === undefined) return byTime.rescueDone()
      decideAnew(stored, { stage: 'storage', outcome: 'note', reason: 'rescued', ...because('rows_lost') })
      this.#rescueFrom(last.seq)
    })
  }

  #soon(step: () => void): () => void {
    return this.#o.clock.after(STEP_MS, () => {
      try {
        step()
      } catch (error) {
        this.#o.onError(error)
      }
    })
  }

  #step(seq: number, since: number): void {
    const { byTime, clock, decideAnew } = this.#o
    const stored = byTime.next(seq, since, AT_ONCE)
    if (stored.length > 0) {
      const together = [...stored, ...byTime.alike(stored, since, AT_ONCE)]
      decideAnew(together, { stage: 'clock', outcome: 'note', reason: 'clock_set', ...because('clock_set') })
    }
    const last = stored.at(-1)
    if (last !== undefined) this.#from(last.seq, since)
    else if (byTime.putRight(clock.now())) this.#from(seq, since)
  }
}
