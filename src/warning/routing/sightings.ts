import type { LookoutEvent } from '../../model/event.ts'
import { hazardOf, isSameEvent, type Sighting, sightingOf } from './same-event.ts'

/** One source's sighting, and its thread. */
interface Noted extends Sighting {
  threadId: string
  /** False: it joined the thread as a copy, so nothing may be compared with it instead of with what began the thread. */
  lends: boolean
}

const PER_SOURCE = 200
const HAZARDS = 500

/**
 * The recent sightings, per hazard and source, to find the same real-world thing told by another source
 * (docs/interface.md §4 rule 9). Within one source its own ids decide.
 */
export class Sightings {
  /** By hazard, source and thread; of each source the thread told last stands last. */
  readonly #byHazard = new Map<string, Map<string, Map<string, Noted>>>()

  /**
   * Remembers an event under its thread; ends are not remembered. `joined`: an earlier message brought it there. What a
   * source told of a thread that another one began is never compared: a copy of a copy may be something else.
   */
  note(event: LookoutEvent, joined = false): void {
    if (event.lifecycle === 'cancel' || event.lifecycle === 'expire') return
    const sighting = sightingOf(event)
    if (sighting === null) return
    const sources = this.#sources(sighting.hazard)
    const threads = sources.get(event.source) ?? new Map<string, Noted>()
    sources.set(event.source, threads)
    const lends = threads.get(event.thread_id)?.lends ?? !joined
    threads.delete(event.thread_id)
    threads.set(event.thread_id, { ...sighting, threadId: event.thread_id, lends })
    const [oldest] = threads.keys()
    if (threads.size > PER_SOURCE && oldest !== undefined) threads.delete(oldest)
  }

  /** The thread of the same thing as another source told it, or null. The best match wins: nearest in time. */
  match(event: LookoutEvent): { threadId: string; source: string } | null {
    const sources = this.#byHazard.get(hazardOf(event) ?? '')
    if (sources === undefined || (sources.size === 1 && sources.has(event.source))) return null
    const mine = sightingOf(event)
    if (mine === null) return null
    // Of two things its own source tells apart, a copy elsewhere must not make one.
    const own = sources.get(event.source)
    const apart = ({ sentAt }: Sighting): number => Math.abs(sentAt - mine.sentAt)
    const found = [...sources]
      .filter(([source]) => source !== event.source)
      .flatMap(([source, threads]) =>
        [...threads.values()]
          .filter((other) => other.lends && own?.has(other.threadId) !== true && isSameEvent(mine, other))
          .map((other) => ({ source, other }))
      )
      .sort((a, b) => apart(a.other) - apart(b.other))[0]
    return found === undefined ? null : { threadId: found.other.threadId, source: found.source }
  }

  #sources(hazard: string): Map<string, Map<string, Noted>> {
    const known = this.#byHazard.get(hazard) ?? new Map<string, Map<string, Noted>>()
    // The hazard told last stands last, so that the one forgotten is the oldest.
    this.#byHazard.delete(hazard)
    this.#byHazard.set(hazard, known)
    const [oldest] = this.#byHazard.keys()
    if (this.#byHazard.size > HAZARDS && oldest !== undefined) this.#byHazard.delete(oldest)
    return known
  }
}
