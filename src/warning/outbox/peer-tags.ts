import type { Database } from '../../platform/database/database.ts'
import type { HeardTag } from './station-mark.ts'

/** Longer than any message waits for the one that says it first. */
const KEEP_MS = 24 * 3_600_000
/** A forger who writes without end fills nothing: the oldest go. */
const MOST = 2000

/** A tag of another station, and when it was heard. `channelKey`: `mt:3`, `mc:north`. */
export interface PeerTag extends HeardTag {
  channelKey: string
  /** The node it came from, as it calls itself. */
  peer: string
  /** Epoch milliseconds. */
  heardAt: number
}

/** The tags of other stations that were heard: kept over a restart and a kill, so that nothing heard is said again. */
export class PeerTags {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  add({ channelKey, code, alert, revision, peer, heardAt }: PeerTag): void {
    this.#db
      .sql('INSERT INTO peer_tags (channel_key, code, alert, revision, peer, heard_at) VALUES (?, ?, ?, ?, ?, ?)')
      .run(channelKey, code, alert, revision, peer, heardAt)
    this.#db.sql('DELETE FROM peer_tags WHERE id <= (SELECT max(id) FROM peer_tags) - ?').run(MOST)
  }

  /** Tags heard on a channel since then, the newest first. */
  since(channelKey: string, since: number): PeerTag[] {
    return this.#db
      .sql('SELECT * FROM peer_tags WHERE channel_key = ? AND heard_at >= ? ORDER BY id DESC')
      .all(channelKey, since)
      .map(tagFromRow)
  }

  /** The newest of all channels. */
  newest(count: number): PeerTag[] {
    return this.#db.sql('SELECT * FROM peer_tags ORDER BY id DESC LIMIT ?').all(count).map(tagFromRow)
  }

  prune(now: number): void {
    this.#db.sql('DELETE FROM peer_tags WHERE heard_at < ?').run(now - KEEP_MS)
  }
}

function tagFromRow(row: Record<string, unknown>): PeerTag {
  return {
    channelKey: String(row['channel_key']),
    code: String(row['code']),
    alert: String(row['alert']),
    revision: String(row['revision']),
    peer: String(row['peer']),
    heardAt: Number(row['heard_at'])
  }
}
