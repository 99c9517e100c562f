import type { LookoutEvent } from '../../model/event.ts'
import { Sightings } from './sightings.ts'
import { hasJoined } from './thread-join.ts'

/** The time back to which another source's event may be the same thing, and how many are read after a start. */
const LINEAGE_MS = 24 * 3_600_000
const LINEAGE_EVENTS = 500

/** The stored events as the lineage reads them after a start. */
export interface ToldBefore {
  /** The newest stored events since a time with their traces, oldest first. */
  since(time: number, limit: number): Iterable<{ event: LookoutEvent; trace: readonly unknown[] }>
}

/**
 * The events told lately, by source: they show the same thing told by another source. What was told before this start
 * counts too.
 */
export class Lineage {
  readonly #store: ToldBefore
  #seen: Sightings | null = null

  constructor(store: ToldBefore) {
    this.#store = store
  }

  /** Read from the store with the first event. */
  at(now: number): Sightings {
    if (this.#seen !== null) return this.#seen
    const seen = new Sightings()
    for (const { event, trace } of this.#store.since(now - LINEAGE_MS, LINEAGE_EVENTS))
      seen.note(event, hasJoined(trace))
    this.#seen = seen
    return seen
  }

  /** The store has changed: it is read again with the next event. */
  forget(): void {
    this.#seen = null
  }
}
