import type { Database } from './database.ts'

/**
 * Keeps by key what transactions of this connection read or wrote last, so that the next one need not read it again. Its owner
 * keeps every change here too, or deletes the key; a change by anybody else, or a rollback, makes it forget everything
 * (`Database.epoch`). Outside of a transaction it knows nothing: rows are read then.
 */
export class Remembered<Value> {
  readonly #db: Database
  readonly #most: number
  readonly #values = new Map<string, Value>()
  #epoch = -1

  /** `most`: the keys that are kept; those that were asked for least lately go first. */
  constructor(db: Database, most: number) {
    this.#db = db
    this.#most = most
  }

  get(key: string): Value | undefined {
    if (!this.#isCurrent()) return undefined
    const value = this.#values.get(key)
    if (value === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, value)
    return value
  }

  set(key: string, value: Value): void {
    if (!this.#isCurrent()) return
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= this.#most) return
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      return
    }
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  #isCurrent(): boolean {
    if (this.#epoch !== this.#db.epoch) {
      this.#values.clear()
      this.#epoch = this.#db.epoch
    }
    return this.#db.isInTransaction
  }
}
