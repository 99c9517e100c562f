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
  #epoch = -1

  /** `most`: the keys that are kept; the oldest that nobody asked for goes first. */
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

  /** One that was asked for meanwhile has another turn. To move it with every question would build the map anew again and again. */
  #dropOne(): void {
    for (const [key, kept] of this.#kept) {
      this.#kept.delete(key)
      if (!kept.isAsked) return
      kept.isAsked = false
      this.#kept.set(key, kept)
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
