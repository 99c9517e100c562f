import type { Database } from '../../platform/database/database.ts'
import type { Document, Metadata } from './document.ts'
import { documentFromRow } from './rows.ts'

/** Manku, Jain, Das Sarma: Detecting near-duplicates for web crawling (2007): 64-bit simhashes of copies differ in at most 3 bits. */
const NEAR_BITS = 3

/**
 * The document with the same title, author, edition and year, whatever their spelling; null when there is none. Without a
 * title or an author nothing is said: too many documents are called `Introduction`.
 */
export function sameWork(db: Database, meta: Metadata, exceptHash = ''): Document | null {
  const wanted = keyOf(meta)
  if (folded(meta.title) === '' || folded(meta.author) === '') return null
  const rows = db
    .sql(
      `SELECT id, hash, title, author, edition, year FROM documents
       WHERE kind IN ('pdf', 'text') AND title <> '' AND author <> '' ORDER BY id`
    )
    .iterate()
  for (const row of rows) {
    const meta: Metadata = {
      title: String(row['title']),
      author: String(row['author']),
      edition: String(row['edition']),
      year: String(row['year'])
    }
    if (row['hash'] !== exceptHash && keyOf(meta) === wanted) return byId(db, Number(row['id']))
  }
  return null
}

const keyOf = ({ title, author, edition, year }: Metadata): string =>
  [title, author, edition, year].map(folded).join('\n')

/** One spelling: no case, accents, punctuation or repeated blanks. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The document with the same text, else the one with the nearest text (at most 3 of 64 bits apart); null when there is none. */
export function similar(db: Database, simhash: string, textHash: string, exceptHash = ''): Document | null {
  const same = db
    .sql('SELECT * FROM documents WHERE text_hash = ? AND hash <> ? ORDER BY id LIMIT 1')
    .get(textHash, exceptHash)
  if (same !== undefined) return documentFromRow(same)
  const [high, low] = halves(simhash)
  let best: { id: number; bits: number } | null = null
  const rows = db.sql('SELECT id, simhash FROM documents WHERE simhash IS NOT NULL AND hash <> ?').iterate(exceptHash)
  for (const row of rows) {
    const [a, b] = halves(String(row['simhash']))
    const bits = ones(a ^ high) + ones(b ^ low)
    if (bits <= NEAR_BITS && (best === null || bits < best.bits)) best = { id: Number(row['id']), bits }
  }
  return best === null ? null : byId(db, best.id)
}

const halves = (simhash: string): [number, number] => [
  Number.parseInt(simhash.slice(0, 8), 16),
  Number.parseInt(simhash.slice(8, 16), 16)
]

/** Number of bits set, of a 32-bit number (Hacker's Delight, figure 5-2). */
function ones(value: number): number {
  let n = value - ((value >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function byId(db: Database, id: number): Document | null {
  const row = db.sql('SELECT * FROM documents WHERE id = ?').get(id)
  return row === undefined ? null : documentFromRow(row)
}
