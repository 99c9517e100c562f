import { isClockSet } from './clock-set.ts'

/** Time as the rest of the program sees it. Times are epoch milliseconds. */
export interface Clock {
  now(): number
  /** Runs `task` once, `ms` from now. The answer cancels it. */
  after(ms: number, task: () => void): () => void
}

const wallClock: Clock = {
  now: () => Date.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.max(0, ms))
    timer.unref()
    return () => clearTimeout(timer)
  }
}

/**
 * A clock, or, while nobody has set it, the time that somebody lent: the seconds go on by the own clock. The loan ends by itself
 * when the clock is set.
 */
export class LentTime implements Clock {
  readonly #clock: Clock
  #ahead = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): number {
    const own = this.#clock.now()
    return isClockSet(own) ? own : own + this.#ahead
  }

  after(ms: number, task: () => void): () => void {
    return this.#clock.after(ms, task)
  }

  /** True while the own clock shows a time that cannot be. */
  get isUnset(): boolean {
    return !isClockSet(this.#clock.now())
  }

  /** True while the time is another's. */
  get isLent(): boolean {
    return this.isUnset && this.#ahead !== 0
  }

  /** From now on it is this time; nothing happens where the own clock is set. */
  lend(time: number): void {
    if (this.isUnset) this.#ahead = time - this.#clock.now()
  }
}

/** The wall clock of this process. Its timers never keep the process alive by themselves. */
export const systemClock: LentTime = new LentTime(wallClock)

interface Pending {
  at: number
  order: number
  task: () => void
}

/**
 * A clock that only moves when told to: `replay` and the tests run whole days through it.
 * Timers due at the same instant run in the order they were set.
 */
export class VirtualClock implements Clock {
  #now: number
  #order = 0
  #pending: Pending[] = []

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  after(ms: number, task: () => void): () => void {
    const entry: Pending = { at: this.#now + Math.max(0, ms), order: this.#order++, task }
    this.#pending.push(entry)
    return () => {
      this.#pending = this.#pending.filter((other) => other !== entry)
    }
  }

  /** Somebody sets the wall clock: timers keep their distance. */
  set(time: number): void {
    for (const entry of this.#pending) entry.at += time - this.#now
    this.#now = time
  }

  /** The number of timers that wait. */
  get waiting(): number {
    return this.#pending.length
  }

  /** The time at which the earliest timer is due, or null when none waits. */
  get nextAt(): number | null {
    let next: number | null = null
    for (const { at } of this.#pending) if (next === null || at < next) next = at
    return next
  }

  /** Moves to `time`, running every timer due on the way, and lets promises settle between two timers. */
  async runTo(time: number): Promise<void> {
    await settle()
    for (;;) {
      const entry = this.#takeDue(time)
      if (entry === undefined) break
      this.#now = Math.max(this.#now, entry.at)
      entry.task()
      await settle()
    }
    this.#now = Math.max(this.#now, time)
    await settle()
  }

  /** Moves to `time` at once, as after a sleep: what fell due on the way runs there, once. */
  async skipTo(time: number): Promise<void> {
    await settle()
    this.#now = Math.max(this.#now, time)
    await this.runTo(time)
  }

  #takeDue(time: number): Pending | undefined {
    let first: Pending | undefined
    for (const entry of this.#pending) {
      if (entry.at > time) continue
      if (first === undefined || entry.at < first.at || (entry.at === first.at && entry.order < first.order))
        first = entry
    }
    if (first !== undefined) this.#pending = this.#pending.filter((entry) => entry !== first)
    return first
  }
}

/** Resolves after the promises that are ready now, and those they make ready, have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
