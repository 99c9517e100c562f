import type { Clock } from './clock.ts'

/** Longest single timer: the wall clock may be set meanwhile, and then due times move. Milliseconds. */
const LONGEST_MS = 60_000

/**
 * Runs one task at a time that can be brought forward; never from inside the call that sets it. A task that throws is
 * reported and tried again a minute later.
 */
export class Alarm {
  readonly #clock: Clock
  readonly #task: () => void
  readonly #onError: (error: unknown) => void
  #cancel: (() => void) | null = null
  #at = Number.POSITIVE_INFINITY
  #started = false

  constructor(clock: Clock, task: () => void, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#task = task
    this.#onError = onError
  }

  /** From now on it can be set. */
  start(): void {
    this.#started = true
  }

  stop(): void {
    this.#started = false
    this.#clear()
  }

  /** Rings at `time`, or earlier when it is set so already; never before it was started. */
  by(time: number): void {
    if (!this.#started) return
    const at = Math.min(time, this.#clock.now() + LONGEST_MS)
    if (at >= this.#at) return
    this.#clear()
    this.#at = at
    this.#cancel = this.#clock.after(Math.max(0, at - this.#clock.now()), () => {
      this.#clear()
      this.#run()
    })
  }

  #clear(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#at = Number.POSITIVE_INFINITY
  }

  #run(): void {
    try {
      this.#task()
    } catch (error) {
      this.#onError(error)
      this.by(this.#clock.now() + LONGEST_MS)
    }
  }
}
