import type { Database } from './database.ts'

interface Kept<Value> {
  value: Value
  /** It was asked for since it was kept last. */
  isAsked: boolean
}

/**
 * Keeps by key what transactions of this connection read or wrote last, so that the next one need not read it again. Its owner
 * keeps every change here too, or deletes the key; a change by anybody else, or a rollback, makes it forget everything
 * (`Database.epoch`). Outside of a transaction it knows nothing: rows are read then.
 */
export class Remembered<Value> {
  readonly #db: Database
  readonly #most: number
  readonly #kept = new Map<string, Kept<Value>>()
  /** Goes round: a walk from the beginning would meet again all that was dropped before. */
  #hand: Iterator<[string, Kept<Value>]> = this.#kept.entries()
  #epoch = -1

  /** `most`: the keys that are kept; one that nobody asked for since it was looked at last goes, the oldest of them first. */
  constructor(db: Database, most: number) {
    this.#db = db
    this.#most = most
  }

  get(key: string): Value | undefined {
    if (!this.#isCurrent()) return undefined
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    kept.isAsked = true
    return kept.value
  }

  set(key: string, value: Value): void {
    if (!this.#isCurrent()) return
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      kept.value = value
      kept.isAsked = true
      return
    }
    if (this.#kept.size >= this.#most) this.#dropOne()
    this.#kept.set(key, { value, isAsked: false })
  }

  delete(key: string): void {
    this.#kept.delete(key)
  }

  /** One that was asked for meanwhile stays until the hand comes round again. */
  #dropOne(): void {
    for (;;) {
      const next = this.#hand.next()
      if (next.done === true) {
        this.#hand = this.#kept.entries()
        continue
      }
      const [key, kept] = next.value
      if (!kept.isAsked) {
        this.#kept.delete(key)
        return
      }
      kept.isAsked = false
    }
  }

  #isCurrent(): boolean {
    if (this.#epoch !== this.#db.epoch) {
      this.#kept.clear()
      this.#epoch = this.#db.epoch
    }
    return this.#db.isInTransaction
  }
}
