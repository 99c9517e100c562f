import { because, type Reason } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import { storedJson } from '../../platform/database/stored-json.ts'
import type { FeedChanges, FeedStore, PollState, Validators } from '../feeds/polling/feed-store.ts'

const DAY_MS = 86_400_000
/** An address that was not news for a week is asked in full once more; one that is gone is forgotten. */
const URL_DAYS = 7
/** The days for which a source that is not configured any more is kept. */
const SOURCE_DAYS = 30
/** The longest that a state which may be lost waits for a commit. A commit is some 60 kB on the card: its page, and the journal and tables of ext4. */
const KEPT_MS = 15 * 60_000

/** The memory of the sources, in the file of the ledger: stored as durably as the events it belongs to. */
export class SourceStore implements FeedStore {
  readonly #db: Database
  /** States that wait for a commit, and since when the first of them does. */
  readonly #kept = new Map<string, { state: PollState; now: number }>()
  #keptSince = 0

  constructor(db: Database) {
    this.#db = db
  }

  state(source: string): PollState | null {
    const kept = this.#kept.get(source)
    if (kept !== undefined) return kept.state
    const row = this.#db.sql('SELECT state FROM source_polls WHERE source = ?').get(source)
    if (row === undefined) return null
    const state = storedJson(row['state']) as PollState & { error: Reason | string | null }
    // A version before this one kept the sentence.
    return typeof state.error === 'string' ? { ...state, error: because('note', { text: state.error }) } : state
  }

  validators(source: string, url: string): Validators | null {
    const row = this.#db
      .sql('SELECT etag, modified, hash FROM source_urls WHERE source = ? AND url = ?')
      .get(source, url)
    if (row === undefined) return null
    return { etag: textOrNull(row['etag']), modified: textOrNull(row['modified']), hash: String(row['hash']) }
  }

  recall(source: string, key: string): unknown {
    const row = this.#db.sql('SELECT value FROM source_memory WHERE source = ? AND key = ?').get(source, key)
    return row === undefined ? undefined : storedJson(row['value'])
  }

  recallAll(source: string, prefix: string): [key: string, value: unknown][] {
    return this.#db
      .sql(
        'SELECT key, value FROM source_memory WHERE source = ? AND key >= ? AND key < ? || char(1114111) ORDER BY key'
      )
      .all(source, prefix, prefix)
      .map((row) => [String(row['key']), storedJson(row['value'])])
  }

  recallKeys(source: string, prefix: string): string[] {
    return this.#db
      .sql('SELECT key FROM source_memory WHERE source = ? AND key >= ? AND key < ? || char(1114111) ORDER BY key')
      .all(source, prefix, prefix)
      .map((row) => String(row['key']))
  }

  save(source: string, { state, urls = new Map(), memory = new Map() }: FeedChanges, now: number): void {
    this.#db.transaction(() => {
      for (const [name, kept] of this.#kept) this.#saveState(name, kept.state, kept.now)
      if (state !== undefined) this.#saveState(source, state, now)
      for (const [url, validators] of urls) this.#saveUrl(source, url, { ...validators, now })
      for (const [key, value] of memory) this.#remember(source, key, { value, now })
    })
    this.#kept.clear()
  }

  keep(source: string, state: PollState, now: number): void {
    if (this.#kept.size === 0) this.#keptSince = now
    if (Math.abs(now - this.#keptSince) >= KEPT_MS) this.save(source, { state }, now)
    else this.#kept.set(source, { state, now })
  }

  forget(source: string): void {
    this.#kept.delete(source)
    this.#db.transaction(() => {
      this.#db.sql('DELETE FROM source_polls WHERE source = ?').run(source)
      this.#db.sql('DELETE FROM source_memory WHERE source = ?').run(source)
      this.forgetUrls(source)
    })
  }

  forgetUrls(source: string): void {
    this.#db.sql('DELETE FROM source_urls WHERE source = ?').run(source)
  }

  /** Every listing is read in full once more, also one that has not changed. */
  readAllAnew(): void {
    this.#db.sql('DELETE FROM source_urls').run()
  }

  /** Forgets addresses without news, and sources that are not configured any more. */
  prune(now: number, configured: ReadonlySet<string>): void {
    this.#db.transaction(() => {
      this.#db.sql('DELETE FROM source_urls WHERE seen_at < ?').run(now - URL_DAYS * DAY_MS)
      const old = this.#db
        .sql(
          `SELECT source, max(seen_at) AS seen FROM
             (SELECT source, seen_at FROM source_polls UNION ALL SELECT source, seen_at FROM source_memory)
           GROUP BY source HAVING seen < ?`
        )
        .all(now - SOURCE_DAYS * DAY_MS)
      for (const row of old) if (!configured.has(String(row['source']))) this.forget(String(row['source']))
    })
  }

  #saveState(source: string, state: PollState, now: number): void {
    this.#db
      .sql(
        `INSERT INTO source_polls VALUES (?, ?, ?)
         ON CONFLICT (source) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at`
      )
      .run(source, JSON.stringify(state), now)
  }

  #saveUrl(source: string, url: string, { etag, modified, hash, now }: Validators & { now: number }): void {
    this.#db
      .sql(
        `INSERT INTO source_urls VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (source, url) DO UPDATE SET
           etag = excluded.etag, modified = excluded.modified, hash = excluded.hash, seen_at = excluded.seen_at`
      )
      .run(source, url, etag, modified, hash, now)
  }

  #remember(source: string, key: string, { value, now }: { value: unknown; now: number }): void {
    const text = value === undefined ? undefined : JSON.stringify(value)
    if (text === undefined) {
      this.#db.sql('DELETE FROM source_memory WHERE source = ? AND key = ?').run(source, key)
      return
    }
    this.#db
      .sql(
        `INSERT INTO source_memory VALUES (?, ?, ?, ?)
         ON CONFLICT (source, key) DO UPDATE SET value = excluded.value, seen_at = excluded.seen_at`
      )
      .run(source, key, text, now)
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
