/** Longer without a move, and a loop that has something to do stands still. Milliseconds. */
export const PATIENCE_MS = 15_000

/** A loop as the watchdog sees it. */
export interface Loop {
  /** As logs and the status of the service name it. */
  readonly name: string
  readonly pulse: Pulse
  /** Asked now and then: beats when there is nothing to do, and looks again at what may have been forgotten. */
  tick(): void
}

/** Counts the moves of one loop. It knows no clock, so that nobody who sets the time makes a loop look dead or alive. */
export class Pulse {
  #beats = 0
  #patienceMs = PATIENCE_MS

  /** The loop moved on. `patienceMs`: its next move may take this long, because the work it has begun does. */
  beat(patienceMs: number = PATIENCE_MS): void {
    this.#beats++
    this.#patienceMs = Math.max(PATIENCE_MS, patienceMs)
  }

  get beats(): number {
    return this.#beats
  }

  get patienceMs(): number {
    return this.#patienceMs
  }
}
