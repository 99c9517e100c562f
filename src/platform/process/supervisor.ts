import type { Reason } from '../../model/reason.ts'
import type { Clock } from '../clock/clock.ts'
import { backoff } from '../net/backoff.ts'
import type { Child } from './child.ts'
import type { ChildEnd } from './child-spec.ts'

/** A program that ran this long was well; the next crash is a new one. */
const WELL_MS = 60_000

/** `resting`: it crashed and is started again at `retryAt`. */
export type SupervisedState = 'stopped' | 'starting' | 'running' | 'ending' | 'resting'

export interface SupervisorOptions {
  clock: Clock
  random: () => number
  /** Waits after a crash: they double from `min`, and one that crashes for ever is started once in `max`. */
  restart: { min: number; max: number }
  /** Longest start, and the reason of an end that came of it. */
  readyMs: number
  late: Reason
  /** The end in words: how it ended, why we ended it ourselves, its last words. */
  describe: (end: ChildEnd, why: Reason | null, words: string) => Reason
  /** An end that is none of its crashes though nobody asked for it. */
  inOrder?: (end: ChildEnd) => boolean
  /** A crash in its work for which the work is to blame, which will not be done in the same way again: no wait grows by it. */
  excused?: (end: ChildEnd, reason: Reason) => boolean
  /** The wait is over. */
  again: () => void
  onGone?: (reason: Reason) => void
  onCrash: (crash: { reason: Reason; crashes: number; wait: number }) => void
  onChange: () => void
}

/** As much of a `Child` as keeping it running takes. */
export type Supervised = Pick<Child, 'exited' | 'signal' | 'terminate' | 'release' | 'words'>

/** Keeps one program running: back-off after a crash, an end for one that does not get ready, a stop within 2 s. */
export class Supervisor<One extends Supervised = Child> {
  readonly #options: SupervisorOptions
  #child: One | null = null
  #state: SupervisedState = 'stopped'
  #since: number
  #crashes = 0
  #lastCrash: { at: number; reason: Reason } | null = null
  #retryAt: number | null = null
  #why: Reason | null = null
  #cancelTimer = (): void => undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#since = options.clock.now()
  }

  get child(): One | null {
    return this.#child
  }

  get state(): SupervisedState {
    return this.#state
  }

  /** Since when it is in this state. */
  get since(): number {
    return this.#since
  }

  /** In a row. */
  get crashes(): number {
    return this.#crashes
  }

  get lastCrash(): { at: number; reason: Reason } | null {
    return this.#lastCrash
  }

  get retryAt(): number | null {
    return this.#retryAt
  }

  /** It is about to be started: no wait goes on. */
  prepare(): void {
    this.#cancelTimer()
    this.#retryAt = null
    this.#enter('starting')
  }

  /** The program, just started; it has its time to be `ready`. */
  run(child: One): void {
    const { clock, readyMs, late } = this.#options
    this.prepare()
    this.#why = null
    this.#child = child
    this.#cancelTimer = clock.after(readyMs, () => this.kill(late))
    void child.exited.then((end) => this.#gone(child, end))
  }

  /** It does what it is for. False when it was not starting. */
  ready(): boolean {
    if (this.#state !== 'starting') return false
    this.#cancelTimer()
    this.#enter('running')
    return true
  }

  /** It was told to end, and has this long for it. */
  expectEnd(ms: number): void {
    const child = this.#child
    this.#enter('ending')
    this.#cancelTimer = this.#options.clock.after(ms, () => child?.signal('SIGKILL'))
  }

  /** It does not do what it should: ended, it is started again. */
  kill(why: Reason): void {
    this.#why = why
    this.#child?.signal('SIGKILL')
  }

  /** It crashed, or could not even be started. */
  crashed(reason: Reason, isExcused = false): void {
    const { clock, random, restart, again, onCrash } = this.#options
    const now = clock.now()
    const wasWell = this.#state === 'running' && now - this.#since >= WELL_MS
    if (!isExcused) this.#crashes = wasWell ? 1 : this.#crashes + 1
    this.#lastCrash = { at: now, reason }
    const wait = backoff(isExcused ? 0 : this.#crashes - 1, { ...restart, random })
    onCrash({ reason, crashes: this.#crashes, wait })
    this.#cancelTimer()
    this.#retryAt = now + wait
    this.#cancelTimer = clock.after(wait, again)
    this.#enter('resting')
  }

  /** Ends it with its whole group, within 2 s; no wait goes on. It may be started again. Never rejects. */
  async stop(): Promise<void> {
    const child = this.#child
    this.#cancelTimer()
    this.#retryAt = null
    this.#enter(child === null ? 'stopped' : 'ending')
    await child?.terminate()
    this.#crashes = 0
  }

  #gone(child: One, end: ChildEnd): void {
    const { describe, inOrder = () => false, excused = () => false, onGone } = this.#options
    if (child !== this.#child) return
    this.#child = null
    this.#cancelTimer()
    child.release()
    const reason = describe(end, this.#why, child.words)
    onGone?.(reason)
    if (this.#state === 'ending' || (this.#state === 'running' && inOrder(end))) {
      this.#crashes = 0
      this.#enter('stopped')
    } else this.crashed(reason, this.#state === 'running' && excused(end, reason))
  }

  #enter(state: SupervisedState): void {
    if (this.#state === state) return
    this.#state = state
    this.#since = this.#options.clock.now()
    this.#options.onChange()
  }
}
