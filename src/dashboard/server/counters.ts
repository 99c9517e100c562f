import type { Observers } from '../../platform/observers.ts'
import type { LiveTopics } from './context.ts'

/** The counts since the start for `/metrics`, made by listening; nothing on an event's walk knows of it. */
export class Counters {
  readonly #decided = new Map<string, number>()
  readonly #unsubscribe: () => void

  constructor(observers: Observers<LiveTopics>) {
    this.#unsubscribe = observers.on('decided', ({ duplicate, decision }) => {
      const key = duplicate ? 'duplicate' : (decision?.kind ?? 'recorded')
      this.#decided.set(key, (this.#decided.get(key) ?? 0) + 1)
    })
  }

  /** Events by what was decided; `duplicate` for repeats. */
  get decided(): ReadonlyMap<string, number> {
    return this.#decided
  }

  close(): void {
    this.#unsubscribe()
  }
}
