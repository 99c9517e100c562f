import { sha256Hex } from '../../platform/bytes/hash.ts'
import type { Database } from '../../platform/database/database.ts'

/** Crockford's base 32: no I, L, O and U, so that a code survives being read out and typed in. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** One letter more than the codes of alerts: nobody takes one for the other. */
const LENGTH = 5
const LIVE_MS = 7 * 86_400_000
const MAX_TRIES = 100

/** A place in a document that was told over the radio. */
export interface PassagePlace {
  documentId: number
  page: number
  itemId: number | null
}

/** Short names of passages, good for 7 days (contract §8): `/k/7Q4M2` opens one on the hotspot. */
export class PassageCodes {
  readonly #db: Database
  readonly #now: () => number

  constructor({ db, now }: { db: Database; now: () => number }) {
    this.#db = db
    this.#now = now
  }

  /** The code of a passage, for 7 days from now; asked again it is the same one. No two live passages share a code. */
  codeOf(place: PassagePlace): string {
    return this.#db.transaction(() => {
      const now = this.#now()
      this.#forgetOld(now)
      const code = this.#free(place)
      this.#db
        .sql(
          `INSERT INTO passage_codes (code, document_id, page, item_id, expires_at) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (code) DO UPDATE SET document_id = excluded.document_id, page = excluded.page,
           item_id = excluded.item_id, expires_at = excluded.expires_at`
        )
        .run(code, place.documentId, place.page, place.itemId, now + LIVE_MS)
      return code
    })
  }

  /** The passage behind what a person typed: any case, O for 0, I or L for 1. Null when there is none, or none any more. */
  resolve(typed: string): PassagePlace | null {
    const code = normalPassageCode(typed)
    if (code === null) return null
    const row = this.#db
      .sql('SELECT document_id, page, item_id FROM passage_codes WHERE code = ? AND expires_at > ?')
      .get(code, this.#now())
    if (row === undefined) return null
    const itemId = row['item_id']
    return {
      documentId: Number(row['document_id']),
      page: Number(row['page']),
      itemId: itemId === null || itemId === undefined ? null : Number(itemId)
    }
  }

  /** Rows whose time is over, and those of a clock that was far ahead. */
  #forgetOld(now: number): void {
    this.#db.sql('DELETE FROM passage_codes WHERE expires_at <= ?1 OR expires_at > ?1 + ?2').run(now, 2 * LIVE_MS)
  }

  #free({ documentId, page, itemId }: PassagePlace): string {
    const holder = this.#db.sql('SELECT document_id, page, item_id FROM passage_codes WHERE code = ?')
    let candidate = ''
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      candidate = codeFrom(`${documentId}/${page}/${itemId ?? ''}#${attempt}`)
      const row = holder.get(candidate)
      if (row === undefined) return candidate
      const own = Number(row['document_id']) === documentId && Number(row['page']) === page
      if (own && (row['item_id'] ?? null) === itemId) return candidate
    }
    return candidate
  }
}

function codeFrom(text: string): string {
  const value = Number.parseInt(sha256Hex(text).slice(0, 10), 16)
  return Array.from({ length: LENGTH }, (_, index) => LETTERS[Math.floor(value / 32 ** index) % 32]).join('')
}

/** A code as it is stored, or null for what cannot be one. */
export function normalPassageCode(typed: string): string | null {
  const code = typed.trim().replace(/^#/, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null
}
