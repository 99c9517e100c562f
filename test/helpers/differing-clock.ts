import { VirtualClock } from '../../src/platform/clock/clock.ts'

/** The clock of one of several machines: it goes with the others, `aheadMs` before them. */
export class DifferingClock extends VirtualClock {
  readonly #common: VirtualClock
  readonly #aheadMs: number

  constructor(common: VirtualClock, aheadMs: number) {
    super(common.now())
    this.#common = common
    this.#aheadMs = aheadMs
  }

  override now(): number {
    return this.#common.now() + this.#aheadMs
  }

  override after(ms: number, task: () => void): () => void {
    return this.#common.after(ms, task)
  }

  override runTo(time: number): Promise<void> {
    return this.#common.runTo(time - this.#aheadMs)
  }
}
