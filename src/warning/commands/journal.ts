import type { Database } from '../../platform/database/database.ts'
import { COMMANDS_KEPT_MS, type CommandOutcome } from '../outbox/comms-log.ts'

export interface GivenCommand {
  key: string
  sender: string
  command: string
  outcome: CommandOutcome
  at: number
}

/** Every command that came in, so that a repeat is not answered twice and nobody can flood the mesh; kept over a restart. */
export class CommandJournal {
  readonly #db: Database

  readonly #listeners = new Set<(command: GivenCommand) => void>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Hears of every one. Answers how to stop listening. */
  onAdd(listener: (command: GivenCommand) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  has(key: string): boolean {
    return this.#db.sql('SELECT 1 AS one FROM commands WHERE key = ?').get(key) !== undefined
  }

  add(entry: GivenCommand): void {
    this.#db
      .sql('INSERT INTO commands VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
      .run(entry.key, entry.sender, entry.command, entry.outcome, entry.at)
    for (const listener of this.#listeners) listener(entry)
  }

  /**
   * The number of commands with this outcome in a span of time: of one sender or of all, of those whose sender is proven or of those
   * anybody may have sent, of one name or of every one.
   */
  count(
    outcome: CommandOutcome,
    { since, until }: { since: number; until: number },
    {
      sender = null,
      proven = null,
      command = null
    }: { sender?: string | null; proven?: boolean | null; command?: string | null } = {}
  ): number {
    const row = this.#db
      .sql(
        `SELECT count(*) AS n FROM commands WHERE at > ?1 AND at <= ?4 AND outcome = ?2 AND (?3 IS NULL OR sender = ?3)
         AND (?5 IS NULL OR command = ?5) AND (?6 IS NULL OR (sender LIKE '% unproven' OR sender LIKE '% #%') <> ?6)`
      )
      .get(since, outcome, sender, until, command, proven === null ? null : Number(proven))
    return Number(row?.['n'] ?? 0)
  }

  prune(now: number): void {
    this.#db.sql('DELETE FROM commands WHERE at < ?').run(now - COMMANDS_KEPT_MS)
  }
}
