/** Milliseconds of work in one go: radios, pages and warnings come between two. */
const SLICE_MS = 10

/** Ends this turn of the loop: sockets are read and others work before it goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Long work in slices: contract §6, *Warnings before work*. */
export class Slices {
  #begun = performance.now()

  /** Called between two small steps: once a slice is over it lets others go first. */
  async pause(): Promise<void> {
    if (performance.now() - this.#begun < SLICE_MS) return
    await nextTurn()
    this.#begun = performance.now()
  }
}
