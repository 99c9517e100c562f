import { sha256Hex } from '../../platform/bytes/hash.ts'
import type { Database } from '../../platform/database/database.ts'
import { Remembered } from '../../platform/database/remembered.ts'

/** Crockford's base 32: no I, L, O and U, so that a code survives being read out and typed in. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 4
const BITS = 5
/** A thread of which nothing was heard this long gives its code away. */
const LIVE_MS = 14 * 86_400_000
const KEEP_MS = 30 * 86_400_000
const SEEN_EVERY_MS = 3_600_000
/** A storm's share goes in slices: events come first. */
const PRUNED_AT_ONCE = 1000
/** Candidates per thread, four from each digest: of a million codes, the first few suffice. */
const MAX_TRIES = 400
const REMEMBERED = 4000

/** The short names of threads: four letters by which a person acknowledges or asks. Kept over a restart. */
export class ThreadCodes {
  readonly #db: Database
  readonly #known: Remembered<{ code: string; seenAt: number }>

  constructor(db: Database) {
    this.#db = db
    this.#known = new Remembered(db, REMEMBERED)
  }

  /** The code of a thread, given out at the first question; no two live threads share one. */
  codeOf(threadId: string, now: number): string {
    const known = this.#known.get(threadId) ?? this.#read(threadId)
    if (known !== null) {
      // Asked several times per event: days are counted from it, so an hour's precision spares most writes.
      const isDue = now - known.seenAt >= SEEN_EVERY_MS
      if (isDue) this.#db.sql('UPDATE thread_codes SET seen_at = ? WHERE thread_id = ?').run(now, threadId)
      this.#known.set(threadId, isDue ? { ...known, seenAt: now } : known)
      return known.code
    }
    const code = this.#free(threadId, now)
    this.#db
      .sql(
        `INSERT INTO thread_codes VALUES (?, ?, ?)
         ON CONFLICT (code) DO UPDATE SET thread_id = excluded.thread_id, seen_at = excluded.seen_at`
      )
      .write(code, threadId, now)
    this.#known.set(threadId, { code, seenAt: now })
    return code
  }

  #read(threadId: string): { code: string; seenAt: number } | null {
    const row = this.#db.sql('SELECT code, seen_at FROM thread_codes WHERE thread_id = ?').get(threadId)
    return row === undefined ? null : { code: String(row['code']), seenAt: Number(row['seen_at']) }
  }

  /** The code a thread has, or null. */
  known(threadId: string): string | null {
    const row = this.#db.sql('SELECT code FROM thread_codes WHERE thread_id = ?').get(threadId)
    return row === undefined ? null : String(row['code'])
  }

  /** The thread behind what a person typed: any case, with or without `#`, O for 0, I or L for 1. Null when there is none. */
  threadOf(typed: string): string | null {
    const code = normalCode(typed)
    if (code === null) return null
    const row = this.#db.sql('SELECT thread_id FROM thread_codes WHERE code = ?').get(code)
    return row === undefined ? null : String(row['thread_id'])
  }

  /** Forgets codes of which nothing was heard for 30 days. */
  prune(now: number): void {
    this.#db
      .sql('DELETE FROM thread_codes WHERE code IN (SELECT code FROM thread_codes WHERE seen_at < ? LIMIT ?)')
      .run(now - KEEP_MS, PRUNED_AT_ONCE)
    this.#db.outdate()
  }

  #free(threadId: string, now: number): string {
    const taken = this.#db.sql('SELECT seen_at FROM thread_codes WHERE code = ?')
    let candidate = ''
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      candidate = codeCandidate(threadId, attempt)
      const seenAt = taken.get(candidate)?.['seen_at']
      if (seenAt === undefined) return candidate
      // The thread that had it loses it.
      if (Number(seenAt) <= now - LIVE_MS) break
    }
    this.#db.outdate()
    return candidate
  }
}

/** The code a thread asks for at its n-th attempt: from the hash of its id, so that two stations agree as a rule. */
export function codeCandidate(threadId: string, attempt: number): string {
  const digest = sha256Hex(attempt < 4 ? threadId : `${threadId}#${Math.floor(attempt / 4)}`)
  const value = Number.parseInt(digest.slice((attempt % 4) * 5, (attempt % 4) * 5 + 5), 16)
  let code = ''
  for (let letter = LENGTH - 1; letter >= 0; letter--) code += LETTERS[(value >> (letter * BITS)) & 31]
  return code
}

/** A code as it is stored, or null for what cannot be one. */
export function normalCode(typed: string): string | null {
  // Behind the dot stands what other stations read.
  const code = typed
    .trim()
    .replace(/^#/, '')
    .replace(/\.[^.]*$/, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null
}
