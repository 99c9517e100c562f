/** Those who want to hear of one thing. One that leaves or joins while it is told changes nothing for the others. */
export class Listeners<Values extends unknown[]> {
  readonly #listeners = new Set<(...values: Values) => void>()

  /** Answers how to leave. */
  add(listener: (...values: Values) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(...values: Values): void {
    for (const listener of [...this.#listeners]) listener(...values)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
