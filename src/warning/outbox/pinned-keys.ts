import type { Database } from '../../platform/database/database.ts'

/** The key by which an admin's node was first recognised, and the other one that came under its id since. */
export interface PinnedKey {
  /** `!a1b2c3d4` */
  node: string
  /** 64 hex digits. */
  key: string
  firstSeen: number
  other: { key: string; at: number } | null
}

/** A key against the pinned one: the `first` of a node is pinned, another one proves nothing until the operator forgets the old. */
export type KeyStanding = 'first' | 'same' | 'other'

/** A forger who writes all day changes the row once in this time. */
const NOTED_EVERY_MS = 3_600_000

/**
 * Keys of admins' nodes, pinned at first use. A radio forgets the keys of nodes it has not heard for long and then believes whoever
 * tells it a new one, so the station remembers them itself. They are few and stay in memory: a disk that fails pins nothing anew.
 */
export class PinnedKeys {
  readonly #db: Database
  readonly #byNode = new Map<string, PinnedKey>()

  constructor(db: Database) {
    this.#db = db
    for (const row of db.sql('SELECT * FROM pinned_keys').all()) {
      const other = row['other_key'] === null ? null : { key: String(row['other_key']), at: Number(row['other_at']) }
      const node = String(row['node'])
      this.#byNode.set(node, { node, key: String(row['key']), firstSeen: Number(row['first_seen']), other })
    }
  }

  standing(node: string, key: string): KeyStanding {
    const pinned = this.#byNode.get(node)
    if (pinned === undefined) return 'first'
    return pinned.key === key ? 'same' : 'other'
  }

  /** When the key of a node was seen first, epoch milliseconds; null without one. */
  since(node: string): number | null {
    return this.#byNode.get(node)?.firstSeen ?? null
  }

  /** Pins a first key, and notes another one. Part of the transaction of the text that brought it. */
  learn(node: string, key: string, now: number): void {
    const pinned = this.#byNode.get(node)
    if (pinned === undefined) this.#store({ node, key, firstSeen: now, other: null })
    else if (pinned.key !== key && !isNoted(pinned, key, now)) this.#store({ ...pinned, other: { key, at: now } })
  }

  /** By node. */
  list(): PinnedKey[] {
    return [...this.#byNode.values()].sort((a, b) => a.node.localeCompare(b.node))
  }

  /** The number of nodes under whose id another key came since then. */
  changedSince(since: number): number {
    return this.list().filter(({ other }) => other !== null && other.at >= since).length
  }

  /** The next key of this node is pinned. Answers whether it had one. */
  forget(node: string): boolean {
    this.#db.sql('DELETE FROM pinned_keys WHERE node = ?').run(node)
    return this.#byNode.delete(node)
  }

  #store(pinned: PinnedKey): void {
    const { node, key, firstSeen, other } = pinned
    this.#byNode.set(node, pinned)
    this.#db
      .sql(
        `INSERT INTO pinned_keys VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (node) DO UPDATE SET other_key = excluded.other_key, other_at = excluded.other_at`
      )
      .run(node, key, firstSeen, other?.key ?? null, other?.at ?? null)
  }
}

function isNoted({ other }: PinnedKey, key: string, now: number): boolean {
  return other !== null && other.key === key && Math.abs(now - other.at) < NOTED_EVERY_MS
}
