import type { DeliveryState } from '../../model/delivery.ts'
import type { Observers } from '../../platform/observers.ts'
import type { LiveTopics } from './context.ts'

/** A message that came to nobody, or nobody knows whether it did. */
const LOST: ReadonlySet<DeliveryState> = new Set(['failed', 'expired', 'sent_unknown'])

/**
 * Counts the news that every reader sees at once: an event, a radio or a source that is not what it was, a message that was lost. What
 * only goes on (a queue, airtime, a message on its way) may be a second late on the page of a guest.
 */
export class UrgentNews {
  readonly #states = new Map<string, string>()
  readonly #unsubscribe: (() => void)[]
  readonly #onNews: () => void
  #count = 0

  constructor(observers: Observers<LiveTopics>, onNews: () => void) {
    this.#onNews = onNews
    this.#unsubscribe = [
      observers.on('decided', ({ duplicate }) => {
        if (!duplicate) this.#came()
      }),
      observers.on('delivery', ({ state }) => {
        if (LOST.has(state)) this.#came()
      }),
      observers.on('radio', ({ id, state, reason, missing_channels }) =>
        this.#hear(`radio ${id}`, [state, reason, missing_channels])
      ),
      observers.on('source', ({ name, state, reason, error }) => this.#hear(`source ${name}`, [state, reason, error])),
      observers.on('config', () => this.#came())
    ]
  }

  get count(): number {
    return this.#count
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  #hear(who: string, said: unknown): void {
    const state = JSON.stringify(said)
    if (this.#states.get(who) === state) return
    this.#states.set(who, state)
    this.#came()
  }

  #came(): void {
    this.#count++
    this.#onNews()
  }
}
