import type { Clock } from '../../platform/clock/clock.ts'
import type { Database, Row } from '../../platform/database/database.ts'
import { reasonText, storedReason } from '../../platform/database/stored-reason.ts'
import { after, type KeyHealth, NEW_HEALTH, type Outcome } from './rotation.ts'

/** A steady stream of calls is written down this often: an SD card wears. Changes of health are written at once. */
const GATHER_MS = 10_000

interface Gathered {
  calls: number
  errors: number
  lastUsed: number
}

/**
 * The health of keys, in the table `key_health` that all processes share: a key that one of them finds refused or over
 * its limit rests for all. Counts are added up, so nobody overwrites another's. At a crash the counts of 10 s are lost.
 */
export class HealthStore {
  readonly #db: Database
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #gathered = new Map<string, Gathered>()
  #writtenAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  constructor({ db, clock, onError }: { db: Database; clock: Clock; onError: (error: unknown) => void }) {
    this.#db = db
    this.#clock = clock
    this.#onError = onError
  }

  /** By id of the key; who is not in it is new. */
  all(): Map<string, KeyHealth> {
    const rows = this.#db.sql('SELECT * FROM key_health').all()
    const found = new Map(rows.map((row) => [String(row['id']), healthOf(row)]))
    for (const [id, { calls, errors, lastUsed }] of this.#gathered) {
      const stored = found.get(id) ?? NEW_HEALTH
      found.set(id, { ...stored, calls: stored.calls + calls, errors: stored.errors + errors, lastUsed })
    }
    return found
  }

  /** Counts a call and keeps what it says of the key. Never throws: accounts must not stop the work they are about. */
  record(id: string, outcome: Outcome): void {
    this.#guarded(() => this.#record(id, outcome))
  }

  /** Keeps a judgement; counts stay as they are. */
  set(id: string, health: KeyHealth): void {
    this.#judge(id, health)
  }

  /** Forgets keys that are gone. */
  keepOnly(ids: readonly string[]): void {
    const kept = new Set(ids)
    for (const id of this.all().keys()) {
      if (kept.has(id)) continue
      this.#gathered.delete(id)
      this.#db.sql('DELETE FROM key_health WHERE id = ?').run(id)
    }
  }

  /** Writes down what was gathered; for the end of the process too. */
  flush(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.#gathered.size === 0) return
    this.#db.transaction(() => {
      for (const [id, { calls, errors, lastUsed }] of this.#gathered)
        this.#db
          .sql(
            `INSERT INTO key_health (id, calls, errors, last_used) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET
             calls = calls + ?2, errors = errors + ?3, last_used = max(coalesce(last_used, 0), ?4)`
          )
          .run(id, calls, errors, lastUsed)
    })
    this.#gathered.clear()
    this.#writtenAt = this.#clock.now()
  }

  #record(id: string, outcome: Outcome): void {
    const before = this.all().get(id) ?? NEW_HEALTH
    const now = this.#clock.now()
    const next = after(before, outcome, now)
    const { calls, errors } = this.#gathered.get(id) ?? { calls: 0, errors: 0 }
    this.#gathered.set(id, { calls: calls + 1, errors: errors + (outcome.kind === 'ok' ? 0 : 1), lastUsed: now })
    if (judgement(before) !== judgement(next)) {
      this.#judge(id, next)
      this.flush()
    } else if (now - this.#writtenAt >= GATHER_MS || now < this.#writtenAt) this.flush()
    else this.#cancel ??= this.#clock.after(GATHER_MS, () => this.#guarded(() => this.flush()))
  }

  #judge(id: string, { valid, lastValidated, coolUntil, strikes, quarantine }: KeyHealth): void {
    const flag = valid === null ? null : Number(valid)
    this.#db
      .sql(
        `INSERT INTO key_health (id, valid, last_validated, cool_until, strikes, quarantine) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (id) DO UPDATE SET valid = ?2, last_validated = ?3, cool_until = ?4, strikes = ?5, quarantine = ?6`
      )
      .run(id, flag, lastValidated, coolUntil, strikes, reasonText(quarantine))
  }

  #guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#onError(error)
    }
  }
}

function judgement({ valid, coolUntil, strikes, quarantine }: KeyHealth): string {
  return JSON.stringify([valid, coolUntil, strikes, quarantine])
}

function healthOf(row: Row): KeyHealth {
  const time = (name: string): number | null => (row[name] === null ? null : Number(row[name]))
  return {
    calls: Number(row['calls']),
    errors: Number(row['errors']),
    lastUsed: time('last_used'),
    valid: row['valid'] === null ? null : Number(row['valid']) === 1,
    lastValidated: time('last_validated'),
    coolUntil: Number(row['cool_until']),
    strikes: Number(row['strikes']),
    quarantine: storedReason(row['quarantine'])
  }
}
