import { duration, number } from '../../../../web/shared/times.js'
import type { Reader } from './reader.ts'

/** Further back nothing says how fast it goes now. */
const WINDOW_MS = 10 * 60_000
/** Seen twice within this, a pace is chance. */
const LEAST_MS = 10_000
/** Nothing has come for so long: nobody knows when it goes on. */
const STALL_MS = 2 * 60_000
const MOST_WATCHED = 200

interface Seen {
  at: number
  done: number
}

/** How fast something goes on: measured from page to page, so that a time left is told only where there is a pace. */
export class Paces {
  readonly #seen = new Map<string, Seen[]>()

  /** Units a second; null while it is not known, and once nothing comes any more. `done` that falls begins anew. */
  measure(name: string, { done, now }: { done: number; now: number }): number | null {
    const before = this.#seen.get(name) ?? []
    const last = before.at(-1)
    const isSame = last !== undefined && last.done <= done && last.at <= now
    const kept = (isSame ? before : []).filter(({ at }) => now - at <= WINDOW_MS)
    // Of a stretch without news its beginning is enough: since then nothing has come.
    const seen = kept.at(-1)?.done === done ? kept : [...kept, { at: now, done }]
    this.#seen.delete(name)
    this.#seen.set(name, seen)
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= MOST_WATCHED) break
      this.#seen.delete(oldest)
    }
    const [first] = seen
    const newest = seen.at(-1)
    if (first === undefined || newest === undefined || newest.done === first.done) return null
    if (now - newest.at > STALL_MS || now - first.at < LEAST_MS) return null
    return ((newest.done - first.done) * 1000) / (now - first.at)
  }
}

const ofStations = new WeakMap<object, Paces>()

/** Those of a station: whoever looks measures for the others too. */
export function pacesOf(station: object): Paces {
  const paces = ofStations.get(station) ?? new Paces()
  ofStations.set(station, paces)
  return paces
}

/** `40 a minute, about 3 min left`; null without a pace: no time is promised then. */
export function paceWords(
  perSecond: number | null,
  left: number,
  { t, language }: Pick<Reader, 't' | 'language'>
): string | null {
  if (perSecond === null) return null
  const span = duration((left / perSecond) * 1000, language)
  if (perSecond >= 1) return t('{rate} a second, about {span} left', { rate: number(perSecond, language, 1), span })
  if (perSecond * 60 >= 1)
    return t('{rate} a minute, about {span} left', { rate: number(perSecond * 60, language), span })
  return t('{rate} an hour, about {span} left', { rate: number(perSecond * 3600, language), span })
}
