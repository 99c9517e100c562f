import type { Clock } from '../platform/clock/clock.ts'

/** Between two steps radios, events and pages have their turn. */
const STEP_MS = 1

export interface SilencingOptions {
  clock: Clock
  onError: (error: unknown) => void
}

/** Asks what waits after a new silence, a few rows at a time: thousands at once would hold up the radios (docs/interface.md §6). */
export class Silencing {
  readonly #o: SilencingOptions
  #walks: Generator<void>[] = []
  #cancel: (() => void) | null = null

  constructor(options: SilencingOptions) {
    this.#o = options
  }

  /** Goes on with these steps after those that are under way. */
  goOn(steps: Generator<void>): void {
    this.#walks.push(steps)
    this.#arm()
  }

  /** The rest is asked at the next start. */
  stop(): void {
    this.#walks = []
    this.#cancel?.()
    this.#cancel = null
  }

  #arm(): void {
    if (this.#walks.length === 0) return
    this.#cancel ??= this.#o.clock.after(STEP_MS, () => {
      this.#cancel = null
      try {
        if (this.#walks[0]?.next().done !== false) this.#walks.shift()
      } catch (error) {
        this.#walks.shift()
        this.#o.onError(error)
      }
      this.#arm()
    })
  }
}
