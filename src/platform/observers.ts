/** The one typed emitter: parts tell what happened, the live view, the terminal and the metrics listen. Nothing on the walk depends on it. */
export class Observers<Topics extends object> {
  readonly #listeners = new Map<keyof Topics, Set<(value: never) => void>>()
  readonly #onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  on<Topic extends keyof Topics>(topic: Topic, listener: (value: Topics[Topic]) => void): () => void {
    const set = this.#listeners.get(topic) ?? new Set()
    set.add(listener)
    this.#listeners.set(topic, set)
    return () => {
      set.delete(listener)
    }
  }

  /** Tells every listener. One that throws is reported and does not stop the others. */
  tell<Topic extends keyof Topics>(topic: Topic, value: Topics[Topic]): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        ;(listener as (value: Topics[Topic]) => void)(value)
      } catch (error) {
        this.#onError(error)
      }
    }
  }
}
