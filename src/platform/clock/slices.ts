/** Milliseconds of work in one go: radios, pages and warnings come between two. */
export const SLICE_MS = 10

/**
 * Whoever waits for a turn of the loop, one at a time: the loop runs all that waits for its next turn in one go, so however many
 * there are, they hold it together no longer than one. Sockets and timers come in between.
 */
class Line {
  readonly #waiting: (() => void)[] = []

  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#next())
    })
  }

  #next(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#next())
  }
}

const warnings = new Line()
const readers = new Line()

/** Ends this turn of the loop: sockets are read and others work before it goes on. For what brings warnings. */
export function nextTurn(): Promise<void> {
  return warnings.turn()
}

/** As `nextTurn`, for what people read: they wait for one another, and no warning waits for them. */
export function readersTurn(): Promise<void> {
  return readers.turn()
}

/** Long work in slices: contract §6, *Warnings before work*. */
export class Slices {
  readonly #turn: () => Promise<void>
  readonly #ms: number
  #begun = performance.now()

  constructor(turn: () => Promise<void> = nextTurn, ms = SLICE_MS) {
    this.#turn = turn
    this.#ms = ms
  }

  /** Called between two small steps: once a slice is over it lets others go first. */
  async pause(): Promise<void> {
    if (performance.now() - this.#begun < this.#ms) return
    await this.#turn()
    this.#begun = performance.now()
  }
}

/** Work made of small steps, all at once: where nobody waits. */
export function drain<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** Work made of small steps, with a pause wherever one is due. What the pause throws ends the work. */
export async function paced<Result>(steps: Generator<void, Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    await pause()
  }
}
