import type { Clock } from '../../../platform/clock/clock.ts'

/** The timers of one radio: none is left after `close`. */
export class Timers {
  readonly #clock: Clock
  readonly #running = new Map<() => void, () => void>()
  #closed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Runs `task` in `ms` whole milliseconds; `onClose` instead when the radio is closed before. The answer cancels both. */
  after(ms: number, task: () => void, onClose: () => void = () => undefined): () => void {
    if (this.#closed) {
      onClose()
      return () => undefined
    }
    const cancel = this.#clock.after(Math.ceil(ms), () => {
      this.#running.delete(cancel)
      task()
    })
    this.#running.set(cancel, onClose)
    return () => {
      cancel()
      this.#running.delete(cancel)
    }
  }

  close(): void {
    this.#closed = true
    const running = [...this.#running]
    this.#running.clear()
    for (const [cancel, onClose] of running) {
      cancel()
      onClose()
    }
  }
}
