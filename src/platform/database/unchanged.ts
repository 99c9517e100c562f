import type { Database } from './database.ts'

/**
 * Rows younger than some time, kept until anything in the file changes: what is asked again and again between two changes, by
 * whoever reads pages, costs two questions that read no row. `at` tells when a row came. Epoch milliseconds.
 */
export class UnchangedSince<Found> {
  readonly #db: Database
  readonly #at: (found: Found) => number
  #kept: { mark: string; since: number; found: Found[] } | null = null

  constructor(db: Database, at: (found: Found) => number) {
    this.#db = db
    this.#at = at
  }

  /** Those after `since`, in the order in which `read` answers. */
  after(since: number, read: () => Found[]): Found[] {
    const mark = this.#db.mark()
    if (this.#kept?.mark !== mark || since < this.#kept.since) this.#kept = { mark, since, found: read() }
    return this.#kept.found.filter((found) => this.#at(found) > since)
  }
}
